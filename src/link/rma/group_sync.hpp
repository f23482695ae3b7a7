// The meaning of synchronisations with a group where no name of an MPI function tells it (RmaGroupSync records of other
// recorders and paradigms): OTF2's level says whether accesses are completed, and so whether an epoch begins or ends,
// but not whether it is one of accesses (start … complete) or an exposure (post … wait).
//
//   - An epoch in which the process operates on a member of the group is one of accesses, from that operation on; where
//     two open groups have the member, it is the one opened last (a process that is to be accessed posts before it
//     starts: MPI_Win_start may wait for posts).
//   - An epoch that ends without such an operation is an exposure: an access epoch without accesses has no use.
//   - Of two open epochs with the same group the one of accesses ends first (a process completes before it waits).
//   - An end without a beginning completes what was started on the group's members (sync images of Fortran).
//
// A process has at most one epoch of either kind open on a window. Memory: two entries a window and process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "link/rma/groups.hpp"

namespace waitstate::link {

/// True if a synchronisation of that level completes accesses.
constexpr bool completes_accesses(std::uint64_t level) { return (level & 2) != 0; }

class GroupSync {
 public:
  struct Epoch {
    GroupId group;
    std::uint32_t call = 0;  ///< call of the record that opened it, if the owner keeps calls
    bool access = false;     ///< else not known yet, or an exposure
  };

  bool empty() const { return open_.empty(); }
  const std::vector<Epoch>& open() const { return open_; }

  /// Opens an epoch; returns the one that this leaves no room for.
  std::optional<Epoch> open(GroupId group, std::uint32_t call) {
    std::optional<Epoch> oldest;
    if (open_.size() == 2) {
      oldest = open_.front();
      open_.erase(open_.begin());
    }
    open_.push_back({group, call, false});
    return oldest;
  }

  /// An operation on the target: returns the epoch that it shows to be one of accesses, null if it shows nothing new.
  const Epoch* operate(RmaGroups& groups, LocationId target) {
    if (std::any_of(open_.begin(), open_.end(), [](const Epoch& e) { return e.access; })) return nullptr;
    const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                    [&](const Epoch& e) { return groups.index(e.group, target) != RmaGroups::none; });
    if (found == open_.rend()) return nullptr;
    found->access = true;
    return &*found;
  }

  /// The epoch that ends with that group, removed; none if none is open with it.
  std::optional<Epoch> close(GroupId group) {
    auto found = std::find_if(open_.begin(), open_.end(), [&](const Epoch& e) { return e.access && e.group == group; });
    if (found == open_.end())
      found = std::find_if(open_.begin(), open_.end(), [&](const Epoch& e) { return e.group == group; });
    if (found == open_.end()) return std::nullopt;
    const Epoch e = *found;
    open_.erase(found);
    return e;
  }

 private:
  std::vector<Epoch> open_;  ///< at most two
};

}  // namespace waitstate::link
