#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/pattern/pattern.hpp"
#include "waitstate/pattern/report_facts.hpp"

namespace waitstate::patterns {

namespace {

// A wait of MPI for other processes that is not part of another one.
bool is_outermost_mpi_wait(const MetricTree& metrics, MetricIndex m) {
  if (metrics[m].kind != MetricKind::wait || !metrics.lies_within(m, metrics.at("mpi"))) return false;
  for (MetricIndex above = metrics[m].parent; above != no_metric; above = metrics[above].parent)
    if (metrics[above].kind == MetricKind::wait) return false;
  return true;
}

class IdleThreadsPattern : public Pattern {
  static constexpr MetricHandle idle{0}, limited{1}, in_mpi{2}, in_mpi_wait{3}, own_mpi_wait{4};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "omp_idle_threads",
                     .parent = "time",
                     .within_parent = false,
                     .title = "OpenMP idle threads",
                     .summary = "Time for which worker threads were reserved without taking part in the work.",
                     .kind = MetricKind::idleness},
                    {.id = "omp_limited_parallelism",
                     .parent = "omp_idle_threads",
                     .within_parent = false,
                     .title = "OpenMP limited parallelism",
                     .summary = "Idle time of threads that take no part in a parallel region, or less than the master.",
                     .kind = MetricKind::idleness},
                    {.id = "omp_idle_in_mpi",
                     .parent = "omp_idle_threads",
                     .title = "Idle while the master is in MPI",
                     .summary = "Idle time of worker threads while their master was in MPI functions.",
                     .kind = MetricKind::idleness},
                    {.id = "omp_idle_in_mpi_wait",
                     .parent = "omp_idle_in_mpi",
                     .title = "Idle while the master waits in MPI",
                     .summary = "Idle time of worker threads while their master waited in MPI for other processes.",
                     .kind = MetricKind::idleness},
                    {.id = "omp_thread_mpi_wait",
                     .parent = "mpi",
                     .title = "MPI waits of worker threads",
                     .summary = "Time in which worker threads themselves waited in MPI for other processes.",
                     .siblings = Siblings::elsewhere}},
        .severity =
            "outside of parallel regions: the master's time in a call path, for each worker of its process. "
            "omp_limited_parallelism: for an outermost parallel region, M - T if > 0; M, T: time of the master and of "
            "the worker in the region and everything that it calls. omp_idle_in_mpi: the part of omp_idle_threads in "
            "which the master was in MPI; omp_idle_in_mpi_wait: the part of that in which the master waited for other "
            "processes (Late Sender, Late Receiver, all waits of collective and one-sided operations). "
            "omp_thread_mpi_wait: such waits of worker threads themselves, which are not idle time. Instances: from a "
            "join to the next fork, before the first fork, after the last join; for limited parallelism from fork to "
            "join, for threads that are neither in the team nor in teams nested in it",
        .charged_to =
            "the call path, each worker; omp_thread_mpi_wait: the MPI call, the thread that waits. The culprit is the "
            "master, in the call path of its longest uninterrupted time",
        .state = "none: computed when the trace has been read",
        .source = "Scalasca 2.6; the parts in MPI are waitstate's own",
        .differs =
            "no; if neither teams nor OpenMP threads are defined, threads that were in parallel regions are workers, "
            "without instances. In a process without teams, forks and parallel regions nobody is idle, whatever "
            "threads the recorder lists as OpenMP threads: POSIX threads are created when there is work for them. With "
            "idle threads, `time` is the time for which the threads were reserved; `execution` and `overhead` contain "
            "only the time of events. A worker that leaves a region after its master is not idle at once: up to 1 % of "
            "a worker's idle time is taken back where that and its own time are longer than the run",
        .diagnosis =
            "parallelise the work that the master does alone; let other threads work while the master communicates"};
  }

  void init(Context& context) override {
    workers_ = workers_by_master(context.definitions());
    has_forks_.assign(workers_.size(), false);
  }

  void unused_threads_callback(const UnusedThreads& s, Context& context) override {
    has_forks_[s.master.index()] = true;
    if (!s.callpath.valid()) return;
    for (LocationId w : workers_[s.master.index()])
      if (!s.parallel || std::find(s.team.begin(), s.team.end(), w) == s.team.end())
        context.add_instance(
            {w, s.callpath, s.begin, s.end, s.begin, static_cast<Ticks>(s.end - s.begin), s.master, s.callpath},
            s.parallel ? limited : idle);
  }

  void merge(Pattern& other) override {
    const std::vector<bool>& also = static_cast<IdleThreadsPattern&>(other).has_forks_;
    for (std::size_t master = 0; master < has_forks_.size(); ++master)
      has_forks_[master] = has_forks_[master] || also[master];
  }
  std::string state() override {
    std::string all;
    for (const bool has : has_forks_) all += has ? '1' : '0';
    return all;
  }
  void restore(const std::string& state) override {
    for (std::size_t master = 0; master < has_forks_.size(); ++master) has_forks_[master] = state.at(master) == '1';
  }

  void wrapup(Context& context) override {
    const std::vector<bool> was_in_parallel_region = in_parallel_regions(context);
    drop_threads_of_others(context.definitions(), was_in_parallel_region);
    add_workers_without_teams(context.definitions(), was_in_parallel_region);
    const auto& workers = workers_;
    if (std::all_of(workers.begin(), workers.end(), [](const auto& of) { return of.empty(); })) return;
    std::vector<bool> is_worker(workers.size());
    for (const auto& of : workers)
      for (LocationId l : of) is_worker[l.index()] = true;

    const std::vector<CallPathId> regions = outermost_regions(context);
    Rows outside, mpi, waits, inside;  // rows of masters, except for `inside`
    const MetricTree& metrics = context.metrics();
    for (MetricIndex m = 0; m < metrics.size(); ++m) {
      if (!is_part(metrics, m, metrics.at("time"))) continue;
      const bool is_mpi = is_part(metrics, m, metrics.at("mpi"));
      context.severities().for_each(m, [&](CallPathId path, LocationId l, std::int64_t value) {
        const bool master = !workers[l.index()].empty();
        if (!master && !is_worker[l.index()]) return;
        if (const CallPathId region = regions[path.index()]; region.valid()) {
          add(inside, region, l, value);
          if (is_mpi && !master) add(mpi, path, l, value);
        } else {
          if (master) add(outside, path, l, value);
          if (is_mpi) add(mpi, path, l, value);
        }
      });
    }
    Rows own;
    for (MetricIndex m = 0; m < metrics.size(); ++m) {
      if (!is_outermost_mpi_wait(metrics, m)) continue;
      context.severities().for_each(m, [&](CallPathId path, LocationId l, std::int64_t value) {
        if (is_worker[l.index()])
          add(own, path, l, value);
        else if (!workers[l.index()].empty() && !regions[path.index()].valid())
          add(waits, path, l, value);
      });
    }

    const auto for_workers = [&](MetricHandle metric, const Rows& rows) {
      for (const auto& [key, value] : rows)
        if (value > 0)  // a worker has none, because it has no workers
          for (LocationId w : workers[key.second.index()]) context.add({key.first, w}, value, metric);
    };
    for_workers(idle, outside);
    for_workers(in_mpi, mpi);
    // Time in which a call waits for messages and for collectives at once counts once.
    for (Rows* rows : {&waits, &own})
      for (auto& [key, value] : *rows)
        if (const auto most = mpi.find(key); most != mpi.end()) value = std::min(value, most->second);
    for_workers(in_mpi_wait, waits);
    for (const auto& [key, value] : own) context.add({key.first, key.second}, value, own_mpi_wait);
    for (const auto& [key, value] : inside)
      for (LocationId w : workers[key.second.index()]) {
        const auto of_worker = inside.find({key.first, w});
        const std::int64_t part = of_worker == inside.end() ? 0 : of_worker->second;
        if (value > part) context.add({key.first, w}, add_ticks(value, 0 - static_cast<std::uint64_t>(part)), limited);
      }
  }

  // An MPI wait of a master costs its workers' time, too; one of a worker is its own.
  std::string headline(const ReportFacts& facts) const override {
    const std::int64_t waited = facts.total("omp_idle_in_mpi_wait"), own = facts.total("omp_thread_mpi_wait");
    std::string text;
    if (waited != 0) text = "are idle for " + facts.duration(waited) + " while their masters wait in MPI";
    if (own != 0)
      text += std::string(text.empty() ? "" : ", and ") + "wait in MPI themselves for " + facts.duration(own);
    return text.empty() ? "" : "hybrid: worker threads " + text;
  }

 private:
  using Rows = std::map<std::pair<CallPathId, LocationId>, std::int64_t>;

  static void add(Rows& rows, CallPathId path, LocationId l, std::int64_t value) {
    std::int64_t& sum = rows[{path, l}];
    sum = add_ticks(sum, static_cast<std::uint64_t>(value));
  }

  // Recorders that use OMPT leave out the role of the forked region.
  static bool is_parallel(const Region& region) {
    return region.role == RegionRole::parallel ||
           (region.paradigm == Paradigm::openmp && std::string_view(region.name).starts_with("!$omp parallel@"));
  }

  static bool is_part(const MetricTree& metrics, MetricIndex m, MetricIndex whole) {
    while (m != whole && m != no_metric && !metrics[m].within_parent) m = metrics[m].parent;
    return m == whole;
  }

  // For each process, whether the definitions name OpenMP threads in it, even if only the first one.
  static std::vector<bool> processes_with(const Definitions& definitions, std::span<const LocationId> threads) {
    std::vector<bool> has(definitions.processes.size());
    for (LocationId l : threads)
      if (definitions[l].process.valid()) has[definitions[l].process.index()] = true;
    return has;
  }

  static bool is_thread(const Definitions& definitions, LocationId l) {
    return l.valid() && l.index() < definitions.locations.size() && definitions[l].process.valid() &&
           definitions[l].type == LocationType::cpu_thread;
  }

  static std::vector<LocationId> threads_of_teams(const Definitions& definitions) {
    std::vector<LocationId> threads;
    for (const Comm& comm : definitions.comms)
      if (comm.paradigm == Paradigm::openmp && !comm.self)
        for (LocationId l : comm.members)
          if (is_thread(definitions, l)) threads.push_back(l);
    return threads;
  }

  // Threads that are in teams, or that a recorder without team definitions lists as OpenMP threads.
  static std::vector<LocationId> openmp_threads(const Definitions& definitions) {
    std::vector<LocationId> threads = threads_of_teams(definitions);
    const std::vector<bool> has_teams = processes_with(definitions, threads);
    for (const Group& group : definitions.groups) {
      if (group.paradigm != Paradigm::openmp || group.type != GroupType::comm_locations) continue;
      for (std::uint64_t m : group.members) {
        if (m >= definitions.locations.size()) continue;
        const ProcessId process = definitions.locations[m].process;
        if (process.valid() && !has_teams[process.index()] && is_thread(definitions, LocationId{m}))
          threads.emplace_back(m);
      }
    }
    return threads;
  }

  // For each location: if it is the first thread of a process, the other OpenMP threads of that process.
  static std::vector<std::vector<LocationId>> workers_by_master(const Definitions& definitions) {
    std::vector<LocationId> first(definitions.processes.size());
    for (std::size_t i = definitions.locations.size(); i-- > 0;) {
      const Location& l = definitions.locations[i];
      if (l.type == LocationType::cpu_thread && l.process.valid()) first[l.process.index()] = LocationId{i};
    }
    std::vector<LocationId> master(definitions.locations.size());
    for (LocationId l : openmp_threads(definitions))
      if (const LocationId f = first[definitions[l].process.index()]; f != l) master[l.index()] = f;
    std::vector<std::vector<LocationId>> workers(definitions.locations.size());
    for (std::size_t i = 0; i < master.size(); ++i)
      if (master[i].valid()) workers[master[i].index()].push_back(LocationId{i});
    return workers;
  }

  // For each location, whether it was in a parallel region.
  static std::vector<bool> in_parallel_regions(const Context& context) {
    const Definitions& definitions = context.definitions();
    std::vector<bool> was(definitions.locations.size());
    context.severities().for_each(context.metrics().at("visits"),
                                  [&](CallPathId path, LocationId l, std::int64_t visits) {
                                    const RegionId region = context.call_tree()[path].region;
                                    if (visits != 0 && region.valid() && is_parallel(definitions[region]))
                                      was[l.index()] = true;
                                  });
    return was;
  }

  // A recorder that defines no teams may list any threads as OpenMP threads. In a process without forks and parallel
  // regions, none of them is one.
  void drop_threads_of_others(const Definitions& definitions, const std::vector<bool>& was_in_parallel_region) {
    std::vector<bool> has_openmp = processes_with(definitions, threads_of_teams(definitions));
    for (std::size_t l = 0; l < workers_.size(); ++l)
      if (const ProcessId process = definitions[LocationId{l}].process;
          process.valid() && (was_in_parallel_region[l] || has_forks_[l]))
        has_openmp[process.index()] = true;
    for (std::size_t master = 0; master < workers_.size(); ++master)
      if (!workers_[master].empty() && !has_openmp[definitions[LocationId{master}].process.index()])
        workers_[master].clear();
  }

  // If the definitions name no OpenMP threads, the threads that were in parallel regions are workers of the first one.
  void add_workers_without_teams(const Definitions& definitions, const std::vector<bool>& was_in_parallel_region) {
    const std::vector<bool> known = processes_with(definitions, openmp_threads(definitions));
    std::vector<LocationId> first(definitions.processes.size());
    for (std::size_t i = definitions.locations.size(); i-- > 0;) {
      const Location& l = definitions.locations[i];
      if (l.type != LocationType::cpu_thread || !l.process.valid()) continue;
      first[l.process.index()] = LocationId{i};
    }
    for (std::size_t i = 0; i < was_in_parallel_region.size(); ++i) {
      const Location& l = definitions.locations[i];
      if (!was_in_parallel_region[i] || l.type != LocationType::cpu_thread || !l.process.valid() ||
          known[l.process.index()])
        continue;
      const LocationId master = first[l.process.index()];
      if (master.index() != i) workers_[master.index()].push_back(LocationId{i});
    }
  }

  // For each call path, the outermost parallel region that contains it; none if there is none. Parents have smaller
  // ids.
  static std::vector<CallPathId> outermost_regions(const Context& context) {
    std::vector<CallPathId> regions;
    const CallTree& tree = context.call_tree();
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const CallPath& p = tree[CallPathId{i}];
      CallPathId region = p.parent.valid() ? regions[p.parent.index()] : CallPathId::none();
      if (!region.valid() && p.region.valid() && is_parallel(context.definitions()[p.region])) region = CallPathId{i};
      regions.push_back(region);
    }
    return regions;
  }

  std::vector<std::vector<LocationId>> workers_;  ///< indexed by master
  std::vector<bool> has_forks_;                   ///< indexed by master
};

}  // namespace

PatternHandle omp_idle_threads() { return make_pattern<IdleThreadsPattern>(); }

}  // namespace waitstate::patterns
