#include "support/explicit_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>

#include "access/dependencies/dependency_graph.hpp"
#include "support/activities.hpp"

namespace waitstate::support {
namespace {

using access::DependencyGraph;
using VertexIndex = DependencyGraph::VertexIndex;
using EdgeKind = DependencyGraph::EdgeKind;
using PointKind = DependencyGraph::PointKind;
using VertexKind = DependencyGraph::VertexKind;
using Vertex = DependencyGraph::Vertex;

enum Type {
  late_sender,
  late_receiver,
  barrier,
  n2n,
  one_to_n,
  n_to_one,
  team_barrier,
  idle,
  scan,
  rma,
  shmem,
  lock,
  task,
  device,
  creation,
  types
};
constexpr const char* type_names[types] = {"latesender", "latereceiver", "barrier", "n2n",    "12n",
                                           "n21",        "ompbarrier",   "ompidle", "scan",   "rma",
                                           "shmem",      "lock",         "omptask", "device", "comm"};

std::optional<Type> type_of(std::optional<PointKind> kind) {
  if (!kind) return std::nullopt;
  switch (*kind) {
    case PointKind::late_sender:
    case PointKind::probe:
    case PointKind::poll:
      return late_sender;
    case PointKind::late_receiver:
      return late_receiver;
    case PointKind::barrier:
      return barrier;
    case PointKind::n_to_n:
      return n2n;
    case PointKind::one_to_n:
    case PointKind::late_members:
      return one_to_n;
    case PointKind::n_to_one:
    case PointKind::late_root:
      return n_to_one;
    case PointKind::creation:
      return creation;
    case PointKind::team_barrier:
      return team_barrier;
    case PointKind::scan:
      return scan;
    case PointKind::window:
    case PointKind::epoch:
    case PointKind::passive_target:
      return rma;
    case PointKind::shmem_collective:
    case PointKind::shmem_pair:
      return shmem;
    case PointKind::lock:
      return lock;
    case PointKind::task:
      return task;
    case PointKind::device:
      return device;
    default:
      return std::nullopt;
  }
}

class ExplicitCauses {
 public:
  ExplicitCauses(const EventTrace& trace, bool all_waits)
      : trace_(trace),
        graph_(trace, all_waits),
        activities_(trace),
        points_(trace.location_count()),
        place_(graph_.size()) {
    for (std::size_t l = 0; l < points_.size(); ++l)
      for (const VertexIndex v : graph_.of(LocationId{l}))
        if (graph_[v].point) {
          place_[v] = points_[l].size();
          points_[l].push_back(v);
        }
  }

  CauseTable run() {
    path();
    activities();
    delays();
    return std::move(table_);
  }

 private:
  using Place = std::optional<VertexIndex>;  ///< a point of a location; none: before the first

  void add(const std::string& metric, CallPathId callpath, LocationId location, double ticks) {
    if (ticks != 0) table_[{metric, trace_.call_tree().path(callpath, trace_.definitions()), location.value}] += ticks;
  }
  CallPathTimes X(LocationId location, Place a, Place b) const {
    return activities_.between(location, a ? graph_[*a].enter_pos : no_position,
                               b ? graph_[*b].enter_pos : no_position);
  }
  std::vector<VertexIndex> between(Place a, VertexIndex b) const {
    const std::vector<VertexIndex>& of = points_[graph_[b].location.index()];
    return {of.begin() + static_cast<std::ptrdiff_t>(a ? place_[*a] + 1 : 0),
            of.begin() + static_cast<std::ptrdiff_t>(place_[b])};
  }
  Place previous(VertexIndex x, LocationId met) const {
    Place last;
    for (const VertexIndex y : between({}, x))
      if (std::binary_search(graph_[y].met.begin(), graph_[y].met.end(), met)) last = y;
    return last;
  }

  bool is_of_team(VertexIndex v) const {
    return graph_[v].point == PointKind::fork || graph_[v].point == PointKind::team_barrier;
  }
  /// Where the two of a wait had met before: at the last fork or barrier, if they are threads of one team.
  Place met_before(VertexIndex x, VertexIndex other, Type type) const {
    Place last;
    for (const VertexIndex y : between({}, x))
      if (is_of_team(y) ? type == team_barrier || type == lock || type == task
                        : type != team_barrier &&
                              std::binary_search(graph_[y].met.begin(), graph_[y].met.end(), graph_[other].location))
        last = y;
    return last;
  }
  /// The fork was the location's own.
  bool is_own_fork(VertexIndex v) const {
    return graph_[v].kind == VertexKind::fork && boost::in_degree(v, graph_.graph()) == 1;
  }
  bool is_thread(LocationId l) const {
    return trace_.definitions()[l].type == LocationType::cpu_thread && activities_.has(l);
  }

  // ---- the critical path ----

  void path() {
    const std::vector<VertexIndex> path = graph_.critical_path();
    // Pieces: from where the path comes to a location - at a vertex that waited, MPI_Init, or the begin - to where it
    // leaves it.
    std::size_t first = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (i + 1 < path.size() && graph_[path[i]].location == graph_[path[i + 1]].location) continue;
      const Vertex &from = graph_[path[first]], &to = graph_[path[i]];
      const bool begins = from.kind == VertexKind::begin;
      CallPathTimes piece =
          X(to.location, begins ? Place() : Place(path[first]), to.kind == VertexKind::end ? Place() : Place(path[i]));
      if (!begins && from.point != PointKind::poll)  // polls lie before their point
        piece[from.callpath] -= std::min(from.wait, piece[from.callpath]);
      for (const auto& [c, ticks] : piece) on_path_[{c, to.location}] += ticks, G_[c] += ticks;
      first = i + 1;
    }
    for (const auto& [where, ticks] : on_path_)
      add("critical_path", where.first, where.second, static_cast<double>(ticks));
  }
  // ---- what its activities cost ----

  void activities() {
    if (on_path_.empty()) return;
    std::map<CallPathId, double> cost, inter;
    std::map<CallPathId, double> all, mean;  // includes the call paths below
    bool has_cost = true, has_inter = true;
    Ticks length = 0;
    for (const auto& [c, g] : G_) length += g;
    for (std::size_t l = 0; l < trace_.location_count(); ++l) {
      const LocationId location{l};
      if (!is_thread(location)) continue;
      CallPathTimes T = X(location, {}, {});
      const CallPathTimes managed = managed_in(location);
      for (const VertexIndex v : points_[l])
        if (T.contains(graph_[v].callpath)) T[graph_[v].callpath] -= graph_[v].wait;
      Ticks sum = 0;
      for (auto& [c, ticks] : T) {
        ticks = std::max<Ticks>(0, ticks);
        sum += ticks;
        add_upwards(mean, c, static_cast<double>(std::max<Ticks>(0, ticks - time_in(managed, c))));
        const Ticks g = time_in(G_, c);
        if (g > 0) add("critical_path_activities", c, location, static_cast<double>(std::min(g, ticks)));
        if (ticks > g) add("non_critical_path_activities", c, location, static_cast<double>(ticks - g));
      }
      double excess = 0, missing = 0, both = 0;
      for (const auto& [c, g] : G_) {
        excess += static_cast<double>(std::max<Ticks>(0, g - time_in(T, c)));
        if (time_in(T, c) <= 0) missing += static_cast<double>(g);
      }
      for (const auto& [c, ticks] : T)
        if (ticks > 0) both += static_cast<double>(ticks + std::max<Ticks>(0, time_in(G_, c) - ticks));
      has_cost = has_cost && excess > 0, has_inter = has_inter && missing > 0;
      for (const auto& [c, g] : G_) {
        const Ticks x = std::max<Ticks>(0, g - time_in(T, c));
        if (excess > 0) cost[c] += static_cast<double>(x) * static_cast<double>(length - sum) / excess;
        if (missing > 0 && time_in(T, c) <= 0)
          inter[c] += static_cast<double>(g) * (static_cast<double>(length) - both) / missing;
      }
    }
    const auto used = std::count_if(points_.begin(), points_.end(), [&, l = std::size_t{0}](const auto&) mutable {
      return is_thread(LocationId{l++});
    });
    for (const auto& [c, g] : G_) add_upwards(all, c, static_cast<double>(g));
    for (const auto& [where, g] : on_path_) {
      if (g <= 0) continue;
      const double above = all[where.first] - mean[where.first] / static_cast<double>(used);
      if (above > 0)
        add("critical_path_imbalance", where.first, where.second, static_cast<double>(g) * above / all[where.first]);
      const double share = static_cast<double>(g) / static_cast<double>(G_[where.first]);
      if (has_cost && cost[where.first] > 0)
        add("critical_imbalance_impact", where.first, where.second, share * cost[where.first]);
      if (has_inter && inter[where.first] > 0)
        add("inter_partition_imbalance", where.first, where.second, share * inter[where.first]);
    }
  }

  /// In the parallel region, to fork and to join.
  CallPathTimes managed_in(LocationId location) const {
    CallPathTimes times;
    for (const VertexIndex v : graph_.of(location)) {
      if (graph_[v].kind != VertexKind::fork) continue;
      times[graph_[v].callpath] += static_cast<Ticks>(graph_[v].exit - graph_[v].enter);
    }
    for (const auto& [c, ticks] : activities_.to_join(location)) times[c] += ticks;
    return times;
  }

  void add_upwards(std::map<CallPathId, double>& sums, CallPathId c, double ticks) const {
    for (; c.valid(); c = trace_.call_tree()[c].parent) sums[c] += ticks;
  }

  // ---- delays ----

  /// M(a, b), and W(a, b).
  std::pair<CallPathTimes, Ticks> working(Place a, VertexIndex b) const {
    CallPathTimes M = X(graph_[b].location, a, b);
    Ticks W = 0;
    std::map<CallPathId, Ticks> waits;
    for (const VertexIndex y : between(a, b)) waits[graph_[y].callpath] += graph_[y].wait, W += graph_[y].wait;
    for (auto& [c, ticks] : M) ticks = std::max<Ticks>(0, ticks - time_in(waits, c));
    if (a)
      if (const auto own = M.find(graph_[*a].callpath); own != M.end() && own->second != 0)
        own->second = std::max<Ticks>(
            0, own->second - static_cast<Ticks>(graph_[*a].exit - graph_[*a].enter) + graph_[*a].completion);
    return {std::move(M), W};
  }

  /// The vertices of P(a, p) that take on a debt.
  std::vector<VertexIndex> debtors(Place a, VertexIndex p) const {
    std::vector<VertexIndex> all = between(a, p);
    if (graph_[p].members.empty()) return all;  // a message
    std::set<std::size_t> meetings;             // places behind the latest points with each of the others; 0: none
    for (const LocationId m : graph_[p].members)
      if (m != graph_[p].location) {
        const Place met = previous(p, m);
        meetings.insert(met ? place_[*met] + 1 : 0);
      }
    const std::size_t own = a ? place_[*a] + 1 : 0;
    if (own == *meetings.begin()) return all;
    const auto next = meetings.upper_bound(own);
    if (next == meetings.end()) return {};
    std::erase_if(all, [&](VertexIndex y) { return place_[y] + 1 < *next; });
    return all;
  }

  void delays() {
    std::vector<std::array<double, types>> K(graph_.size());
    std::vector<double> passed(graph_.size());
    std::vector<VertexIndex> backwards;  // each before all that may have caused it
    boost::topological_sort(graph_.graph(), std::back_inserter(backwards));
    for (std::size_t l = 0; l < trace_.location_count(); ++l) idle_threads(LocationId{l}, K);
    for (const VertexIndex q : backwards) {
      const std::optional<Type> own = type_of(graph_[q].point);
      if (!own || graph_[q].wait <= 0) continue;
      Place culprit;
      for (const auto& e : boost::make_iterator_range(boost::in_edges(q, graph_.graph())))
        if (graph_.graph()[e].awaited) culprit = boost::source(e, graph_.graph());
      if (!culprit) continue;
      VertexIndex p = *culprit;
      if (graph_[p].kind == VertexKind::arrival) p = departure_of(p);
      judge(q, p, *own, K, passed);
    }
    for (std::size_t v = 0; v < graph_.size(); ++v) {
      const Vertex& y = graph_[v];
      if (passed[v] <= 0 || y.wait <= 0) continue;
      if (type_of(y.point) == late_sender) add("mpi_wait_propagating_ls", y.callpath, y.location, passed[v]);
      if (y.point == PointKind::late_receiver) add("mpi_wait_propagating_lr", y.callpath, y.location, passed[v]);
    }
  }

  // From the start, or a join, to the next fork, and from the last join to the end, all other threads of the process
  // are idle. The waits meanwhile - since the last barrier of the previous team - owe for it.
  void idle_threads(LocationId master, std::vector<std::array<double, types>>& K) {
    const std::vector<VertexIndex>& of = graph_.of(master);
    if (std::none_of(of.begin(), of.end(), [&](VertexIndex v) { return is_own_fork(v); })) return;
    double others = 0;
    for (const LocationId l : trace_.definitions()[trace_.definitions()[master].process].locations)
      if (l != master && is_thread(l)) ++others;
    Place joined;
    bool in_region = false;
    std::vector<VertexIndex> waits;  // since the last point of a team
    const auto idle_until = [&](Place fork) {
      CallPathTimes d = X(master, joined, fork);
      for (const VertexIndex y : waits)
        if (const auto own = d.find(graph_[y].callpath); own != d.end()) own->second -= graph_[y].wait;
      for (const auto& [c, ticks] : d)
        if (ticks > 0) add("delay_ompidle", c, master, others * static_cast<double>(ticks));
      for (const VertexIndex y : waits) K[y][idle] += others * static_cast<double>(graph_[y].wait);
    };
    for (const VertexIndex v : of) {
      if (is_own_fork(v)) idle_until(v), in_region = true;
      if (graph_[v].kind == VertexKind::join) joined = v, in_region = false;
      if (graph_[v].point == std::nullopt) continue;
      if (is_of_team(v))
        waits.clear();
      else if (graph_[v].wait > 0)
        waits.push_back(v);
    }
    if (!in_region) idle_until({});
  }
  VertexIndex departure_of(VertexIndex arrival) const {
    for (const VertexIndex v : graph_.of(graph_[arrival].location))
      if (graph_[v].kind == VertexKind::departure && graph_[v].pos >= graph_[arrival].pos) return v;
    return arrival;
  }

  void judge(VertexIndex q, VertexIndex p, Type own, std::vector<std::array<double, types>>& K,
             std::vector<double>& passed) {
    const Place a = met_before(p, q, own), b = met_before(q, p, own);
    const auto [of_p, W] = working(a, p);
    const CallPathTimes of_q = working(b, q).first;
    CallPathTimes d;
    Ticks D = 0;
    for (const auto& [c, ticks] : of_p)
      if (const Ticks more = ticks - time_in(of_q, c); more > 0) d[c] = more, D += more;
    if (D + W == 0) return;
    const bool message = own == late_sender || own == late_receiver;
    const double all = static_cast<double>(D + W);
    double s = static_cast<double>(graph_[q].wait) / all;
    if (graph_[p].members.empty() && own != team_barrier) s = std::min(s, 1.0);  // between two
    const std::string name = std::string("delay_") + type_names[own];
    for (const auto& [c, ticks] : d) {
      add(name, c, graph_[p].location, s * static_cast<double>(ticks));
      for (std::size_t t = 0; t < types; ++t)
        add(std::string("delay_") + type_names[t] + "_longterm", c, graph_[p].location,
            K[q][t] / all * static_cast<double>(ticks));
    }
    if (message && W > 0)
      add(own == late_sender ? "mpi_wait_indirect_latesender" : "mpi_wait_indirect_latereceiver", graph_[q].callpath,
          graph_[q].location, s * static_cast<double>(W));
    if (message)
      for (const VertexIndex y : between(a, p))
        passed[y] = std::max(passed[y], s * static_cast<double>(graph_[y].wait));
    for (const VertexIndex y : debtors(a, p))
      for (std::size_t t = 0; t < types; ++t)
        K[y][t] += static_cast<double>(graph_[y].wait) * (K[q][t] / all + (t == own ? s : 0));
  }

  const EventTrace& trace_;
  const DependencyGraph graph_;
  const Activities activities_;
  std::vector<std::vector<VertexIndex>> points_;  ///< by location, in order
  std::vector<std::size_t> place_;                ///< index into points_, by vertex
  std::map<std::pair<CallPathId, LocationId>, Ticks> on_path_;
  CallPathTimes G_;
  CauseTable table_;
};

}  // namespace

const std::vector<std::string>& cause_metrics() {
  static const std::vector<std::string> metrics = [] {
    std::vector<std::string> all{"critical_path",
                                 "critical_path_activities",
                                 "non_critical_path_activities",
                                 "critical_imbalance_impact",
                                 "inter_partition_imbalance",
                                 "critical_path_imbalance",
                                 "mpi_wait_indirect_latesender",
                                 "mpi_wait_indirect_latereceiver",
                                 "mpi_wait_propagating_ls",
                                 "mpi_wait_propagating_lr"};
    for (const char* type : type_names) {
      all.push_back(std::string("delay_") + type);
      all.push_back(std::string("delay_") + type + "_longterm");
    }
    return all;
  }();
  return metrics;
}

CauseTable explicit_causes(const EventTrace& trace, bool all_waits) { return ExplicitCauses(trace, all_waits).run(); }

std::string differences(const CauseTable& expected, const AnalysisResult& found,
                        const std::vector<std::string>& metrics) {
  CauseTable rest = expected;
  std::string wrong;
  const auto compare = [&](const CauseTable::key_type& key, double theirs, double ours) {
    if (std::abs(theirs - ours) <= 0.5 + 1e-6 * std::abs(theirs) + 1e-6) return;
    const auto& [metric, callpath, location] = key;
    wrong += fmt::format("{},{},{}: {} in the graph, {} in one pass\n", metric, callpath, location, theirs, ours);
  };
  for (const SeverityRow& row : found.table()) {
    const std::string& metric = found.metrics[row.metric].id;
    if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end() || row.value == 0) continue;
    const CauseTable::key_type key{metric, found.call_tree.path(row.callpath, found.definitions), row.location.value};
    const auto theirs = rest.find(key);
    compare(key, theirs == rest.end() ? 0 : theirs->second, static_cast<double>(row.value));
    if (theirs != rest.end()) rest.erase(theirs);
  }
  for (const auto& [key, value] : rest)
    if (std::find(metrics.begin(), metrics.end(), std::get<0>(key)) != metrics.end()) compare(key, value, 0);
  return wrong;
}

}  // namespace waitstate::support
