// The kinds of points, in one table. Whatever depends on the kind of a point is a column of it: a new kind is a new
// row, and without all of its columns it does not compile. Where points of several kinds lie at one
// record, those of earlier rows come first: the order of the rows means nothing else.
//
//   kind        what the point is
//   crossing    how chains and the critical path name the step from a point of this kind to the one that it waited for
//   costs       the waits under which delays that cause such a wait are charged; nobody: they are not charged
//   before      where the work that a location did before the point ends: with the enter of the call, or with the
//               latest enter or exit in the call that lies before the record (History::cut)
//   met         whom the location met there, which decides how far back a wait at the point is judged
//   wait        whether the wait of the point is as long as that of the pattern that reports it; a call that waits for
//               several things one after the other has one point, for the last of them; or whether the point stands
//               for several waits that lie before its call, from `total` before its enter on
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "waitstate/pattern/causes.hpp"
#include "waitstate/result/causes.hpp"

namespace waitstate::causes {

/// The locations that a location met at a point.
enum class Met : std::uint8_t {
  nobody,
  partner,        ///< the other side of a message
  mpi_operation,  ///< members of a collective operation of MPI, whose costs are counted as Scalasca counts them
  members,        ///< members of another operation
  team,           ///< the threads of its team
  other,          ///< one other location
  other_or_team,  ///< another thread, which it also meets where their team begins and at the barriers of the team
};

// The first two rows, and those behind inner_barrier, are points that only the parameter all_waits of critical_path
// asks for.
// clang-format off
#define WAITSTATE_POINT_KINDS(X)                                                                   \
  /* kind              crossing          costs          before  met            wait      */        \
  /* a call that looks for a message; polls that ended before it was sent, where it was found */   \
  X(probe,             late_sender,      late_sender,   record, partner,       reported)           \
  X(poll,              late_sender,      late_sender,   enter,  partner,       earlier)           \
  X(late_sender,       late_sender,      late_sender,   record, partner,       reported)           \
  X(late_receiver,     late_receiver,    late_receiver, record, partner,       reported)           \
  X(barrier,           barrier,          barrier,       record, mpi_operation, reported)           \
  X(n_to_n,            n_to_n,           n_to_n,        record, mpi_operation, reported)           \
  X(one_to_n,          one_to_n,         one_to_n,      record, mpi_operation, reported)           \
  X(n_to_one,          n_to_one,         n_to_one,      record, mpi_operation, reported)           \
  X(init,              none,             nobody,        record, members,       reported)           \
  /* an operation that lacks a member, MPI_Init too: its completion is not known, but at most that of the point */     \
  X(incomplete,        none,             nobody,        record, members,       reported)           \
  X(finalize,          finalize,         nobody,        record, members,       reported)           \
  X(fork,              fork,             nobody,        enter,  team,          reported)           \
  X(team_barrier,      team_barrier,     team_barrier,  enter,  team,          reported)           \
  /* a barrier of a team within a team, which is not followed */                                   \
  X(inner_barrier,     none,             nobody,        record, nobody,        reported)           \
  /* a collective operation on a window of MPI; post, start, complete, wait; a lock of a window, or a target that made   \
     no progress */                                                                                \
  X(window,            window,           rma,           record, members,       reported)           \
  X(epoch,             epoch,            rma,           record, other,         reported)           \
  X(passive_target,    passive_target,   rma,           enter,  other,         of_last)            \
  X(shmem_collective,  shmem_collective, shmem,         record, members,       reported)           \
  X(shmem_pair,        shmem_pair,       shmem,         record, other,         reported)           \
  X(scan,              scan,             scan,          record, other,         reported)           \
  /* a sender of an operation with a root, for the root; the root, for a receiver */               \
  X(late_root,         late_root,        n_to_one,      record, other,         reported)           \
  X(late_members,      late_members,     one_to_n,      record, other,         reported)           \
  /* a call that creates a communicator */                                                         \
  X(creation,          creation,         creation,      record, other,         reported)           \
  X(lock,              lock,             lock,          enter,  other_or_team, reported)           \
  /* a thread without a task */                                                                    \
  X(task,              task,             task,          enter,  other_or_team, reported)           \
  /* a host thread that waits for a kernel; a kernel, and the call that launched it */             \
  X(device,            device,           device,        enter,  other,         of_last)            \
  X(launch,            launch,           nobody,        enter,  other,         reported)
// clang-format on

enum class PointKind : std::uint8_t {
#define X(kind, ...) kind,
  WAITSTATE_POINT_KINDS(X)
#undef X
};

/// The other columns of a row.
struct PointTraits {
  enum class Before : std::uint8_t { enter, record };
  enum class WaitLength : std::uint8_t { reported, of_last, earlier };
  Crossing crossing;
  std::optional<DelayType> costs;
  Before before;
  Met met;
  WaitLength wait;
};

namespace point_columns {
namespace costs {
using enum DelayType;
inline constexpr std::optional<DelayType> nobody;
}  // namespace costs
inline constexpr PointTraits rows[] = {
#define X(kind_, crossing_, costs_, before_, met_, wait_) \
  {Crossing::crossing_, costs::costs_, PointTraits::Before::before_, Met::met_, PointTraits::WaitLength::wait_},
    WAITSTATE_POINT_KINDS(X)
#undef X
};
}  // namespace point_columns

constexpr const PointTraits& traits(PointKind kind) { return point_columns::rows[static_cast<std::size_t>(kind)]; }

/// The waits under which a wait at such a point is charged. Throws std::bad_optional_access if it costs nobody.
constexpr DelayType delay_type(PointKind kind) { return traits(kind).costs.value(); }
/// A message's point: a send, a receive, or a call that completes either.
constexpr bool is_of_message(PointKind kind) { return traits(kind).met == Met::partner; }
/// A fork of a team, or a barrier of one.
constexpr bool is_of_team(PointKind kind) { return traits(kind).met == Met::team; }

}  // namespace waitstate::causes
