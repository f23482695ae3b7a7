#include "util/spill/spilled_vector.hpp"

#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "util/spill/scratch_file.hpp"

namespace waitstate::util {

namespace {
thread_local unsigned reader_number = 0;
}

SharedReader::SharedReader(unsigned number) { reader_number = number; }
SharedReader::~SharedReader() { reader_number = 0; }

SpilledPages::SpilledPages(std::size_t bytes_in_memory)
    : SpilledPages(std::max<std::size_t>(bytes_in_memory / page_bytes, 1), std::make_shared<ScratchFile>()) {}
SpilledPages::SpilledPages(std::size_t most_in_memory, std::shared_ptr<ScratchFile> file)
    : most_in_memory_(most_in_memory), file_(std::move(file)) {}
SpilledPages::~SpilledPages() = default;

// Divides the memory: half of it holds what is in the vector, the other half is for the readers.
void SpilledPages::share(unsigned readers) {
  most_unshared_ = most_in_memory_;
  if (spilled_ > 0) {
    most_in_memory_ = std::max<std::size_t>(most_in_memory_ / 2, 1);
    while (in_memory_.size() > most_in_memory_) take_memory();
  }
  for (const std::size_t number : in_memory_) pages_[number].used = true;
  for (unsigned i = 0; i < readers; ++i) {
    readers_.emplace_back(new SpilledPages(std::max<std::size_t>(most_in_memory_ / readers, 1), file_));
    if (spilled_ == 0) continue;
    std::vector<Page>& pages = readers_.back()->pages_;
    pages.resize(pages_.size());
    for (std::size_t number = 0; number < pages_.size(); ++number)
      pages[number].place = pages_[number].place, pages[number].in_file = pages_[number].in_file;
  }
}

void SpilledPages::end_sharing() {
  readers_.clear();
  most_in_memory_ = most_unshared_;
}

std::byte* SpilledPages::bring_back(std::size_t number, bool changes) {
  if (!readers_.empty()) return readers_[reader_number]->look_at(number, false);
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

// Takes the memory of a page that was not looked at since the last pass over all pages.
std::unique_ptr<std::byte[]> SpilledPages::take_memory() {
  while (in_memory_.size() >= most_in_memory_) {
    next_ = next_ >= in_memory_.size() ? 0 : next_;
    Page& page = pages_[in_memory_[next_]];
    if (page.used) {
      page.used = false;
      ++next_;
      continue;
    }
    if (page.changed) {
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

}  // namespace waitstate::util
