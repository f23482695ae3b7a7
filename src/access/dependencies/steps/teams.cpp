#include "access/dependencies/steps/teams.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "access/dependencies/steps/task_runs.hpp"

namespace waitstate::access {

namespace {

class TeamStep : public DependencyStep {
 public:
  explicit TeamStep(DependencyParts& parts) : DependencyStep(parts), runs_(parts.trace) {}

  // A part that a thread takes in teams of a communicator belongs to the first one that it has taken no part in, nor
  // was joined before; the n-th barrier of each thread in a team is the same one.
  void run() {
    find_forks();
    for (Position pos = 0; pos < parts_.trace.size(); ++pos) read(parts_.trace.event(pos));
    for (const auto& [team, threads] : teams_) {
      if (inner_.contains(team.first)) continue;
      add_fork(threads);
      std::size_t barriers = ~std::size_t{0};
      for (const auto& [location, part] : threads) barriers = std::min(barriers, part.barriers.size());
      for (std::size_t n = 0; n < barriers; ++n) add_barrier(threads, n);
    }
  }

 private:
  /// The share of a thread in a team.
  struct TeamShare {
    std::optional<Event> fork{};          ///< the fork by the master
    std::optional<std::size_t> region{};  ///< the call of the parallel region
    std::vector<std::size_t> barriers{};  ///< calls
  };
  using Threads = std::map<LocationId, TeamShare>;
  struct Thread {
    std::optional<Event> fork{};  ///< the fork of a team in which it has not begun its part
    TeamShare* part = nullptr;
    std::vector<std::size_t> open{};               ///< calls
    std::size_t inner_forks = 0, inner_parts = 0;  ///< teams within `part` that are not over
  };

  /// From the fork of a team to its join.
  struct Span {
    Time fork, join = ~Time{0};
  };

  void find_forks() {
    struct Forked {
      std::optional<Time> fork{};  ///< a fork of which no part has begun
      CommId team{};
      int parts = 0, inner = 0;  ///< parts and inner teams that it is in
    };
    std::map<LocationId, Forked> by_location;
    for (Position pos = 0; pos < parts_.trace.size(); ++pos) {
      const Event e = parts_.trace.event(pos);
      Forked& own = by_location[e.loc];
      if (e.type == EventType::thread_team_begin) {
        if (own.inner == 0 && own.fork) {
          own.team = CommId{e.attributes[0]};
          spans_[own.team].push_back({*std::exchange(own.fork, std::nullopt)});
        }
        ++own.parts;
      } else if (e.type == EventType::thread_team_end) {
        --own.parts;
      } else if (e.type == EventType::thread_fork) {
        if (own.parts > 0)
          ++own.inner;
        else
          own.fork = e.time;
      } else if (e.type == EventType::thread_join) {
        if (own.inner > 0)
          --own.inner;
        else if (std::vector<Span>& spans = spans_[own.team]; !spans.empty())
          spans.back().join = e.time;
      }
    }
  }
  /// The number of the team to which the location's next part belongs; none: the trace lacks its fork.
  std::optional<std::size_t> team_of_part(LocationId location, CommId comm, Time begin) {
    const std::vector<Span>& spans = spans_[comm];
    std::size_t& next = taken_part_[{location, comm}];
    while (next < spans.size() && spans[next].fork <= begin)
      if (const std::size_t own = next++; spans[own].join >= begin) return own;
    return std::nullopt;
  }

  bool is_barrier(std::size_t call) const {
    const RegionClass c = parts_.class_of(parts_.calls[call]);
    return c == RegionClass::omp_ebarrier || c == RegionClass::omp_ibarrier;
  }

  void read(const Event& e) {
    if (e.loc.index() >= parts_.definitions.locations.size()) return;
    Thread& thread = threads_[e.loc];
    switch (e.type) {
      case EventType::thread_fork:
        if (thread.part != nullptr)
          ++thread.inner_forks;
        else
          thread.fork = e;
        break;
      case EventType::thread_team_begin: {
        const CommId comm{e.attributes[0]};
        if (thread.inner_forks != 0) {
          ++thread.inner_parts;
          inner_.insert(comm);
          break;
        }
        const std::optional<std::size_t> number =
            thread.fork ? std::optional(forked_[comm]++) : team_of_part(e.loc, comm, e.time);
        if (!number) break;
        thread.part = &teams_[{comm, *number}][e.loc];
        thread.part->fork = std::exchange(thread.fork, std::nullopt);
        break;
      }
      case EventType::thread_team_end:
        if (thread.inner_parts != 0)
          --thread.inner_parts;
        else
          thread.part = nullptr;
        break;
      case EventType::thread_join:
        if (thread.inner_forks != 0) {
          --thread.inner_forks;
          break;
        }
        parts_.add(DependencyParts::instant(VertexKind::join, e.loc, {}, e.time, e.pos));
        break;
      case EventType::enter: {
        if (runs_.in_task(e.loc, e.pos)) break;
        const std::size_t call = parts_.call_at.at(e.pos);
        if (thread.part != nullptr && !thread.part->region)
          thread.part->region = call;
        else if (thread.part != nullptr && is_barrier(call) && thread.inner_forks == 0 &&
                 !(!thread.open.empty() && is_barrier(thread.open.back())))
          thread.part->barriers.push_back(call);
        thread.open.push_back(call);
        break;
      }
      case EventType::exit:
        if (!runs_.in_task(e.loc, e.pos) && !thread.open.empty()) thread.open.pop_back();
        break;
      default:
        break;
    }
  }

  // A thread is forked where it enters the parallel region, and the time since the fork is the region's: on the thread
  // that has forked from the record of that on.
  void add_fork(const Threads& threads) {
    const TeamShare* master = nullptr;
    Time first = ~Time{0};
    for (const auto& [location, part] : threads) {
      if (part.fork) master = &part;
      if (part.region) first = std::min(first, parts_.calls[*part.region].enter);
    }
    if (master == nullptr) return;
    std::vector<VertexIndex> others;
    std::optional<VertexIndex> from;
    for (const auto& [location, part] : threads) {
      if (!part.region) continue;
      const Call& region = parts_.calls[*part.region];
      const VertexIndex v = parts_.add({.kind = VertexKind::fork,
                                        .location = location,
                                        .callpath = region.callpath,
                                        .enter = master->fork->time,
                                        .exit = region.enter,
                                        .time = region.enter,
                                        .enter_pos = part.fork ? part.fork->pos : region.enter_pos,
                                        .pos = region.enter_pos});
      parts_.point(v, PointKind::fork, 0, DependencyParts::ticks(first, region.enter), {});
      if (&part == master)
        from = v;
      else
        others.push_back(v);
    }
    if (!from) return;
    for (const VertexIndex v : others) parts_.edge(*from, v, EdgeKind::fork, true);
  }

  /// A thread is done with a barrier when it has reached it, or has ended the last task that it executes there.
  struct Done {
    Time time;
    Position pos;
  };
  Done done(const Call& call) const {
    const std::vector<TaskRun> tasks = runs_.between(call.location, call.enter_pos, call.exit_pos);
    return tasks.empty() ? Done{call.enter, call.enter_pos} : Done{tasks.back().end, tasks.back().end_pos};
  }

  // All wait for the thread that was done last; of several, for the first.
  void add_barrier(const Threads& threads, std::size_t n) {
    std::vector<std::size_t> calls;
    std::vector<Done> all_done;
    for (const auto& [location, part] : threads) {
      calls.push_back(part.barriers[n]);
      all_done.push_back(done(parts_.calls[calls.back()]));
    }
    const auto last = std::max_element(all_done.begin(), all_done.end(),
                                       [](const Done& a, const Done& b) { return a.time < b.time; });
    std::vector<VertexIndex> arrivals, departures;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const Call& call = parts_.calls[calls[i]];
      const Done& own = all_done[i];
      arrivals.push_back(parts_.add({VertexKind::arrival, calls[i], own.time, own.pos}));
      departures.push_back(parts_.add({VertexKind::departure, calls[i], call.exit, call.exit_pos}));
      for (const VertexIndex v : {arrivals.back(), departures.back()})
        parts_.graph[v].enter = own.time, parts_.graph[v].enter_pos = own.pos;
      const Time until = std::min(last->time, call.exit);
      parts_.point(departures.back(), PointKind::team_barrier, DependencyParts::ticks(own.time, until), 0, {});
    }
    for (std::size_t i = 0; i < calls.size(); ++i)
      for (std::size_t j = 0; j < calls.size(); ++j)
        if (i != j)
          parts_.edge(arrivals[j], departures[i], EdgeKind::team_barrier, all_done.begin() + std::ptrdiff_t(j) == last);
  }

  const TaskRuns runs_;
  std::map<LocationId, Thread> threads_;
  std::map<CommId, std::vector<Span>> spans_;
  std::map<CommId, std::size_t> forked_;
  std::map<std::pair<LocationId, CommId>, std::size_t> taken_part_;
  std::map<std::pair<CommId, std::size_t>, Threads> teams_;
  std::set<CommId> inner_;  ///< communicators of teams within teams
};

}  // namespace

void add_teams(DependencyParts& parts) { TeamStep(parts).run(); }

}  // namespace waitstate::access
