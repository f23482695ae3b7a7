// The compound events of collective operations, as patterns' callbacks receive them, with all members at hand.
//
// A process's n-th operation on a communicator belongs to the communicator's n-th one (non-blocking ones are counted
// separately, in the order in which they were started). Only complete operations are delivered: all members took part
// and agree on operation and root; others are counted in Diagnostics. Operations on communicators of one process, and
// those that only create or free handles (communicators, windows), are not delivered; OtherCollective covers more of
// them.
//
// All views are valid during the callback only. Times are timer ticks.
#pragma once

#include <cstdint>
#include <span>

#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

/// The kind of an operation: which members have to wait for which.
enum class CollectiveKind : std::uint8_t {
  init,        ///< MPI_Init, MPI_Init_thread: the first such call of each process
  finalize,    ///< MPI_Finalize
  barrier,     ///< all members wait for all
  all_to_all,  ///< Allreduce, Allgather(v), Alltoall(v, w), Reduce_scatter(_block): all members wait for the data of
               ///< all
  one_to_all,  ///< Bcast, Scatter(v): all members wait for the root
  all_to_one,  ///< Reduce, Gather(v): the root waits for all members
  scan,        ///< Scan, Exscan: all members wait for those of lower rank
  other,       ///< operations on handles, which are not analysed
};
CollectiveKind kind(CollectiveOp op);

/// True for operations that make a communicator or window: no member gets it before all have reached the operation.
constexpr bool creates_handle(CollectiveOp op) {
  return op == CollectiveOp::create_handle || op == CollectiveOp::allocate ||
         op == CollectiveOp::create_handle_and_allocate;
}

/// The part of one process in a blocking collective operation.
struct CollectiveMember {
  const Call* call = nullptr;
  Time begin = 0;  ///< time of the begin record, B in formulas; for init and finalize the enter of the call
  Time end = 0;    ///< time of the end record, C in formulas; for init and finalize the exit of the call
  std::uint64_t bytes_sent = 0, bytes_received = 0;

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"begin", e.begin}, Field{"end", e.end}, Field{"bytes_sent", e.bytes_sent},
             Field{"bytes_received", e.bytes_received});
  }
};

/// A blocking collective operation.
struct Collective {
  static constexpr std::uint32_t no_root = 0xffffffffu;

  CollectiveKind kind{};
  CollectiveOp op{};                          ///< not set for init and finalize
  CommId comm;                                ///< none for init and finalize
  std::span<const CollectiveMember> members;  ///< by rank; for an inter-communicator group A, then group B
  std::uint32_t root = no_root;               ///< index into `members`
  std::uint32_t group_a = 0;                  ///< inter-communicator: number of members of group A; else 0
  /// A neighbourhood operation (MPI_Neighbor_…): members wait for their neighbours only. The neighbours of member i are
  /// neighbours[neighbour_begin[i]] … neighbours[neighbour_begin[i + 1] - 1].
  bool neighbourhood = false;
  std::span<const std::uint32_t> neighbours, neighbour_begin;

  bool inter() const { return group_a != 0; }
  /// True if data can go from member `from` to member `to`: always within one group; for an inter-communicator only
  /// from one group to the other.
  bool reaches(std::size_t from, std::size_t to) const { return !inter() || (from < group_a) != (to < group_a); }

  static auto fields(auto& e, auto&& f) {
    return f(Field{"kind", e.kind}, Field{"op", e.op}, Field{"comm", e.comm}, Field{"members", e.members},
             Field{"root", e.root}, Field{"group_a", e.group_a}, Field{"neighbourhood", e.neighbourhood},
             Field{"neighbours", e.neighbours}, Field{"neighbour_begin", e.neighbour_begin});
  }
  SourceLocation where() const { return {members.front().call->location, members.front().begin}; }
  std::size_t operation_size() const { return members.size(); }
};

/// A non-blocking collective operation as one of its members sees it in the call that completes it.
struct CollectiveCompletion {
  CollectiveKind kind{};
  CollectiveOp op{};
  CommId comm;
  const Call* started = nullptr;  ///< the member's own call that started the operation
  /// Among the members whose data this one needs, by kind and bytes moved (for a barrier: all members), the call that
  /// started the operation last; null if this member needs no data.
  const Call* awaited = nullptr;

  static auto fields(auto& e, auto&& f) {
    return f(Field{"kind", e.kind}, Field{"op", e.op}, Field{"comm", e.comm}, Field{"started", e.started},
             Field{"awaited", e.awaited});
  }
};

/// A call (MPI_Wait…, MPI_Test…) in which one or more non-blocking collective operations completed. Delivered once all
/// of them are complete, in no particular order.
struct CompletedCollectives {
  const Call& call;
  std::span<const CollectiveCompletion> completions;  ///< in the order of their records

  static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"completions", e.completions}); }
  SourceLocation where() const { return {call.location, call.exit}; }
};

/// min(E(awaited), L(call)) - E(call) in ticks, 0 if nothing was awaited or the call does not wait (MPI_Test…).
inline Ticks nonblocking_wait_ticks(const Call& call, const CollectiveCompletion& c) {
  if (c.awaited == nullptr || is_test(call.function)) return 0;
  const Time until = c.awaited->enter < call.exit ? c.awaited->enter : call.exit;
  return until > call.enter ? static_cast<Ticks>(until - call.enter) : 0;
}

/// The completion that the call waited for longest, nullptr if it waited for none: all waits of one call begin at its
/// enter, so only the longest counts.
inline const CollectiveCompletion* longest_wait(const CompletedCollectives& c) {
  const CollectiveCompletion* longest = nullptr;
  Ticks most = 0;
  for (const CollectiveCompletion& one : c.completions)
    if (const Ticks t = nonblocking_wait_ticks(c.call, one); t > most) longest = &one, most = t;
  return longest;
}

/// The part of one process in an operation that CollectiveMember does not describe.
struct OtherMember {
  const Call* started = nullptr;    ///< the call in which the operation began
  const Call* completed = nullptr;  ///< the call in which it ended; the same for a blocking operation
  Time begin = 0;                   ///< time of the request record, or of the begin record
  Time end = 0;                     ///< time of the completion record, or of the end record
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  std::span<const std::uint32_t> neighbours;  ///< members whose data it needs, in a neighbourhood operation

  static auto fields(auto& e, auto&& f) {
    return f(Field{"started", e.started}, Field{"completed", e.completed}, Field{"begin", e.begin}, Field{"end", e.end},
             Field{"bytes_sent", e.bytes_sent}, Field{"bytes_received", e.bytes_received},
             Field{"neighbours", e.neighbours});
  }
};

/// A complete operation that creates a handle, above all of a communicator: no member gets it before all have begun. An
/// OtherCollective, too; but a pattern that only wants these need not be given the others.
struct HandleCreation {
  CollectiveOp op{};
  CommId comm;  ///< the communicator on which it is created
  bool nonblocking = false;
  std::span<const OtherMember> members;  ///< by rank; for an inter-communicator group A, then group B

  static auto fields(auto& e, auto&& f) {
    return f(Field{"op", e.op}, Field{"comm", e.comm}, Field{"nonblocking", e.nonblocking},
             Field{"members", e.members});
  }
  SourceLocation where() const { return {members.front().started->location, members.front().begin}; }
  std::size_t operation_size() const { return members.size(); }
};

/// A complete operation that is not a Collective: a non-blocking one, as a whole; one that creates a communicator (kind
/// other); or a neighbourhood operation whose neighbours are not known.
struct OtherCollective {
  CollectiveKind kind{};
  CollectiveOp op{};
  CommId comm;
  bool nonblocking = false;
  std::span<const OtherMember> members;                ///< by rank; for an inter-communicator group A, then group B
  std::uint32_t root = Collective::no_root;            ///< index into `members`
  std::uint32_t group_a = 0;                           ///< inter-communicator: number of members of group A; else 0
  bool neighbourhood = false, has_neighbours = false;  ///< has_neighbours: the neighbours are known

  static auto fields(auto& e, auto&& f) {
    return f(Field{"kind", e.kind}, Field{"op", e.op}, Field{"comm", e.comm}, Field{"nonblocking", e.nonblocking},
             Field{"members", e.members}, Field{"root", e.root}, Field{"group_a", e.group_a},
             Field{"neighbourhood", e.neighbourhood}, Field{"has_neighbours", e.has_neighbours});
  }
  SourceLocation where() const { return {members.front().started->location, members.front().begin}; }
  std::size_t operation_size() const { return members.size(); }
};

}  // namespace waitstate
