#include "merge/waiting_locations.hpp"

namespace waitstate::merge {

void WaitingLocations::add(LocationId l, const Cause& cause) {
  waiting_.emplace(l, cause);
  if (cause.message != link::Link::none) receivers_[cause.message] = l;
  if (cause.operation != link::Link::none) members_[cause.operation].push_back(l);
}

void WaitingLocations::remove(LocationId l) {
  const auto found = waiting_.find(l);
  if (found == waiting_.end()) return;
  const Cause cause = found->second;
  waiting_.erase(found);
  if (cause.message != link::Link::none) receivers_.erase(cause.message);
  const auto members = members_.find(cause.operation);
  if (members == members_.end()) return;
  std::erase(members->second, l);
  if (members->second.empty()) members_.erase(members);
}

LocationId WaitingLocations::take_receiver(std::uint32_t message) {
  const auto found = receivers_.find(message);
  if (found == receivers_.end()) return LocationId::none();
  const LocationId receiver = found->second;
  receivers_.erase(found);
  waiting_.erase(receiver);
  return receiver;
}

const std::vector<LocationId>& WaitingLocations::members(std::uint32_t operation) const {
  static const std::vector<LocationId> nobody;
  const auto found = members_.find(operation);
  return found == members_.end() ? nobody : found->second;
}

}  // namespace waitstate::merge
