// Causes in random traces that lack the events of a location: nobody is charged with more than in the whole trace. And
// in whole ones: the critical path lies on no wait that is known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "support/case_file.hpp"
#include "support/random_scripts.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate {
namespace {

using support::RandomTrace;
using support::TraceFile;
using Rows = std::map<std::tuple<std::string, std::string, std::uint32_t>, std::int64_t>;

AnalysisResult causes_of(const std::string& text, const std::vector<std::string>& patterns) {
  const TraceFile file(text);
  AnalysisOptions options;
  options.threads = 1;
  PatternRegistry registry;
  registry.set("critical_path.all_waits", "1");
  options.patterns = registry.chosen(patterns, {});
  options.built_in = false;
  return analyze(file.path(), options);
}

Rows rows(const AnalysisResult& result, bool (*counts)(const std::string&)) {
  Rows all;
  for (const SeverityRow& row : result.table())
    if (const std::string& id = result.metrics[row.metric].id; counts(id))
      all[{id, result.call_tree.path(row.callpath, result.definitions), row.location.value}] = row.value;
  return all;
}

bool is_cause(const std::string& id) {
  return id == "critical_path" || id == "mpi_ideal_wait" || id.starts_with("delay_") ||
         id.starts_with("mpi_wait_direct_") || id.starts_with("mpi_wait_indirect_") ||
         id.starts_with("mpi_wait_propagating_") || id.starts_with("mpi_wait_terminal_");
}

std::string without_location(const std::string& text, std::size_t location) {
  const std::string prefix = std::to_string(location) + " ";
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(prefix)) rest += line + '\n';
  return rest;
}

std::string larger_without_a_location(const std::string& text) {
  const std::vector<std::string> patterns{"critical_path", "delay", "mpi_ideal_wait"};
  const AnalysisResult result = causes_of(text, patterns);
  const Rows whole = rows(result, is_cause);
  std::string wrong;
  for (const LocationGroup& process : result.definitions.processes) {
    if (process.locations.empty()) continue;
    const std::size_t l = process.locations.front().index();  // a lock may have been another thread's without a word
    for (const auto& [key, value] : rows(causes_of(without_location(text, l), patterns), is_cause)) {
      const auto found = whole.find(key);
      const std::int64_t most = found == whole.end() ? 0 : found->second;
      if (value > most + 1)
        wrong += fmt::format("without location {}: {},{},{}: {} instead of {}\n", l, std::get<0>(key), std::get<1>(key),
                             std::get<2>(key), value, most);
    }
  }
  return wrong;
}

TEST(RandomIncompleteCauses, are_not_larger_than_those_of_the_whole_trace) {
  support::check(60, [](const RandomTrace& trace) { return larger_without_a_location(trace.text()); });
}

TEST(RandomIncompleteCauses, of_everything_are_not_larger_than_those_of_the_whole_trace) {
  support::check(60, [](const RandomTrace& trace) { return larger_without_a_location(trace.text()); },
                 {.more = true, .passive = true, .neighbours = true, .teams = true});
}

// A call path of a location has time for the path and for its waits, if the path lies on none of them.
std::string path_on_waits(const std::string& text) {
  const std::set<std::string> accounts{
      "mpi_wait",           "mpi_transfer",      "mpi_local",         "mpi_unknown_partner",
      "mpi_unknown_member", "mpi_unknown_start", "mpi_unknown_probe", "mpi_unknown_record"};
  const AnalysisResult result = causes_of(text, {"all", "critical_path"});
  const Rows all = rows(result, [](const std::string&) { return true; });
  std::map<std::pair<std::string, std::uint32_t>, std::int64_t> time, waits;
  for (const auto& [key, value] : all) {
    const auto& [id, callpath, location] = key;
    std::int64_t& most = waits[{callpath, location}];
    if (accounts.contains(id))
      time[{callpath, location}] += value;
    else if (result.metrics[result.metrics.find(id)].kind == MetricKind::wait)
      most = std::max(most, value);  // several waits of a call may lie at the same time
  }
  std::string wrong;
  for (const auto& [key, value] : all) {
    const auto& [id, callpath, location] = key;
    const std::pair place{callpath, location};
    if (id == "critical_path" && time.contains(place) && value + waits[place] > time[place])
      wrong += fmt::format("{} of location {}: {} on the path, {} of {} are waits\n", callpath, location, value,
                           waits[place], time[place]);
  }
  return wrong;
}

TEST(RandomCausesOfAllWaits, leave_no_wait_on_the_critical_path) {
  support::check(150, [](const RandomTrace& trace) { return path_on_waits(trace.text()); }, {.neighbours = true});
}

}  // namespace
}  // namespace waitstate
