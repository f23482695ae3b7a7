// One collective operation on an ideal machine: who needs whom in it, and how far its members have come.
//
// Where all need all, nothing is kept of each member.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "waitstate/pattern/collective.hpp"

namespace waitstate::causes {

/// A communicator or window that operations are on; MPI_Init and MPI_Finalize have CommId::none().
constexpr std::uint64_t ideal_key(CommId comm) { return comm.value; }
constexpr std::uint64_t ideal_key(RmaWinId win) { return std::uint64_t{1} << 63 | win.value; }

/// Which operation it is, and what decides which members need which.
struct IdealNeeds {
  std::uint64_t on_what = 0;  ///< ideal_key()
  std::uint64_t number = 0;   ///< among those of its kind on that, if `is_numbered`
  bool is_numbered = false;
  CollectiveKind kind{};
  std::uint32_t root = Collective::no_root, group_a = 0;
  bool nobody = false;  ///< no member needs another one
  bool nonblocking = false;
  bool neighbourhood = false;
};
/// A member of an operation.
struct IdealMember {
  LocationId location;  ///< the location at which it ends
  CallPathId callpath;  ///< the call in which it ends
  Time begin = 0, end = 0;
  bool sends = true, receives = true;
  std::uint32_t neighbour_count = 0;
  std::span<const std::uint32_t> neighbours{};  ///< members whose data it needs
};

/// A member as far as the replay has come.
struct IdealMemberState {
  Time begin, end;
  bool sends, receives;
  std::uint32_t part = 0, place = 0;  ///< the part that has it, and which one it is there
  std::uint32_t missing = 0;          ///< members that it needs, not arrived
  IdealTime ready{};                  ///< the latest arrival of members that it needs
};

struct IdealOperation {
  IdealNeeds needs_of;
  std::uint32_t to_arrive = 0;         ///< members
  bool everybody = false;              ///< all need all
  IdealTime last{};                    ///< the latest arrival
  std::vector<std::uint32_t> parts{};  ///< parts that have a member
  std::vector<IdealMemberState> members{};
  std::vector<std::uint32_t> needing{}, needing_begin{};  ///< the members whose neighbour a member is

  void tell_neighbours(std::span<const IdealMember> all);
  /// True if member i needs member j.
  bool needs(std::uint32_t i, std::uint32_t j) const;
  /// f(IdealMemberState&) for each member that needs that one; a neighbour comes as often as it is one.
  template <class F>
  void for_each_needing(std::uint32_t one, F&& f) {
    if (needs_of.nobody) return;
    if (needs_of.neighbourhood) {
      for (std::uint32_t k = needing_begin[one]; k < needing_begin[one + 1]; ++k)
        if (needs(needing[k], one)) f(members[needing[k]]);
      return;
    }
    const std::uint32_t root = needs_of.root;
    if (needs_of.kind == CollectiveKind::one_to_all && one != root) return;
    const bool only_root = needs_of.kind == CollectiveKind::all_to_one;
    if (only_root && root >= members.size()) return;
    for (std::uint32_t i = only_root ? root : 0; i < (only_root ? root + 1 : members.size()); ++i)
      if (needs(i, one)) f(members[i]);
  }
};

}  // namespace waitstate::causes
