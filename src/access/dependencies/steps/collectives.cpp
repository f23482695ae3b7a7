#include "access/dependencies/steps/collectives.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "access/dependencies/operation.hpp"
#include "access/dependencies/steps/neighbourhoods.hpp"

namespace waitstate::access {

namespace {

class CollectiveStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void world_call(bool init) {
    std::map<std::int64_t, std::size_t> first;  // by rank
    for (std::size_t c = 0; c < parts_.calls.size(); ++c) {
      const Call& call = parts_.calls[c];
      if (init ? call.function != MpiFunction::init && call.function != MpiFunction::init_thread
               : call.function != MpiFunction::finalize)
        continue;
      const ProcessId process = parts_.process_of(call.location);
      const std::int64_t rank = process.valid() ? parts_.definitions[process].rank : -1;
      if (rank < 0) continue;
      const auto [known, is_new] = first.emplace(rank, c);
      if (!is_new && call.enter < parts_.calls[known->second].enter) known->second = c;
    }
    const auto ranks = std::count_if(parts_.definitions.processes.begin(), parts_.definitions.processes.end(),
                                     [](const LocationGroup& p) { return p.rank >= 0; });
    if (first.size() < 2 || first.size() != static_cast<std::size_t>(ranks)) return;
    std::vector<OperationPart> parts;
    for (const auto& [rank, c] : first) {
      const Call& call = parts_.calls[c];
      parts.push_back(
          {c, call.enter, call.exit, call.enter_pos, call.exit_pos, 1, 1, root_none, CollectiveOp::barrier});
    }
    add_operation(parts_, parts, 0, {}, init ? PointKind::init : PointKind::finalize);
  }

  void collectives() {
    std::map<CommId, std::map<ProcessId, std::vector<OperationPart>>> all;
    for (const auto& [pos, r] : parts_.records) {
      const Event& e = r.event;
      if (e.type != EventType::collective_end || e.attributes[1] >= parts_.definitions.comms.size()) continue;
      OperationPart p = operation_part(r.call, e);
      if (const auto begin = parts_.records.find(e.beginptr); begin != parts_.records.end())
        p.begin = begin->second.event.time, p.begin_pos = begin->first;
      all[CommId{e.attributes[1]}][parts_.process_of(e.loc)].push_back(p);
    }
    for (auto& [comm, by_process] : all) {
      for (auto& [process, parts] : by_process)
        std::stable_sort(parts.begin(), parts.end(),
                         [](const OperationPart& a, const OperationPart& b) { return a.begin_pos < b.begin_pos; });
      const Comm& c = parts_.definitions[comm];
      std::vector<LocationId> members = c.members;
      members.insert(members.end(), c.members_b.begin(), c.members_b.end());
      if (c.self || members.size() < 2) continue;
      for (std::size_t n = 0;; ++n) {
        std::vector<OperationPart> parts;
        bool some = false;
        for (const LocationId m : members)
          if (const auto of = by_process.find(parts_.process_of(m)); of != by_process.end() && of->second.size() > n)
            parts.push_back(of->second[n]);
        for (const auto& [process, of] : by_process) some = some || of.size() > n;
        if (!some) break;
        if (parts.size() == members.size()) operation(comm, members, parts);
      }
    }
  }

 private:
  void operation(CommId comm_id, const std::vector<LocationId>& members, const std::vector<OperationPart>& parts) {
    const Comm& comm = parts_.definitions[comm_id];
    if (std::any_of(parts.begin(), parts.end(),
                    [&](const OperationPart& p) { return parts_.calls[p.call].function == MpiFunction::neighbour; }))
      return in_neighbourhoods(comm_id, parts);
    std::optional<std::size_t> root;
    for (const OperationPart& p : parts) {
      if (p.op != parts[0].op || (!comm.inter() && p.root != parts[0].root)) return;
      for (std::size_t i = 0; i < members.size(); ++i)
        if (p.root < root_this_group && parts_.process_of(LocationId{p.root}) == parts_.process_of(members[i]))
          root = i;
    }
    std::optional<PointKind> kind;
    switch (waitstate::kind(parts[0].op)) {
      case CollectiveKind::barrier:
        kind = PointKind::barrier;
        break;
      case CollectiveKind::all_to_all:
        kind = PointKind::n_to_n;
        break;
      case CollectiveKind::one_to_all:
        kind = PointKind::one_to_n;
        break;
      case CollectiveKind::all_to_one:
        kind = PointKind::n_to_one;
        break;
      case CollectiveKind::scan:
        break;
      default:
        if (creates_handle(parts[0].op)) creation(parts);
        return;
    }
    add_operation(parts_, parts, comm.inter() ? comm.members.size() : 0, root, kind);
  }

  // Nobody gets a communicator before the last one has begun.
  void creation(const std::vector<OperationPart>& parts) {
    if (!parts_.all_waits) return;
    const OperationPart& last = *std::max_element(
        parts.begin(), parts.end(), [](const OperationPart& a, const OperationPart& b) { return a.begin < b.begin; });
    if (parts_.class_of(parts_.calls[last.call]) != RegionClass::mpi_mgmt_comm) return;
    for (const OperationPart& p : parts) {
      const Call& call = parts_.calls[p.call];
      const Ticks t = DependencyParts::ticks(call.enter, last.begin);
      if (t > 0 && last.begin <= call.exit && call.location != parts_.calls[last.call].location)
        parts_.add_pair(PointKind::creation, t, {VertexKind::request, last.call, last.begin, last.begin_pos},
                        {VertexKind::completion, p.call, call.exit, call.exit_pos});
    }
  }

  // Each waits for the last of its neighbours.
  void in_neighbourhoods(CommId comm, const std::vector<OperationPart>& parts) {
    if (!parts_.all_waits) return;
    const auto& neighbours = neighbourhoods_.of(comm);
    if (!neighbours) return;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].received == 0) continue;
      const OperationPart* last = nullptr;
      for (const std::size_t n : (*neighbours)[i])
        if (parts[n].sent > 0 && (last == nullptr || parts[n].begin > last->begin)) last = &parts[n];
      if (last == nullptr || last == &parts[i]) continue;
      const Ticks t = DependencyParts::ticks(parts[i].begin, std::min(last->begin, parts[i].end));
      if (t > 0)
        parts_.add_pair(PointKind::n_to_n, t, {VertexKind::request, last->call, last->begin, last->begin_pos},
                        {VertexKind::completion, parts[i].call, parts[i].end, parts[i].end_pos});
    }
  }

  Neighbourhoods neighbourhoods_{parts_.definitions};
};

}  // namespace

void add_collectives(DependencyParts& parts) {
  CollectiveStep step(parts);
  for (const bool init : {true, false}) step.world_call(init);
  step.collectives();
}

}  // namespace waitstate::access
