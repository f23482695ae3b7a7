#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>

#include "causes.hpp"
#include "undetermined_causes.hpp"

namespace waitstate::patterns {

namespace {

/// By what kind of wait a delay costs.
enum Type : std::uint8_t {
  by_late_sender,
  by_late_receiver,
  by_barrier,
  by_n2n,
  by_12n,
  by_n21,
  by_team_barrier,
  by_idle,
  by_rma,
  by_shmem,
  by_lock,
  by_task,
  by_device,
  by_scan
};
constexpr std::size_t types = 14;

constexpr struct {
  const char *id, *parent, *what, *words;
} type_rows[types] = {
    {"delay_latesender", "delay_p2p", "Late Sender", "Late Sender waits"},
    {"delay_latereceiver", "delay_p2p", "Late Receiver", "Late Receiver waits"},
    {"delay_barrier", "delay_collective", "barrier", "waits at barriers"},
    {"delay_n2n", "delay_collective", "N x N", "waits in N x N operations"},
    {"delay_12n", "delay_collective", "Late Broadcast", "waits for the root of 1 x N operations"},
    {"delay_n21", "delay_collective", "Early Reduce", "waits of the root of N x 1 operations"},
    {"delay_ompbarrier", "delay_omp", "OpenMP barrier", "waits at barriers of thread teams"},
    {"delay_ompidle", "delay_omp", "idle threads", "idle time of worker threads outside of parallel regions"},
    {"delay_rma", "delay_mpi", "one-sided", "waits in one-sided communication of MPI"},
    {"delay_shmem", "delay", "SHMEM", "waits in SHMEM"},
    {"delay_lock", "delay", "locks", "waits of threads for locks"},
    {"delay_omptask", "delay_omp", "OpenMP tasks", "waits of threads without a task"},
    {"delay_device", "delay", "accelerators", "waits of host threads for kernels"},
    {"delay_scan", "delay_collective", "Early Scan", "waits in prefix reductions"},
};

Type type_of(PointKind kind) {
  switch (kind) {
    case PointKind::late_receiver:
      return by_late_receiver;
    case PointKind::barrier:
      return by_barrier;
    case PointKind::n2n:
      return by_n2n;
    case PointKind::one_to_n:
      return by_12n;
    case PointKind::n_to_one:
      return by_n21;
    case PointKind::team_barrier:
      return by_team_barrier;
    case PointKind::window:
    case PointKind::epoch:
    case PointKind::passive_target:
      return by_rma;
    case PointKind::shmem_collective:
    case PointKind::shmem_pair:
      return by_shmem;
    case PointKind::lock:
      return by_lock;
    case PointKind::task:
      return by_task;
    case PointKind::device:
      return by_device;
    case PointKind::scan:
      return by_scan;
    default:
      return by_late_sender;
  }
}

/// Its members have costs as Scalasca counts them.
bool is_collective_of_mpi(const Point& p) { return p.group != no_group && type_of(p.kind) < by_team_barrier; }

class DelayPattern : public Pattern {
  // Metrics: five sums, three for each type, then direct and indirect, propagating and terminal waits.
  static constexpr std::uint32_t sums = 5, per_type = 3, after_types = sums + per_type * types;
  static constexpr MetricHandle short_term(std::size_t type) {
    return {static_cast<std::uint32_t>(sums + per_type * type + 1)};
  }
  static constexpr MetricHandle long_term(std::size_t type) { return {short_term(type).index + 1}; }
  static constexpr MetricHandle indirect(Type type) { return {after_types + 2u + type}; }
  static constexpr MetricHandle direct(Type type) { return {after_types + 4u + type}; }
  static constexpr MetricHandle propagating(Type type) { return {after_types + 6u + type}; }
  static constexpr MetricHandle terminal(Type type) { return {after_types + 8u + type}; }

 public:
  PatternInfo info() const override {
    PatternInfo info{
        .metrics = {{.id = "delay",
                     .within_parent = false,
                     .title = "Delay costs",
                     .summary = "Waiting of others that activities cause, charged to these activities."}},
        .severity =
            "For a wait w of Q for P: a, b: the latest points at which P had met Q, and Q had met P, before. d(c): the "
            "time that P worked in call path c from a to the point that Q waited for, less that of Q from b to its "
            "wait, if > 0. D: sum of d; W: P's own waits from a on; s = w / (D + W), for messages at most 1. Short "
            "term: s d(c). Long term: P's own waits y in W owe K(y) = y (s + K(w) / (D + W)), and whoever P waited for "
            "at y is charged with K(y) as with w, under the type of the first wait. Indirect: s W; direct: the rest of "
            "w. Propagating: of a wait of P, the largest s y of all that it was handed on to; terminal: the rest. "
            "Shares "
            "are rounded to ticks",
        .charged_to =
            "delays: call path and location of the culprit; direct, indirect, propagating, terminal: of the wait",
        .state = "what critical_path keeps",
        .source = "Scalasca 2.6; Boehme et al., ICPP 2010",
        .differs =
            "from Scalasca: barriers of teams pass on what their waits owe to other barriers; of several threads that "
            "come last to one the first is charged; all call paths count, if there are more than 128 too; in runs of "
            "two processes collectives pass on debts as in others. As in Scalasca, where it could be otherwise: of a "
            "send that waits for its receiver nothing counts as completion, and what the receiver takes longer is "
            "taken off the sender's work; debts of collectives, of whoever P had met later than the first of the "
            "group, begin one meeting too late; in collectives and barriers of teams s has no limit, so that costs can "
            "exceed the waits; of workers the time from the enter of their last barrier in a parallel region to the "
            "join is left out; waits in MPI_Finalize cost nobody. Prefix reductions, non-blocking, v, w and "
            "neighbourhood collectives, one-sided communication, SHMEM, locks, tasks and kernels have costs with "
            "critical_path.all_waits=1, in Scalasca never. Of the whole run, whatever part of the time is chosen. "
            "Programs with nested teams are not analysed, with explicit tasks only with critical_path.all_waits=1",
        .diagnosis =
            "the call path with the largest costs is the root: who waits in between only hands on the delay; long-term "
            "costs arise where others wait for those that waited",
        .needs = {"critical_path"}};
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
      add(id, id + "_aggregate", "Short-term " + title, "Of delays that directly cause " + words + ".");
      add(id + "_longterm", id + "_aggregate", "Long-term " + title,
          "Of delays that cause " + words + " through other processes, which waited themselves.");
    }
    add("waitstates_direct_vs_indirect", "", "Waits by cause", "Waits for messages, by what the late one did.");
    add("waitstates_propagating_vs_terminal", "", "Waits by effect", "Waits for messages, by what followed of them.");
    const std::string causes = "waitstates_direct_vs_indirect", effects = "waitstates_propagating_vs_terminal";
    add("mpi_wait_indirect_latesender", causes, "Indirect Late Sender", "Late Sender waits for one that waited.");
    add("mpi_wait_indirect_latereceiver", causes, "Indirect Late Receiver", "Late Receiver waits for one that waited.");
    add("mpi_wait_direct_latesender", causes, "Direct Late Sender", "Late Sender waits for one that was busy.");
    add("mpi_wait_direct_latereceiver", causes, "Direct Late Receiver", "Late Receiver waits for one that was busy.");
    add("mpi_wait_propagating_ls", effects, "Propagating Late Sender", "Late Sender waits that made others wait.");
    add("mpi_wait_propagating_lr", effects, "Propagating Late Receiver", "Late Receiver waits that made others wait.");
    add("mpi_wait_terminal_ls", effects, "Terminal Late Sender", "Late Sender waits that made nobody wait.");
    add("mpi_wait_terminal_lr", effects, "Terminal Late Receiver", "Late Receiver waits that made nobody wait.");
    return info;
  }

  void published_callback(const Published& p, Context& context) override {
    if (const auto* const none = p.as<NoCauses>()) left_out_ = none->reason;
    const auto* const found = p.as<CausesFound>();
    if (found == nullptr) return;
    all_waits_ = found->causes.all_waits;
    Judge(found->causes, context).run();
  }

  void init(Context&) override { left_out_ = nullptr; }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (left_out_ != nullptr) {
      for (const std::uint32_t root : {0u, after_types, after_types + 1}) u.because({root}, left_out_);
      return;
    }
    // A wait that is not known is missing from its own delay costs, and in all others what it handed on.
    const std::vector<MetricHandle> all{{0}, {after_types}, {after_types + 1}}, delays{{0}};
    tell_of_all(u, all, [&](Undetermined& own) {
      receive_reasons(e, own, first_metric);
      send_reasons(e, own, first_metric);
    });
    tell_of_all(u, delays, [&](Undetermined& own) {
      collective_reasons(e, own, first_metric, {});
      for (const RegionClass c : {RegionClass::omp_ebarrier, RegionClass::omp_ibarrier})
        team_reasons(e, own, first_metric, c);
      if (!all_waits_) return;
      for (const MoreWaits kind : all_more_waits) more_waits_reasons(e, own, first_metric, kind);
    });
    if (all_waits_) return;
    const auto without = [&](Type type, MoreWaits kind, const NamesWith& names) {
      const std::string name = e.called([&](const Region& r) { return has_more_waits(kind, r) && names(r); });
      if (!name.empty())
        u.because(both(type), name +
                                  " is called, whose waits have causes only with the parameter "
                                  "critical_path.all_waits=1");
    };
    without(by_barrier, MoreWaits::collectives, {.has = {"barrier"}});
    without(by_n2n, MoreWaits::collectives, nxn_functions());
    without(by_12n, MoreWaits::collectives, one_to_all_functions());
    without(by_n21, MoreWaits::collectives, all_to_one_functions());
    without(by_scan, MoreWaits::collectives, {.has = {"scan"}});
    without(by_rma, MoreWaits::one_sided, {});
    without(by_shmem, MoreWaits::shmem, {});
    without(by_lock, MoreWaits::locks, {});
    without(by_device, MoreWaits::devices, {});
  }

 private:
  /// Short-term and long-term.
  static constexpr MetricHandle both(std::size_t type) { return {short_term(type).index - 1}; }

  // Judges all waits, the latest first: what a wait handed on is known before it is judged itself.
  class Judge {
   public:
    Judge(const Causes& causes, Context& context)
        : all_(causes),
          context_(context),
          states_(causes.work->spill_beyond()),
          missing_(causes.work->spill_beyond()),
          work_(context.call_tree().size()),
          own_work_(context.call_tree().size()),
          waits_(context.call_tree().size()) {
      states_.grow(causes.points.size());
      missing_.grow(causes.points.size());
    }

    // A point comes after all later ones of its location, and one that others waited for after these: so debts are
    // complete. Of those that may come next the latest does. Waits in a circle, which clocks that disagree can make,
    // are never reached.
    void run() {
      all_.points.each(0, all_.points.size(), [&](const Point& p) {
        if (p.before != no_point) missing_.change(p.before, [](std::uint32_t& n) { ++n; });
        if (p.wait > 0 && p.culprit != no_point) missing_.change(p.culprit, [](std::uint32_t& n) { ++n; });
      });
      after_last_joins();
      for (std::size_t l = 0; l < all_.locations(); ++l)
        if (const PointId last = all_.last(LocationId{l}); last != no_point && missing_[last] == 0) add_ready(last);
      while (!ready_.empty()) {
        const PointId id = ready_.top().id;
        ready_.pop();
        const Point p = all_.at(id);
        if (p.kind == PointKind::fork) before_fork(id, p);
        if (p.wait > 0 && p.culprit != no_point) {
          judge(id, p);
          count_down(p.culprit);
        }
        if (p.before != no_point) count_down(p.before);
      }
      book();
    }

   private:
    using Debts = std::array<double, types>;
    /// Of a point: 120 bytes.
    struct State {
      Debts debts;       ///< waiting of others that it caused
      double passed_on;  ///< of its own wait
      double indirect;
    };
    struct Ready {
      Time enter;
      LocationId location;
      PointId id;
      bool operator<(const Ready& o) const { return enter != o.enter ? enter < o.enter : location < o.location; }
    };

    void add_ready(PointId id) {
      const Point p = all_.at(id);
      ready_.push({p.enter, p.location, id});
    }
    void count_down(PointId id) {
      bool is_ready = false;
      missing_.change(id, [&](std::uint32_t& n) { is_ready = --n == 0; });
      if (is_ready) add_ready(id);
    }

    void judge(PointId id, const Point& q) {
      const Point p = all_.at(q.culprit);
      const Type own = type_of(q.kind);
      const bool message = own == by_late_sender || own == by_late_receiver;
      const bool of_team = own == by_team_barrier;
      const PointId a = all_.previous_meeting(p, q), b = all_.previous_meeting(q, p);
      if (q.culprit != worked_to_ || a != worked_from_) {  // the waiters of an operation have much in common
        work_.clear();
        waited_ = all_.add_work_without_waits(a, p, work_, waits_);
        worked_from_ = a;
        worked_to_ = q.culprit;
      }
      const Ticks waited = waited_;
      Ticks worked = 0;
      all_.add_work_without_waits(b, q, own_work_, waits_);
      for (const CallPathId c : work_.touched()) worked += std::max<Ticks>(0, work_[c] - own_work_[c]);
      if (worked + waited > 0) {
        const double all = static_cast<double>(worked + waited);
        double s = static_cast<double>(q.wait) / all;
        if (!of_team && !is_collective_of_mpi(q)) s = std::min(s, 1.0);
        Debts f{};
        const State state = states_[id];
        for (std::size_t t = 0; t < types; ++t) f[t] = state.debts[t] / all;
        for (const CallPathId c : work_.touched()) {
          const Ticks d = work_[c] - own_work_[c];
          if (d <= 0) continue;
          Costs& costs = costs_[Place{c, p.location}];
          costs.now[own] += s * static_cast<double>(d);
          for (std::size_t t = 0; t < types; ++t) costs.later[t] += f[t] * static_cast<double>(d);
        }
        if (message && waited > 0)
          states_.change(id, [&](State& of) { of.indirect = s * static_cast<double>(waited); });
        if (waited > 0) pass_on(a, p, own, s, f, message);
      }
      own_work_.clear();
    }

    void pass_on(PointId a, const Point& p, Type own, double s, const Debts& f, bool message) {
      const std::optional<PointId> first = is_collective_of_mpi(p) ? first_to_owe(a, p) : no_point;
      all_.between(a, p.before, [&](PointId id, const Point& y) {
        if (y.wait <= 0) return;
        const auto wait = static_cast<double>(y.wait);
        const bool owes = first && (*first == no_point || !all_.is_before(id, *first));
        states_.change(id, [&](State& state) {
          if (message) state.passed_on = std::max(state.passed_on, s * wait);
          if (!owes) return;
          for (std::size_t t = 0; t < types; ++t) state.debts[t] += wait * (f[t] + (t == own ? s : 0));
        });
      });
    }

    // Outside of parallel regions all other threads of a process are idle: that is charged to what the first does.
    void before_fork(PointId id, const Point& p) {
      const Causes::Fork fork = all_.forks[p.group];
      if (fork.point != id) return;
      forget_work();
      all_.work->add(p.location, fork.is_first ? std::nullopt : std::optional(fork.after), fork.time, work_);
      idle(p.location, p.before);
    }
    void after_last_joins() {
      for (const LocationId master : all_.masters())
        if (const auto joined = all_.last_join(master)) {
          forget_work();
          all_.work->add(master, *joined, std::nullopt, work_);
          idle(master, all_.last(master));
        }
    }
    /// What the first thread did is in work_, and ended after that point.
    void idle(LocationId master, PointId id) {
      const auto others = static_cast<double>(all_.threads_beside(master));
      while (id != no_point) {
        const Point y = all_.at(id);
        if (Causes::is_of_team(y)) break;
        if (y.wait > 0) {
          waits_.add(y.callpath, y.wait);
          states_.change(id, [&](State& s) { s.debts[by_idle] += others * static_cast<double>(y.wait); });
        }
        id = y.before;
      }
      for (const CallPathId c : work_.touched())
        if (const Ticks d = work_[c] - waits_[c]; d > 0 && others > 0)
          costs_[Place{c, master}].now[by_idle] += others * static_cast<double>(d);
      work_.clear(), waits_.clear();
    }
    void forget_work() {
      work_.clear();
      worked_to_ = no_point;
    }

    // In a collective operation, those that P met later than the first of the group begin to count at the next one of
    // these meetings only, as in Scalasca.
    // Returns the first point after a that owes; no_point: all; nothing: none does.
    std::optional<PointId> first_to_owe(PointId a, const Point& p) {
      if (p.group != meetings_of_) {
        meetings_of_ = p.group;
        meetings_.clear();
        for (const LocationId l : all_.communicators[all_.groups[p.group].communicator])
          if (l != p.location) meetings_.push_back(all_.previous(p, l));
        std::sort(meetings_.begin(), meetings_.end());
        meetings_.erase(std::unique(meetings_.begin(), meetings_.end()), meetings_.end());
        std::sort(meetings_.begin(), meetings_.end(), [&](PointId x, PointId y) { return all_.is_before(x, y); });
      }
      if (meetings_.empty() || !all_.is_before(meetings_.front(), a)) return no_point;
      const auto next = std::upper_bound(meetings_.begin(), meetings_.end(), a,
                                         [&](PointId x, PointId y) { return all_.is_before(x, y); });
      return next == meetings_.end() ? std::nullopt : std::optional(*next);
    }

    void add(CallPathId path, LocationId location, double ticks, MetricHandle metric) {
      if (const std::int64_t whole = std::llround(ticks); whole > 0) context_.add({path, location}, whole, metric);
    }

    void book() {
      for (const auto& [where, costs] : costs_)
        for (std::size_t t = 0; t < types; ++t) {
          add(where.callpath, where.location, costs.now[t], short_term(t));
          add(where.callpath, where.location, costs.later[t], long_term(t));
        }
      struct Waits {
        Ticks all = 0;
        double indirect = 0, propagating = 0;
      };
      std::map<std::tuple<CallPathId, LocationId, Type>, Waits> by_place;
      for (PointId id = 0; id < all_.points.size(); ++id) {
        const Point p = all_.at(id);
        if (p.wait <= 0 || (p.kind != PointKind::late_sender && p.kind != PointKind::late_receiver)) continue;
        Waits& w = by_place[{p.callpath, p.location, type_of(p.kind)}];
        const State state = states_[id];
        w.all += p.wait, w.indirect += state.indirect, w.propagating += state.passed_on;
      }
      for (const auto& [where, w] : by_place) {
        const Charge place(std::get<CallPathId>(where), std::get<LocationId>(where));
        const Type type = std::get<Type>(where);
        const Ticks all = w.all;
        const Ticks indirect_ticks = std::llround(w.indirect), propagating_ticks = std::llround(w.propagating);
        const auto add_all = [&](Ticks part, MetricHandle of_part, MetricHandle of_rest) {
          if (part > 0) context_.add(place, part, of_part);
          if (all > part) context_.add(place, all - part, of_rest);
        };
        add_all(indirect_ticks, indirect(type), direct(type));
        add_all(propagating_ticks, propagating(type), terminal(type));
      }
    }

    struct Costs {
      Debts now{}, later{};
    };
    struct Place {
      CallPathId callpath;
      LocationId location;
      bool operator==(const Place&) const = default;
    };
    struct HashOfPlace {
      std::size_t operator()(const Place& p) const {
        const std::uint64_t h = (std::uint64_t{p.location.value} << 32 | p.callpath.value) * 0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(h ^ h >> 32);
      }
    };

    const Causes& all_;
    Context& context_;
    SpilledVector<State> states_;           ///< by point
    SpilledVector<std::uint32_t> missing_;  ///< by point: others that have to be judged before
    std::priority_queue<Ready> ready_;
    PathTimes work_;  ///< from the call of one point of a culprit to that of another one, with waits of that length
    Ticks waited_ = 0;
    PointId worked_from_ = no_point, worked_to_ = no_point;
    PathTimes own_work_, waits_;
    std::unordered_map<Place, Costs, HashOfPlace> costs_;
    std::uint32_t meetings_of_ = 0xffffffffu;
    std::vector<PointId> meetings_;  ///< the latest ones with each member; in order, those without first
  };

  bool all_waits_ = false;
  const char* left_out_ = nullptr;  ///< why nothing can be told
};

}  // namespace

PatternHandle delay() { return make_pattern<DelayPattern>(); }

}  // namespace waitstate::patterns
