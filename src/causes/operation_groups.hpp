// The members of collective operations that have a point there. An operation takes 12 bytes, and 4 a member if only
// some of its communicator have a point; beyond a limit these go into scratch files.
//
// Invariant: members of a communicator, and of a group, are in the order of locations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "causes/point.hpp"
#include "util/spilled_vector.hpp"
#include "waitstate/pattern/collective.hpp"

namespace waitstate::causes {

class OperationGroups {
 public:
  explicit OperationGroups(std::size_t bytes_in_memory) : groups_(bytes_in_memory), members_(bytes_in_memory) {}

  /// Adds the operation, of which those locations have a point; each only once. Returns its number (Point::group).
  std::uint32_t add(const Collective& c, std::vector<LocationId> with_point);
  /// True if that location has a point in the group.
  bool has(std::uint32_t group, LocationId location) const;
  /// All members of the communicator that the group's operation was on.
  const std::vector<LocationId>& communicator(std::uint32_t group) const {
    return communicators_[groups_[group].communicator];
  }
  /// SpilledPages::share().
  void share(unsigned readers) const { groups_.share(readers), members_.share(readers); }
  void end_sharing() const { groups_.end_sharing(), members_.end_sharing(); }

 private:
  struct Group {
    static constexpr std::uint32_t everybody = ~std::uint32_t{0};
    std::uint32_t first = 0;          ///< in members_
    std::uint32_t count = everybody;  ///< the number of members that have a point
    std::uint32_t communicator = 0;   ///< in communicators_
  };
  std::uint32_t communicator_of(const Collective& c);

  util::SpilledVector<Group> groups_;
  util::SpilledVector<LocationId> members_;  ///< members of groups that do not have all of their communicator
  std::vector<std::vector<LocationId>> communicators_;
  std::map<CommId, std::uint32_t> communicator_numbers_;
};

}  // namespace waitstate::causes
