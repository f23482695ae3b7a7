#include "waitstate/spilled_vector.hpp"

#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "util/scratch_file.hpp"

namespace waitstate {

SpilledPages::SpilledPages(std::size_t bytes_in_memory)
    : most_in_memory_(std::max<std::size_t>(bytes_in_memory / page_bytes, 1)),
      file_(std::make_unique<util::ScratchFile>()) {}
SpilledPages::~SpilledPages() = default;

std::byte* SpilledPages::bring_back(std::size_t number, bool changes) {
  if (number >= pages_.size()) pages_.resize(number + 1);
  std::unique_ptr<std::byte[]> bytes = take_memory();
  Page& page = pages_[number];
  if (page.in_file)
    file_->read(page.place, std::span(bytes.get(), page_bytes));
  else
    std::fill_n(bytes.get(), page_bytes, std::byte{0});
  page.bytes = std::move(bytes);
  page.used = true;
  page.changed = changes;
  in_memory_.push_back(number);
  return page.bytes.get();
}

// Of the pages in memory one that was not looked at since all of them were passed.
std::unique_ptr<std::byte[]> SpilledPages::take_memory() {
  while (in_memory_.size() >= most_in_memory_) {
    next_ = next_ >= in_memory_.size() ? 0 : next_;
    Page& page = pages_[in_memory_[next_]];
    if (std::exchange(page.used, false)) {
      ++next_;
      continue;
    }
    if (page.changed || !page.in_file) {
      if (page.in_file) file_->drop(page.place, page_bytes), --spilled_;
      const std::optional<std::uint64_t> place = file_->put(std::span(page.bytes.get(), page_bytes));
      page.in_file = place.has_value();
      if (!place) {
        most_in_memory_ = std::numeric_limits<std::size_t>::max();
        break;
      }
      page.place = *place;
      page.changed = false;
      ++spilled_;
    }
    in_memory_[next_] = in_memory_.back();
    in_memory_.pop_back();
    return std::move(page.bytes);
  }
  return std::make_unique_for_overwrite<std::byte[]>(page_bytes);
}

}  // namespace waitstate
