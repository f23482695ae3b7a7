// Points, at which locations met, and the log of each location that they are kept in.
//
// A point is named by its location and its number in that location's log, the order in which it came: so what is known
// of a location can be kept and judged where its events are, and only names travel. Logs lie in chunks of 64 points in
// one vector, beyond a limit in a scratch file (waitstate/pattern/spilled_vector.hpp), in the order in which chunks
// were begun, which is near that of time: what ten thousand locations do at one time lies side by side. A point takes
// 72 bytes, and a chunk 4 in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "waitstate/pattern/compound_events.hpp"
#include "waitstate/pattern/spilled_vector.hpp"

namespace waitstate::causes {

struct PointId {
  static constexpr std::uint32_t no_number = 0x7fffffff;
  LocationId location{};
  std::uint32_t number = no_number;  ///< among those of its location
  bool operator==(const PointId&) const = default;
};
inline constexpr PointId no_point{};
inline constexpr std::uint32_t no_group = 0xffffffffu;

enum class PointKind : std::uint8_t {
  late_sender,
  late_receiver,
  barrier,
  n2n,
  one_to_n,
  n_to_one,
  init,
  finalize,
  fork,
  team_barrier,
  inner_barrier,  ///< of a team within a team: not followed, as if it were not there
  // With all_waits only (causes_all_waits.hpp, and the last three: causes_threads.hpp, causes_devices.hpp):
  window,            ///< a collective operation on a window of MPI
  epoch,             ///< post, start, complete, wait
  passive_target,    ///< a lock of a window, or a target that made no progress
  shmem_collective,  ///< of SHMEM, as the next one
  shmem_pair,
  scan,    ///< a prefix reduction of MPI
  lock,    ///< of threads
  task,    ///< a thread without a task
  device,  ///< a host thread waits for a kernel
  launch,  ///< a kernel, and the call that has launched it
};

struct Point {
  LocationId location;
  CallPathId callpath;
  Time enter = 0, record = 0;      ///< of the call, of the record in it
  Ticks total = 0;                 ///< time of the call
  Ticks wait = 0;                  ///< 0 if it did not wait
  Ticks completion = 0;            ///< time of the call after all partners had come
  PointId culprit = no_point;      ///< whom it waited for
  std::uint32_t group = no_group;  ///< of a collective operation: index into Causes::groups; of a fork: its number;
                                   ///< of a team's barrier: its communicator
  LocationId met;                  ///< of a message: the partner; of a one-to-all operation: the root, of a waiter
  std::uint32_t before = PointId::no_number;  ///< on its location
  std::uint16_t call = 0;                     ///< Call::number; 0 if it is not known
  PointKind kind{};
  bool on_path : 1 = false;     ///< the critical path came by
  bool leads_back : 1 = false;  ///< of a device: from its stream the path finds the way back to a host thread

  PointId point_before() const { return before == PointId::no_number ? no_point : PointId{location, before}; }
};

static_assert(sizeof(Point) == 72);

inline Ticks ticks_from(Time from, Time to) {
  return to > from ? static_cast<Ticks>(to - from) : -static_cast<Ticks>(from - to);
}

inline Point point(PointKind kind, const Call& call, Time record, Ticks wait, Ticks completion) {
  Point p;
  p.location = call.location;
  p.callpath = call.callpath;
  p.call = call.number;
  p.enter = call.enter;
  p.record = record;
  p.total = ticks_from(call.enter, call.exit);
  p.wait = wait;
  p.completion = completion;
  p.kind = kind;
  return p;
}

class PointLog {
 public:
  static constexpr std::uint32_t per_chunk = 64;

  PointLog(std::size_t locations, std::size_t bytes_in_memory) : points_(bytes_in_memory), logs_(locations) {}

  /// Of all locations.
  std::size_t size() const { return size_; }
  std::uint32_t size(LocationId l) const { return logs_[l.index()].size; }
  /// The name of the next one of the location.
  PointId next(LocationId l) const { return {l, size(l)}; }
  PointId push_back(const Point& p) {
    Log& log = logs_[p.location.index()];
    if (log.size == PointId::no_number)
      throw std::length_error("a location has more than 2,147,483,647 points of causes");
    if (log.size % per_chunk == 0) {
      log.chunks.push_back(chunks_++);
      points_.grow(std::size_t{chunks_} * per_chunk);
    }
    const PointId id{p.location, log.size++};
    ++size_;
    points_.set(place(id), p);
    return id;
  }
  Point at(PointId id) const { return points_[place(id)]; }
  void set(PointId id, const Point& p) { points_.set(place(id), p); }
  /// Of what will be asked for soon.
  void prefetch(PointId id) const { points_.prefetch(place(id), 1); }
  /// For who goes back over a location's points.
  void prefetch_before(PointId id) const {
    constexpr std::uint32_t count = 16;
    if (id.number % count == 0 && id.number >= count) points_.prefetch(place({id.location, id.number - count}), count);
  }
  /// change(Point&), which must not look at the log.
  template <class Change>
  void change(PointId id, Change&& change) {
    points_.change(place(id), change);
  }
  /// visit(const Point&) for all as they lie, near the order of time. Places that are left free come as points that do
  /// not wait. It must not look at the log.
  template <class Visit>
  void each(Visit&& visit) const {
    points_.each(0, points_.size(), visit);
  }
  /// visit(PointId of the first one, PointId behind the last one) for the chunks of some locations, [first, last), in
  /// the order in which they were begun: near that of time, so who looks at many locations at once looks at each page
  /// once. It must not add points.
  template <class Visit>
  void chunks(std::size_t first, std::size_t last, Visit&& visit) const {
    each_chunk<false>(first, last, visit);
  }
  /// The same from the last one on.
  template <class Visit>
  void chunks_back(std::size_t first, std::size_t last, Visit&& visit) const {
    each_chunk<true>(first, last, visit);
  }
  /// SpilledPages::share().
  void share(unsigned readers) const { points_.share(readers); }
  void end_sharing() const { points_.end_sharing(); }

 private:
  struct Log {
    std::vector<std::uint32_t> chunks{};
    std::uint32_t size = 0;
  };
  std::size_t place(PointId id) const {
    return std::size_t{logs_[id.location.index()].chunks[id.number / per_chunk]} * per_chunk + id.number % per_chunk;
  }

  template <bool back, class Visit>
  void each_chunk(std::size_t first, std::size_t last, Visit& visit) const {
    using Next = std::pair<std::uint32_t, LocationId>;  // the location's chunk that comes next
    std::priority_queue<Next, std::vector<Next>, std::conditional_t<back, std::less<Next>, std::greater<Next>>> next;
    std::vector<std::uint32_t> visited(last - first);
    const auto number = [&](LocationId l) {
      const std::uint32_t n = visited[l.index() - first];
      return back ? static_cast<std::uint32_t>(logs_[l.index()].chunks.size()) - 1 - n : n;
    };
    const auto add = [&](LocationId l) {
      const std::vector<std::uint32_t>& chunks = logs_[l.index()].chunks;
      if (visited[l.index() - first] < chunks.size()) next.emplace(chunks[number(l)], l);
    };
    for (std::size_t l = first; l < last; ++l) add(LocationId{l});
    while (!next.empty()) {
      const LocationId l = next.top().second;
      next.pop();
      const std::uint32_t chunk = number(l);
      ++visited[l.index() - first];
      add(l);
      visit(PointId{l, chunk * per_chunk}, PointId{l, std::min((chunk + 1) * per_chunk, size(l))});
    }
  }

  SpilledVector<Point> points_;
  std::vector<Log> logs_;
  std::size_t size_ = 0;
  std::uint32_t chunks_ = 0;
};

}  // namespace waitstate::causes
