#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "undetermined_causes.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

/// One row for each type, in the order of types.
constexpr struct {
  DelayType type;
  const char *id, *parent, *what, *words;
} type_rows[] = {
    {DelayType::late_sender, "delay_latesender", "delay_p2p", "Late Sender", "Late Sender waits"},
    {DelayType::late_receiver, "delay_latereceiver", "delay_p2p", "Late Receiver", "Late Receiver waits"},
    {DelayType::barrier, "delay_barrier", "delay_collective", "barrier", "waits at barriers"},
    {DelayType::n_to_n, "delay_n2n", "delay_collective", "N x N", "waits in N x N operations"},
    {DelayType::one_to_n, "delay_12n", "delay_collective", "Late Broadcast", "waits for the root of 1 x N operations"},
    {DelayType::n_to_one, "delay_n21", "delay_collective", "Early Reduce", "waits of the root of N x 1 operations"},
    {DelayType::team_barrier, "delay_ompbarrier", "delay_omp", "OpenMP barrier", "waits at barriers of thread teams"},
    {DelayType::idle, "delay_ompidle", "delay_omp", "idle threads",
     "idle time of worker threads outside of parallel regions"},
    {DelayType::rma, "delay_rma", "delay_mpi", "one-sided", "waits in one-sided communication of MPI"},
    {DelayType::shmem, "delay_shmem", "delay", "SHMEM", "waits in SHMEM"},
    {DelayType::lock, "delay_lock", "delay", "locks", "waits of threads for locks"},
    {DelayType::task, "delay_omptask", "delay_omp", "OpenMP tasks", "waits of threads without a task"},
    {DelayType::device, "delay_device", "delay", "accelerators", "waits of host threads for kernels"},
    {DelayType::scan, "delay_scan", "delay_collective", "Early Scan", "waits in prefix reductions"},
    {DelayType::creation, "delay_comm", "delay_mpi", "creation of communicators",
     "waits for the creation of communicators"},
};
static_assert(std::size(type_rows) == delay_type_count);
static_assert([] {
  for (std::size_t i = 0; i < delay_type_count; ++i)
    if (static_cast<std::size_t>(type_rows[i].type) != i) return false;
  return true;
}());

class DelayPattern : public Pattern {
  // Metrics: five sums, three for each type, then direct and indirect, propagating and terminal waits.
  static constexpr std::uint32_t sums = 5, per_type = 3, after_types = sums + per_type * delay_type_count;
  /// Short-term and long-term.
  static constexpr MetricHandle both(DelayType type) { return {sums + per_type * static_cast<std::uint32_t>(type)}; }
  /// The metric of waits for messages, which are Late Sender and Late Receiver waits.
  static constexpr MetricHandle of_message(std::uint32_t first, DelayType type) {
    return {after_types + first + (type == DelayType::late_sender ? 0u : 1u)};
  }

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    PatternInfo info{
        .metrics = {{.id = "delay",
                     .within_parent = false,
                     .title = "Delay costs",
                     .summary = "Waiting time of others that activities cause, charged to these activities."}},
        .severity =
            "w is a wait of Q for P; a, b: the latest earlier points at which P had met Q, and Q had met P. d(c): the "
            "time that P worked in call path c from a to the point that Q waited for, less the time of Q from b to its "
            "wait, if > 0. D: sum of d; W: P's own waits from a on; s = w / (D + W), for messages at most 1. "
            "Short term: s d(c). Long term: P's own waits y in W owe K(y) = y (s + K(w) / (D + W)), and the location "
            "that P waited for at y is charged with K(y) in the same way as for w, under the type of the first wait. "
            "Indirect: s W; "
            "direct: the rest of w. Propagating: for a wait y of P, the largest s y of all waits that it was passed "
            "on to; terminal: the rest. Shares are rounded to ticks",
        .charged_to =
            "delays: call path and location of the culprit; direct, indirect, propagating, terminal: call path and "
            "location of the wait",
        .state = "the points of critical_path and 28 bytes a point; the debts of waits that are being judged",
        .source = "Scalasca 2.6; Boehme et al., ICPP 2010",
        .differs =
            "from Scalasca: barriers of teams pass on what their waits owe to other barriers; if several threads are "
            "the last at a barrier, the first of them is charged; all call paths count, even if there are more than "
            "128; in runs of two processes, collectives pass on debts as in other runs. As in Scalasca, waits in "
            "MPI_Finalize cost nobody, and, unless critical_path.plain is 1: no part of a send that waits for its "
            "receiver counts as completion, and the time by which the receiver takes longer is subtracted from the "
            "sender's work; debts of collectives begin one meeting too late for members that P had met later than the "
            "first of the group; in collectives and barriers of teams, s has no limit, so that costs can exceed the "
            "waits; the time of workers from the enter of their last barrier in a parallel region to the join is left "
            "out. Prefix reductions, non-blocking, v, w and "
            "neighbourhood collectives, collectives on inter-communicators, receivers in operations with a "
            "root, the creation of communicators, senders of messages that are probed or polled for, one-sided "
            "communication, SHMEM, locks, tasks and kernels have costs with critical_path.all_waits=1, but never in "
            "Scalasca. Values are for the whole run, whatever part of the time "
            "is chosen. "
            "Waits at barriers of teams within teams cost nobody: they are work. Programs with explicit tasks are "
            "analysed only with critical_path.all_waits=1",
        .diagnosis =
            "the call path with the largest costs is the root: locations that wait in between only pass the delay on; "
            "long-term costs arise where others wait for locations that waited themselves",
        .needs = {"critical_path"},
        .parameters = {
            {"parts", std::int64_t{0}, "",
             "Number of parts into which the locations are divided for looking back over them, each on a thread of its "
             "own; 0: as many as the analysis has threads, if that is worth it. The results are the same.",
             0, 1024}}};
    const auto add = [&](std::string id, std::string parent, std::string title, std::string summary) {
      info.metrics.push_back({.id = std::move(id),
                              .parent = std::move(parent),
                              .within_parent = false,
                              .title = std::move(title),
                              .summary = std::move(summary)});
    };
    add("delay_mpi", "delay", "MPI delay costs", "Delay costs of waits in MPI.");
    add("delay_p2p", "delay_mpi", "Point-to-point delay costs", "Delay costs of waits for messages.");
    add("delay_collective", "delay_mpi", "Collective delay costs", "Delay costs of waits in collective operations.");
    add("delay_omp", "delay", "OpenMP delay costs", "Delay costs of waits and idle time in OpenMP.");
    for (const auto& t : type_rows) {
      const std::string id = t.id, words = t.words, title = std::string("delay costs (") + t.what + ")";
      add(id + "_aggregate", t.parent, "All " + title, "Short-term and long-term costs of " + words + ".");
      add(id, id + "_aggregate", "Short-term " + title, "Costs of delays that directly cause " + words + ".");
      add(id + "_longterm", id + "_aggregate", "Long-term " + title,
          "Costs of delays that cause " + words + " through other processes, which waited themselves.");
    }
    add("waitstates_direct_vs_indirect", "", "Waits by cause",
        "Waits for messages, split by the activity of the late process.");
    add("waitstates_propagating_vs_terminal", "", "Waits by effect",
        "Waits for messages, split by their consequences.");
    const std::string causes = "waitstates_direct_vs_indirect", effects = "waitstates_propagating_vs_terminal";
    add("mpi_wait_indirect_latesender", causes, "Indirect Late Sender",
        "Late Sender waits for a process that waited "
        "itself.");
    add("mpi_wait_indirect_latereceiver", causes, "Indirect Late Receiver",
        "Late Receiver waits for a process that "
        "waited itself.");
    add("mpi_wait_direct_latesender", causes, "Direct Late Sender", "Late Sender waits for a process that was busy.");
    add("mpi_wait_direct_latereceiver", causes, "Direct Late Receiver",
        "Late Receiver waits for a process that was "
        "busy.");
    add("mpi_wait_propagating_ls", effects, "Propagating Late Sender", "Late Sender waits that made others wait.");
    add("mpi_wait_propagating_lr", effects, "Propagating Late Receiver", "Late Receiver waits that made others wait.");
    add("mpi_wait_terminal_ls", effects, "Terminal Late Sender", "Late Sender waits that made no other process wait.");
    add("mpi_wait_terminal_lr", effects, "Terminal Late Receiver",
        "Late Receiver waits that made no other process wait.");
    return info;
  }

  WantedCauses wanted_causes(const Parameters&) const override { return {.waits = true}; }
  void configure(const Parameters& p) override { parts_ = static_cast<std::size_t>(p.integer("parts")); }

  void wrapup(Context& context) override {
    const Causes& causes = context.causes();
    wanted_ = causes.wanted();
    left_out_ = causes.left_out();
    inner_barriers_ = causes.has_inner_barriers();
    for (std::size_t t = 0; t < delay_type_count; ++t)
      unfollowed_[t] = region_of(context, causes.unfollowed(static_cast<DelayType>(t)));
    causes.each_delay(parts_, [&](const DelayCost& c) {
      context.add({c.callpath, c.location}, c.ticks, metric_of(c.kind, c.type));
    });
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (left_out_) {
      for (const std::uint32_t root : {0u, after_types, after_types + 1}) u.because({root}, *left_out_);
      return;
    }
    // A wait that is not known is missing from its own delay costs, and in all others what it handed on.
    const std::vector<MetricHandle> all{{0}, {after_types}, {after_types + 1}}, delays{{0}};
    tell_of_all(u, all, [&](Undetermined& own) {
      receive_reasons(e, own, first_metric);
      send_reasons(e, own, first_metric);
      collective_reasons(e, own, first_metric, {});
    });
    tell_of_all(u, delays, [&](Undetermined& own) {
      for (const RegionClass c : {RegionClass::omp_ebarrier, RegionClass::omp_ibarrier})
        team_reasons(e, own, first_metric, c);
      if (inner_barriers_) own.because(first_metric, inner_barriers_reason);
      for (const MoreWaits kind : all_more_waits) more_waits_reasons(e, own, first_metric, kind);
    });
    for (std::size_t t = 0; t < delay_type_count; ++t)
      if (unfollowed_[t].valid())
        u.because(both(static_cast<DelayType>(t)),
                  "causes of waits in " + function_name(e, unfollowed_[t]) +
                      " are followed only with the parameter critical_path.all_waits=1");
  }

 private:
  static MetricHandle metric_of(DelayCost::Kind kind, DelayType type) {
    switch (kind) {
      case DelayCost::Kind::short_term:
        return {both(type).index + 1};
      case DelayCost::Kind::long_term:
        return {both(type).index + 2};
      case DelayCost::Kind::indirect:
        return of_message(2, type);
      case DelayCost::Kind::direct:
        return of_message(4, type);
      case DelayCost::Kind::propagating:
        return of_message(6, type);
      case DelayCost::Kind::terminal:
        break;
    }
    return of_message(8, type);
  }

  std::size_t parts_ = 0;
  WantedCauses wanted_;
  std::optional<std::string> left_out_;  ///< why nothing can be told
  bool inner_barriers_ = false;
  std::array<RegionId, delay_type_count> unfollowed_;  ///< a function with waits of the type that are not followed
};

}  // namespace

PatternHandle delay() { return make_pattern<DelayPattern>(); }

}  // namespace waitstate::patterns
