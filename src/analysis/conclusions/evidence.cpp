#include "analysis/conclusions/evidence.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/conclusions/bounds.hpp"
#include "analysis/dispatch/pattern_set.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/undetermined.hpp"

namespace waitstate {
namespace {

std::int64_t left(std::int64_t requests, std::int64_t completed) {
  return std::max<std::int64_t>(requests - completed, 0);
}

}  // namespace

TraceEvidence::TraceEvidence(const AnalysisResult& result) : result_(result) {
  std::vector<bool> is_called(result.definitions.regions.size());
  for (std::size_t i = 0; i < result.call_tree.size(); ++i)
    if (const RegionId region = result.call_tree[CallPathId{i}].region; region.valid())
      is_called[region.index()] = true;
  for (std::size_t r = 0; r < is_called.size(); ++r)
    if (is_called[r]) called_.push_back(RegionId{r});
}

const Definitions& TraceEvidence::definitions() const { return result_.definitions; }

std::int64_t TraceEvidence::events(EventType type) const {
  return static_cast<std::int64_t>(result_.events_by_type[static_cast<std::size_t>(type)]);
}

std::int64_t TraceEvidence::warnings(DiagnosticId id) const {
  return static_cast<std::int64_t>(result_.diagnostics[id].count);
}

TraceEvidence::Requests TraceEvidence::open_requests() const {
  using enum EventType;
  const Requests open{left(events(irecv_request), events(irecv)), left(events(isend), events(isend_complete)),
                      left(events(nonblocking_collective_request), events(nonblocking_collective_complete))};
  // It is not known which requests were cancelled: the remaining ones may be of any kind.
  const std::int64_t all = open.receives + open.sends + open.collectives - events(request_cancelled);
  return {std::min(open.receives, all), std::min(open.sends, all), std::min(open.collectives, all)};
}
std::int64_t TraceEvidence::open_receives() const { return open_requests().receives; }
std::int64_t TraceEvidence::open_sends() const { return open_requests().sends; }
std::int64_t TraceEvidence::open_collectives() const { return open_requests().collectives; }

bool TraceEvidence::has_events_of(LocationType type) const {
  for (std::size_t l = 0; l < result_.locations.size(); ++l)
    if (result_.definitions.locations[l].type == type && result_.locations[l].events != 0) return true;
  return false;
}

std::string TraceEvidence::first(const std::vector<RegionId>& regions, const Is& is) const {
  for (const RegionId r : regions)
    if (is(result_.definitions[r])) return util::printable(result_.definitions[r].name);
  return "";
}

bool TraceEvidence::for_nobody(std::string_view function) const {
  const std::string key = "WAITSTATE::MPI_PROC_NULL::" + std::string(function);
  for (const LocationGroup& process : result_.definitions.processes)
    for (const Property& property : process.properties)
      if (property.name == key) return true;
  return false;
}

std::string TraceEvidence::called(const Is& is) const { return first(called_, is); }

std::string TraceEvidence::called_without(const std::vector<std::string_view>& counts, const Is& is) const {
  return first(without(counts), is);
}

const std::vector<RegionId>& TraceEvidence::without(const std::vector<std::string_view>& counts) const {
  const auto [place, added] = without_.try_emplace({counts.begin(), counts.end()});
  std::vector<RegionId>& found = place->second;
  if (!added) return found;
  std::vector<bool> entered(result_.call_tree.size()), counted(entered.size());
  const auto mark = [&](std::string_view id, std::vector<bool>& marks) {
    const MetricIndex metric = result_.metrics.find(id);
    if (metric == no_metric) return false;
    result_.severities.for_each(metric, [&](CallPathId path, LocationId, std::int64_t) { marks[path.index()] = true; });
    return true;
  };
  bool known = mark("visits", entered);
  for (const std::string_view id : counts) known = mark(id, counted) && known;
  if (!known) return found;
  std::set<std::string_view> recorded;
  for (std::size_t i = counted.size(); i-- > 0;) {  // a parent has a smaller id
    if (!counted[i]) continue;
    const CallPath& path = result_.call_tree[CallPathId{i}];
    if (path.parent.valid()) counted[path.parent.index()] = true;
    // Some recorders define a function once for each process, so functions are compared by name.
    if (path.region.valid()) recorded.insert(result_.definitions[path.region].name);
  }
  std::vector<bool> is_without(result_.definitions.regions.size());
  for (std::size_t i = 0; i < entered.size(); ++i)
    if (const RegionId region = result_.call_tree[CallPathId{i}].region; region.valid() && entered[i])
      is_without[region.index()] = !recorded.contains(result_.definitions[region].name);
  for (std::size_t r = 0; r < is_without.size(); ++r)
    if (is_without[r] && !for_nobody(result_.definitions[RegionId{r}].name)) found.push_back(RegionId{r});
  return found;
}

std::string TraceEvidence::of(std::int64_t part, std::int64_t whole, std::string_view what) {
  const std::string one(what), many = one + 's';
  return util::grouped(part) + " of " + util::count(whole, one.c_str(), many.c_str());
}

std::string TraceEvidence::count(std::int64_t number, const char* one, const char* many) {
  return util::count(number, one, many);
}

void Undetermined::because(MetricHandle metric, std::string sentence) {
  if (metric.index >= metrics_)
    throw UsageError("the pattern has " + std::to_string(metrics_) +
                     " metrics, numbered from 0: there is none with the number " + std::to_string(metric.index));
  answers_.push_back({metric, std::move(sentence)});
}

}  // namespace waitstate

namespace waitstate::analysis {
namespace {

using Answers = std::vector<UndeterminedMetric>;

/// True if all locations of the report were read to the end.
bool chosen_were_read(const AnalysisResult& result) {
  const std::vector<LocationId>& chosen = result.focus.locations;
  if (chosen.empty()) return false;
  for (const DiagnosticId id : {DiagnosticId::location_unreadable, DiagnosticId::location_truncated}) {
    const DiagnosticEntry& lost = result.diagnostics[id];
    if (lost.count > lost.places.size()) return false;  // the remaining places are not known
    for (const DiagnosticPlace& place : lost.places)
      if (!place.location.valid() || std::find(chosen.begin(), chosen.end(), place.location) != chosen.end())
        return false;
  }
  return true;
}

/// The outermost metrics of patterns: these are about locations in relation to each other, the others about one
/// location alone.
std::vector<MetricIndex> outermost_of_patterns(const MetricTree& metrics) {
  const MetricTree alone = MetricTree::base();
  std::vector<MetricIndex> found;
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    const MetricIndex parent = metrics[m].parent;
    if (metrics[m].unit != Unit::counter && alone.find(metrics[m].id) == no_metric &&
        (parent == no_metric || alone.find(metrics[parent].id) != no_metric))
      found.push_back(m);
  }
  return found;
}

std::vector<MetricIndex> roots(const MetricTree& metrics) {
  std::vector<MetricIndex> found;
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    if (metrics[m].parent == no_metric) found.push_back(m);
  return found;
}

/// Answers that hold for any choice of patterns: nothing is known in full about locations that could not be read, or
/// about those that communicated with them; and a value that does not fit into 64 bits is not a number.
Answers whatever_was_run(const AnalysisResult& result) {
  Answers all;
  const TraceEvidence e(result);
  const std::int64_t lost =
      e.warnings(DiagnosticId::location_unreadable) + e.warnings(DiagnosticId::location_truncated);
  if (lost > 0) {
    const auto locations = static_cast<std::int64_t>(result.definitions.locations.size());
    const std::string sentence = TraceEvidence::of(lost, locations, "location") +
                                 " could not be read, or not to the end: it is not known what happened there";
    for (const MetricIndex m : chosen_were_read(result) ? outermost_of_patterns(result.metrics) : roots(result.metrics))
      all.push_back({m, sentence});
  }
  const std::string too_large_sentence =
      "time stamps or sizes are damaged: the values are too large for 64 bits and mean nothing";
  const std::vector<MetricIndex> large = too_large(result.metrics, result.severities);
  std::string times;  // why times are meaningless
  if (const std::int64_t n = e.warnings(DiagnosticId::time_outside); n > 0)
    times = "time stamps of " +
            TraceEvidence::of(n, static_cast<std::int64_t>(result.definitions.locations.size()), "location") +
            " are damaged: times mean nothing";
  else if (std::find(large.begin(), large.end(), result.metrics.find("time")) != large.end())
    times = too_large_sentence;
  const auto is_time = [&](MetricIndex m) { return result.metrics[m].unit == Unit::seconds; };
  for (const MetricIndex m : roots(result.metrics))
    if (!times.empty() && is_time(m)) all.push_back({m, times});
  for (const MetricIndex m : large)
    if (times.empty() || !is_time(m)) all.push_back({m, too_large_sentence});
  if (times.empty())
    for (UndeterminedMetric& answer : out_of_bounds(result)) all.push_back(std::move(answer));
  return all;
}

/// Answers about the metrics that need no pattern.
void of_files(const AnalysisResult& result, const TraceEvidence& e, Answers& all) {
  const MetricIndex bytes = result.metrics.find("mpi_file_bytes");
  if (bytes == no_metric) return;
  const std::string name = e.called([](const Region& r) {
    return r.region_class == RegionClass::mpi_io_individual || r.region_class == RegionClass::mpi_io_collective;
  });
  if (!name.empty() && e.events(EventType::io_operation_complete) == 0)
    all.push_back({bytes, name + " is called, but the trace has no record of an operation on a file"});
  if (const std::int64_t n = e.warnings(DiagnosticId::file_bytes_unknown); n > 0)
    all.push_back({bytes, TraceEvidence::count(n, "operation on a file does", "operations on files do") +
                              " not say how many bytes moved"});
}

void of_pattern(const AnalysisResult& result, const PatternHandle& handle, const TraceEvidence& e, Answers& all) {
  const PatternInfo info = handle.pattern->info();
  Undetermined answers(info.metrics.size());
  in_its_name(handle, "undetermined", [&] { handle.pattern->undetermined(e, answers); });
  for (const Undetermined::Answer& a : answers.answers())
    if (const MetricIndex m = result.metrics.find(info.metrics[a.metric.index].id); m != no_metric)
      all.push_back({m, a.sentence});
}

Answers in_order(const MetricTree& metrics, Answers all) {
  std::vector<std::size_t> place(metrics.size());
  std::size_t next = 0;
  for (const MetricIndex m : metrics.depth_first()) place[m] = next++;
  std::stable_sort(all.begin(), all.end(), [&](const UndeterminedMetric& a, const UndeterminedMetric& b) {
    return place[a.metric] < place[b.metric];
  });
  return all;
}

}  // namespace

std::vector<UndeterminedMetric> undetermined(const AnalysisResult& result, const std::vector<PatternHandle>& patterns) {
  Answers all = whatever_was_run(result);
  if (result.events() == 0) return in_order(result.metrics, std::move(all));
  const TraceEvidence evidence(result);
  of_files(result, evidence, all);
  for (const PatternHandle& p : patterns) of_pattern(result, p, evidence, all);
  return in_order(result.metrics, std::move(all));
}

std::vector<UndeterminedMetric> undetermined_of_report(const AnalysisResult& result,
                                                       const std::vector<UndeterminedMetric>& kept) {
  Answers all = whatever_was_run(result);
  for (const UndeterminedMetric& k : kept)
    if (std::find(all.begin(), all.end(), k) == all.end()) all.push_back(k);
  return in_order(result.metrics, std::move(all));
}

}  // namespace waitstate::analysis
