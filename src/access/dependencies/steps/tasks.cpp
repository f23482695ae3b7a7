#include "access/dependencies/steps/tasks.hpp"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "access/dependencies/steps/task_runs.hpp"

namespace waitstate::access {

namespace {

class TaskStep : public DependencyStep {
 public:
  explicit TaskStep(DependencyParts& parts) : DependencyStep(parts), runs_(parts.trace) {}

  void run() {
    find_lacks();
    if (lacks_.empty()) return;
    for (const VertexIndex v : boost::make_iterator_range(boost::vertices(parts_.graph)))
      if (parts_.graph[v].point == PointKind::team_barrier) done_.insert(parts_.graph[v].enter_pos);
    find_teams();
    for (const auto& [call, team] : calls_) wait_in(parts_.calls[call], team);
  }

 private:
  using Team = std::pair<ProcessId, CommId>;
  /// An interval in which no task of a team was ready, and who ended it.
  struct Lack {
    Time begin, end;
    bool created;  ///< it ended with a creation, else with the end of the last task that ran
    DependencyVertex by{};
  };
  /// Tasks of a team.
  struct Tasks {
    std::set<TaskName> ready, begun;
    Time since = 0;  ///< none is ready
  };

  // Records at one time count in the order of locations.
  void find_lacks() {
    std::vector<Event> records;
    std::map<TaskName, CallPathId> left;
    std::map<LocationId, std::optional<TaskName>> executed;
    for (Position pos = 0; pos < parts_.trace.size(); ++pos) {
      Event e = parts_.trace.event(pos);
      std::optional<TaskName>& own = executed[e.loc];
      if (e.type == EventType::exit && own) left[*own] = e.callpath;
      if (!is_task_record(e) || e.loc.index() >= parts_.definitions.locations.size()) continue;
      const std::optional<TaskName> task = task_of(e, parts_.definitions);
      if (e.type == EventType::thread_task_switch) own = task;
      if (e.type == EventType::thread_task_complete && task) {  // it ends where its outermost region was left
        if (own == task) own.reset();
        if (const auto last = left.extract(*task)) e.callpath = last.mapped();
      }
      if (task) records.push_back(std::move(e));
    }
    std::stable_sort(records.begin(), records.end(),
                     [](const Event& a, const Event& b) { return a.time != b.time ? a.time < b.time : a.loc < b.loc; });
    std::map<Team, Tasks> teams;
    for (const Event& e : records) {
      const TaskName task = *task_of(e, parts_.definitions);
      const Team team{std::get<ProcessId>(task), std::get<CommId>(task)};
      read(e, task, teams[team], lacks_[team]);
    }
  }
  static void read(const Event& e, const TaskName& task, Tasks& tasks, std::vector<Lack>& lacks) {
    const auto end_lack = [&](bool created) {
      if (e.time > tasks.since)
        lacks.push_back({tasks.since, e.time, created,
                         DependencyParts::instant(VertexKind::request, e.loc, e.callpath, e.time, e.pos)});
      tasks.since = e.time;
    };
    switch (e.type) {
      case EventType::thread_task_create:
        if (tasks.ready.empty()) end_lack(true);
        tasks.ready.insert(task);
        break;
      case EventType::thread_task_switch:
        if (tasks.ready.erase(task) == 0) break;
        tasks.begun.insert(task);
        if (tasks.ready.empty()) tasks.since = e.time;
        break;
      default:
        if (tasks.begun.erase(task) != 0 && tasks.begun.empty() && tasks.ready.empty()) end_lack(false);
    }
  }

  // Barriers and taskwaits, each with the team that its thread is in.
  void find_teams() {
    std::map<LocationId, std::vector<Team>> in;
    for (Position pos = 0; pos < parts_.trace.size(); ++pos) {
      const Event e = parts_.trace.event(pos);
      std::vector<Team>& own = in[e.loc];
      if (e.type == EventType::thread_team_begin) own.emplace_back(parts_.process_of(e.loc), CommId{e.attributes[0]});
      if (e.type == EventType::thread_team_end && !own.empty()) own.pop_back();
      const auto call = parts_.call_at.find(pos);
      if (call == parts_.call_at.end() || own.empty()) continue;
      const RegionClass c = parts_.class_of(parts_.calls[call->second]);
      if (c == RegionClass::omp_ebarrier || c == RegionClass::omp_ibarrier || c == RegionClass::omp_taskwait)
        calls_.emplace_back(call->second, own.back());
    }
  }

  // A thread is idle from the enter of the call, or the end of a task, to the next task or the exit of the call.
  void wait_in(const Call& call, const Team& team) {
    if (call.exit_pos == call.enter_pos) return;
    Time since = call.enter;
    Position since_pos = call.enter_pos;
    for (const TaskRun& r : runs_.between(call.location, call.enter_pos, call.exit_pos)) {
      wait_from(since, since_pos, r.begin, call, team);
      since = r.end, since_pos = r.end_pos;
    }
    wait_from(since, since_pos, call.exit, call, team);
  }

  // Waits for the last thread that ended a lack of tasks; one that is done with a barrier waits until the others are.
  void wait_from(Time since, Position since_pos, Time to, const Call& call, const Team& team) {
    const std::vector<Lack>& lacks = lacks_[team];
    const Lack* last = nullptr;
    auto lack = std::partition_point(lacks.begin(), lacks.end(), [&](const Lack& x) { return x.end <= since; });
    for (; lack != lacks.end() && lack->end <= to; ++lack) {
      if (lack->by.location == call.location) continue;
      const auto next = std::next(lack);
      const bool goes_on = next != lacks.end() && next->begin == lack->end && next->created && next->end <= call.exit;
      if (lack->created || (parts_.class_of(call) == RegionClass::omp_taskwait && !goes_on)) last = &*lack;
    }
    if (last == nullptr || done_.contains(since_pos)) return;
    const VertexIndex from = parts_.add(last->by), until = parts_.add({.kind = VertexKind::completion,
                                                                       .location = call.location,
                                                                       .callpath = call.callpath,
                                                                       .enter = since,
                                                                       .exit = last->end,
                                                                       .time = last->end,
                                                                       .enter_pos = since_pos,
                                                                       .pos = since_pos});
    parts_.edge(from, until, EdgeKind::task, true);
    parts_.point(from, PointKind::task, 0, 0, {call.location});
    parts_.point(until, PointKind::task, DependencyParts::ticks(since, last->end), 0, {last->by.location});
  }

  const TaskRuns runs_;
  std::map<Team, std::vector<Lack>> lacks_;
  std::vector<std::pair<std::size_t, Team>> calls_;
  std::set<Position> done_;  ///< where threads are done with barriers
};

}  // namespace

void add_tasks(DependencyParts& parts) { TaskStep(parts).run(); }

}  // namespace waitstate::access
