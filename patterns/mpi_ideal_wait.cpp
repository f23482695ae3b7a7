#include <string>

#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class IdealWaitPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_ideal_wait",
                     .within_parent = false,
                     .title = "Waiting on an ideal machine",
                     .summary = "Time that MPI calls would wait for late processes if messages took no time."}},
        .severity =
            "Each location has an ideal clock, which begins with its first event and runs with the recorded time "
            "outside of MPI. A receive waits until the ideal time of its send; a member of a collective operation "
            "until the ideal times at which the members that it needs begin: a barrier, MPI_Init, MPI_Finalize, the "
            "creation "
            "of a communicator or window, MPI_Win_free, and a fence in which all are at the same time: all; N x N: "
            "those that send, if it receives; 1 x N: the root, if it receives; N x 1: the root those that send; Scan: "
            "lower ranks that send; among neighbours: those that send, if it receives; each only if it began before "
            "this member's end. A non-blocking one begins with the request and ends where it is completed: there it "
            "waits. MPI_Win_complete waits until its targets have posted, MPI_Win_wait until its origins have reached "
            "MPI_Win_complete, each only for what was entered before its exit; MPI_Win_lock, or MPI_Win_unlock if the "
            "run waited in another call, until the owner whose release it waited for in the run lets go. Everything "
            "else in MPI takes no time. Ideal run time: the largest of (time - time in MPI + these waits) over the "
            "first threads of processes. serialisation_efficiency = largest time outside of MPI / ideal run time; "
            "transfer_efficiency = ideal run time / run time; their product is the communication efficiency of MPI",
        .charged_to = "call path and location of the call that would wait",
        .state =
            "48 bytes for each end of a message and each part in an operation, and 32 for each member of an operation, "
            "which are kept until the end and go into scratch files beyond a limit; at the end messages in flight (40 "
            "bytes each), operations and epochs that are open (100 bytes a member), and the last 65536 locks that were "
            "released (200 bytes each)",
        .source =
            "the POP project's model: parallel efficiency = load balance x communication efficiency, communication "
            "efficiency = serialisation x transfer, by replay on an ideal network (Dimemas)",
        .differs =
            "sends never wait, not even synchronous ones; nor does MPI_Win_start. Operations among neighbours that "
            "the trace does not name take no time, and nobody waits in them. The time in SHMEM counts as work. Values "
            "are for the whole run, whatever part of the time is chosen",
        .diagnosis =
            "if this is large, no network helps: balance the work, or send earlier what others need. If it is small "
            "and MPI takes long, messages are the cost: send fewer and larger ones, or overlap them with work"};
  }

  WantedCauses wanted_causes(const Parameters&) const override { return {.ideal_waits = true}; }

  void wrapup(Context& context) override {
    context.causes().each_ideal_wait([&](CallPathId c, LocationId l, Ticks ticks) { context.add({c, l}, ticks); });
    losses_ = context.causes().ideal_losses();
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (const std::int64_t n = e.warnings(DiagnosticId::send_unmatched) + e.warnings(DiagnosticId::recv_unmatched);
        n > 0)
      u.because(first_metric, e.count(n, "message lacks", "messages lack") +
                                  " a send or a receive in the trace: it is not known who needed them");
    if (const std::int64_t n = losses_.outside_of_calls; n > 0)
      u.because(first_metric, e.count(n, "wait of a record outside of every call has",
                                      "waits of records outside of every call have") +
                                  " no call path to be charged to");
    incomplete_collectives(e, u, first_metric);
    if (const std::int64_t n = losses_.parts; n > 0)
      u.because(first_metric, "the trace lacks the other members of " +
                                  e.count(n, "part in a collective operation", "parts in collective operations") +
                                  ": the replay went on without them");
    if (const std::int64_t n = losses_.in_circles; n > 0)
      u.because(first_metric, e.count(n, "step of the run stands", "steps of the run stand") +
                                  " in a circle of steps that need each other, or behind one: the replay went on "
                                  "without what is needed there");
    if (losses_.without_request > 0)
      u.because(first_metric,
                e.count(losses_.without_request, "non-blocking collective operation without a start in the trace is",
                        "non-blocking collective operations without a start in the trace are") +
                    " not replayed");
    if (losses_.without_neighbours > 0)
      u.because(first_metric, "the trace lacks the neighbours of " +
                                  e.count(losses_.without_neighbours, "part in an operation among neighbours",
                                          "parts in operations among neighbours") +
                                  ": nobody waits there");
    const auto of_shmem = [](const Region& r) { return is_shmem(r.region_class); };
    const auto of_mpi = [](const Region& r) { return is_mpi(r.region_class); };
    if (const std::string name = e.called(of_shmem); !name.empty() && !e.called(of_mpi).empty())
      u.because(first_metric, name + " is called: the time in SHMEM is taken for work, waits included");
    if (!losses_.has_windows) return;
    one_sided_losses(e, u, first_metric);
    if (const std::int64_t n = losses_.without_function; n > 0)
      u.because(first_metric, e.count(n, "record of an epoch of one-sided communication does",
                                      "records of epochs of one-sided communication do") +
                                  " not say what opens or ends there: nobody waits there");
    if (const std::int64_t n = losses_.epochs; n > 0)
      u.because(first_metric, "the trace lacks the other side of " +
                                  e.count(n, "one-sided epoch or lock", "one-sided epochs or locks") +
                                  ": the replay went on without it");
    if (const std::int64_t n = losses_.forgotten; n > 0)
      u.because(first_metric, e.count(n, "wait for a lock is", "waits for locks are") +
                                  " not replayed: too many other locks were released since");
  }

 private:
  IdealLosses losses_;
};

}  // namespace

PatternHandle mpi_ideal_wait() { return make_pattern<IdealWaitPattern>(); }

}  // namespace waitstate::patterns
