// What is waited on an ideal machine: the run is replayed with a clock for each location that stands still in MPI, but
// for what the call needs from others, as if messages took no time and sends never had to wait.
//
// Here the records of the one stream become steps of locations (ideal_clock.hpp), which need messages
// (ideal_messages.hpp), parts of operations (ideal_operations.hpp), and epochs and locks (ideal_one_sided.hpp). So
// memory follows what is open: messages in flight, operations that have not ended everywhere, and the steps behind
// them. Of damaged traces, in which some operations never become complete, no more than `IdealClocks::most_pending`
// steps are queued.
//
// Invariant: no ideal time is later than the recorded one, since a step needs only what was there when it happened; so
// the ideal run is never longer than the run.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/ideal/messages.hpp"
#include "causes/ideal/one_sided.hpp"
#include "causes/ideal/operations.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

using namespace causes;

namespace {

class IdealWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_ideal_wait",
                     .within_parent = false,
                     .title = "Waiting on an ideal machine",
                     .summary = "Time that MPI calls would wait if messages took no time: for others that are late."}},
        .severity =
            "Each location has an ideal clock, which begins with its first event and runs with the recorded time "
            "outside of MPI. A receive waits until the ideal time of its send; a member of a collective operation "
            "until those of the begins of the members that it needs: a barrier, MPI_Init, MPI_Finalize, the creation "
            "of a communicator or window, MPI_Win_free, and a fence in which all are at the same time: all; N x N: "
            "those that send, if it receives; 1 x N: the root, if it receives; N x 1: the root those that send; Scan: "
            "lower ranks that send; among neighbours: those that send, if it receives; each only if it began before "
            "this member's end. A non-blocking one begins with the request and ends where it is completed: there it "
            "waits. MPI_Win_complete waits until its targets have posted, MPI_Win_wait until its origins have come to "
            "MPI_Win_complete, each only for what was entered before its exit; MPI_Win_lock, or MPI_Win_unlock if the "
            "run waited in another call, until the owner whose release it waited for in the run lets go. All else in "
            "MPI takes no time. Ideal run time: the largest of (time - time in MPI + these waits) over the first "
            "threads of processes. serialisation_efficiency = largest time outside of MPI / ideal run time; "
            "transfer_efficiency = ideal run time / run time; their product is the communication efficiency of MPI",
        .charged_to = "call path and location of the call that would wait",
        .state =
            "messages in flight (32 bytes each), operations and epochs that are open (100 bytes a member), what their "
            "members did since (24 bytes a step), the last 65536 locks that were released (200 bytes each)",
        .source =
            "the POP project's model: parallel efficiency = load balance x communication efficiency, communication "
            "efficiency = serialisation x transfer, by replay on an ideal network (Dimemas)",
        .differs =
            "sends never wait, synchronous ones neither; nor does MPI_Win_start. Operations among neighbours of which "
            "the trace does not tell who they are take no time, and nobody waits there. The time in SHMEM is taken "
            "for work. Of the whole run, whatever part of the time is chosen",
        .diagnosis =
            "where this is large no network helps: balance the work, or send earlier what others need. Where it is "
            "small and MPI takes long, messages are the cost: fewer, larger, or overlapped with work"};
  }

  void init(Context& c) override {
    const Definitions& d = c.definitions();
    kinds_.clear();
    for (const Region& r : d.regions)
      kinds_.push_back(!is_mpi(r.region_class) ? outside : initialises_or_finalizes(r.mpi_function) ? world : mpi);
    has_begun_.assign(d.processes.size(), {});
    world_ = static_cast<std::size_t>(
        std::count_if(d.processes.begin(), d.processes.end(), [](const LocationGroup& p) { return p.rank >= 0; }));
    clocks_.clear(d.locations.size());
    messages_.clear(), operations_.clear(), one_sided_.init(d);
    without_request_ = 0, without_neighbours_ = 0;
  }

  // ---- records ----

  void enter_callback(const Event& e, Context& c) override {
    const Kind kind = kind_of(e.region());
    clocks_.move(e).in_mpi = kind != outside;
    if (kind == world) world_call(e, c.definitions());
  }
  void exit_callback(const Event& e, Context& c) override {
    IdealClocks::Place& place = clocks_.move(e);
    if (kind_of(e.region()) == world) leave_world_call(e);
    if (place.watches_exit && one_sided_.exit(e, pushing(e))) place.watches_exit = false;
    const CallPathId caller = e.callpath.valid() ? c.call_tree()[e.callpath].parent : CallPathId::none();
    place.in_mpi = caller.valid() && kind_of(c.call_tree()[caller].region) != outside;
  }
  void send_callback(const Event& e, Context&) override {
    clocks_.move(e);
    push(e, IdealStep::send, messages_.sent(e.pos));
  }
  void recv_callback(const Event& e, Context&) override {
    clocks_.move(e);
    if (const std::uint32_t m = messages_.received(e.sendptr); m != IdealClocks::nothing)
      push(e, IdealStep::receive, m);
  }
  void metric_callback(const Event&, Context&) override {}
  void event_callback(const Event& e, Context& c) override {
    IdealClocks::Place& place = clocks_.move(e);
    switch (e.type) {
      case EventType::program_begin:
      case EventType::program_end:
        place.in_mpi = false;
        break;
      case EventType::collective_end:
        if (const CommId comm = synchronises(e, c.definitions()); comm.valid())
          push(e, IdealStep::part, operations_.recorded(e, IdealOperations::on(comm)));
        break;
      case EventType::nonblocking_collective_request:
        push(e, IdealStep::issue, operations_.issued(e.pos, e.time));
        break;
      case EventType::nonblocking_collective_complete:
        completed(e, c.definitions());
        break;
      default:
        if (e.type >= EventType::rma_collective_end && e.type <= EventType::rma_release_lock && place.in_mpi &&
            one_sided_.record(e, c, pushing(e)))
          place.watches_exit = true;
    }
  }

  // ---- operations ----

  void collective_callback(const Collective& c, Context&) override {
    members_.clear();
    for (std::size_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      members_.push_back({m.call->location, m.call->callpath, m.begin, m.end, m.bytes_sent > 0, m.bytes_received > 0});
      if (c.neighbourhood)
        members_.back().neighbours =
            c.neighbours.subspan(c.neighbour_begin[i], c.neighbour_begin[i + 1] - c.neighbour_begin[i]);
    }
    announce({.kind = c.kind, .root = c.root, .group_a = c.group_a, .neighbourhood = c.neighbourhood},
             IdealOperations::on(c.comm));
  }
  void other_collective_callback(const OtherCollective& c, Context&) override {
    members_.clear();
    for (const OtherMember& m : c.members)
      members_.push_back({m.completed->location, m.completed->callpath, m.begin, m.end, m.bytes_sent > 0,
                          m.bytes_received > 0, m.neighbours});
    const bool knows_nobody = c.neighbourhood && !c.has_neighbours;
    if (knows_nobody) without_neighbours_ += static_cast<std::int64_t>(c.members.size());
    announce({.kind = c.kind == CollectiveKind::other ? CollectiveKind::barrier : c.kind,
              .root = c.root,
              .group_a = c.group_a,
              .nobody = knows_nobody,
              .nonblocking = c.nonblocking,
              .neighbourhood = c.neighbourhood},
             IdealOperations::on(c.comm));
  }

  void rma_collective_callback(const RmaCollective& r, Context&) override {
    if (!one_sided_.meets(r.win) || r.kind == RmaCollectiveKind::other) return;
    members_.clear();
    Time first_end = ~Time{0}, last_begin = 0;
    for (const CollectiveMember& m : r.collective.members) {
      members_.push_back({m.call->location, m.call->callpath, m.begin, m.end});
      first_end = std::min(first_end, m.end), last_begin = std::max(last_begin, m.begin);
    }
    const bool is_barrier = r.kind != RmaCollectiveKind::fence || first_end > last_begin;
    announce({.kind = CollectiveKind::barrier, .nobody = !is_barrier}, IdealOperations::on(r.win));
  }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context&) override {
    one_sided_.access(e);
    clocks_.run(*this);
  }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context&) override {
    one_sided_.exposure(e);
    clocks_.run(*this);
  }
  void rma_passive_call_callback(const RmaPassiveCall& r, Context&) override {
    one_sided_.passive(r);
    clocks_.run(*this);
  }

  void wrapup(Context& context) override {
    clocks_.finish(*this);
    for (const auto& [where, ticks] : clocks_.waits())
      context.add({CallPathId{static_cast<std::size_t>(where >> 32)}, LocationId{where & 0xffffffffu}}, ticks);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (const std::int64_t n = e.warnings(DiagnosticId::send_unmatched) + e.warnings(DiagnosticId::recv_unmatched);
        n > 0)
      u.because(first_metric, e.count(n, "message", "messages") +
                                  " without send or receive in the trace: who needed "
                                  "it is not known");
    incomplete_collectives(e, u, first_metric);
    if (const std::int64_t n = operations_.given_up(); n > 0)
      u.because(first_metric, "of " + e.count(n, "part in a collective operation", "parts in collective operations") +
                                  " the others are not in the trace: the replay went on without");
    if (without_request_ > 0)
      u.because(first_metric,
                e.count(without_request_, "non-blocking collective operation without a start in the trace is",
                        "non-blocking collective operations without a start in the trace are") +
                    " not replayed");
    if (without_neighbours_ > 0)
      u.because(first_metric, "of " +
                                  e.count(without_neighbours_, "part in an operation among neighbours",
                                          "parts in operations among neighbours") +
                                  " the neighbours are not in the trace: nobody waits there");
    const auto of_shmem = [](const Region& r) { return is_shmem(r.region_class); };
    const auto of_mpi = [](const Region& r) { return is_mpi(r.region_class); };
    if (const std::string name = e.called(of_shmem); !name.empty() && !e.called(of_mpi).empty())
      u.because(first_metric, name + " is called: the time in SHMEM is taken for work, waits included");
    if (!one_sided_.has_windows()) return;
    one_sided_losses(e, u, first_metric);
    if (const std::int64_t n = one_sided_.without_function(); n > 0)
      u.because(first_metric, e.count(n, "record of an epoch of one-sided communication does",
                                      "records of epochs of one-sided communication do") +
                                  " not tell what opens or ends there: nobody waits there");
    if (const std::int64_t n = one_sided_.epochs().given_up(); n > 0)
      u.because(first_metric, "of " + e.count(n, "one-sided epoch or lock", "one-sided epochs or locks") +
                                  " the others are not in the trace: the replay went on without");
  }

 private:
  friend IdealClocks;
  enum Kind : std::uint8_t { outside, mpi, world };

  // ---- steps ----

  bool does(LocationId l, const IdealStep& step) {
    switch (step.kind) {
      case IdealStep::send:
        messages_.sends(l, step.number);
        return true;
      case IdealStep::receive:
        return messages_.receives(l, step);
      case IdealStep::issue:
        operations_.issues(l, step.number);
        return true;
      case IdealStep::finish:
        return operations_.finishes(l, step);
      case IdealStep::give:
        one_sided_.epochs().give(l, step.number);
        return true;
      case IdealStep::pass:
        return one_sided_.epochs().passes(l, step);
      case IdealStep::part:
        break;
    }
    return operations_.takes_part(l, step);
  }
  bool is_unknown(const IdealStep& step) const {
    return is_part(step) ? operations_.is_unknown(step)
                         : step.kind == IdealStep::pass && one_sided_.epochs().is_unknown(step);
  }
  void give_up(const IdealStep& step) {
    if (is_part(step)) operations_.give_up(step);
    if (step.kind == IdealStep::pass) one_sided_.epochs().give_up(step);
  }
  Kind kind_of(RegionId region) const { return region.index() < kinds_.size() ? kinds_[region.index()] : outside; }
  static bool is_part(const IdealStep& step) { return step.kind == IdealStep::part || step.kind == IdealStep::finish; }

  void push(const Event& e, IdealStep::Kind kind, std::uint32_t number) {
    clocks_.push(e.loc, {kind, number, e.callpath}, *this);
  }
  struct Pushing {
    IdealWaitPattern& pattern;
    const Event& event;
    void operator()(IdealStep::Kind kind, std::uint32_t number) const { pattern.push(event, kind, number); }
  };
  Pushing pushing(const Event& e) { return {*this, e}; }
  void announce(const IdealNeeds& needs, std::uint64_t on_what) {
    operations_.announce(needs, on_what, members_);
    clocks_.run(*this);
  }

  /// The communicator of an operation in which somebody may need others, else none.
  static CommId synchronises(const Event& e, const Definitions& d) {
    const auto op = static_cast<CollectiveOp>(e.attributes[0]);  // attributes: op, com, root, sent, received
    const CommId comm{e.attributes[1]};
    if (comm.index() >= d.comms.size() || (kind(op) == CollectiveKind::other && !creates_handle(op)))
      return CommId::none();
    return d[comm].self || d[comm].members.size() + d[comm].members_b.size() < 2 ? CommId::none() : comm;
  }
  void completed(const Event& e, const Definitions& d) {
    const CommId comm = synchronises(e, d);
    if (!comm.valid()) return operations_.drop_request(e.requestptr);
    const std::uint32_t p = operations_.finished(e.requestptr, e, IdealOperations::on(comm), true);
    if (p == IdealClocks::nothing)
      ++without_request_;
    else
      push(e, IdealStep::finish, p);
  }

  // MPI_Init and MPI_Finalize, the first of each process. They begin with the enter, as others may be waited for in
  // them.
  void world_call(const Event& e, const Definitions& d) {
    const ProcessId process = d[e.loc].process;
    if (!process.valid() || d[process].rank < 0 || world_ < 2) return;
    bool& has = has_begun_[process.index()][d[e.region()].mpi_function == MpiFunction::finalize ? 1 : 0];
    if (!std::exchange(has, true)) push(e, IdealStep::issue, operations_.issued(e.pos, e.time));
  }
  void leave_world_call(const Event& e) {
    const std::uint32_t p = operations_.finished(e.enterptr, e, IdealOperations::on(CommId::none()), false);
    if (p != IdealClocks::nothing) push(e, IdealStep::finish, p);
  }

  std::vector<Kind> kinds_;  ///< by region; world: of MPI_Init and MPI_Finalize
  struct WorldCalls {
    bool had[2]{};
    bool& operator[](int finalize) { return had[finalize]; }
  };
  std::vector<WorldCalls> has_begun_;  ///< by process
  std::size_t world_ = 0;              ///< processes
  IdealClocks clocks_;
  IdealMessages messages_{clocks_};
  IdealOperations operations_{clocks_};
  IdealOneSided one_sided_{clocks_, operations_};
  std::vector<IdealMember> members_;  ///< scratch
  std::int64_t without_request_ = 0, without_neighbours_ = 0;
};

}  // namespace

PatternHandle mpi_ideal_wait() { return make_pattern<IdealWaitPattern>(); }

}  // namespace waitstate::patterns
