// The members of collective operations, and those that have a point there. An operation takes 16 bytes, and 4 a member
// if only some have a point, or if other threads of the processes take part than in the first operation on the
// communicator that came; beyond a limit these go into scratch files.
//
// Each worker has groups of its own, and numbers them so that no two workers give the same number. When all has been
// read the groups of all become one.
//
// Invariant: members of an operation, and of a group, are in the order of locations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "causes/points/point.hpp"
#include "util/spill/spilled_vector.hpp"
#include "waitstate/pattern/collective.hpp"

namespace waitstate::causes {

class OperationGroups {
 public:
  /// `worker`: the number of the worker among `workers`.
  explicit OperationGroups(std::size_t bytes_in_memory, std::uint32_t worker = 0, std::uint32_t workers = 1)
      : worker_(worker), banks_(workers) {
    banks_[worker] = std::make_unique<Bank>(bytes_in_memory);
  }

  /// Takes over the groups of another worker.
  void join(OperationGroups& other) { banks_[other.worker_] = std::move(other.banks_[other.worker_]); }

  /// Brings the worker's groups to the same worker's of another process.
  template <class Archive>
  void travel(Archive& archive) {
    Bank& own = *banks_[worker_];
    archive(own.groups, own.members, own.communicators);
  }

  /// Adds the operation, of which those locations have a point; each only once. Returns its number (Point::group).
  std::uint32_t add(const Collective& c, std::vector<LocationId> with_point);
  /// Adds an operation of which only some members are known: those locations have a point.
  std::uint32_t add(std::vector<LocationId> with_point);
  /// True if that location has a point in the group.
  bool has(std::uint32_t group, LocationId location) const;
  /// All members of the group's operation; not of one of which only some are known.
  std::vector<LocationId> members(std::uint32_t group) const;
  /// SpilledPages::share().
  void share(unsigned readers) const {
    for (const auto& b : banks_)
      if (b) b->groups.share(readers), b->members.share(readers);
  }
  void end_sharing() const {
    for (const auto& b : banks_)
      if (b) b->groups.end_sharing(), b->members.end_sharing();
  }

 private:
  struct Group {
    static constexpr std::uint32_t everybody = ~std::uint32_t{0}, of_communicator = everybody;
    std::uint32_t first = 0;              ///< in Bank::members
    std::uint32_t count = everybody;      ///< the number of members that have a point
    std::uint32_t communicator = 0;       ///< in Bank::communicators
    std::uint32_t all = of_communicator;  ///< in Bank::members, behind their number, if the operation has others than
                                          ///< the communicator
  };
  /// The groups of a worker.
  struct Bank {
    explicit Bank(std::size_t bytes_in_memory) : groups(bytes_in_memory), members(bytes_in_memory) {}
    std::uint32_t put(const std::vector<LocationId>& locations);
    bool is_among(std::uint32_t first, std::uint32_t count, LocationId location) const;

    util::SpilledVector<Group> groups;
    util::SpilledVector<LocationId> members;
    std::vector<std::vector<LocationId>> communicators{};  ///< members of the first operation that came on each
    std::map<CommId, std::uint32_t> communicator_numbers{};
  };
  std::uint32_t add_group(const Group& group);
  const Bank& bank(std::uint32_t group) const { return *banks_[group % banks_.size()]; }
  Group at(std::uint32_t group) const { return bank(group).groups[group / banks_.size()]; }

  const std::uint32_t worker_;
  std::vector<std::unique_ptr<Bank>> banks_;  ///< by worker; those of others are null until all has been read
};

}  // namespace waitstate::causes
