#include "causes/operation_groups.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

std::uint32_t OperationGroups::add(const Collective& c, std::vector<LocationId> with_point) {
  Bank& own = *banks_[worker_];
  std::vector<LocationId> members;
  for (const CollectiveMember& m : c.members) members.push_back(m.call->location);
  std::sort(members.begin(), members.end());
  const auto [found, is_new] =
      own.communicator_numbers.emplace(c.comm, static_cast<std::uint32_t>(own.communicators.size()));
  if (is_new) own.communicators.push_back(members);
  Group group{.communicator = found->second};
  if (members != own.communicators[group.communicator]) {
    own.members.push_back(LocationId{members.size()});
    group.all = own.put(members);
  }
  if (with_point.size() != members.size()) {
    std::sort(with_point.begin(), with_point.end());
    group.first = own.put(with_point);
    group.count = static_cast<std::uint32_t>(with_point.size());
  }
  return add_group(group);
}

std::uint32_t OperationGroups::add(std::vector<LocationId> with_point) {
  std::sort(with_point.begin(), with_point.end());
  Group group;
  group.first = banks_[worker_]->put(with_point);
  group.count = static_cast<std::uint32_t>(with_point.size());
  return add_group(group);
}

std::uint32_t OperationGroups::add_group(const Group& group) {
  util::SpilledVector<Group>& own = banks_[worker_]->groups;
  own.push_back(group);
  return static_cast<std::uint32_t>((own.size() - 1) * banks_.size()) + worker_;
}

bool OperationGroups::has(std::uint32_t number, LocationId location) const {
  const Bank& of = bank(number);
  const Group group = at(number);
  if (group.count != Group::everybody) return of.is_among(group.first, group.count, location);
  const std::vector<LocationId>& all = of.communicators[group.communicator];
  if (group.all == Group::of_communicator) return std::binary_search(all.begin(), all.end(), location);
  return of.is_among(group.all, of.members[group.all - 1].value, location);
}

std::vector<LocationId> OperationGroups::members(std::uint32_t number) const {
  const Bank& of = bank(number);
  const Group group = at(number);
  if (group.all == Group::of_communicator) return of.communicators[group.communicator];
  std::vector<LocationId> all;
  for (std::uint32_t i = 0; i < of.members[group.all - 1].value; ++i) all.push_back(of.members[group.all + i]);
  return all;
}

std::uint32_t OperationGroups::Bank::put(const std::vector<LocationId>& locations) {
  const auto first = static_cast<std::uint32_t>(members.size());
  for (const LocationId l : locations) members.push_back(l);
  return first;
}

bool OperationGroups::Bank::is_among(std::uint32_t first, std::uint32_t count, LocationId location) const {
  const std::uint32_t end = first + count;
  while (count > 0) {
    const std::uint32_t half = count / 2;
    if (members[first + half] < location)
      first += half + 1, count -= half + 1;
    else
      count = half;
  }
  return first < end && members[first] == location;
}

}  // namespace waitstate::causes
