#include "serve/timeline/wait_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "serve/timeline/stretch_of_bins.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {

std::string wait_file_head(const MetricTree& metrics) {
  nlohmann::json ids = nlohmann::json::array();
  for (MetricIndex m = 0; m < metrics.size(); ++m) ids.push_back(metrics[m].id);
  std::string text = ids.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
}

WaitFile::WaitFile(const std::string& path, std::size_t locations, WaitBins bins)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      begin_of_(locations + 1),
      longest_of_(locations),
      bins_(bins),
      shares_(locations * bins.count) {
  struct stat status {};
  if (!file_.is_open() || ::fstat(file_.get(), &status) != 0)
    throw OutputError(fmt::format("the waits of this run cannot be read: {}", std::strerror(errno)));
  size_ = static_cast<std::size_t>(status.st_size);
  std::uint64_t head = 0;
  if (size_ < sizeof head) throw OutputError("the waits of this run are not complete");
  bytes_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.get(), 0);
  if (bytes_ == MAP_FAILED) {
    bytes_ = nullptr;
    throw OutputError(fmt::format("the waits of this run cannot be read: {}", std::strerror(errno)));
  }
  const char* const begin = static_cast<const char*>(bytes_);
  std::memcpy(&head, begin, sizeof head);
  if (head > size_ - sizeof head || head % 8 != 0 || (size_ - sizeof head - head) % sizeof(WaitRecord) != 0)
    throw OutputError("the waits of this run are not complete");
  const auto ids = nlohmann::json::parse(begin + sizeof head, begin + sizeof head + head, nullptr, false);
  if (ids.is_array()) metrics_ = ids.get<std::vector<std::string>>();
  records_ = {reinterpret_cast<const WaitRecord*>(begin + sizeof head + head),
              (size_ - sizeof head - head) / sizeof(WaitRecord)};
  std::size_t l = 0;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const WaitRecord& r = records_[i];
    if (r.location >= locations || r.location + std::size_t{1} < l || r.metric >= metrics_.size() || r.end < r.begin)
      throw OutputError("the waits of this run do not belong to this trace");
    while (l <= r.location) begin_of_[l++] = i;
    longest_of_[r.location] = std::max(longest_of_[r.location], r.end - r.begin);
  }
  while (l <= locations) begin_of_[l++] = records_.size();
  std::vector<std::uint64_t> sums(bins.count);
  for (l = 0; l < locations; ++l) {
    if (begin_of_[l] == begin_of_[l + 1]) continue;
    std::fill(sums.begin(), sums.end(), 0);
    add_waiting(LocationId{l}, bins.start, bins.width, sums);
    for (std::size_t b = 0; b < bins.count; ++b)
      shares_[l * bins.count + b] = static_cast<std::uint8_t>(std::lround(
          255.0 * static_cast<double>(std::min<std::uint64_t>(sums[b], bins.width)) / static_cast<double>(bins.width)));
  }
}

WaitFile::~WaitFile() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
}

std::span<const WaitRecord> WaitFile::of(LocationId l) const {
  return records_.subspan(begin_of_[l.index()], begin_of_[l.index() + 1] - begin_of_[l.index()]);
}

std::span<const WaitRecord> WaitFile::around(LocationId l, Time from, Time to) const {
  const std::span<const WaitRecord> all = of(l);
  const Time longest = longest_of_[l.index()], earliest = from > longest ? from - longest : 0;
  const auto begin = std::partition_point(all.begin(), all.end(), [&](const auto& r) { return r.begin < earliest; });
  const auto end = std::partition_point(begin, all.end(), [&](const auto& r) { return r.begin < to; });
  return {begin, end};
}

void WaitFile::add_shares(std::size_t first, std::size_t last, Time from, Time width,
                          std::span<std::uint64_t> bins) const {
  const StretchOfBins stretch(bins_.start, bins_.width, bins_.count, from, width, bins.size());
  std::vector<std::uint32_t> added(stretch.count);
  for (std::size_t l = first; l < last; ++l) {
    const std::uint8_t* const row = shares_.data() + l * bins_.count + stretch.first;
    for (std::size_t i = 0; i < added.size(); ++i) added[i] += row[i];
  }
  stretch.spread(
      [&](std::size_t bin, std::size_t of_level, Time ticks) { bins[bin] += ticks_of_shares(added[of_level], ticks); });
}

void WaitFile::add_waiting(LocationId l, Time from, Time width, std::span<std::uint64_t> bins) const {
  const Time to = from + width * bins.size();
  Time told = from;  // up to here it is added
  for (const WaitRecord& r : around(l, from, to)) {
    Time begin = std::max<Time>(r.begin, told);
    const Time end = std::min<Time>(r.end, to);
    if (begin >= end) continue;
    told = end;
    for (std::size_t b = static_cast<std::size_t>((begin - from) / width); begin < end; ++b) {
      const Time next = std::min<Time>(end, from + (b + 1) * width);
      bins[b] += next - begin;
      begin = next;
    }
  }
}

}  // namespace waitstate::serve
