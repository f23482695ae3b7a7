#include "access/dependencies/steps/nonblocking_collectives.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "access/dependencies/operation.hpp"
#include "access/dependencies/steps/neighbourhoods.hpp"

namespace waitstate::access {

namespace {

class NonblockingStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  // The n-th operation that a process starts on a communicator is the n-th one of all its members.
  void run() {
    std::map<CommId, std::map<ProcessId, std::map<Position, Started>>> all;
    for (const auto& [pos, r] : parts_.records) {
      const Event& e = r.event;
      if (e.type != EventType::nonblocking_collective_complete || e.attributes[1] >= parts_.definitions.comms.size())
        continue;
      const auto request = parts_.records.find(e.requestptr);
      if (request == parts_.records.end()) continue;
      Started s{operation_part(r.call, e), request->second.call};
      s.part.begin = parts_.calls[s.started].enter;
      all[CommId{e.attributes[1]}][parts_.process_of(e.loc)].emplace(request->first, s);
    }
    std::map<Position, std::pair<std::size_t, Longest>> by_record;  // waits by the record of the completion
    for (auto& [comm, by_process] : all) {
      const Comm& c = parts_.definitions[comm];
      std::vector<LocationId> members = c.members;
      members.insert(members.end(), c.members_b.begin(), c.members_b.end());
      for (bool some = true; some;) {
        std::vector<Started> parts;
        some = false;
        for (const LocationId m : members)
          if (auto& of = by_process[parts_.process_of(m)]; !of.empty()) {
            parts.push_back(of.begin()->second);
            of.erase(of.begin());
            some = true;
          }
        if (some && parts.size() == members.size()) started_operation(comm, members, parts, by_record);
      }
    }
    std::map<std::size_t, Longest> longest;  // by call; of equal ones the first
    for (const auto& [pos, wait] : by_record)
      if (wait.second.wait > longest[wait.first].wait) longest[wait.first] = wait.second;
    for (const auto& [call, wait] : longest)
      if (wait.kind && parts_.calls[wait.awaited].location != parts_.calls[call].location) add_nonblocking(call, wait);
  }

 private:
  /// A member's part in one: `part` is about the record of its completion.
  struct Started {
    OperationPart part;
    std::size_t started;  ///< the call
  };
  /// The longest wait of a call that completes some.
  struct Longest {
    Ticks wait = 0;
    std::size_t awaited = 0;  ///< the call that started the other's part
    std::optional<PointKind> kind{};
  };

  void started_operation(CommId comm_id, const std::vector<LocationId>& members, const std::vector<Started>& all,
                         std::map<Position, std::pair<std::size_t, Longest>>& by_record) {
    const Comm& comm = parts_.definitions[comm_id];
    std::vector<OperationPart> parts;
    for (const Started& s : all) parts.push_back(s.part);
    const bool in_neighbourhoods = parts_.calls[all[0].started].function == MpiFunction::neighbour;
    const auto* const neighbours = in_neighbourhoods ? &neighbourhoods_.of(comm_id) : nullptr;
    if (neighbours != nullptr && !*neighbours) return;
    std::optional<std::size_t> root;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const OperationPart& p : parts)
        if (p.root < root_this_group && parts_.process_of(LocationId{p.root}) == parts_.process_of(members[i]))
          root = i;
    const std::size_t group_a = comm.inter() ? comm.members.size() : 0;
    const std::optional<PointKind> kind = point_kind(waitstate::kind(parts[0].op));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::optional<std::size_t> last;
      const auto look_at = [&](std::size_t j) {
        if (gives(parts, group_a, root, kind, i, j) && (!last || parts[j].begin > parts[*last].begin)) last = j;
      };
      if (neighbours != nullptr)
        for (const std::size_t j : (**neighbours)[i]) look_at(j);
      else
        for (std::size_t j = 0; j < parts.size(); ++j) look_at(j);
      const Call& call = parts_.calls[parts[i].call];
      if (!last || is_test(call.function)) continue;
      const Ticks wait = DependencyParts::ticks(call.enter, std::min(parts[*last].begin, call.exit));
      if (wait > 0) by_record[parts[i].end_pos] = {parts[i].call, {wait, all[*last].started, kind}};
    }
  }
  static std::optional<PointKind> point_kind(CollectiveKind kind) {
    switch (kind) {
      case CollectiveKind::barrier:
        return PointKind::barrier;
      case CollectiveKind::all_to_all:
        return PointKind::n_to_n;
      case CollectiveKind::one_to_all:
        return PointKind::one_to_n;
      case CollectiveKind::all_to_one:
        return PointKind::n_to_one;
      case CollectiveKind::scan:
        return PointKind::scan;
      default:
        return std::nullopt;
    }
  }
  // Like needs(), whatever the clocks say; a member may itself be the last one that its own data comes from.
  static bool gives(const std::vector<OperationPart>& parts, std::size_t group_a, std::optional<std::size_t> root,
                    std::optional<PointKind> kind, std::size_t i, std::size_t j) {
    if (group_a != 0 && (i < group_a) == (j < group_a)) return false;
    const bool sends = parts[j].sent > 0, receives = parts[i].received > 0;
    if (kind == PointKind::barrier) return true;
    if (kind == PointKind::n_to_n) return sends && receives;
    if (kind == PointKind::one_to_n) return i != j && root == j && receives;
    if (kind == PointKind::n_to_one) return root == i && sends;
    return j <= i && sends;
  }

  void add_nonblocking(std::size_t call, const Longest& wait) {
    const Call &waiting = parts_.calls[call], &awaited = parts_.calls[wait.awaited];
    parts_.add_pair(*wait.kind, wait.wait, {VertexKind::request, wait.awaited, awaited.enter, awaited.enter_pos},
                    {VertexKind::completion, call, waiting.exit, waiting.exit_pos});
  }

  Neighbourhoods neighbourhoods_{parts_.definitions};
};

}  // namespace

void add_nonblocking_collectives(DependencyParts& parts) { NonblockingStep(parts).run(); }

}  // namespace waitstate::access
