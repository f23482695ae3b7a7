#include "report/graph/dependencies/windows.hpp"

#include <map>
#include <utility>
#include <vector>

#include "report/graph/dependencies/operation.hpp"

namespace waitstate::report {

namespace {

class FenceStep {
  using PointKind = DependencyParts::PointKind;
  using Record = DependencyParts::Record;

 public:
  explicit FenceStep(DependencyParts& parts) : parts_(parts) {}

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

 private:
  DependencyParts& parts_;
};

}  // namespace

void add_fences(DependencyParts& parts) { FenceStep(parts).run(); }

}  // namespace waitstate::report
