// The ideal machine with the whole trace at hand: all steps of all locations are written down with the steps that they
// need, and then done one after the other, in any possible order. Operations among neighbours and locks of windows are
// not covered.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/explicit_ideal_waits.hpp"

namespace waitstate::support {
namespace {

class IdealRun {
 public:
  explicit IdealRun(const EventTrace& trace)
      : trace_(trace),
        definitions_(trace.definitions()),
        outside_(trace.location_count()),
        steps_(trace.location_count()) {
    read();
    for (auto& [on_what, by_process] : parts_) operations(on_what, by_process);
    epochs();
  }

  CauseTable waits() {
    std::vector<std::size_t> next(steps_.size());  // by location
    CauseTable table;
    do {
      some_came_ = false;
      for (std::size_t l = 0; l < steps_.size(); ++l)
        while (next[l] < steps_[l].size() && does(l, next[l], table)) ++next[l];
    } while (some_came_);
    for (std::size_t l = 0; l < steps_.size(); ++l)
      if (next[l] < steps_[l].size()) throw std::runtime_error("steps of the ideal machine need each other");
    return table;
  }

 private:
  /// A step of a location, by number.
  using StepRef = std::pair<std::size_t, std::size_t>;
  struct IdealStepForm {
    CallPathId callpath;
    Time outside = 0;  ///< MPI, since the location's first event
    std::vector<StepRef> needs{};
    std::optional<Time> arrival{};  ///< ideal time at which its data is available to others
    Time done = 0;
  };
  /// A part in an operation, from the step that gives to the one that needs.
  struct PartForm {
    StepRef gives, needs;
    Time begin = 0, end = 0;
    CollectiveOp op{};
    CommId comm;
    std::uint64_t root = 0, sent = 0, received = 0;
  };
  enum class OnWhat { init, finalize, blocking, nonblocking, window };
  using Parts = std::map<Position, PartForm>;  ///< by begin

  // ---- the steps ----

  void read() {
    std::vector<std::vector<bool>> in_mpi(steps_.size());  // the regions that are open
    std::vector<std::optional<Time>> last(steps_.size());
    std::map<Position, StepRef> sends, requests, enters;
    std::map<LocationId, Position> fence_begins;
    for (Position pos = 0; pos < trace_.size(); ++pos) {
      const Event e = trace_.event(pos);
      const std::size_t l = e.loc.index();
      std::vector<bool>& open = in_mpi[l];
      if (last[l] && (open.empty() || !open.back())) outside_[l] += e.time - *last[l];
      if (!last[l]) begins_[l] = e.time;
      last[l] = e.time;
      switch (e.type) {
        case EventType::program_begin:
          open.push_back(false);
          break;
        case EventType::program_end:
          open.clear();
          break;
        case EventType::enter:
          open.push_back(e.region().valid() && is_mpi(definitions_[e.region()].region_class));
          if (is_world(e)) enters[pos] = step(e);
          break;
        case EventType::exit:
          if (!open.empty()) open.pop_back();
          exits_[e.enterptr] = e.time;
          if (is_world(e)) world(e, enters.at(e.enterptr));
          break;
        case EventType::send:
        case EventType::isend:
          sends[pos] = step(e);
          break;
        case EventType::recv:
        case EventType::irecv:
          if (const auto sent = sends.find(e.sendptr); sent != sends.end()) at(step(e)).needs = {sent->second};
          break;
        case EventType::collective_end:
          collective(e, OnWhat::blocking, step(e), e.beginptr);
          break;
        case EventType::nonblocking_collective_request:
          requests[pos] = step(e);
          break;
        case EventType::nonblocking_collective_complete:
          if (const auto request = requests.find(e.requestptr); request != requests.end())
            collective(e, OnWhat::nonblocking, request->second, e.requestptr);
          break;
        case EventType::rma_collective_begin:
          fence_begins[e.loc] = pos;
          break;
        case EventType::rma_collective_end:  // attributes: op, level, win
          if (!open.empty() && open.back()) fence(e, fence_begins.at(e.loc));
          break;
        case EventType::rma_group_sync:  // attributes: level, win, group
          epoch(e);
          break;
        default:
          break;
      }
    }
  }
  StepRef step(const Event& e) {
    const std::size_t l = e.loc.index();
    steps_[l].push_back({e.callpath, outside_[l]});
    return {l, steps_[l].size() - 1};
  }
  IdealStepForm& at(const StepRef& s) { return steps_[s.first][s.second]; }
  ProcessId process_of(LocationId l) const { return definitions_[l].process; }

  bool is_world(const Event& e) const {
    return e.region().valid() && initialises_or_finalizes(definitions_[e.region()].mpi_function) &&
           process_of(e.loc).valid() && definitions_[process_of(e.loc)].rank >= 0;
  }
  void world(const Event& e, const StepRef& gives) {
    const StepRef s = step(e);
    const bool finalizes = definitions_[e.region()].mpi_function == MpiFunction::finalize;
    Parts& parts = parts_[{finalizes ? OnWhat::finalize : OnWhat::init, 0}][process_of(e.loc)];
    if (parts.empty())
      parts[e.enterptr] = {gives, s, trace_.event(e.enterptr).time, e.time, CollectiveOp::barrier, CommId::none()};
  }
  void collective(const Event& e, OnWhat what, const StepRef& gives, Position begin) {
    const StepRef needs = what == OnWhat::blocking ? gives : step(e);
    const std::uint64_t comm = e.attributes[1];  // attributes: op, com, root, sent, received
    if (comm >= definitions_.comms.size()) return;
    parts_[{what, comm}][process_of(e.loc)][begin] = {gives,
                                                      needs,
                                                      trace_.event(begin).time,
                                                      e.time,
                                                      static_cast<CollectiveOp>(e.attributes[0]),
                                                      CommId{comm},
                                                      e.attributes[2],
                                                      e.attributes[3],
                                                      e.attributes[4]};
  }

  void fence(const Event& e, Position begin) {
    const StepRef s = step(e);
    parts_[{OnWhat::window, e.attributes[2]}][process_of(e.loc)][begin] = {
        s, s, trace_.event(begin).time, e.time, CollectiveOp::barrier, CommId::none(), root_none};
  }

  /// A call of the epochs of an origin and a target, any of whose threads may make it.
  struct EpochCall {
    StepRef step;
    Position enter;
  };
  using EpochCalls = std::map<std::tuple<ProcessId, ProcessId, std::uint64_t>, std::vector<EpochCall>>;
  void epoch(const Event& e) {
    const std::string& call = definitions_[trace_.event(e.enterptr).region()].name;
    const bool of_origin = call == "MPI_Win_complete";
    if (!of_origin && call != "MPI_Win_post" && call != "MPI_Win_wait") return;
    EpochCalls& calls = of_origin ? completes_ : call == "MPI_Win_post" ? posts_ : waits_;
    const StepRef s = step(e);
    for (const LocationId l : definitions_.members(GroupId{e.attributes[2]})) {
      const ProcessId own = process_of(e.loc), other = process_of(l);
      calls[{of_origin ? own : other, of_origin ? other : own, e.attributes[1]}].push_back({s, e.enterptr});
    }
  }

  // ---- who needs whom ----

  // The n-th epoch of an origin at a target is the n-th of the target for that origin.
  void epochs() {
    const auto need = [&](const EpochCalls& these, const EpochCalls& those) {
      for (const auto& [who, calls] : these)
        if (const auto others = those.find(who); others != those.end())
          for (std::size_t i = 0; i < std::min(calls.size(), others->second.size()); ++i)
            if (const EpochCall& other = others->second[i]; trace_.event(other.enter).time < exits_.at(calls[i].enter))
              at(calls[i].step).needs.push_back(other.step);
    };
    need(completes_, posts_);
    need(waits_, completes_);
  }

  // The n-th part of each process is of the n-th operation.
  void operations(const std::pair<OnWhat, std::uint64_t>& on, std::map<ProcessId, Parts>& by_process) {
    std::vector<ProcessId> members;
    std::size_t group_a = 0;
    if (on.first == OnWhat::init || on.first == OnWhat::finalize) {
      for (std::size_t p = 0; p < definitions_.processes.size(); ++p)
        if (definitions_.processes[p].rank >= 0) members.emplace_back(p);
    } else {
      const Comm& c =
          definitions_[on.first == OnWhat::window ? definitions_.rma_wins[on.second].comm : CommId{on.second}];
      if (c.self) return;
      for (const auto* group : {&c.members, &c.members_b})
        for (const LocationId l : *group) members.push_back(process_of(l));
      if (c.inter()) group_a = c.members.size();
    }
    for (;;) {
      std::vector<PartForm> parts;
      for (const ProcessId p : members)
        if (Parts& of = by_process[p]; !of.empty()) {
          parts.push_back(of.begin()->second);
          of.erase(of.begin());
        }
      if (parts.size() < members.size()) return;
      if (on.first == OnWhat::window && !all_overlap(parts)) continue;
      std::optional<std::size_t> root;
      for (std::size_t i = 0; i < members.size(); ++i)
        for (const PartForm& p : parts)
          if (p.root < root_this_group && process_of(LocationId{p.root}) == members[i]) root = i;
      for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = 0; j < parts.size(); ++j)
          if (i != j && (group_a == 0 || (i < group_a) != (j < group_a)) && needs(parts, root, i, j))
            at(parts[i].needs).needs.push_back(parts[j].gives);
    }
  }
  static bool all_overlap(const std::vector<PartForm>& parts) {
    Time first_end = ~Time{0}, last_begin = 0;
    for (const PartForm& p : parts) first_end = std::min(first_end, p.end), last_begin = std::max(last_begin, p.begin);
    return first_end > last_begin;
  }
  static bool needs(const std::vector<PartForm>& parts, std::optional<std::size_t> root, std::size_t i, std::size_t j) {
    const PartForm &own = parts[i], &other = parts[j];
    if (other.begin > own.end) return false;
    switch (kind(own.op)) {
      case CollectiveKind::barrier:
        return true;
      case CollectiveKind::all_to_all:
        return other.sent > 0 && own.received > 0;
      case CollectiveKind::one_to_all:
        return root == j && own.received > 0;
      case CollectiveKind::all_to_one:
        return root == i && other.sent > 0;
      case CollectiveKind::scan:
        return j < i && other.sent > 0;
      default:
        return own.op == CollectiveOp::create_handle;
    }
  }

  // ---- the run ----

  bool does(std::size_t l, std::size_t n, CauseTable& table) {
    IdealStepForm& s = steps_[l][n];
    const Time before = n == 0 ? begins_[l] : steps_[l][n - 1].done;
    const Time worked = n == 0 ? s.outside : s.outside - steps_[l][n - 1].outside;
    some_came_ = some_came_ || !s.arrival;
    s.arrival = s.done = before + worked;
    for (const StepRef& needed : s.needs) {
      if (!at(needed).arrival) return false;
      s.done = std::max(s.done, *at(needed).arrival);
    }
    if (s.done > *s.arrival && s.callpath.valid())
      table[{"mpi_ideal_wait", trace_.call_tree().path(s.callpath, definitions_), LocationId{l}.value}] +=
          static_cast<double>(s.done - *s.arrival);
    return true;
  }

  const EventTrace& trace_;
  const Definitions& definitions_;
  bool some_came_ = false;     ///< to a step that they had not reached yet
  std::vector<Time> outside_;  ///< time outside of MPI so far, by location
  std::map<std::size_t, Time> begins_;
  std::vector<std::vector<IdealStepForm>> steps_;  ///< by location, in order
  std::map<std::pair<OnWhat, std::uint64_t>, std::map<ProcessId, Parts>> parts_;
  EpochCalls posts_, completes_, waits_;  ///< by origin, target and window, in order
  std::map<Position, Time> exits_;        ///< by enter
};

}  // namespace

CauseTable explicit_ideal_waits(const EventTrace& trace) { return IdealRun(trace).waits(); }

}  // namespace waitstate::support
