#include "link/threads/attachments.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::link {

SegmentRef Attachments::begin(LocationId l, const TeamRef& team, Time t) {
  Location& location = locations_[l.index()];
  const SegmentRef s{l, location.first + static_cast<std::uint32_t>(location.segments.size())};
  location.segments.push_back({team, t});
  ++location.unattached;
  return s;
}

void Attachments::attach(const SegmentRef& s, CallPathId where, std::uint32_t open) {
  Location& location = locations_[s.location.index()];
  const std::uint32_t attachment = paths_.attachment(s.location, where, open);
  if (s.of_task()) {
    location.tasks[s.number] = attachment;
  } else {
    Segment& segment = (*this)[s];
    segment.attached = true;
    segment.attachment = attachment;
    --location.unattached;
  }
  if (location.forks.empty()) return;
  std::erase_if(location.forks, [&](const Fork& f) {
    const bool here = f.segment == s;
    if (here) ready_.push_back(f);
    return here;
  });
}

void Attachments::fork_in(const Fork& fork) {
  std::vector<Fork>& forks = attached(fork.segment) ? ready_ : locations_[fork.segment.location.index()].forks;
  forks.push_back(fork);
  forks.back().sequence = forks_++;
}

std::vector<Fork> Attachments::take_forks() {
  if (ready_.empty()) return {};
  std::sort(ready_.begin(), ready_.end(), [](const Fork& a, const Fork& b) { return a.sequence < b.sequence; });
  return std::exchange(ready_, {});
}

SegmentRef Attachments::first_unattached(LocationId l) const {
  const Location& location = locations_[l.index()];
  for (std::uint32_t i = 0; i < location.segments.size() && location.unattached != 0; ++i)
    if (!location.segments[i].attached) return {l, location.first + i};
  return {l, 0};
}

const Segment& Attachments::process_next(LocationId l) {
  Location& location = locations_[l.index()];
  const Segment& segment = (*this)[{l, ++location.processed}];
  if (keep_links_) location.begun.push_back(segment.attachment);
  return segment;
}

void Attachments::process_task(const SegmentRef& s) {
  if (keep_links_) locations_[s.location.index()].begun_tasks.push_back(of(s.location, s.number));
}

void Attachments::forget_processed(LocationId l) {
  Location& location = locations_[l.index()];
  while (location.first < location.processed) {
    location.segments.pop_front();
    ++location.first;
  }
}

}  // namespace waitstate::link
