// What is waited on an ideal machine: the run is replayed with a clock for each location that stands still in MPI, but
// for what the call needs from others, as if messages took no time and sends never had to wait.
//
// Here the records of the one stream become steps of locations (ideal_clock.hpp), which need messages
// (ideal_messages.hpp) and parts of operations (ideal_operations.hpp). So memory follows what is open: messages in
// flight, operations that have not ended everywhere, and the steps behind them. Of damaged traces, in which some
// operations never become complete, no more than `IdealClocks::most_pending` steps are queued.
//
// Invariant: no ideal time is later than the recorded one, since a step needs only what was there when it happened; so
// the ideal run is never longer than the run.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ideal_clock.hpp"
#include "ideal_messages.hpp"
#include "ideal_operations.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

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
            "of a communicator: all; N x N: those that send, if it receives; 1 x N: the root, if it receives; N x 1: "
            "the root those that send; Scan: lower ranks that send; among neighbours: those that send, if it receives; "
            "each only if it began before this member's end. A non-blocking one begins with the request and ends where "
            "it is completed: there it waits. All else in MPI takes no time. Ideal run time: the largest of (time - "
            "time in MPI + these waits) over the first threads of processes. serialisation_efficiency = largest time "
            "outside of MPI / ideal run time; transfer_efficiency = ideal run time / run time; their product is the "
            "communication efficiency of MPI",
        .charged_to = "call path and location of the call that would wait",
        .state =
            "messages in flight (32 bytes each), operations that are open (64 bytes a member), and what their "
            "members did since (24 bytes a step)",
        .source =
            "the POP project's model: parallel efficiency = load balance x communication efficiency, communication "
            "efficiency = serialisation x transfer, by replay on an ideal network (Dimemas)",
        .differs =
            "sends never wait, synchronous ones neither. Not replayed: neighbourhood operations of which the trace "
            "does not tell the neighbours, one-sided communication; they take no time, and nobody waits there. Of the "
            "whole run, whatever part of the time is chosen",
        .diagnosis =
            "where this is large no network helps: balance the work, or send earlier what others need. Where it is "
            "small and MPI takes long, messages are the cost: fewer, larger, or overlapped with work"};
  }

  void init(Context& c) override {
    const Definitions& d = c.definitions();
    is_mpi_.clear();
    for (const Region& r : d.regions) is_mpi_.push_back(is_mpi(r.region_class));
    has_begun_.assign(d.processes.size(), {});
    world_ = static_cast<std::size_t>(
        std::count_if(d.processes.begin(), d.processes.end(), [](const LocationGroup& p) { return p.rank >= 0; }));
    clocks_.clear(d.locations.size());
    messages_.clear(), operations_.clear();
    without_request_ = 0, without_neighbours_ = 0;
  }

  // ---- records ----

  void enter_callback(const Event& e, Context&) override {
    const std::size_t r = e.region().index();
    clocks_.move(e).in_mpi = r < is_mpi_.size() && is_mpi_[r];
  }
  void exit_callback(const Event& e, Context& c) override {
    IdealClocks::Place& place = clocks_.move(e);
    if (const std::size_t r = e.region().index(); r < is_mpi_.size() && is_mpi_[r]) world_call(e, c.definitions());
    const CallPathId caller = e.callpath.valid() ? c.call_tree()[e.callpath].parent : CallPathId::none();
    const RegionId region = caller.valid() ? c.call_tree()[caller].region : RegionId::none();
    place.in_mpi = region.valid() && is_mpi_[region.index()];
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
          push(e, IdealStep::part, operations_.recorded(e.loc, IdealOperations::on(comm), e.time));
        break;
      case EventType::nonblocking_collective_request:
        push(e, IdealStep::issue, operations_.issued(e.pos, e.time));
        break;
      case EventType::nonblocking_collective_complete:
        completed(e, c.definitions());
        break;
      default:
        break;
    }
  }

  // ---- operations ----

  void collective_callback(const Collective& c, Context&) override {
    members_.clear();
    for (std::size_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      members_.push_back({m.call->location, m.begin, m.end, m.bytes_sent > 0, m.bytes_received > 0});
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
      members_.push_back({m.completed->location, m.begin, m.end, m.bytes_sent > 0, m.bytes_received > 0, m.neighbours});
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
      u.because(first_metric, e.count(without_request_, "non-blocking collective operation is",
                                      "non-blocking collective operations are") +
                                  " not replayed: where they were started is not in the trace");
    if (without_neighbours_ > 0)
      u.because(first_metric, "of " +
                                  e.count(without_neighbours_, "part in an operation among neighbours",
                                          "parts in operations among neighbours") +
                                  " the neighbours are not in the trace: nobody waits there");
    const std::int64_t n =
        e.events(EventType::rma_put) + e.events(EventType::rma_get) + e.events(EventType::rma_atomic);
    if (n > 0)
      u.because(first_metric, e.count(n, "one-sided operation is", "one-sided operations are") + " not replayed");
  }

 private:
  friend IdealClocks;

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
      case IdealStep::part:
        break;
    }
    return operations_.takes_part(l, step);
  }
  bool is_unknown(const IdealStep& step) const { return is_part(step) && operations_.is_unknown(step); }
  void give_up(const IdealStep& step) {
    if (is_part(step)) operations_.give_up(step);
  }
  static bool is_part(const IdealStep& step) { return step.kind == IdealStep::part || step.kind == IdealStep::finish; }

  void push(const Event& e, IdealStep::Kind kind, std::uint32_t number) {
    clocks_.push(e.loc, {kind, number, e.callpath}, *this);
  }
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
    const std::uint32_t p = operations_.finished(e.requestptr, e.loc, IdealOperations::on(comm), e.time);
    if (p == IdealClocks::nothing)
      ++without_request_;
    else
      push(e, IdealStep::finish, p);
  }

  // MPI_Init and MPI_Finalize: the first of each process.
  void world_call(const Event& e, const Definitions& d) {
    const MpiFunction f = d[e.region()].mpi_function;
    const ProcessId process = d[e.loc].process;
    if (!initialises_or_finalizes(f) || !process.valid() || d[process].rank < 0 || world_ < 2) return;
    bool& has = has_begun_[process.index()][f == MpiFunction::finalize ? 1 : 0];
    if (std::exchange(has, true)) return;
    push(e, IdealStep::part, operations_.recorded(e.loc, IdealOperations::on(CommId::none()), e.time));
  }

  std::vector<bool> is_mpi_;  ///< by region
  struct WorldCalls {
    bool had[2]{};
    bool& operator[](int finalize) { return had[finalize]; }
  };
  std::vector<WorldCalls> has_begun_;  ///< by process
  std::size_t world_ = 0;              ///< processes
  IdealClocks clocks_;
  IdealMessages messages_{clocks_};
  IdealOperations operations_{clocks_};
  std::vector<IdealMember> members_;  ///< scratch
  std::int64_t without_request_ = 0, without_neighbours_ = 0;
};

}  // namespace

PatternHandle mpi_ideal_wait() { return make_pattern<IdealWaitPattern>(); }

}  // namespace waitstate::patterns
