// Groups of processes that wait for each other, over all wait states, as reports have them: the components of the wait
// graph. Cost: that of the graph, which has an edge for each pair of processes that waited.
#pragma once

#include <cstddef>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

inline constexpr std::size_t most_wait_groups = 20, most_group_members = 256;

struct WaitGroup {
  std::vector<ProcessId> processes{};  ///< ascending, at most most_group_members
  std::size_t left_out = 0;            ///< how many more there are
  WaitPair inside{};                   ///< waits of members for other members
  /// Each waits for the next, the last for the first: among all circles in the group, it is the one whose smallest wait
  /// is largest; at most most_group_members members of it are listed.
  std::vector<ProcessId> circle{};
  Ticks circle_ticks = 0;  ///< its smallest wait
};

/// Most ticks inside first, at most most_wait_groups.
std::vector<WaitGroup> wait_groups(const AnalysisResult& result);

}  // namespace waitstate::report
