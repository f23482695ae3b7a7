#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>

#include "causes.hpp"
#include "causes_all_waits.hpp"
#include "causes_devices.hpp"
#include "causes_mpi.hpp"
#include "causes_threads.hpp"
#include "chains.hpp"
#include "segments.hpp"
#include "undetermined.hpp"
#include "waitstate/late_sender.hpp"

namespace waitstate::patterns {

namespace {

/// Time per call path and location.
using Rows = std::map<std::pair<CallPathId, LocationId>, Ticks>;

class CriticalPathPattern : public Pattern {
  static constexpr MetricHandle path{0}, impact{1}, impact_on_path{2}, activities{3}, imbalance{4}, inter_partition{5},
      beside{6};

 public:
  PatternInfo info() const override {
    return {
        .metrics = {{.id = "critical_path",
                     .title = "Critical path",
                     .summary = "Time of the activities that decide how long the program runs."},
                    {.id = "performance_impact",
                     .within_parent = false,
                     .title = "Performance impact",
                     .summary = "Time of all locations, by whether the critical path has such activities."},
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
                     .summary = "Time of activities beyond what the critical path has of them."}},
        .severity =
            "critical_path: back from MPI_Finalize of the process that enters it last (without one: from the end of "
            "the first thread that ends last), on a location as far as the latest wait for another one; from there on "
            "that location, from where it ended the wait; as far as MPI_Init. Waits: Late Sender, Late Receiver, "
            "barriers, N x N, 1 x N, N x 1, barriers of teams; from the begin of a parallel region on at its fork. "
            "With G: time of a call path on the critical path, g: its share on a "
            "location, T: time of a location in a call path without such waits. critical_path_activities: min(G, T) "
            "where G > 0; non_critical_path_activities: T - G if > 0. x = max(0, G - T); W: sum of G less sum of T of "
            "a "
            "location. critical_imbalance_impact: g / G times the sum over locations of x W / (sum of x of the "
            "location) if > 0; inter_partition_imbalance: the same with G for x where T is 0, else 0, and without what "
            "T has beyond G. Shares are rounded to ticks",
        .charged_to = "call path and location of the activity; imbalance: where the critical path passes",
        .state =
            "all points at which locations met (72 bytes each) and the time per call path between MPI calls; beyond 16 "
            "MB of each in scratch files",
        .source = "Scalasca 2.6; Boehme et al., ICPP 2010 and SC 2012",
        .differs =
            "no; of the whole run, whatever part of the time is chosen. Programs with nested teams are not analysed, "
            "with explicit tasks only if all_waits is 1. "
            "As in Scalasca the path follows no waits in non-blocking, v, w and neighbourhood collectives, one-sided "
            "communication, SHMEM, for locks and for kernels, unless all_waits is 1; in Scan it never does. Which call "
            "launched a kernel is not recorded: it is taken for the latest one of the process before the kernel began, "
            "or before the first of several that follow each other on its stream; without one the path stays on the "
            "host",
        .diagnosis =
            "only what is on the critical path makes the run shorter: begin with its largest call path; balance the "
            "activities whose imbalance costs most. 'waitstate print --critical-path' lists it, 'waitstate show --why' "
            "says "
            "why a wait was",
        .needs = {"mpi_latesender", "mpi_latereceiver"},
        .parameters = {{"all_waits", std::int64_t{0}, "",
                        "1: the path follows waits in non-blocking, v, w and neighbourhood collectives, one-sided "
                        "communication, SHMEM, "
                        "for locks of threads, tasks and kernels of accelerators too; delay as well."}},
        .needs_work = true};
  }

  Interests unused(const Parameters& p) const override {
    return p.integer("all_waits") != 0
               ? 0
               : Interests{interest_completed_collectives} | interest_rma_collective | interest_rma_access_epoch |
                     interest_rma_exposure_epoch | interest_rma_passive_call | interest_rma_wait_change |
                     interest_lock_acquired | interest_task_idle | interest_device_wait;
  }
  void configure(const Parameters& p) override { all_waits_ = p.integer("all_waits") != 0; }
  void init(Context& c) override {
    causes_.emplace(c.definitions(), c.work().spill_beyond(), all_waits_);
    without_send_.emplace(c.work().spill_beyond());
    segments_.emplace();
  }

  void published_callback(const Published& p, Context&) override {
    if (const auto* const late = p.as<LateSender>()) causes_->late_sender(late->message, late->wait);
    if (const auto* const late = p.as<LateReceiver>()) causes_->late_receiver(late->message, late->wait);
  }
  void completed_receives_callback(const CompletedReceives& r, Context&) override {
    if (r.messages.empty()) without_send_->push_back({r.call.location, r.call.callpath, r.call.enter});
  }
  void collective_callback(const Collective& c, Context&) override { causes_->collective(c); }
  void completed_collectives_callback(const CompletedCollectives& c, Context&) override { causes_->nonblocking(c); }
  void team_barrier_callback(const TeamBarrier& b, Context&) override { causes_->team_barrier(b); }
  void rma_collective_callback(const RmaCollective& r, Context&) override { causes_->window(r); }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context&) override { causes_->access(e); }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context&) override { causes_->exposure(e); }
  void rma_passive_call_callback(const RmaPassiveCall& r, Context&) override { causes_->passive(r); }
  void rma_wait_change_callback(const RmaWaitChange& w, Context&) override { causes_->change(w); }
  void task_idle_callback(const TaskIdle& t, Context&) override { causes_->idle(t); }
  void device_wait_callback(const DeviceWait& w, Context&) override { causes_->device(w); }
  void lock_acquired_callback(const LockAcquired& a, Context&) override { causes_->lock(a); }

  void wrapup(Context& context) override {
    causes_->finish(context.work());
    left_out_ = causes_->left_out();
    if (left_out_ != nullptr) {
      context.publish(NoCauses{left_out_});
    } else {
      find_path(context);
      if (!on_path_.empty()) judge(context);
      context.publish(CausesFound{*causes_});
      const CriticalPath segments = segments_->finish();
      const Chains chains(*causes_, context.definitions(), context.call_tree(), *without_send_);
      context.publish(PathFound{segments, chains});
    }
    on_path_.clear();
    segments_.reset();
    without_send_.reset();
    causes_.reset();
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    for (const MetricHandle m : {path, impact}) {
      if (left_out_ != nullptr) u.because(m, left_out_);
      const std::int64_t sends = e.warnings(DiagnosticId::send_unmatched),
                         receives = e.warnings(DiagnosticId::recv_unmatched);
      if (sends + receives > 0)
        u.because(m, TraceEvidence::count(sends + receives, "message", "messages") +
                         " without send or receive in the trace: the path cannot pass there");
      incomplete_collectives(e, u, m);
    }
  }

 private:
  static bool is_path_end(const Point& p) {
    if (p.kind == PointKind::device) return p.leads_back;
    if (p.kind == PointKind::launch) return p.culprit != no_point;
    return p.wait > 0 || p.kind == PointKind::init || Causes::is_of_team(p);
  }

  // Each wait is passed once, so it ends even where clocks make locations wait for each other in a circle.
  void find_path(Context& context) {
    Causes& all = *causes_;
    PathTimes piece(context.call_tree().size());
    PointId to = all.first_to_end;
    LocationId location = to == no_point ? last_to_end(context.definitions()) : all.at(to).location;
    while (location.valid()) {
      PointId from = to == no_point ? all.last(location) : all.at(to).point_before();
      while (from != no_point && !is_path_end(all.at(from))) from = all.at(from).point_before();
      if (from != no_point && all.at(from).on_path) return;
      if (to != no_point)
        all.add_work(from, all.at(to), piece);
      else
        all.add_work_to_end(from, location, piece);
      const Point begin = from == no_point ? Point{} : all.at(from);
      if (from != no_point) piece.add(begin.callpath, -std::min(begin.wait, piece[begin.callpath]));
      for (const CallPathId c : piece.touched())
        if (piece[c] > 0) on_path_[{c, location}] += piece[c];
      segments_->add(from == no_point ? nullptr : &begin,
                     to == no_point ? all.work->last_time(location) : all.at(to).enter, location, piece);
      piece.clear();
      if (from == no_point || begin.kind == PointKind::init || begin.culprit == no_point) return;
      all.points.change(from, [](Point& p) { p.on_path = true; });
      to = begin.culprit;
      location = all.at(to).location;
    }
  }

  /// Of the first threads of processes.
  LocationId last_to_end(const Definitions& definitions) const {
    LocationId last;
    for (const LocationGroup& process : definitions.processes)
      for (const LocationId l : process.locations)
        if (definitions[l].type == LocationType::cpu_thread && causes_->work->used(l)) {
          if (!last.valid() || causes_->work->last_time(l) > causes_->work->last_time(last)) last = l;
          break;
        }
    return last;
  }

  /// What a location did in a call path, less its waits there.
  struct Done {
    LocationId location;
    CallPathId callpath;
    Ticks ticks = 0, waits = 0;
  };
  /// All of it, by location.
  std::vector<Done> done() const {
    std::unordered_map<std::uint64_t, Done> rows;
    const auto row = [&](LocationId l, CallPathId c) -> Done& {
      Done& d = rows[std::uint64_t{l.value} << 32 | c.value];
      d.location = l, d.callpath = c;
      return d;
    };
    causes_->work->each([&](LocationId l, CallPathId c, Ticks ticks) { row(l, c).ticks += ticks; });
    causes_->points.each([&](const Point& p) {
      if (p.kind == PointKind::fork) row(p.location, p.callpath).ticks += p.total;
      if (p.wait > 0) row(p.location, p.callpath).waits += p.wait;
    });
    std::vector<Done> all;
    all.reserve(rows.size());
    for (const auto& [where, d] : rows) all.push_back(d);
    std::sort(all.begin(), all.end(), [](const Done& a, const Done& b) {
      return a.location != b.location ? a.location < b.location : a.callpath < b.callpath;
    });
    return all;
  }

  void judge(Context& context) {
    const std::size_t paths = context.call_tree().size();
    std::vector<Ticks> on_path(paths);
    Ticks length = 0;
    for (const auto& [where, ticks] : on_path_) {
      context.add({where.first, where.second}, ticks, path);
      on_path[where.first.index()] += ticks;
      length += ticks;
    }
    std::vector<CallPathId> critical;
    for (std::size_t c = 0; c < paths; ++c)
      if (on_path[c] > 0) critical.emplace_back(c);

    std::vector<double> cost(paths), inter(paths);
    bool has_cost = true, has_inter = true;
    PathTimes own(paths);
    const std::vector<Done> rows = done();
    auto row = rows.begin();
    for (std::size_t l = 0; l < causes_->locations(); ++l) {
      const LocationId location{l};
      own.clear();
      for (; row != rows.end() && row->location == location; ++row)
        if (row->ticks > 0) own.add(row->callpath, row->ticks - std::min(row->ticks, row->waits));
      if (context.definitions()[location].type != LocationType::cpu_thread || !causes_->work->used(location)) continue;
      Ticks sum = 0, sum_of_both = 0;
      for (const CallPathId c : own.touched()) {
        const Ticks ticks = own[c], g = on_path[c.index()];
        sum += ticks;
        if (ticks > 0) sum_of_both += std::max(ticks, g);
        if (ticks > 0 && g > 0) context.add({c, location}, std::min(g, ticks), activities);
        if (ticks > g) context.add({c, location}, ticks - g, beside);
      }
      Ticks excess = 0, missing = 0;
      for (const CallPathId c : critical) {
        excess += std::max<Ticks>(0, on_path[c.index()] - own[c]);
        if (own[c] <= 0) missing += on_path[c.index()];
      }
      has_cost = has_cost && excess > 0;
      has_inter = has_inter && missing > 0;
      for (const CallPathId c : critical) {
        const Ticks g = on_path[c.index()];
        if (excess > 0 && g > own[c])
          cost[c.index()] +=
              static_cast<double>(g - own[c]) * static_cast<double>(length - sum) / static_cast<double>(excess);
        if (missing > 0 && own[c] <= 0)
          inter[c.index()] +=
              static_cast<double>(g) * static_cast<double>(length - sum_of_both) / static_cast<double>(missing);
      }
    }
    // A location that lacks nothing leaves all costs undefined, as in Scalasca.
    for (const auto& [where, ticks] : on_path_) {
      const std::size_t c = where.first.index();
      const double share = static_cast<double>(ticks) / static_cast<double>(on_path[c]);
      if (has_cost && cost[c] > 0) context.add({where.first, where.second}, std::llround(share * cost[c]), imbalance);
      if (has_inter && inter[c] > 0)
        context.add({where.first, where.second}, std::llround(share * inter[c]), inter_partition);
    }
  }

  std::optional<Causes> causes_;
  bool all_waits_ = false;
  const char* left_out_ = nullptr;  ///< why nothing can be told
  Rows on_path_;
  std::optional<Segments> segments_;
  std::optional<SpilledVector<CallWithoutSend>> without_send_;
};

}  // namespace

PatternHandle critical_path() { return make_pattern<CriticalPathPattern>(); }

}  // namespace waitstate::patterns
