#include <optional>
#include <string>

#include "undetermined_causes.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class CriticalPathPattern : public Pattern {
  static constexpr MetricHandle path{0}, impact{1}, activities{3}, imbalance{4}, inter_partition{5}, beside{6},
      above_mean{7}, intra_partition{8};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "critical_path",
                     .title = "Critical path",
                     .summary = "Time of the activities that determine how long the program runs."},
                    {.id = "performance_impact",
                     .within_parent = false,
                     .title = "Performance impact",
                     .summary = "Time of all locations, split by whether the activity is on the critical path."},
                    {.id = "performance_impact_criticalpath",
                     .parent = "performance_impact",
                     .within_parent = false,
                     .title = "Impact of the critical path",
                     .summary = "Time of all locations that the activities of the critical path take or cost."},
                    {.id = "critical_path_activities",
                     .parent = "performance_impact_criticalpath",
                     .within_parent = false,
                     .title = "Critical path activities",
                     .summary = "Time of activities, on every location, that lie on the critical path somewhere."},
                    {.id = "critical_imbalance_impact",
                     .parent = "performance_impact_criticalpath",
                     .within_parent = false,
                     .title = "Critical imbalance impact",
                     .summary = "Time lost because activities of the critical path are not balanced."},
                    {.id = "inter_partition_imbalance",
                     .parent = "critical_imbalance_impact",
                     .title = "Inter-partition imbalance",
                     .summary = "Time lost because only some locations have an activity of the critical path at all."},
                    {.id = "non_critical_path_activities",
                     .parent = "performance_impact",
                     .within_parent = false,
                     .title = "Non-critical path activities",
                     .summary = "Time of activities beyond their part of the critical path."},
                    {.id = "critical_path_imbalance",
                     .parent = "critical_path",
                     .title = "Critical path imbalance",
                     .summary = "Time of the critical path beyond the mean of all locations in its activities."},
                    {.id = "intra_partition_imbalance",
                     .parent = "critical_imbalance_impact",
                     .title = "Intra-partition imbalance",
                     .summary = "Time lost because locations that have the same activity take different times."}},
        .severity =
            "critical_path: the path goes back from MPI_Finalize of the process that enters it last (without "
            "MPI_Finalize: from the end of the first thread that ends last), on a location as far as its latest wait "
            "for another location; it continues on that location, from the time at which that one ended the wait; and "
            "so on as far as MPI_Init. Waits: Late Sender, Late Receiver, barriers, N x N, 1 x N, N x 1, barriers of "
            "teams; "
            "from the start of a parallel region the path continues at its fork. G: time of a call path on the "
            "critical path, g: its share on a location, T: time of a location in a call path without such waits. "
            "critical_path_activities: min(G, T) where G > 0; non_critical_path_activities: T - G if > 0. x = max(0, "
            "G - T); W: sum of G less sum of T of a location. critical_imbalance_impact: g / G times the sum over "
            "locations of x W / (sum of x of the location) if > 0; inter_partition_imbalance: the same formula with G "
            "instead of x where T is 0, and 0 elsewhere, and without the part of T beyond G; "
            "intra_partition_imbalance: the rest. critical_path_imbalance: g (C - m) / C if > 0; C: G of the call "
            "path and those below it, m: the mean of T there over all threads, without the time to fork and join and "
            "the wait for one's turn in an ordered region. Shares are rounded to ticks",
        .charged_to =
            "call path and location of the activity; for imbalance, the locations that the critical path "
            "passes",
        .state =
            "all points at which locations met (72 bytes each) and the time per call path between MPI calls; beyond "
            "16 MiB and 48 KiB a location of each, they are in scratch files",
        .source = "Scalasca 2.6; Boehme et al., ICPP 2010 and SC 2012",
        .differs =
            "from Scalasca: if several threads come last to a barrier of a team, the path continues over the first of "
            "them only; all call paths count, even if there are more than 128; if the trace lacks a dependency of a "
            "call on the path, the path ends there, and the costs of activities are unknown. As in Scalasca, nobody "
            "waits at MPI_Init. Unless plain is 1, as in Scalasca: a location that lacks nothing of the path leaves "
            "critical_imbalance_impact undefined, one that has all its activities leaves inter_partition_imbalance "
            "undefined, and undefined values are left out everywhere; the time of workers from the enter of their "
            "last barrier in a parallel region to the join is left out. Values are for the whole run, whatever part "
            "of the time is chosen. Waits at barriers of teams within teams are work. Programs with explicit tasks "
            "are analysed only if all_waits is 1. As in Scalasca, the path follows no waits in non-blocking, v, w and "
            "neighbourhood collectives, prefix reductions, collectives on inter-communicators, one-sided "
            "communication, SHMEM, for receivers in operations with a root, for the creation of communicators, "
            "in probes and polls, for locks and for kernels, unless all_waits is 1. The call that launched a kernel is "
            "not recorded: it is taken to be the latest "
            "launch of the process before the kernel began, or before the first of several kernels that follow each "
            "other on its stream; without a launch, the path stays on the host",
        .diagnosis =
            "only activities on the critical path can make the run shorter: begin with its largest call path, and "
            "balance the activities whose imbalance costs most. 'waitstate print --critical-path' lists the path, "
            "'waitstate show --why' explains a wait",
        .needs = {"mpi_latesender", "mpi_latereceiver"},
        .parameters = {{"all_waits", std::int64_t{0}, "",
                        "1: the path also follows waits in non-blocking, v, w and neighbourhood collectives, prefix "
                        "reductions, collectives on inter-communicators, one-sided communication and SHMEM, for "
                        "receivers in operations with a root, for the creation of communicators, in probes and "
                        "polls, for locks of threads, tasks and kernels of accelerators; so do delays.",
                        0, 1},
                       {"plain", std::int64_t{0}, "",
                        "1: plain rules replace those that only Scalasca has: an imbalance that is undefined on a "
                        "location is left out only there; the time of workers after their last barrier counts; for "
                        "delays, the time of a send after the receive was posted is completion, debts of collectives "
                        "begin at the previous meeting of the two, and costs never exceed the wait.",
                        0, 1}}};
  }

  WantedCauses wanted_causes(const Parameters& p) const override {
    return {.waits = true, .all_waits = p.integer("all_waits") != 0, .plain = p.integer("plain") != 0};
  }

  void wrapup(Context& context) override {
    const Causes& causes = context.causes();
    wanted_ = causes.wanted();
    left_out_ = causes.left_out();
    inner_barriers_ = causes.has_inner_barriers();
    broken_off_ = causes.path_break();
    unfollowed_on_path_ = region_of(context, causes.unfollowed_on_path());
    unfollowed_ = RegionId::none();
    for (std::size_t t = 0; t < delay_type_count && !unfollowed_.valid(); ++t)
      unfollowed_ = region_of(context, causes.unfollowed(static_cast<DelayType>(t)));
    causes.each_path_cost([&](const PathCost& c) {
      context.add({c.callpath, c.location}, c.ticks, metric_of(c.kind));
    });
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    const std::vector<MetricHandle> all{path, impact};
    if (left_out_) return tell_of_all(u, all, [&](Undetermined& own) { own.because({0}, *left_out_); });
    if (broken_off_) {
      if (broken_off_->location.valid())
        u.because(path, "the path is known only after " + function_name(e, broken_off_->region) + " on location " +
                            std::to_string(broken_off_->location.value) + ": the trace lacks " + broken_off_->lacks +
                            " there");
      else
        u.because(path, "the path is not known: the trace lacks " + broken_off_->lacks);
      u.because(impact, "the costs of activities are known only for a complete critical path");
    }
    tell_of_all(u, all, [&](Undetermined& own) {
      receive_reasons(e, own, first_metric);
      send_reasons(e, own, first_metric);
      collective_reasons(e, own, first_metric, {});
      if (inner_barriers_) own.because(first_metric, inner_barriers_reason);
      for (const MoreWaits kind : all_more_waits) more_waits_reasons(e, own, first_metric, kind);
    });
    if (unfollowed_on_path_.valid())
      u.because(path, "the path passes waits in " + function_name(e, unfollowed_on_path_) +
                          ", which it follows only with the parameter critical_path.all_waits=1");
    if (unfollowed_.valid())
      u.because(impact, "waits in " + function_name(e, unfollowed_) +
                            " count as activities without the parameter critical_path.all_waits=1");
  }

 private:
  static MetricHandle metric_of(PathCost::Kind kind) {
    switch (kind) {
      case PathCost::Kind::on_path:
        return path;
      case PathCost::Kind::activity:
        return activities;
      case PathCost::Kind::beside:
        return beside;
      case PathCost::Kind::imbalance:
        return imbalance;
      case PathCost::Kind::inter_partition:
        return inter_partition;
      case PathCost::Kind::intra_partition:
        return intra_partition;
      case PathCost::Kind::above_mean:
        break;
    }
    return above_mean;
  }

  WantedCauses wanted_;
  std::optional<std::string> left_out_;  ///< why nothing can be told
  bool inner_barriers_ = false;
  std::optional<PathBreak> broken_off_;  ///< where the path is not followed further back
  RegionId unfollowed_on_path_;          ///< the function of a wait that the path passes without following it
  RegionId unfollowed_;                  ///< the function of a wait that is not followed, wherever it is
};

}  // namespace

PatternHandle critical_path() { return make_pattern<CriticalPathPattern>(); }

}  // namespace waitstate::patterns
