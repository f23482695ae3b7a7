#include "support/activities.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

namespace waitstate::support {
namespace {

bool enters_barrier(const EventTrace& trace, const Event& e) {
  if (e.type != EventType::enter || e.region().index() >= trace.definitions().regions.size()) return false;
  const RegionClass c = trace.definitions()[e.region()].region_class;
  return c == RegionClass::omp_ebarrier || c == RegionClass::omp_ibarrier;
}

/// Teams of each communicator in the order of their forks, and the parts of those that have forked them.
struct Teams {
  struct Team {
    Time fork;
    bool is_inner;
    Time join = ~Time{0};
  };
  using Number = std::pair<std::uint64_t, std::size_t>;  ///< communicator and number among its teams

  std::map<std::uint64_t, std::vector<Team>> all;
  std::map<Position, Number> own_parts;

  explicit Teams(const EventTrace& trace) {
    std::map<LocationId, std::optional<Team>> forked;
    std::map<LocationId, std::vector<Number>> open;
    std::map<LocationId, int> parts;  // the regions that it is in
    for (Position pos = 0; pos < trace.size(); ++pos) {
      const Event e = trace.event(pos);
      std::optional<Team>& fork = forked[e.loc];
      std::vector<Number>& own = open[e.loc];
      if (e.type == EventType::thread_fork) fork = Team{e.time, parts[e.loc] > 0};
      if (e.type == EventType::thread_team_end) --parts[e.loc];
      if (e.type == EventType::thread_team_begin) {
        ++parts[e.loc];
        if (!fork) continue;
        std::vector<Team>& teams = all[e.attributes[0]];
        own.push_back(own_parts[pos] = {e.attributes[0], teams.size()});
        teams.push_back(*std::exchange(fork, std::nullopt));
      }
      if (e.type != EventType::thread_join || own.empty()) continue;
      all[own.back().first][own.back().second].join = e.time;
      own.pop_back();
    }
  }
};

/// When the teams were forked whose parts begin at these positions, of a team within a team no time: a part of another
/// thread than the one that forked belongs to the first team that it has taken no part in, nor was joined before.
std::map<Position, Activities::ForkTime> forks_of_parts(const EventTrace& trace) {
  Teams teams(trace);
  std::map<std::pair<LocationId, std::uint64_t>, std::size_t> next_of;
  std::map<Position, Activities::ForkTime> forks;
  for (Position pos = 0; pos < trace.size(); ++pos) {
    const Event e = trace.event(pos);
    if (e.type != EventType::thread_team_begin) continue;
    const std::vector<Teams::Team>& of_comm = teams.all[e.attributes[0]];
    std::optional<std::size_t> number;
    if (const auto own = teams.own_parts.find(pos); own != teams.own_parts.end()) number = own->second.second;
    std::size_t& next = next_of[{e.loc, e.attributes[0]}];
    for (; !number && next < of_comm.size() && of_comm[next].fork <= e.time; ++next)
      if (of_comm[next].join >= e.time) number = next;
    if (!number) continue;
    const Teams::Team& team = of_comm[*number];
    forks[pos] = team.is_inner ? std::nullopt : Activities::ForkTime(team.fork);
  }
  return forks;
}

}  // namespace

Activities::Activities(const EventTrace& trace) : pieces_(trace.location_count()), threads_(trace.location_count()) {
  const std::map<Position, ForkTime> forks = forks_of_parts(trace);
  // Sorted by time, because in the stream an event of a task may stand before its creation.
  std::vector<Position> order(trace.size());
  std::iota(order.begin(), order.end(), Position{0});
  std::sort(order.begin(), order.end(), [&](Position a, Position b) {
    return std::tuple(trace.time(a), trace.location(a), a) < std::tuple(trace.time(b), trace.location(b), b);
  });
  for (const Position pos : order) {
    const Event e = trace.event(pos);
    if (!pieces_[e.loc.index()].empty()) pieces_[e.loc.index()].back().end = e.time;
    read_task(e, trace);
    read(e, forks, enters_barrier(trace, e));
  }
}

void Activities::read(const Event& e, const std::map<Position, ForkTime>& forks, bool is_barrier) {
  Thread& thread = threads_[e.loc.index()];
  if (thread.executes && (e.type == EventType::enter || e.type == EventType::exit)) {
    std::vector<CallPathId>& stack = tasks_[*thread.executes].stack;
    if (e.type == EventType::enter)
      stack.push_back(e.callpath);
    else if (!stack.empty())
      stack.pop_back();
    return begin(e, top(thread));
  }
  switch (e.type) {
    case EventType::program_begin:
    case EventType::enter:
      thread.stack.push_back(e.callpath);
      if (thread.forked_at || thread.begins_inner_part) enter_region(e);
      if (is_barrier && thread.inner_forks == 0) thread.last_barrier = pieces_[e.loc.index()].size();
      return begin(e, e.callpath);
    case EventType::program_end:
      thread.stack.clear();
      return begin(e, CallPathId::none());
    case EventType::exit:
      if (thread.region && thread.stack.size() == thread.region_depth) return leave_region(e);
      if (!thread.stack.empty()) thread.stack.pop_back();
      return begin(e, top(thread));
    case EventType::thread_release_lock:  // others may take the lock here
    case EventType::rma_release_lock:
      return begin(e, top(thread));
    case EventType::thread_fork:
      if (thread.region) {
        ++thread.inner_forks;
        return;
      }
      thread.forked_at = e.time, thread.has_forked = true, thread.fork_piece = pieces_[e.loc.index()].size();
      return begin(e, CallPathId::none());  // the region is known when it is entered
    case EventType::thread_team_begin:
      if (const auto fork = forks.find(e.pos); fork != forks.end() && !thread.has_forked && thread.inner_forks == 0) {
        thread.forked_at = fork->second;
        thread.begins_inner_part = !fork->second;
      }
      return;
    case EventType::thread_join:
      if (thread.inner_forks > 0) {
        --thread.inner_forks;
        return;
      }
      thread.region.reset(), thread.has_forked = false;
      return begin(e, top(thread));
    default:
      return;
  }
}

void Activities::read_task(const Event& e, const EventTrace& trace) {
  if (e.type != EventType::thread_task_create && e.type != EventType::thread_task_switch &&
      e.type != EventType::thread_task_complete)
    return;
  Thread& thread = threads_[e.loc.index()];
  const bool implicit = e.attributes[2] == 0;
  const TaskName task{trace.definitions()[e.loc].process.value, e.attributes[0],
                      e.attributes[1] << 32 | e.attributes[2]};
  const bool executed = thread.executes == task;
  if (e.type == EventType::thread_task_create) {
    const CallPathId where = top(thread);  // the event has no call path in a task that is in no region of its own
    CallPathId outermost = where;
    for (CallPathId c = where; c.valid(); c = trace.call_tree()[c].parent)
      if (trace.call_tree()[c].region == trace.call_tree()[where].region) outermost = c;
    tasks_[task] = {outermost};
  } else if (e.type == EventType::thread_task_complete ? executed : !executed) {
    const bool was_in_task = thread.executes.has_value();
    thread.executes.reset();
    if (e.type == EventType::thread_task_switch && !implicit) thread.executes = task;
    if (was_in_task && !thread.executes && thread.last_barrier) thread.last_barrier = pieces_[e.loc.index()].size();
  }
  begin(e, top(thread));
}

CallPathId Activities::top(const Thread& thread) const {
  if (thread.executes) {
    const Task& task = tasks_.at(*thread.executes);
    return task.stack.empty() ? task.created_in : task.stack.back();
  }
  return thread.stack.empty() ? CallPathId::none() : thread.stack.back();
}

void Activities::begin(const Event& e, CallPathId callpath) {
  pieces_[e.loc.index()].push_back({e.pos, e.time, e.time, callpath});
}

void Activities::enter_region(const Event& e) {
  Thread& thread = threads_[e.loc.index()];
  std::vector<Piece>& pieces = pieces_[e.loc.index()];
  if (thread.has_forked)
    pieces[thread.fork_piece].callpath = e.callpath;
  else if (thread.forked_at)
    pieces.push_back({e.pos, *thread.forked_at, e.time, e.callpath});
  thread.forked_at.reset(), thread.last_barrier.reset();
  thread.begins_inner_part = false;
  thread.region = e.callpath, thread.region_depth = thread.stack.size();
}

void Activities::leave_region(const Event& e) {
  Thread& thread = threads_[e.loc.index()];
  std::vector<Piece>& pieces = pieces_[e.loc.index()];
  thread.stack.pop_back();
  if (thread.has_forked) {
    begin(e, *thread.region);
    pieces.back().to_join = true;
    return;
  }
  for (std::size_t i = thread.last_barrier.value_or(pieces.size()); i < pieces.size(); ++i)
    pieces[i].callpath = CallPathId::none();
  thread.region.reset();
  begin(e, CallPathId::none());
}

CallPathTimes Activities::between(LocationId location, Position from, Position to) const {
  CallPathTimes times;
  for (const Piece& p : pieces_[location.index()])
    if ((from == no_position || p.pos >= from) && (to == no_position || p.pos < to) && p.callpath.valid())
      times[p.callpath] += static_cast<Ticks>(p.end - p.begin);
  return times;
}

CallPathTimes Activities::to_join(LocationId location) const {
  CallPathTimes times;
  for (const Piece& p : pieces_[location.index()])
    if (p.to_join) times[p.callpath] += static_cast<Ticks>(p.end - p.begin);
  return times;
}

}  // namespace waitstate::support
