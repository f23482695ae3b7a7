#include "merge/window.hpp"

#include "util/radix_sort.hpp"

namespace waitstate::merge {

namespace {
constexpr std::size_t fewest_of_a_location = 4, longest_runs = 3;
// If the events of a location follow each other, no window is looked for until this many times its events have been
// placed.
constexpr std::size_t windows_skipped = 30;
}  // namespace

bool Window::collect(std::span<const LocationStream> streams, const WaitingLocations& waiting, Time begin) {
  events_until_due_ = fewest_of_a_location * streams.size();
  begin_ = begin;
  const Time end = find_end(streams, waiting);
  if (end <= begin || (end - begin) >> time_bits != 0 || locations_.size() >> location_bits != 0) return false;
  list_events(streams, end);
  if (entries_.size() < fewest_of_a_location * locations_.size()) return false;
  util::radix_sort<10>(entries_, scratch_, [](std::uint64_t entry) { return entry >> location_bits; });
  events_until_due_ = pays() ? 0 : windows_skipped * entries_.size();
  return due();
}

// The time at which the first location has no more events. A location that waits may be woken, so its end counts, too.
Time Window::find_end(std::span<const LocationStream> streams, const WaitingLocations& waiting) {
  Time end = ~Time{0};
  locations_.clear();
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const LocationStream& s = streams[i];
    if (s.intervals.empty()) continue;
    end = std::min(end, std::max(s.key, s.rows[s.count - 1].time));
    if (!waiting.contains(LocationId{i})) locations_.push_back(LocationId{i});
  }
  return end;
}

void Window::list_events(std::span<const LocationStream> streams, Time end) {
  entries_.clear();
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    const LocationStream& s = streams[locations_[i].index()];
    Time key = s.key;
    for (std::size_t e = s.next; (key = std::max(key, s.rows[e].time)) < end; ++e)
      entries_.push_back((key - begin_) << location_bits | i);
  }
}

// True if the events change from one location to another often enough.
bool Window::pays() const {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < entries_.size(); ++i) runs += ((entries_[i] ^ entries_[i - 1]) & location_mask) != 0;
  return entries_.size() < longest_runs * runs;
}

}  // namespace waitstate::merge
