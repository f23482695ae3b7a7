#include "report/json/document.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "report/format/names.hpp"
#include "report/json/json_text.hpp"
#include "report/words/waits/open_calls.hpp"

#ifndef WAITSTATE_VERSION  // the version of the project, from CMakeLists.txt
#define WAITSTATE_VERSION "unknown"
#endif

namespace waitstate::report {

std::string_view ReportDocument::waitstate_version() { return WAITSTATE_VERSION; }

namespace {

/// make() in another thread, or in the one that asks for the value.
template <class Make>
auto made_ahead(std::size_t threads, Make make) {
  if (threads > 1) {
    try {
      return std::async(std::launch::async, make);
    } catch (const std::system_error&) {  // the system gives no more threads
    }
  }
  return std::async(std::launch::deferred, make);
}

}  // namespace

ReportDocument::ReportDocument(const AnalysisResult& result, bool exact, const JsonParts& parts, std::size_t threads)
    : result_(result),
      run_(result),
      completeness_(result),
      exact_(exact),
      parts_(parts),
      callpaths_(result.call_tree.depth_first()) {
  if (exact) std::sort(callpaths_.begin(), callpaths_.end());
  callpath_places_.resize(callpaths_.size());
  for (std::size_t i = 0; i < callpaths_.size(); ++i)
    callpath_places_[callpaths_[i].index()] = static_cast<std::uint32_t>(i);
  collect_programs();
  waiting_culprits_ = made_ahead(threads, [this] { return sorted_waiting_culprits(); });
  wait_groups_ = made_ahead(threads, [this] { return report::wait_groups(result_); });
  software_counters_ = made_ahead(threads, [this] { return report::software_counters(result_); });
}

void ReportDocument::collect_programs() {
  const std::vector<std::string>& strings = definitions().strings;
  program_places_.resize(strings.size());
  std::vector<bool> known(strings.size());
  for (const CallPathId id : callpaths_) {
    const StringId program = result_.call_tree[id].program;
    if (!program.valid() || known[program.index()]) continue;
    known[program.index()] = true;
    program_places_[program.index()] = static_cast<std::uint32_t>(programs_.size());
    programs_.push_back(definitions()[program]);
  }
}

Efficiencies ReportDocument::efficiencies() const {
  return {EfficiencyEntry(result_, run_.of(Scope::whole)), EfficiencyEntry(result_, run_.of(Scope::without_init_exit))};
}

std::vector<Factor> ReportDocument::factors() const {
  const bool ideal = ideal_machine(result_, run_.whole()).was_asked;
  std::vector<Factor> shown;
  for (const Factor& f : report::factors())
    if (ideal || f.needs.empty()) shown.push_back(f);
  return shown;
}

std::vector<NamedValue> ReportDocument::texts_of(const std::vector<Property>& properties) const {
  std::vector<NamedValue> texts;
  for (const Property& p : properties)
    if (p.value.type == ValueType::string && p.value.bits < definitions().strings.size())
      texts.emplace_back(p.name, definitions().strings[p.value.bits]);
  return texts;
}

std::vector<std::string> ReportDocument::never_ended() const {
  if (result_.open_calls.empty()) return {};
  const Seconds seconds(result_.definitions.clock, std::max<Ticks>(run_.whole().time(), result_.duration()));
  return open_calls_sentences(result_, seconds, most_problems, std::numeric_limits<std::uint32_t>::max());
}

std::vector<ProcessEntry> ReportDocument::processes() const {
  std::vector<ProcessEntry> entries;
  for (const LocationGroup& process : definitions().processes)
    entries.push_back({process, texts_of(process.properties)});
  return entries;
}

std::vector<LocationEntry> ReportDocument::locations() const {
  std::vector<LocationEntry> entries;
  for (std::size_t i = 0; i < definitions().locations.size(); ++i)
    entries.push_back(
        {definitions().locations[i], i < result_.locations.size() ? result_.locations[i] : LocationSummary{}});
  return entries;
}

std::vector<Comm> ReportDocument::communicators() const {
  std::vector<bool> placed(definitions().comms.size());
  for (const CartTopology& topology : definitions().cart_topologies)
    if (topology.comm.index() < placed.size()) placed[topology.comm.index()] = true;
  std::vector<Comm> comms(placed.size());
  for (std::size_t i = 0; i < comms.size(); ++i) {
    const Comm& comm = definitions().comms[i];
    comms[i].name = comm.name;
    comms[i].self = comm.self;
    if (placed[i]) comms[i].members = comm.members;
  }
  return comms;
}

std::vector<CallPath> ReportDocument::call_tree() const {
  std::vector<CallPath> paths;
  for (const CallPathId id : callpaths_) paths.push_back(result_.call_tree[id]);
  return paths;
}

std::vector<MetricEntry<const MetricInfo>> ReportDocument::metrics() const {
  std::vector<MetricEntry<const MetricInfo>> entries;
  for (MetricIndex i = 0; i < result_.metrics.size(); ++i)
    entries.push_back({result_.metrics[i], run_.whole().of(i), run_.counted().of(i),
                       completeness_.share(i, run_.whole()), completeness_.share(i, run_.counted()),
                       completeness_.told(i, run_.whole().of(i))});
  return entries;
}

std::optional<WaitSeries> ReportDocument::series() const {
  std::optional<WaitSeries> series = result_.series;
  if (!series || parts_.series_by_location) return series;
  series->groups.clear();
  for (auto& [metric, of_metric] : series->metrics) of_metric.groups.clear();
  return series;
}

std::span<const WaitContext> ReportDocument::contexts() const {
  return std::span(result_.contexts).first(std::min(result_.contexts.size(), parts_.contexts));
}

std::vector<DiagnosticReport> ReportDocument::diagnostics() const {
  std::vector<DiagnosticReport> all;
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    const DiagnosticEntry& entry = result_.diagnostics[id];
    all.push_back({id, severity(id), sentence(id, entry.count), entry.count, entry.largest, entry.places});
    if (exact_) continue;
    // Places are kept in the order of their texts too, which the replacement of invalid bytes may change.
    std::vector<DiagnosticPlace>& places = all.back().places;
    for (DiagnosticPlace& place : places)
      place.text = nlohmann::json::parse(json_string(place.text)).get<std::string>();
    std::sort(places.begin(), places.end());
  }
  return all;
}

std::vector<WaitingCulprit> ReportDocument::sorted_waiting_culprits() const {
  std::vector<WaitingCulprit> all = report::waiting_culprits(result_);
  std::stable_sort(all.begin(), all.end(), [&](const WaitingCulprit& a, const WaitingCulprit& b) {
    return place_of(a.callpath) < place_of(b.callpath);
  });
  return all;
}

std::vector<DiagnosticPair> ReportDocument::diagnostic_pairs() const {
  std::vector<DiagnosticPair> all;
  for (int i = 0; i < diagnostic_count; ++i)
    for (const auto& [who, pair] : result_.diagnostics.between(static_cast<DiagnosticId>(i)))
      all.push_back({static_cast<DiagnosticId>(i), who.first, who.second, pair});
  return all;
}

}  // namespace waitstate::report
