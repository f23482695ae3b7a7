#include "causes/operation_groups.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

std::uint32_t OperationGroups::add(const Collective& c, std::vector<LocationId> with_point) {
  const auto number = static_cast<std::uint32_t>(groups_.size());
  std::vector<LocationId> members;
  for (const CollectiveMember& m : c.members) members.push_back(m.call->location);
  std::sort(members.begin(), members.end());
  const auto [found, is_new] = communicator_numbers_.emplace(c.comm, static_cast<std::uint32_t>(communicators_.size()));
  if (is_new) communicators_.push_back(members);
  Group group{.communicator = found->second};
  if (members != communicators_[group.communicator]) {
    members_.push_back(LocationId{members.size()});
    group.all = put(members);
  }
  if (with_point.size() != members.size()) {
    std::sort(with_point.begin(), with_point.end());
    group.first = put(with_point);
    group.count = static_cast<std::uint32_t>(with_point.size());
  }
  groups_.push_back(group);
  return number;
}

std::uint32_t OperationGroups::put(const std::vector<LocationId>& locations) {
  const auto first = static_cast<std::uint32_t>(members_.size());
  for (const LocationId l : locations) members_.push_back(l);
  return first;
}

std::uint32_t OperationGroups::add(std::vector<LocationId> with_point) {
  std::sort(with_point.begin(), with_point.end());
  Group group;
  group.first = put(with_point);
  group.count = static_cast<std::uint32_t>(with_point.size());
  groups_.push_back(group);
  return static_cast<std::uint32_t>(groups_.size() - 1);
}

bool OperationGroups::has(std::uint32_t number, LocationId location) const {
  const Group group = groups_[number];
  if (group.count != Group::everybody) return is_among(group.first, group.count, location);
  const std::vector<LocationId>& all = communicators_[group.communicator];
  if (group.all == Group::of_communicator) return std::binary_search(all.begin(), all.end(), location);
  return is_among(group.all, members_[group.all - 1].value, location);
}

bool OperationGroups::is_among(std::uint32_t first, std::uint32_t count, LocationId location) const {
  const std::uint32_t end = first + count;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (members_[first + half] < location)
      first += half + 1, count -= half + 1;
    else
      count = half;
  }
  return first < end && members_[first] == location;
}

std::vector<LocationId> OperationGroups::members(std::uint32_t number) const {
  const Group group = groups_[number];
  if (group.all == Group::of_communicator) return communicators_[group.communicator];
  std::vector<LocationId> all;
  for (std::uint32_t i = 0; i < members_[group.all - 1].value; ++i) all.push_back(members_[group.all + i]);
  return all;
}

}  // namespace waitstate::causes
