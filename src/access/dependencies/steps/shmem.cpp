#include "access/dependencies/steps/shmem.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "access/dependencies/operation.hpp"

namespace waitstate::access {

namespace {

class ShmemStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void run() {
    collectives();
    changes();
  }

 private:
  // The n-th operation of a process on a window is the n-th one of all its members. What counts are the calls.
  void collectives() {
    std::map<std::uint64_t, std::map<ProcessId, std::vector<OperationPart>>> all;
    for (const auto& [pos, r] : parts_.records) {
      const Event& e = r.event;  // attributes: op, level, window, root, sent, received
      if (e.type != EventType::rma_collective_end || e.attributes[2] >= parts_.definitions.rma_wins.size()) continue;
      const Call& call = parts_.calls[r.call];
      all[e.attributes[2]][parts_.process_of(e.loc)].push_back(
          {r.call, call.enter, call.exit, call.enter_pos, call.exit_pos, e.attributes[4], e.attributes[5],
           e.attributes[3], static_cast<CollectiveOp>(e.attributes[0])});
    }
    for (const auto& [win, by_process] : all) {
      const std::vector<LocationId>& members = parts_.definitions[parts_.definitions.rma_wins[win].comm].members;
      for (std::size_t n = 0; members.size() > 1; ++n) {
        std::vector<OperationPart> parts;
        for (const LocationId m : members)
          if (const auto of = by_process.find(parts_.process_of(m)); of != by_process.end() && of->second.size() > n)
            parts.push_back(of->second[n]);
        if (parts.size() != members.size()) break;
        operation(members, parts);
      }
    }
  }

  void operation(const std::vector<LocationId>& members, const std::vector<OperationPart>& parts) {
    const CollectiveKind kind = waitstate::kind(parts[0].op);
    for (const OperationPart& p : parts) {
      const RegionClass of_call = parts_.class_of(parts_.calls[p.call]);
      const bool barrier = kind == CollectiveKind::barrier && of_call == RegionClass::shmem_sync_collective;
      const bool moves = (kind == CollectiveKind::one_to_all || kind == CollectiveKind::all_to_all) &&
                         of_call == RegionClass::shmem_collective;
      if (!barrier && !moves) return;
    }
    std::optional<std::size_t> root;
    if (kind == CollectiveKind::one_to_all) {
      for (std::size_t i = 0; i < members.size(); ++i)
        if (parts_.process_of(LocationId{parts[0].root}) == parts_.process_of(members[i])) root = i;
      if (!root) return;
    }
    add_operation(parts_, parts, 0, root, PointKind::shmem_collective);
  }

  // For the operation of another process on this one's memory that was started last, if it overlaps.
  void changes() {
    using Enter = std::tuple<Time, LocationId, Position>;
    std::map<std::pair<std::uint64_t, ProcessId>, std::map<Enter, std::size_t>> all;  // calls by window and target
    for (const auto& [pos, r] : parts_.records) {
      const Event& e = r.event;  // attributes: window, remote
      if (e.type != EventType::rma_put && e.type != EventType::rma_atomic) continue;
      const ProcessId target = parts_.process_of(LocationId{e.attributes[1]});
      if (target != parts_.process_of(e.loc))
        all[{e.attributes[0], target}][{parts_.calls[r.call].enter, e.loc, parts_.calls[r.call].enter_pos}] = r.call;
    }
    for (const auto& [pos, r] : parts_.records) {
      const Call& waiting = parts_.calls[r.call];
      if (r.event.type != EventType::rma_wait_change ||
          parts_.class_of(waiting) != RegionClass::shmem_point2point_synchronization)
        continue;
      const std::map<Enter, std::size_t>& here = all[{r.event.attributes[0], parts_.process_of(waiting.location)}];
      const auto after = here.lower_bound({waiting.exit, LocationId{0}, 0});
      if (after == here.begin()) continue;
      const std::size_t last = std::prev(after)->second;
      const Call& changing = parts_.calls[last];
      if (const Ticks wait = DependencyParts::ticks(waiting.enter, changing.enter); wait > 0)
        parts_.add_pair(PointKind::shmem_pair, wait, {VertexKind::request, last, changing.enter, changing.enter_pos},
                        {VertexKind::completion, r.call, waiting.exit, waiting.exit_pos});
    }
  }
};

}  // namespace

void add_shmem(DependencyParts& parts) { ShmemStep(parts).run(); }

}  // namespace waitstate::access
