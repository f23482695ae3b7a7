// Points of collective operations of MPI: which members have one, and how long each waited for whom. Definitions: those
// of Scalasca 2.6; who waits for whom is what the patterns of these operations find (patterns/rules). With all_waits
// also operations among neighbours, prefix reductions, non-blocking operations, and those with a count a member.
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

/// A member of an operation that has a point there, by its index.
struct MemberWait {
  std::uint32_t member;
  Ticks wait;
};
/// Adds a point for each of `members`, which wait for the culprit; that is one of them, or Latest::nobody.
void add_operation(Recorded& to, PointKind kind, const Collective& c, std::vector<MemberWait> members,
                   std::uint32_t culprit);

}  // namespace waitstate::causes
