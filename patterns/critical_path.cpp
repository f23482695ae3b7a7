#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>

#include "causes.hpp"
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
        .state = "all points at which locations met (72 bytes each) and the time per call path between MPI calls",
        .source = "Scalasca 2.6; Boehme et al., ICPP 2010 and SC 2012",
        .differs =
            "no; of the whole run, whatever part of the time is chosen. Programs with nested teams or explicit tasks "
            "are not analysed. "
            "As in Scalasca non-blocking, v, w and neighbourhood collectives, Scan and one-sided operations are no "
            "waits "
            "that the path follows",
        .diagnosis =
            "only what is on the critical path makes the run shorter: begin with its largest call path; balance the "
            "activities whose imbalance costs most",
        .needs = {"mpi_latesender", "mpi_latereceiver"}};
  }

  void init(Context& c) override {
    causes_.emplace(c.definitions());
    meets_.clear();
    for (const Region& r : c.definitions().regions)
      meets_.push_back(is_mpi(r.region_class) ? Meets::in_mpi
                       : r.region_class == RegionClass::omp_ebarrier || r.region_class == RegionClass::omp_ibarrier
                           ? Meets::at_barrier
                           : Meets::no);
  }

  void enter_callback(const Event& e, Context&) override {
    const std::size_t r = e.region().index();
    const Meets meets = r < meets_.size() ? meets_[r] : Meets::no;
    causes_->enter(e, meets != Meets::no, meets == Meets::at_barrier);
  }
  void exit_callback(const Event& e, Context& c) override {
    causes_->exit(e, e.callpath.valid() ? c.call_tree()[e.callpath].parent : CallPathId::none());
  }
  void event_callback(const Event& e, Context&) override {
    switch (e.type) {
      case EventType::program_begin:
        return causes_->activities[e.loc.index()].change(e.time, e.callpath, false);
      case EventType::program_end:
        return causes_->activities[e.loc.index()].change(e.time, CallPathId::none(), false);
      case EventType::thread_fork:
        return causes_->fork(e);
      case EventType::thread_join:
        return causes_->join(e);
      case EventType::thread_team_begin:
        return causes_->team_begin(e);
      case EventType::thread_task_create:
      case EventType::omp_task_create:
        causes_->has_others = true;
        return;
      default:
        return;
    }
  }
  void published_callback(const Published& p, Context&) override {
    if (const auto* const late = p.as<LateSender>()) causes_->late_sender(late->message, late->wait);
    if (const auto* const late = p.as<LateReceiver>()) causes_->late_receiver(late->message, late->wait);
  }
  void collective_callback(const Collective& c, Context&) override { causes_->collective(c); }
  void team_barrier_callback(const TeamBarrier& b, Context&) override { causes_->team_barrier(b); }

  void wrapup(Context& context) override {
    causes_->finish();
    left_out_ = causes_->has_others;
    if (!causes_->has_others) {
      find_path(context);
      if (!on_path_.empty()) judge(context);
      context.publish(CausesFound{*causes_});
    }
    on_path_.clear();
    causes_.reset();
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    for (const MetricHandle m : {path, impact}) {
      if (left_out_)
        u.because(m, "the program has nested thread teams or explicit tasks, whose part in causes is not analysed");
      const std::int64_t sends = e.warnings(DiagnosticId::send_unmatched),
                         receives = e.warnings(DiagnosticId::recv_unmatched);
      if (sends + receives > 0)
        u.because(m, TraceEvidence::count(sends + receives, "message", "messages") +
                         " without send or receive in the trace: the path cannot pass there");
      incomplete_collectives(e, u, m);
    }
  }

 private:
  static bool is_path_end(const Point& p) { return p.wait > 0 || p.kind == PointKind::init || Causes::is_of_team(p); }

  // Each wait is passed once, so it ends even where clocks make locations wait for each other in a circle.
  void find_path(Context& context) {
    const Causes& all = *causes_;
    PathTimes piece(context.call_tree().size());
    std::vector<bool> passed(all.points.size());
    PointId to = all.first_to_end;
    LocationId location = to == no_point ? last_to_end(context.definitions()) : all.at(to).location;
    while (location.valid()) {
      const std::vector<PointId>& of = all.order[location.index()];
      std::size_t i = to == no_point ? of.size() : all.at(to).place;
      while (i > 0 && !is_path_end(all.at(of[i - 1]))) --i;
      const PointId from = i == 0 ? no_point : of[i - 1];
      if (from != no_point && passed[from]) return;
      const ActivityLog& log = all.activities[location.index()];
      if (to != no_point)
        all.add_activities(from, all.at(to), piece);
      else if (from != no_point)
        log.add_from(all.at(from).enter, piece);
      else
        log.add_all(piece);
      if (from != no_point) {
        const Point& p = all.at(from);
        piece.add(p.callpath, -std::min(p.wait, piece[p.callpath]));
      }
      for (const CallPathId c : piece.touched())
        if (piece[c] > 0) on_path_[{c, location}] += piece[c];
      piece.clear();
      if (from == no_point || all.at(from).kind == PointKind::init || all.at(from).culprit == no_point) return;
      passed[from] = true;
      to = all.at(from).culprit;
      location = all.at(to).location;
    }
  }

  /// Of the first threads of processes.
  LocationId last_to_end(const Definitions& definitions) const {
    LocationId last;
    for (const LocationGroup& process : definitions.processes)
      for (const LocationId l : process.locations)
        if (definitions[l].type == LocationType::cpu_thread && causes_->activities[l.index()].used()) {
          if (!last.valid() ||
              causes_->activities[l.index()].last_time() > causes_->activities[last.index()].last_time())
            last = l;
          break;
        }
    return last;
  }

  void judge(Context& context) {
    const Causes& all = *causes_;
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
    PathTimes own(paths), waits(paths);
    for (std::size_t l = 0; l < all.locations(); ++l) {
      const LocationId location{l};
      if (context.definitions()[location].type != LocationType::cpu_thread || !all.activities[l].used()) continue;
      all.activities[l].add_all(own);
      for (const PointId p : all.order[l]) waits.add(all.at(p).callpath, all.at(p).wait);
      Ticks sum = 0, sum_of_both = 0;
      for (const CallPathId c : own.touched()) {
        own.set(c, own[c] - std::min(own[c], waits[c]));
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
      own.clear(), waits.clear();
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

  enum class Meets : std::uint8_t { no, in_mpi, at_barrier };
  std::vector<Meets> meets_;  ///< by region
  std::optional<Causes> causes_;
  bool left_out_ = false;
  Rows on_path_;
};

}  // namespace

PatternHandle critical_path() { return make_pattern<CriticalPathPattern>(); }

}  // namespace waitstate::patterns
