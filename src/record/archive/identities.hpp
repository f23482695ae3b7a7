// Which communicators of two groups are one.
//
// A process derives the identity of a communicator from that of its parent, without a message. The two groups that make
// an inter-communicator have no parent in common: each derives an identity of its own, a half. Their leaders have met
// in a communicator that both know, with a tag: two halves are one if their groups, the leaders, that communicator and
// the tag are the same (MeetsLine). Leaders that have met so several times did that one after the other, and their
// halves pair in that order. Threads that do it at the same time leave that open, as they do for MPI itself.
//
// A communicator made of such a one has the half in its own identity, before a dot. So may the communicator in which
// leaders met; then that is settled first.
//
// Example: ranks 0 and 1 each have a duplicate of MPI_COMM_SELF, S.0/0 and S.0/1. Of these they make one
// inter-communicator with tag 7 over MPI_COMM_WORLD, whose halves are S.0/0.0/0 and S.0/1.0/1. It becomes
// I:S.0/0.0/0|S.0/1.0/1, and what rank 1 calls S.0/1.0/1.0/0 becomes I:S.0/0.0/0|S.0/1.0/1.0/0.
#pragma once

#include <cstdint>
#include <vector>

#include "record/parts/part_lines.hpp"

namespace waitstate::record {

/// Replaces identities in the lines of all parts. The number of inter-communicators of which it is not known for
/// certain which halves are one.
std::uint64_t settle_identities(std::vector<PartLines>& parts);

}  // namespace waitstate::record
