#include "causes/operation_groups.hpp"

#include <algorithm>

namespace waitstate::causes {

std::uint32_t OperationGroups::communicator_of(const Collective& c) {
  const auto [found, is_new] = communicator_numbers_.emplace(c.comm, static_cast<std::uint32_t>(communicators_.size()));
  if (is_new) {
    std::vector<LocationId>& members = communicators_.emplace_back();
    for (const CollectiveMember& m : c.members) members.push_back(m.call->location);
    std::sort(members.begin(), members.end());
  }
  return found->second;
}

std::uint32_t OperationGroups::add(const Collective& c, std::vector<LocationId> with_point) {
  const auto number = static_cast<std::uint32_t>(groups_.size());
  Group group{.communicator = communicator_of(c)};
  if (with_point.size() != communicators_[group.communicator].size()) {
    std::sort(with_point.begin(), with_point.end());
    group.first = static_cast<std::uint32_t>(members_.size());
    group.count = static_cast<std::uint32_t>(with_point.size());
    for (const LocationId l : with_point) members_.push_back(l);
  }
  groups_.push_back(group);
  return number;
}

bool OperationGroups::has(std::uint32_t number, LocationId location) const {
  const Group group = groups_[number];
  if (group.count == Group::everybody) {
    const std::vector<LocationId>& all = communicators_[group.communicator];
    return std::binary_search(all.begin(), all.end(), location);
  }
  std::uint32_t first = group.first;
  for (std::uint32_t count = group.count; count > 0;) {
    const std::uint32_t half = count / 2;
    if (members_[first + half] < location)
      first += half + 1, count -= half + 1;
    else
      count = half;
  }
  return first < group.first + group.count && members_[first] == location;
}

}  // namespace waitstate::causes
