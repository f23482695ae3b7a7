#include "report/facts/waits/wait_groups.hpp"

#include <algorithm>

#include "report/facts/waits/wait_arcs.hpp"

namespace waitstate::report {

std::vector<WaitGroup> wait_groups(const AnalysisResult& result) {
  const SummedWaits sums = summed_waits(result, {}, WaitGraph::Level::process);
  std::vector<WaitGroup> groups;
  for (const WaitGraph::Component& c : wait_components(sums.ids.size(), sums.arcs)) {
    if (groups.size() == most_wait_groups) break;
    WaitGroup& group = groups.emplace_back();
    const auto take = [&](const std::vector<WaitGraph::VertexIndex>& from, std::vector<ProcessId>& to) {
      for (std::size_t i = 0; i < std::min(from.size(), most_group_members); ++i) to.emplace_back(sums.ids[from[i]]);
    };
    take(c.members, group.processes);
    take(c.circle, group.circle);
    group.left_out = c.members.size() - group.processes.size();
    group.inside = c.inside;
    group.circle_ticks = c.circle_least;
  }
  return groups;
}

}  // namespace waitstate::report
