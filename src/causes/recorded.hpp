// All that is noted of a trace, while it is read and at its end, to tell causes from: recorder/ writes it, History and
// those that look back over it read it. Each worker has one of these for what it reads; when all has been read they
// become one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "causes/lacking_calls.hpp"
#include "causes/operation_groups.hpp"
#include "causes/points/away_points.hpp"
#include "causes/points/point_log.hpp"
#include "causes/points/point_order.hpp"
#include "causes/teams.hpp"
#include "causes/unfollowed.hpp"
#include "causes/work_log.hpp"
#include "util/stop_check.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::causes {

struct Recorded {
  /// `bytes_in_memory`: of each kind of what is kept; the rest goes into scratch files. `homes`: null with one worker.
  Recorded(const Definitions& of_trace, const CallTree& calls, const WantedCauses& asked_for,
           std::size_t bytes_in_memory, const link::Homes* homes = nullptr, link::WorkerId worker = 0)
      : definitions(of_trace),
        call_tree(calls),
        wanted(asked_for),
        spill_beyond(bytes_in_memory),
        points(of_trace.locations.size(), bytes_in_memory),
        order(points),
        groups(bytes_in_memory, worker, homes == nullptr ? 1 : static_cast<std::uint32_t>(homes->workers())),
        teams(bytes_in_memory),
        work(of_trace.locations.size(), bytes_in_memory),
        unfollowed(bytes_in_memory),
        has_nested(of_trace.locations.size()) {
    if (homes != nullptr) away = AwayPoints(*homes, worker, bytes_in_memory);
  }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  std::size_t locations() const { return definitions.locations.size(); }
  /// Adds the point to its location's log, or for its home if that is another worker.
  PointId add(const Point& p) {
    if (!away.is_own(p.location)) return away.add(p);
    const PointId id = order.add(p);
    if (p.culprit.is_away()) away.note_culprit(id);
    return id;
  }
  /// When the trace has been read: makes one of what all workers have noted; `all` has this one first.
  void join(std::span<Recorded* const> all, const link::Homes& homes, unsigned threads);
  /// Brings what a worker of these locations has noted to the same worker's of another process.
  template <class Archive>
  void travel(Archive& archive, const std::vector<LocationId>& of_worker) {
    points.travel(archive, of_worker);
    order.travel(archive, of_worker);
    work.travel(archive, of_worker);
    archive(away, groups, unfollowed, ends_known, first_to_end);
  }
  /// When the trace has been read: finds calls that lack something.
  void finish();
  /// At the end: the missing part of the trace without which the critical path cannot be found; none if it can.
  std::optional<std::string> unknown_end() const;
  /// At the end: why nothing can be told; none if something can.
  std::optional<std::string> left_out() const;
  /// True of the barrier of a team of which a thread has no events, and of a wait for an accelerator of which a stream
  /// has none: somebody else may have been waited for.
  bool lacks_member_at(const Point& p) const {
    if (p.kind == PointKind::device) {
      const ProcessId process = definitions[p.location].process;
      return process.valid() && lacks_stream[process.index()];
    }
    return p.kind == PointKind::team_barrier && p.group < lacks_thread.size() && lacks_thread[p.group];
  }
  /// The process's first thread has no events.
  bool is_silent(const LocationGroup& process) const;
  /// Other threads of the process that have done something.
  std::size_t threads_beside(LocationId master) const;
  /// SpilledPages::share() of all of it.
  void share(unsigned readers) const;
  void end_sharing() const;

  const Definitions& definitions;
  const CallTree& call_tree;
  const WantedCauses wanted;
  const std::size_t spill_beyond;
  const util::StopCheck* stop = &util::StopCheck::never();  ///< asked by whoever goes through all points
  PointLog points;
  PointOrder order;
  AwayPoints away;  ///< none when all is one
  OperationGroups groups;
  Teams teams;
  WorkLog work;
  UnfollowedWaits unfollowed;       ///< none if all waits are wanted
  std::vector<bool> has_nested;     ///< by location: it enters regions within MPI or SHMEM calls
  PointId first_to_end = no_point;  ///< MPI_Finalize of the process that entered it last: there the run ends
  std::size_t ends_known = 0;       ///< the number of processes in MPI_Finalize, if some are missing there
  bool lacks_targets = false;       ///< one-sided calls whose waits are followed may depend on a process without events
  std::vector<bool> lacks_thread;   ///< by communicator: a thread of the team has no events
  std::vector<bool> lacks_stream;   ///< by process: a stream of its accelerators has no events
  LackingCalls lacking;             ///< when the trace has been read: those whose waits are followed

 private:
  void find_teams_without_a_thread();
  void find_accelerators_without_a_stream();
  /// The location has events, and none could be read.
  bool is_missing(LocationId l) const;
};

}  // namespace waitstate::causes
