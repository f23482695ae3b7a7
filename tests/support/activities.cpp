#include "support/activities.hpp"

#include <cstdint>

namespace waitstate::support {
namespace {

bool enters_barrier(const EventTrace& trace, const Event& e) {
  if (e.type != EventType::enter || e.region().index() >= trace.definitions().regions.size()) return false;
  const RegionClass c = trace.definitions()[e.region()].region_class;
  return c == RegionClass::omp_ebarrier || c == RegionClass::omp_ibarrier;
}

/// When the teams were forked whose parts begin at these positions: the n-th parts of threads in teams of a
/// communicator are of one team.
std::map<Position, Time> forks_of_parts(const EventTrace& trace) {
  std::map<LocationId, Time> forked;
  std::map<std::pair<LocationId, std::uint64_t>, std::size_t> parts;
  std::map<std::pair<std::uint64_t, std::size_t>, Time> fork_of;
  std::map<Position, std::pair<std::uint64_t, std::size_t>> team_of;
  for (Position pos = 0; pos < trace.size(); ++pos) {
    const Event e = trace.event(pos);
    if (e.type == EventType::thread_fork) forked[e.loc] = e.time;
    if (e.type != EventType::thread_team_begin) continue;
    team_of[pos] = {e.attributes[0], parts[{e.loc, e.attributes[0]}]++};
    if (const auto own = forked.find(e.loc); own != forked.end()) {
      fork_of[team_of[pos]] = own->second;
      forked.erase(own);
    }
  }
  std::map<Position, Time> all;
  for (const auto& [pos, team] : team_of)
    if (const auto fork = fork_of.find(team); fork != fork_of.end()) all[pos] = fork->second;
  return all;
}

}  // namespace

Activities::Activities(const EventTrace& trace) : pieces_(trace.location_count()), threads_(trace.location_count()) {
  const std::map<Position, Time> forks = forks_of_parts(trace);
  for (Position pos = 0; pos < trace.size(); ++pos) {
    const Event e = trace.event(pos);
    if (!pieces_[e.loc.index()].empty()) pieces_[e.loc.index()].back().end = e.time;
    read(e, forks, enters_barrier(trace, e));
  }
}

void Activities::read(const Event& e, const std::map<Position, Time>& forks, bool is_barrier) {
  Thread& thread = threads_[e.loc.index()];
  switch (e.type) {
    case EventType::program_begin:
    case EventType::enter:
      thread.stack.push_back(e.callpath);
      if (thread.forked_at) enter_region(e);
      if (is_barrier) thread.last_barrier = pieces_[e.loc.index()].size();
      return begin(e, e.callpath);
    case EventType::program_end:
      thread.stack.clear();
      return begin(e, CallPathId::none());
    case EventType::exit:
      if (thread.region && thread.stack.size() == thread.region_depth) return leave_region(e);
      if (!thread.stack.empty()) thread.stack.pop_back();
      return begin(e, thread.top());
    case EventType::thread_release_lock:  // where others get the lock
    case EventType::rma_release_lock:
      return begin(e, thread.top());
    case EventType::thread_fork:
      thread.forked_at = e.time, thread.has_forked = true, thread.fork_piece = pieces_[e.loc.index()].size();
      return begin(e, CallPathId::none());  // the region is known when it is entered
    case EventType::thread_team_begin:
      if (const auto fork = forks.find(e.pos); fork != forks.end() && !thread.has_forked)
        thread.forked_at = fork->second;
      return;
    case EventType::thread_join:
      thread.region.reset(), thread.has_forked = false;
      return begin(e, thread.top());
    default:
      return;
  }
}

void Activities::begin(const Event& e, CallPathId callpath) {
  pieces_[e.loc.index()].push_back({e.pos, e.time, e.time, callpath});
}

void Activities::enter_region(const Event& e) {
  Thread& thread = threads_[e.loc.index()];
  std::vector<Piece>& pieces = pieces_[e.loc.index()];
  if (thread.has_forked)
    pieces[thread.fork_piece].callpath = e.callpath;
  else
    pieces.push_back({e.pos, *thread.forked_at, e.time, e.callpath});
  thread.forked_at.reset(), thread.last_barrier.reset();
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
