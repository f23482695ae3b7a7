// Where in its file each location was at which time, and which regions it was in: made while a trace is read, so that
// parts of it can be looked at again without reading what is before them.
//
// A mark is noted when a location goes on to be read, but not more often than every 2,048 events; of a location with
// more than 128 marks (of less than 128 locations up to 16,384 in all, 1,024 each) every second one is thrown out, and
// the distance doubles. Cost: some 200 bytes a mark. What is found with it does not depend on where the marks are: it
// begins at the latest one that is early enough.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pass/reader_group.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::pass {

struct OpenRegion {
  RegionId region;
  Time enter = 0;
};

class EventIndex {
 public:
  static constexpr std::size_t closest = 2048;

  struct Mark {
    Time time = 0;  ///< no event before it is later, none behind it earlier
    ReadingPlace place;
    std::vector<OpenRegion> open;  ///< outermost first
    std::uint64_t events = 0;      ///< read before it
  };

  explicit EventIndex(std::size_t locations)
      : locations_(locations),
        most_marks_(std::clamp<std::size_t>(16384 / std::max<std::size_t>(1, locations), 128, 1024)) {}

  /// Where the location goes on to be read, after so many events. Different locations may do so at the same time.
  void note(LocationId l, const Readers<replay::LocationReplay>& readers, const replay::LocationReplay& replay,
            std::uint64_t events);
  /// Like the other note(), for readers of any sink. `mark()` makes the mark, without the number of events; it is
  /// called only if a mark is due.
  template <class MakeMark>
  void note(LocationId l, std::uint64_t events, MakeMark&& mark) {
    OfLocation& of = locations_[l.index()];
    if (events < of.next) return;
    make_room(of);
    of.marks.push_back(mark());
    of.marks.back().events = events;
    of.next = events + of.distance;
  }
  /// The latest mark at which no event of that time or a later one has been read; null if the location has none.
  const Mark* before(LocationId l, Time time) const;
  /// The first mark behind before(); null if there is none.
  const Mark* after(LocationId l, Time time) const;

 private:
  struct OfLocation {
    std::vector<Mark> marks;
    std::uint64_t next = 0, distance = closest;  ///< in events
  };
  void make_room(OfLocation& of) const;

  std::vector<OfLocation> locations_;
  std::size_t most_marks_;  ///< for each location
};

}  // namespace waitstate::pass
