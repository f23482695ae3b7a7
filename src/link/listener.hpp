// The results of linking, as the analysis receives them: the compound events, and what no location can know alone.
#pragma once

#include <span>

#include "replay/chunk/chunk.hpp"
#include "waitstate/pattern/compound_events.hpp"

namespace waitstate::link {

/// A worker's part in a parallel region, in which it was from `enter` to `exit`. Without a join in the trace `join` is
/// `exit`.
struct ParallelRegion {
  LocationId location;
  CallPathId callpath;
  Time fork = 0, enter = 0, exit = 0, join = 0;
};

/// Choices of a listener. It may receive other compound events as well, except those that are costly to find.
struct Wanted {
  Interests interests = interest_completed_receives | interest_completed_sends;
  bool late_receives_only = false;  ///< completed_sends only tells calls during which one of the receives was posted
  RmaModel rma_model = RmaModel::automatic;  ///< model by which rma_operation is complete
  Time from = 0, to = ~Time{0};              ///< the chosen time of mpi_account
  bool message_queues = false;               ///< Message::seen_time, Linker::leftovers()
  bool work = false;                         ///< LocationWork is delivered
  bool work_to_end_of_team = false;          ///< WantedCauses::plain
  bool steps = false;                        ///< steps() and what follows are told

  bool any(Interests of) const { return (interests & of) != 0; }
  // Messages are matched all the same.
  bool receives() const { return any(interest_completed_receives | interest_overtaken); }
  bool sends() const { return any(interest_completed_sends); }
  bool accounts() const { return any(interest_mpi_account); }
  bool watermarks() const { return any(interest_overtaken); }
  // One-sided communication is only matched for the following.
  bool operations() const { return any(interest_rma_operation); }
  bool epochs() const {
    return any(interest_rma_collective | interest_rma_access_epoch | interest_rma_exposure_epoch |
               interest_rma_lock_epoch);
  }
  bool passive() const { return any(interest_rma_passive_call | interest_rma_wait_change); }
  bool one_sided() const { return operations() || epochs() || passive(); }
};

/// The work of a location, as far as a chunk tells it: see causes/work_log.hpp. Cuts and shares are as
/// WorkCutRecord and WorkShareRecord.
struct LocationWork {
  struct Share {
    CallPathId callpath;
    Ticks ticks = 0;
  };
  LocationId location;
  std::span<const replay::WorkCutRecord> cuts;
  std::span<const Share> shares;
  std::span<const replay::WorkMark> marks;
};

/// The part of one process in a blocking operation that lacks another member. The same numbers are of one operation.
struct IncompletePart {
  CommId comm;               ///< none for MPI_Init and MPI_Finalize
  std::uint64_t number = 0;  ///< among the operations of the communicator
  CollectiveKind kind{};     ///< as the member has recorded it: others may disagree
  const Call& call;
  Time begin = 0, end = 0;
  bool moves_data = false;
};

/// A non-blocking operation, as its request becomes known.
struct RequestedOperation {
  CommId comm;
  CollectiveOp op{};
  std::uint64_t number = 0;  ///< among the non-blocking operations on the communicator
  LocationId ends_at;        ///< the location that completes it
};

/// Receives the compound events, from one thread at a time.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual Wanted wanted() const { return {}; }

  // completed_sends() follows whatever is asked for, if completed_receives() said so; without messages only then.
#define X(name, Type) \
  virtual void name(const Type&) {}
  WAITSTATE_COMPOUND_EVENTS(X)
#undef X

  /// No message to the process - the one behind the last stands for all that belong to none - that is delivered from
  /// now on was sent before `bound`.
  virtual void watermark(ProcessId receiver, Time bound) { static_cast<void>(receiver), static_cast<void>(bound); }
  /// A non-blocking collective has completed, by whatever call: what `started` moved.
  virtual void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                                      std::uint64_t bytes_received) {
    static_cast<void>(started), static_cast<void>(op), static_cast<void>(bytes_sent), static_cast<void>(bytes_received);
  }
  /// An operation was started; all of them, complete or not, whatever is wanted.
  virtual void rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got) {
    static_cast<void>(call), static_cast<void>(kind), static_cast<void>(bytes_put), static_cast<void>(bytes_got);
  }
  virtual void parallel_region(const ParallelRegion&) {}
  /// Told by the linking thread at once, beside all that the others are told: nobody may look at it before the end.
  virtual void work(const LocationWork&) {}
  /// Told as work() is, if that or steps are wanted.
  virtual void incomplete_part(const IncompletePart&) {}
  /// The next steps of a location, with call paths of the whole trace. Returns the number of the first one: later, each
  /// is known by the low half of its number.
  virtual std::uint64_t steps(LocationId, std::span<const replay::StepRecord>) { return 0; }
  /// Fills in StepRecord::other, or number, of such a step.
  virtual void other_of_step(std::uint32_t step, std::uint64_t other) {
    static_cast<void>(step), static_cast<void>(other);
  }
  virtual void number_of_step(std::uint32_t step, std::uint64_t number) {
    static_cast<void>(step), static_cast<void>(number);
  }
  /// Says what a step that is a request starts.
  virtual void operation_of_request(std::uint32_t step, const RequestedOperation& operation) {
    static_cast<void>(step), static_cast<void>(operation);
  }
  /// The number of the operation on a communicator that is delivered next, among those of its kind there.
  virtual void number_of_operation(std::uint64_t) {}
  /// The profile of a worker in a call path of a team, to be added to what is known of that call path already.
  virtual void profile(LocationId, CallPathId, const replay::Profile&) {}
  /// Like profile(), for the values of a counter; PathCounter::callpath is the location's own number and of no use
  /// here.
  virtual void counter(CallPathId, const replay::PathCounter&) {}
};

/// For those who ask why somebody came late: what the trace lacks of a call.
inline void tell_of_lack(Listener* listener, replay::WorkMark::Kind kind, const Call& call) {
  if (listener == nullptr || !listener->wanted().work) return;
  const replay::WorkMark marks[] = {{call.location, kind, 0, call.enter, call.callpath},
                                    {call.location, replay::WorkMark::Kind::end_of_call, 0, call.exit, call.callpath}};
  listener->work({call.location, {}, {}, marks});
}

}  // namespace waitstate::link
