#include <cmath>
#include <optional>
#include <string>

#include "causes/causes.hpp"
#include "causes/path/chains.hpp"
#include "causes/path/lacking_calls.hpp"
#include "causes/path/segments.hpp"
#include "causes/recorder/collectives.hpp"
#include "causes/recorder/devices.hpp"
#include "causes/recorder/one_sided.hpp"
#include "causes/recorder/threads.hpp"
#include "undetermined_causes.hpp"
#include "waitstate/pattern/late_sender.hpp"

namespace waitstate::patterns {

using namespace causes;

namespace {

class CriticalPathPattern : public Pattern {
  static constexpr MetricHandle path{0}, impact{1}, impact_on_path{2}, activities{3}, imbalance{4}, inter_partition{5},
      beside{6}, above_mean{7}, intra_partition{8};

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
                     .summary = "Time of activities beyond what the critical path has of them."},
                    {.id = "critical_path_imbalance",
                     .parent = "critical_path",
                     .title = "Critical path imbalance",
                     .summary = "Time of the critical path beyond the mean of all locations in its activities."},
                    {.id = "intra_partition_imbalance",
                     .parent = "critical_imbalance_impact",
                     .title = "Intra-partition imbalance",
                     .summary = "Time lost because locations that have the same activity take different times."}},
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
            "T has beyond G; intra_partition_imbalance: what is left. critical_path_imbalance: g (C - m) / C if > 0; "
            "C: G of "
            "the call path and those below it, m: the mean of T there over all threads, where the time to fork and "
            "join "
            "and the wait for one's turn in an ordered region do not count. Shares are rounded to ticks",
        .charged_to = "call path and location of the activity; imbalance: where the critical path passes",
        .state =
            "all points at which locations met (72 bytes each) and the time per call path between MPI calls; beyond 16 "
            "MiB and 48 KiB a location of each in scratch files",
        .source = "Scalasca 2.6; Boehme et al., ICPP 2010 and SC 2012",
        .differs =
            "from Scalasca: where several threads come last to a barrier of a team, the path goes on over the first of "
            "them only; all call paths count, if there are more than 128 too; where the trace lacks what a call on the "
            "path depended on, the path ends, and what activities cost is not told. As in Scalasca at MPI_Init nobody "
            "waits, and, unless plain is 1: a location that lacks nothing of the path leaves critical_imbalance_impact "
            "undefined, one that "
            "has all its activities inter_partition_imbalance, and what is undefined is left out everywhere; of "
            "workers the time from the enter of their last barrier in a parallel region to the join is left out. "
            "Of the whole run, whatever part of the time is chosen. Waits at barriers of teams "
            "within teams are work. Programs with explicit tasks are analysed only if all_waits is 1. As in Scalasca "
            "the path follows no waits in "
            "non-blocking, v, w and neighbourhood collectives, prefix reductions, one-sided communication, SHMEM, for "
            "locks and for kernels, unless all_waits is 1. Which call launched a kernel is not recorded: it is taken "
            "for the latest one of the process before the kernel began, or before the first of several that follow "
            "each other on its stream; without one the path stays on the host",
        .diagnosis =
            "only what is on the critical path makes the run shorter: begin with its largest call path; balance the "
            "activities whose imbalance costs most. 'waitstate print --critical-path' lists it, 'waitstate show --why' "
            "says "
            "why a wait was",
        .needs = {"mpi_latesender", "mpi_latereceiver"},
        .parameters = {{"all_waits", std::int64_t{0}, "",
                        "1: the path follows waits in non-blocking, v, w and neighbourhood collectives, prefix "
                        "reductions, one-sided communication, SHMEM, "
                        "for locks of threads, tasks and kernels of accelerators too; delay as well."},
                       {"plain", std::int64_t{0}, "",
                        "1: plain rules in place of those that only Scalasca has: an imbalance that is undefined on a "
                        "location is left out there only; workers have the time after their last barrier too; delay: "
                        "what a send takes after the receive was posted is completion; debts of collectives begin "
                        "where the two met before; costs of a wait never exceed it."}},
        .needs_work = true};
  }

  Interests unused(const Parameters& p) const override {
    return p.integer("all_waits") != 0
               ? 0
               : Interests{interest_completed_collectives} | interest_rma_collective | interest_rma_access_epoch |
                     interest_rma_exposure_epoch | interest_rma_passive_call | interest_rma_wait_change |
                     interest_lock_acquired | interest_task_idle | interest_device_wait;
  }
  bool work_to_end_of_team(const Parameters& p) const override { return p.integer("plain") != 0; }
  void configure(const Parameters& p) override {
    all_waits_ = p.integer("all_waits") != 0;
    plain_ = p.integer("plain") != 0;
  }
  void init(Context& c) override {
    causes_.emplace(c.definitions(), c.work().spill_beyond(), all_waits_, plain_);
    segments_.emplace();
  }

  void published_callback(const Published& p, Context&) override {
    if (const auto* const late = p.as<LateSender>()) causes_->late_sender(late->message, late->wait);
    if (const auto* const late = p.as<LateReceiver>()) causes_->late_receiver(late->message, late->call, late->wait);
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
    inner_barriers_ = causes_->has_inner_barriers;
    broken_off_.reset();
    if (left_out_ != nullptr) {
      context.publish(NoCauses{left_out_});
    } else {
      find_path(context);
      if (has_path_) judge(context);
      context.publish(CausesFound{*causes_});
      const CriticalPath segments = segments_->finish();
      const Chains chains(*causes_, context);
      context.publish(PathFound{segments, chains});
    }
    on_path_.clear();
    segments_.reset();
    causes_.reset();
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    const std::vector<MetricHandle> all{path, impact};
    if (left_out_ != nullptr) return tell_of_all(u, all, [&](Undetermined& own) { own.because({0}, left_out_); });
    if (broken_off_) {
      const std::string name = e.called(
          [&](const Region& r) { return broken_off_->region.valid() && &r == &e.definitions()[broken_off_->region]; });
      u.because(path, "the path is known only after " + (name.empty() ? "a call" : name) + " on location " +
                          std::to_string(broken_off_->location.value) + ": the trace lacks " +
                          LackingCalls::words(broken_off_->lacks) + " there");
      u.because(impact, "what activities cost is told only of a whole critical path");
    }
    tell_of_all(u, all, [&](Undetermined& own) {
      receive_reasons(e, own, first_metric);
      send_reasons(e, own, first_metric);
      collective_reasons(e, own, first_metric, {});
      if (inner_barriers_) own.because(first_metric, inner_barriers_reason);
      for (const MoreWaits kind : all_more_waits) {
        const std::string called = e.called([&](const Region& r) { return has_more_waits(kind, r); });
        if (all_waits_)
          more_waits_reasons(e, own, first_metric, kind);
        else if (!called.empty())
          own.because(first_metric, called +
                                        " is called, whose waits the path follows only with the parameter "
                                        "critical_path.all_waits=1");
      }
    });
  }

 private:
  static bool is_path_end(const Point& p) {
    if (p.kind == PointKind::device) return p.leads_back;
    if (p.kind == PointKind::launch) return p.culprit != no_point;
    return p.wait > 0 || p.kind == PointKind::init || Causes::is_of_team(p);
  }

  // Whether it waited, and for whom, is not known: what was before may not be on the path.
  void begin_after(const LackingCalls::LackingCall& call, LocationId location, Time to, PathTimes& piece,
                   Context& context) {
    piece.clear();
    causes_->work->add(location, call.enter, to == ~Time{0} ? std::nullopt : std::optional(to), piece);
    Point begin;
    begin.location = location, begin.callpath = call.callpath, begin.enter = call.enter;
    begin.wait = std::min(ticks_from(call.enter, call.exit), piece[call.callpath]);
    piece.add(call.callpath, -begin.wait);
    book(&begin, to, location, piece);
    broken_off_ = {{context.call_tree()[call.callpath].region, location, call.lacks}};
  }
  void book(const Point* begin, Time to, LocationId location, const PathTimes& piece) {
    for (const CallPathId c : piece.touched())
      if (piece[c] > 0) on_path_[{c, location}] += piece[c];
    segments_->add(begin, to == ~Time{0} ? causes_->work->last_time(location) : to, location, piece);
  }

  // Each wait is passed once, so it ends even where clocks make locations wait for each other in a circle.
  void find_path(Context& context) {
    Causes& all = *causes_;
    PathTimes piece(context.call_tree().size());
    const LackingCalls lacking(*all.work, [&](CallPathId c) {
      const RegionId region = context.call_tree()[c].region;
      return all_waits_ || !region.valid() ||
             std::none_of(std::begin(all_more_waits), std::end(all_more_waits),
                          [&](MoreWaits kind) { return has_more_waits(kind, context.definitions()[region]); });
    });
    PointId to = all.first_to_end;
    LocationId location = to == no_point ? last_to_end(context.definitions()) : all.at(to).location;
    has_path_ = location.valid();
    while (location.valid()) {
      PointId from = to == no_point ? all.last(location) : all.at(to).point_before();
      while (from != no_point && !is_path_end(all.at(from))) from = all.at(from).point_before();
      if (from != no_point && all.at(from).on_path) return;
      const Time end = to == no_point ? ~Time{0} : all.at(to).enter;
      if (const auto* const last =
              lacking.last_between(location, from == no_point ? std::nullopt : std::optional(all.at(from).enter), end))
        return begin_after(*last, location, end, piece, context);
      if (to != no_point)
        all.add_work(from, all.at(to), piece);
      else
        all.add_work_to_end(from, location, piece);
      const Point begin = from == no_point ? Point{} : all.at(from);
      if (from != no_point) piece.add(begin.callpath, -std::min(begin.wait, piece[begin.callpath]));
      book(from == no_point ? nullptr : &begin, end, location, piece);
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

  /// What a location did in a call path, its waits there, and the time from forks to parallel regions.
  struct Done {
    CallPathId callpath{};
    Ticks ticks = 0, waits = 0, forked = 0;
    bool is_forked = false;  ///< the parallel region of a team
  };
  /// Of a location. New call paths gather behind the sorted ones until they are half as many as these, so that it costs
  /// little where there are thousands.
  class Rows {
   public:
    Done& row(CallPathId c) {
      const auto end = rows_.begin() + sorted_;
      const auto place =
          std::lower_bound(rows_.begin(), end, c, [](const Done& d, CallPathId x) { return d.callpath < x; });
      if (place != end && place->callpath == c) return *place;
      if (std::ssize(rows_) - sorted_ > sorted_ / 2 + 16) {
        sort();
        return row(c);
      }
      return rows_.emplace_back(Done{.callpath = c});
    }
    /// In the order of call paths.
    const std::vector<Done>& sorted() {
      sort();
      return rows_;
    }

   private:
    void sort() {
      std::sort(rows_.begin(), rows_.end(), [](const Done& a, const Done& b) { return a.callpath < b.callpath; });
      std::size_t last = 0;
      for (std::size_t i = 1; i < rows_.size(); ++i) {
        const Done& d = rows_[i];
        if (rows_[last].callpath != d.callpath) {
          rows_[++last] = d;
          continue;
        }
        Done& sum = rows_[last];
        sum.ticks += d.ticks, sum.waits += d.waits, sum.forked += d.forked;
        sum.is_forked = sum.is_forked || d.is_forked;
      }
      if (!rows_.empty()) rows_.resize(last + 1);
      sorted_ = std::ssize(rows_);
    }

    std::vector<Done> rows_;
    std::ptrdiff_t sorted_ = 0;
  };
  /// By location.
  std::vector<Rows> done() const {
    std::vector<Rows> all(causes_->locations());
    causes_->work->each([&](LocationId l, CallPathId c, Ticks ticks) { all[l.index()].row(c).ticks += ticks; });
    causes_->points.each([&](const Point& p) {
      if (p.kind == PointKind::fork) {
        Done& region = all[p.location.index()].row(p.callpath);
        region.ticks += p.total, region.forked += p.total, region.is_forked = true;
      }
      if (p.wait > 0) all[p.location.index()].row(p.callpath).waits += p.wait;
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
    if (broken_off_) return;  // what activities cost is told of a whole path only
    std::vector<CallPathId> critical;
    for (std::size_t c = 0; c < paths; ++c)
      if (on_path[c] > 0) critical.emplace_back(c);

    std::vector<double> cost(paths), inter(paths);
    bool has_cost = true, has_inter = true;
    PathTimes own(paths);
    std::vector<Ticks> busy(paths);  // of all locations
    std::size_t locations = 0;
    const std::vector<LocationId> masters = causes_->masters();
    std::vector<Rows> rows = done();
    for (std::size_t l = 0; l < causes_->locations(); ++l) {
      const LocationId location{l};
      if (context.definitions()[location].type != LocationType::cpu_thread || !causes_->work->used(location)) continue;
      ++locations;
      own.clear();
      const bool is_master = std::find(masters.begin(), masters.end(), location) != masters.end();
      for (const Done& d : rows[l].sorted()) {
        if (d.ticks <= 0) continue;
        own.add(d.callpath, d.ticks - std::min(d.ticks, d.waits));
        busy[d.callpath.index()] += std::max<Ticks>(0, own[d.callpath] - managed(d, location, is_master, context));
      }
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
      has_cost = has_cost && (plain_ || excess > 0);
      has_inter = has_inter && (plain_ || missing > 0);
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
    // A location that lacks nothing leaves all costs undefined, as in Scalasca; by plain rules it adds nothing.
    for (const auto& [where, ticks] : on_path_) {
      const std::size_t c = where.first.index();
      const double share = static_cast<double>(ticks) / static_cast<double>(on_path[c]);
      const auto lost = has_cost && cost[c] > 0 ? std::llround(share * cost[c]) : 0;
      const auto between = has_inter && inter[c] > 0 ? std::llround(share * inter[c]) : 0;
      const Charge place(where.first, where.second);
      if (lost > 0) context.add(place, lost, imbalance);
      if (between > 0) context.add(place, between, inter_partition);
      if (lost > between) context.add(place, lost - between, intra_partition);
    }
    compare_with_mean(context, on_path, busy, locations);
  }

  /// What does not count as busy: to fork and join, of others than the first thread to fork only, for what follows
  /// their last barrier is not in their times; and all in an ordered region. What teams within teams take is work.
  static Ticks managed(const Done& d, LocationId location, bool is_master, const Context& context) {
    const RegionId region = context.call_tree()[d.callpath].region;
    if (region.valid() && context.definitions()[region].region_class == RegionClass::omp_ordered) return d.ticks;
    const MetricIndex management = is_master && d.is_forked ? context.metrics().find("omp_management") : no_metric;
    return management == no_metric ? d.forked : context.severities().value(management, d.callpath, location);
  }

  // Along the call tree a path is compared with the mean in all that is below.
  void compare_with_mean(Context& context, std::vector<Ticks> on_path, std::vector<Ticks> busy, std::size_t locations) {
    for (std::size_t c = on_path.size(); c-- > 0;)  // a parent has a smaller id
      if (const CallPathId parent = context.call_tree()[CallPathId{c}].parent; parent.valid())
        on_path[parent.index()] += on_path[c], busy[parent.index()] += busy[c];
    for (const auto& [where, ticks] : on_path_) {
      const auto all = static_cast<double>(on_path[where.first.index()]);
      const double mean = static_cast<double>(busy[where.first.index()]) / static_cast<double>(locations);
      if (const auto above = std::llround(static_cast<double>(ticks) * (all - mean) / all); above > 0)
        context.add({where.first, where.second}, above, above_mean);
    }
  }

  std::optional<Causes> causes_;
  bool all_waits_ = false, plain_ = false, inner_barriers_ = false;
  const char* left_out_ = nullptr;  ///< why nothing can be told
  bool has_path_ = false;           ///< which may last no time
  std::map<std::pair<CallPathId, LocationId>, Ticks> on_path_;
  std::optional<Segments> segments_;
  struct BrokenOff {
    RegionId region;
    LocationId location;
    WorkMark::Kind lacks;
  };
  std::optional<BrokenOff> broken_off_;  ///< where the path is not followed further back
};

}  // namespace

PatternHandle critical_path() { return make_pattern<CriticalPathPattern>(); }

}  // namespace waitstate::patterns
