// Points of collective operations of MPI: which members have one, and how long each waited for whom. Definitions: those
// of Scalasca 2.6; who waits for whom is what the patterns of these operations find (patterns/rules). With all_waits
// also operations among neighbours and between two groups, prefix reductions, non-blocking operations, those with a
// count a member, waits for receivers in operations with a root, and for the creation of communicators.
//
// Invariant: whoever waits in an operation knows the point of the member that it waited for, which was added with it.
// Cost: a sort of the members that have a point.
#pragma once

#include <cstdint>
#include <vector>

#include "causes/recorded.hpp"

namespace waitstate::causes {

void add_collective(Recorded& to, const Collective& c);
/// The longest wait of a call for the non-blocking operations that it completes.
void add_nonblocking(Recorded& to, const CompletedCollectives& c);

/// The waits of the members of an operation that creates a communicator.
void add_creation(Recorded& to, const HandleCreation& h);

/// A member of an operation that has a point there, by its index.
struct MemberWait {
  std::uint32_t member;
  Ticks wait;
};
/// When a wait is followed.
enum class Followed : std::uint8_t { always, with_all_waits };
/// Adds a point for each of `members`, which wait for the culprit; that is one of them, or Latest::nobody.
void add_operation(Recorded& to, PointKind kind, const Collective& c, std::vector<MemberWait> members,
                   std::uint32_t culprit, Followed followed = Followed::always);

}  // namespace waitstate::causes
