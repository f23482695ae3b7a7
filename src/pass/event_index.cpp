#include "pass/event_index.hpp"

#include <algorithm>

namespace waitstate::pass {

/// Throws out every second mark if there are as many as may be.
void EventIndex::make_room(OfLocation& of) const {
  if (of.marks.size() != most_marks_) return;
  for (std::size_t i = 1; 2 * i < of.marks.size(); ++i) of.marks[i] = std::move(of.marks[2 * i]);
  of.marks.resize(most_marks_ / 2);
  of.distance *= 2;
}

void EventIndex::note(LocationId l, const Readers<replay::LocationReplay>& readers,
                      const replay::LocationReplay& replay, std::uint64_t events) {
  if (readers.at_end(l)) return;
  note(l, events, [&] {
    Mark mark{events == 0 ? 0 : replay.last_time(), readers.place(l), {}};
    for (const replay::OpenRegionOfLocation& open : replay.open_regions())
      mark.open.push_back({open.region, open.enter});
    return mark;
  });
}

const EventIndex::Mark* EventIndex::before(LocationId l, Time time) const {
  const std::vector<Mark>& marks = locations_[l.index()].marks;
  const auto later = std::partition_point(marks.begin(), marks.end(), [&](const Mark& m) { return m.time < time; });
  return later == marks.begin() ? (marks.empty() ? nullptr : &marks.front()) : &*(later - 1);
}

const EventIndex::Mark* EventIndex::after(LocationId l, Time time) const {
  const std::vector<Mark>& marks = locations_[l.index()].marks;
  const Mark* const mark = before(l, time);
  return mark == nullptr || mark == &marks.back() ? nullptr : mark + 1;
}

}  // namespace waitstate::pass
