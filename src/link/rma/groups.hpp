// Members of the groups that one-sided records name, looked up in the definitions once for each group. A member is a
// process, named by its location in the group; one that is listed twice counts once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class RmaGroups {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  explicit RmaGroups(const Definitions& definitions) : definitions_(definitions), groups_(definitions.groups.size()) {}

  /// Members that are in the trace, in the order of the group.
  const std::vector<LocationId>& members(GroupId group) {
    static const std::vector<LocationId> nobody;
    return group.index() < groups_.size() ? known(group).members : nobody;
  }
  /// Index into members(); none if the location's process is not a member. Takes the logarithm of their number.
  std::uint32_t index(GroupId group, LocationId member) {
    if (group.index() >= groups_.size()) return none;
    const ProcessId process = definitions_[member].process;
    const auto& sorted = known(group).sorted;
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), std::pair{process, std::uint32_t{0}});
    return at != sorted.end() && at->first == process ? at->second : none;
  }

 private:
  struct Group {
    bool known = false;
    std::vector<LocationId> members;
    std::vector<std::pair<ProcessId, std::uint32_t>> sorted;
  };

  const Group& known(GroupId group) {
    Group& g = groups_[group.index()];
    if (g.known) return g;
    g.known = true;
    std::vector<bool> seen(definitions_.processes.size());
    for (const LocationId l : definitions_.members(group)) {
      if (!l.valid() || !definitions_[l].process.valid()) continue;
      const ProcessId process = definitions_[l].process;
      if (seen[process.index()]) continue;
      seen[process.index()] = true;
      g.sorted.emplace_back(process, static_cast<std::uint32_t>(g.members.size()));
      g.members.push_back(l);
    }
    std::sort(g.sorted.begin(), g.sorted.end());
    return g;
  }

  const Definitions& definitions_;
  std::vector<Group> groups_;
};

}  // namespace waitstate::link
