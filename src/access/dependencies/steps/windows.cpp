#include "access/dependencies/steps/windows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "access/dependencies/operation.hpp"

namespace waitstate::access {

namespace {

class FenceStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  // The n-th fence of a process on a window is the n-th one of all its members.
  void run() {
    std::map<std::uint64_t, std::map<ProcessId, std::vector<OperationPart>>> all;
    std::map<std::size_t, const Record*> begin_in;  // by call
    for (const auto& [pos, r] : parts_.records) {
      const Event& e = r.event;
      if (e.type == EventType::rma_collective_begin) begin_in[r.call] = &r;
      // Attributes: op, level, win.
      if (e.type != EventType::rma_collective_end || parts_.calls[r.call].function != MpiFunction::win_fence ||
          e.attributes[2] >= parts_.definitions.rma_wins.size())
        continue;
      OperationPart p{r.call, e.time, e.time, pos, pos};
      if (const auto begin = begin_in.find(r.call); begin != begin_in.end())
        p.begin = begin->second->event.time, p.begin_pos = begin->second->event.pos;
      all[e.attributes[2]][parts_.process_of(e.loc)].push_back(p);
    }
    for (const auto& [win, by_process] : all) {
      const Comm& comm = parts_.definitions[parts_.definitions.rma_wins[win].comm];
      for (std::size_t n = 0; comm.members.size() > 1; ++n) {
        std::vector<OperationPart> parts;
        for (const LocationId m : comm.members)
          if (const auto of = by_process.find(parts_.process_of(m)); of != by_process.end() && of->second.size() > n)
            parts.push_back(of->second[n]);
        if (parts.size() != comm.members.size()) break;
        add_operation(parts_, parts, 0, {}, PointKind::window);
      }
    }
  }
};

// The epochs of origins, from MPI_Win_start to MPI_Win_complete, and of targets, from MPI_Win_post to MPI_Win_wait.
class EpochStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  // The n-th access epoch of an origin with a target belongs to the n-th exposure epoch of the target with the origin.
  void run() {
    for (const auto& [pos, r] : parts_.records) read(r.event, r.call);
    for (const auto& [pair, epochs] : accesses_) {
      const std::vector<std::size_t>& exposures = exposures_[{std::get<0>(pair), std::get<2>(pair), std::get<1>(pair)}];
      for (std::size_t n = 0; n < std::min(epochs.size(), exposures.size()); ++n) {
        if (!all_[epochs[n]].end) continue;
        all_[epochs[n]].others.push_back({all_[exposures[n]].begin, std::get<2>(pair)});
        all_[exposures[n]].others.push_back({*all_[epochs[n]].end, std::get<1>(pair)});
      }
    }
    for (Epoch& e : all_) {
      if (!e.end || e.others.size() != e.group.size()) continue;
      // The last one of the group; of several the first.
      const Other* last = nullptr;
      for (const ProcessId member : e.group)
        for (const Other& o : e.others)
          if (o.process == member && (last == nullptr || enter(o.call) > enter(last->call))) last = &o;
      if (last == nullptr) continue;
      if (e.access)
        wait_for_posts(e, *last);
      else if (parts_.calls[*e.end].function == MpiFunction::win_wait)
        add(*e.end, last->call);
    }
  }

 private:
  struct Other {
    std::size_t call;  ///< post, or complete
    ProcessId process;
  };
  struct Epoch {
    bool access;
    std::vector<ProcessId> group;
    std::size_t begin;
    std::optional<std::size_t> end{};
    std::vector<std::pair<std::size_t, ProcessId>> operations{};  ///< calls and targets
    std::vector<Other> others{};
  };

  Time enter(std::size_t call) const { return parts_.calls[call].enter; }

  void read(const Event& e, std::size_t call) {
    const auto is = [&](MpiFunction f) { return parts_.calls[call].function == f; };
    const ProcessId process = parts_.process_of(e.loc);
    if (e.type == EventType::rma_group_sync) {  // attributes: level, window, group
      const std::uint64_t win = e.attributes[1];
      if (is(MpiFunction::win_start) || is(MpiFunction::win_post)) {
        const bool access = is(MpiFunction::win_start);
        Epoch epoch{access, {}, call};
        for (const LocationId l : parts_.definitions.members(GroupId{e.attributes[2]})) {
          epoch.group.push_back(parts_.process_of(l));
          (access ? accesses_ : exposures_)[{win, process, epoch.group.back()}].push_back(all_.size());
        }
        open_[{win, process, access}] = all_.size();
        all_.push_back(std::move(epoch));
        return;
      }
      const bool access = is(MpiFunction::win_complete);
      if (!access && !is(MpiFunction::win_wait) && !is(MpiFunction::win_test)) return;
      if (const auto open = open_.find({win, process, access}); open != open_.end()) all_[open->second].end = call;
      open_.erase({win, process, access});
    } else if (e.type == EventType::rma_put || e.type == EventType::rma_get || e.type == EventType::rma_atomic) {
      if (const auto open = open_.find({e.attributes[0], process, true}); open != open_.end())
        all_[open->second].operations.emplace_back(call, parts_.process_of(LocationId{e.attributes[1]}));
    }
  }

  // In MPI_Win_complete, or else in MPI_Win_start; or else each operation for its own target.
  void wait_for_posts(const Epoch& e, const Other& last) {
    for (const std::size_t call : {*e.end, e.begin})
      if (comes_during(call, last.call)) return add(call, last.call);
    for (const auto& [call, target] : e.operations)
      for (const Other& o : e.others)
        if (o.process == target && comes_during(call, o.call)) add(call, o.call);
  }
  bool comes_during(std::size_t waiting, std::size_t other) const {
    const Call& w = parts_.calls[waiting];
    return w.enter < enter(other) && enter(other) <= w.exit;
  }
  void add(std::size_t waiting, std::size_t other) {
    const Call &w = parts_.calls[waiting], &o = parts_.calls[other];
    const Ticks wait = DependencyParts::ticks(w.enter, std::min(o.enter, w.exit));
    if (wait <= 0) return;
    parts_.add_pair(PointKind::epoch, wait, {VertexKind::request, other, o.enter, o.enter_pos},
                    {VertexKind::completion, waiting, w.exit, w.exit_pos});
  }

  std::vector<Epoch> all_;
  std::map<std::tuple<std::uint64_t, ProcessId, bool>, std::size_t> open_;
  /// By window, own process and the other one.
  std::map<std::tuple<std::uint64_t, ProcessId, ProcessId>, std::vector<std::size_t>> accesses_, exposures_;
};

}  // namespace

void add_fences(DependencyParts& parts) { FenceStep(parts).run(); }
void add_epochs(DependencyParts& parts) { EpochStep(parts).run(); }

}  // namespace waitstate::access
