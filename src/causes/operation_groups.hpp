// The members of collective operations, and those that have a point there. An operation takes 16 bytes, and 4 a member
// if only some have a point, or if other threads of the processes take part than in the first operation on the
// communicator that came; beyond a limit these go into scratch files.
//
// Invariant: members of an operation, and of a group, are in the order of locations.
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
  /// Adds an operation of which only some members are known: those locations have a point.
  std::uint32_t add(std::vector<LocationId> with_point);
  /// True if that location has a point in the group.
  bool has(std::uint32_t group, LocationId location) const;
  /// All members of the group's operation; not of one of which only some are known.
  std::vector<LocationId> members(std::uint32_t group) const;
  /// SpilledPages::share().
  void share(unsigned readers) const { groups_.share(readers), members_.share(readers); }
  void end_sharing() const { groups_.end_sharing(), members_.end_sharing(); }

 private:
  struct Group {
    static constexpr std::uint32_t everybody = ~std::uint32_t{0}, of_communicator = everybody;
    std::uint32_t first = 0;              ///< in members_
    std::uint32_t count = everybody;      ///< the number of members that have a point
    std::uint32_t communicator = 0;       ///< in communicators_
    std::uint32_t all = of_communicator;  ///< in members_, behind their number, if the operation has others than the
                                          ///< communicator
  };
  std::uint32_t put(const std::vector<LocationId>& locations);
  bool is_among(std::uint32_t first, std::uint32_t count, LocationId location) const;

  util::SpilledVector<Group> groups_;
  util::SpilledVector<LocationId> members_;
  std::vector<std::vector<LocationId>> communicators_;  ///< members of the first operation that came on each
  std::map<CommId, std::uint32_t> communicator_numbers_;
};

}  // namespace waitstate::causes
