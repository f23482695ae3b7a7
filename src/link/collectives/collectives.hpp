// Brings the parts of collective operations together. A process's n-th operation on a communicator is part of the
// communicator's n-th one, so a count per process and communicator is all that matching takes. Non-blocking operations
// name their communicator only when they complete, and may complete in any order; each process keeps those that it
// started in a queue and numbers them from its front, as soon as the front has completed.
//
// With several workers, an operation meets at one of them: at the home of its members, or by its number if they have
// several. There it is checked and delivered; the homes of the members get an answer with what their calls depend on.
//
// Memory: the parts of operations that some member has not reached yet. A member whose process has ended will never
// come; operations with it are counted as incomplete and forgotten at once, and what the others still do on that
// communicator is only counted. Cost: constant per part, and what an operation's delivery takes (once per operation).
#pragma once

#include <utility>
#include <vector>

#include "link/calls.hpp"
#include "link/exchange/port.hpp"
#include "link/listener.hpp"
#include "link/merge_feed.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/front_queue.hpp"
#include "util/hash.hpp"
#include "util/paged_table.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class Collectives {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;

  /// With `feed`, the merge is told of members and operations. `port`: the worker's, if there are several.
  Collectives(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener* listener,
              MergeFeed* feed, Port* port = nullptr);

  /// The records of a blocking operation. Return the member for the merge, none without a feed.
  std::uint32_t begin(LocationId l, const replay::CommRecord& r);
  std::uint32_t end(LocationId l, const replay::CommRecord& r, std::uint32_t call);

  /// A non-blocking operation: the number under which complete() or cancel() name it later.
  std::uint32_t start(LocationId l, const replay::CommRecord& r, std::uint32_t call);
  void complete(std::uint32_t started, LocationId l, const replay::CommRecord& r, std::uint32_t call);
  void cancel(std::uint32_t started);
  /// All records of the call have been linked.
  void call_closed(std::uint32_t call);

  /// MPI_Init or MPI_Finalize of a process, and the ticks in it without callees.
  void init_finalize_call(const Call& call, Ticks exclusive);

  /// No more records will come from the process, whether it is the worker's own or another's.
  void end_process(ProcessId process);
  /// Everything has been read, every process has ended: delivers the operations of all processes.
  void finish() {
    finish_own();
    finish_joined();
  }

  // With several workers: what others have posted, and the parts of finish().
  /// `completion`: the call that completes a non-blocking operation, else null.
  void arrived(WorkerId from, const MemberRecord& record, const Call* completion);
  void answered(const CompletionAnswer& answer);
  void answered(const MemberAnswer& answer);
  void counted(const CommCount& count);
  void finish_own();
  /// Takes what the collectives of another worker know.
  void join(Collectives& other);
  /// Brings what join() takes to the collectives of another process.
  template <class Archive>
  void travel(Archive& archive) {
    archive(comms_, member_states_, init_, finalize_, in_finalize_, complete_operations_, missing_count_);
  }
  void finish_joined();

  std::uint64_t complete_operations() const { return complete_operations_; }
  /// Grows whenever an operation has turned out to be incomplete.
  std::uint64_t missing_count() const { return missing_count_; }

  static constexpr std::size_t max_started = 1 << 15;

 private:
  struct MemberPart {
    std::uint32_t call = none, completion = none;
    std::uint32_t place = 0;  ///< among those that completed in the same call
    CollectiveOp op{};
    Time begin = 0, end = 0;
    std::uint64_t bytes_sent = 0, bytes_received = 0;
    WorkerId home = 0;          ///< the worker that a foreign part belongs to
    std::uint32_t slot = none;  ///< number there of a foreign part that wants an answer
    bool foreign = false;       ///< the part belongs to another worker
  };
  /// A part that has arrived, and the operation to which it belongs.
  struct Arrival {
    CommId comm;
    std::uint32_t rank = 0;
    std::uint64_t count = 0;  ///< number among the member's operations of its kind
    CollectiveOp op{};
    LocationId names;  ///< the root, by what the member names
    bool nonblocking = false;
  };
  struct OpenOperation {
    CommId comm;
    std::uint64_t number = 0;  ///< count of the operation among those of its kind
    CollectiveOp op{};
    LocationId root;
    bool nonblocking = false, neighbourhood = false, mismatch = false, dead = false;
    std::uint32_t expected = 0, arrived = 0;
    std::vector<MemberPart> parts;  ///< by rank
    std::uint32_t uses = 0;
    std::uint32_t for_merge = none;  ///< its number there; none of non-blocking ones
  };
  struct OperationKey {
    std::uint32_t comm = 0;
    std::uint64_t number = 0;  ///< twice the count, plus one for non-blocking operations
    bool operator==(const OperationKey&) const = default;
    std::uint64_t hash() const { return util::mixed(number ^ std::uint64_t{comm} << 40); }
  };
  struct MemberKey {
    std::uint32_t comm = 0, process = 0;
    bool operator==(const MemberKey&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(comm, process)); }
  };
  struct MemberState {
    std::uint32_t rank = 0;
    std::uint64_t count[2] = {0, 0};  ///< operations so far: blocking, non-blocking
  };
  struct Incomplete {
    std::uint64_t number = 0;          ///< as in OperationKey
    std::uint32_t rank = 0;            ///< the smallest one that has come
    CollectiveOp op{};                 ///< its operation
    std::vector<std::uint32_t> lacks;  ///< ranks, at the end
    bool operator<(const Incomplete& other) const { return number < other.number; }

    template <class Archive>
    void travel(Archive& archive) {
      archive(number, rank, op, lacks);
    }
  };
  struct CommState {
    bool prepared = false, neighbours_known = false;
    std::uint32_t size = 0;
    WorkerId home = 0;     ///< the home of all members, if `divided` is false
    bool divided = false;  ///< members have several homes: the operations meet by their numbers
    std::uint64_t dead_from[2] = {~std::uint64_t{0}, ~std::uint64_t{0}};  ///< operations from here on are incomplete
    std::uint64_t reported[2] = {0, 0};                      ///< up to here, incomplete ones have been counted
    std::uint64_t incomplete = 0;                            ///< how many
    std::vector<Incomplete> first_incomplete;                ///< by number, at most Diagnostics::max_places
    std::vector<std::uint32_t> never;                        ///< ranks that cannot take part in any
    std::vector<std::uint32_t> neighbours, neighbour_begin;  ///< in a topology

    template <class Archive>
    void travel(Archive& archive) {
      archive(prepared, incomplete, first_incomplete);
    }
  };
  struct Started {  ///< a non-blocking operation of one process, in the order of starting
    LocationId location;
    std::uint32_t step = 0;  ///< as in CommRecord
    MemberPart part;
    replay::CommRecord record{};  ///< its completion
    bool completed = false, cancelled = false;
  };
  struct PlacedCompletion {
    std::uint32_t place;
    CollectiveCompletion completion;
  };
  struct Completions {  ///< non-blocking operations that completed in one call
    std::uint32_t open = 0, places = 0;
    std::vector<PlacedCompletion> items;
    std::vector<std::uint32_t> held;  ///< calls that the items refer to
  };
  struct OpenBegin {
    Time time;
    std::uint32_t member;
  };

  CommState& prepare(CommId comm);
  void find_home(CommId comm, CommState& state);
  void find_neighbours(CommId comm, CommState& state);
  void find_sources(CommId comm, CommState& state);
  std::uint32_t arrive(LocationId l, const replay::CommRecord& r, const MemberPart& part,
                       const Started* started = nullptr);
  std::uint32_t meet(const Arrival& a, const MemberPart& part);
  WorkerId meeting_worker(const CommState& state, CommId comm, std::uint64_t number) const;
  void send_away(WorkerId to, const Arrival& a, const MemberPart& part);
  void tell_counts(ProcessId process);
  void answer(const MemberPart& part);
  void answer_completion(const MemberPart& part, CollectiveOp op, CommId comm, std::uint32_t awaited);
  void number_started(ProcessId process);
  void give_up_started(ProcessId process);
  template <class Begin, class Use>
  void for_each_awaited(const OpenOperation& operation, const Begin& begin, const Use& use) const;
  void check_clocks(const OpenOperation& operation);
  void account(const OpenOperation& operation);
  void tell_incomplete_part(CommId comm, std::uint64_t number, CollectiveOp op, const MemberPart& part) const;
  void account_as_lacking(const MemberPart& part);
  void account_for_finalize(bool all_came);
  void deliver(OpenOperation& operation);
  void deliver_blocking(OpenOperation& operation);
  void deliver_nonblocking(OpenOperation& operation);
  void view_others(const OpenOperation& operation, bool has_neighbours);
  void deliver_creation(const OpenOperation& operation);
  void deliver_other(const OpenOperation& operation);
  void add_completion(const MemberPart& part, CollectiveOp op, CommId comm, std::uint32_t awaited);
  void deliver_completions(std::uint32_t call);
  bool deliver_world(const util::PagedTable<Call>& calls, CollectiveKind kind);
  void drop_parts(OpenOperation& operation);
  void drop_part(const MemberPart& part);
  void give_up(CommId comm, CommState& state, int kind, const MemberState& member);
  static void count_incomplete(CommState& state, const Incomplete& incomplete);
  static void add_to_incomplete(CommState& state, const Incomplete& incomplete);
  void tell_incomplete();
  void release(std::uint32_t operation);
  void tell_merge(const OpenOperation& operation);
  std::uint32_t root_of(const OpenOperation& operation) const;
  static int kind_index(bool nonblocking) { return nonblocking ? 1 : 0; }

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener* const listener_;
  MergeFeed* const feed_;
  Port* const port_;
  util::FlatMap<OperationKey, std::uint32_t>
      open_;  ///< operations that some member has not reached yet; number plus one
  util::FlatMap<MemberKey, MemberState> member_states_;
  std::vector<CommState> comms_;
  util::PagedTable<std::vector<CommId>> comms_of_process_;  ///< only communicators that are prepared
  std::vector<bool> ended_;
  util::Pool<OpenOperation> operations_;
  util::Pool<Started> started_;
  util::PagedTable<util::FrontQueue<std::uint32_t>> queues_;  ///< by process
  util::Pool<Completions> completions_;
  util::Pool<MemberPart> away_;  ///< parts whose operations meet at another worker, which will answer
  util::PagedTable<std::vector<OpenBegin>> open_begins_;  ///< by location
  util::PagedTable<Call> init_, finalize_;                ///< by process; location none if it has not come
  util::PagedTable<Ticks> in_finalize_;                   ///< by process: ticks in that call without callees
  const bool wants_others_;                               ///< operations are wanted that are not a Collective
  const bool wants_steps_;                                ///< numbers of operations are wanted
  const bool wants_creations_;                            ///< operations that create handles are wanted
  std::vector<CollectiveMember> view_;                    ///< scratch of deliveries
  std::vector<OtherMember> others_view_;
  std::vector<CollectiveCompletion> completed_;
  std::vector<std::vector<MemberPart>> spare_;
  std::uint64_t complete_operations_ = 0, missing_count_ = 0;
};

}  // namespace waitstate::link
