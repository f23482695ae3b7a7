// Reads case files and compares tables as sets of lines; the output of a failing test can be pasted into the file.
#include "support/case_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "waitstate/pattern/registry.hpp"

namespace waitstate::support {
namespace {

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

std::string join(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : " ") + part;
  return result;
}

[[noreturn]] void fail(const std::filesystem::path& path, std::size_t line, const std::string& what) {
  throw std::runtime_error(fmt::format("{}:{}: {}", path.string(), line, what));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool wants(const std::vector<std::string>& metrics, const std::string& id) {
  return metrics.empty() || std::find(metrics.begin(), metrics.end(), id) != metrics.end();
}

// Differences in a table that is complete only for the metrics that it names. No wait lasts 0 ticks: a row of numbers
// that ends in 0, or METRIC,0, says that its metric has none.
template <class FoundRows>
std::string differences_where_named(const Rows& expected, FoundRows&& found) {
  Rows rows;
  std::set<std::string> metrics;
  for (const std::string& row : expected) {
    const std::string metric = row.substr(0, row.find_first_of(" ,"));
    metrics.insert(metric);
    const bool none = row[metric.size()] == ' ' ? row.ends_with(" 0") : row == metric + ",0";
    if (!none) rows.insert(row);
  }
  return metrics.empty() ? "" : differences(rows, found(std::vector<std::string>(metrics.begin(), metrics.end())));
}

}  // namespace

std::vector<std::filesystem::path> case_paths() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WAITSTATE_CASES))
    if (entry.path().extension() == ".case") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

CaseFile read_case(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path.string() + ": cannot be read");
  CaseFile result;
  result.path = path;
  enum class Part {
    trace,
    metrics,
    severities,
    diagnostics,
    waits,
    instances,
    culprit_waits,
    open_calls
  } part = Part::trace;
  std::size_t number = 0;
  bool has_severities = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::vector<std::string> fields = words(line);
    if (number == 1 && !line.starts_with("# ")) fail(path, 1, "a case starts with a comment that says what it shows");
    if (!fields.empty() && fields[0] == "metrics:") {
      if (part != Part::trace || fields.size() < 2)
        fail(path, number, "expected one `metrics: …` between trace and tables");
      part = Part::metrics;
      if (fields[1] != "all") result.metrics.assign(fields.begin() + 1, fields.end());
    } else if (part == Part::metrics && line.starts_with("set: ")) {
      const std::size_t equal = line.find('=');
      if (equal == std::string::npos) fail(path, number, "expected `set: ID.PARAMETER=VALUE`");
      result.parameters.emplace_back(line.substr(5, equal - 5), line.substr(equal + 1));
    } else if (line.starts_with("---")) {
      if (part == Part::trace) fail(path, number, "no `metrics: …` before the tables");
      if (line == "--- severities") {
        part = Part::severities;
        has_severities = true;
      } else if (line == "--- diagnostics") {
        part = Part::diagnostics;
      } else if (line == "--- waits") {
        part = Part::waits;
      } else if (line == "--- instances") {
        part = Part::instances;
      } else if (line == "--- culprit_waits") {
        part = Part::culprit_waits;
      } else if (line == "--- open_calls") {
        part = Part::open_calls;
      } else {
        fail(path, number,
             "expected `--- severities`, `--- diagnostics`, `--- waits`, `--- instances`, `--- culprit_waits` or "
             "`--- open_calls`");
      }
    } else if (part == Part::trace) {
      result.trace += line + "\n";
    } else if (!fields.empty() && fields[0][0] != '#') {
      if (part == Part::metrics) fail(path, number, "expected `--- severities` after the metrics");
      if (part == Part::severities) {
        // Call paths may hold blanks and commas; the metric ends at the first comma.
        const std::string metric = line.substr(0, line.find(','));
        const auto& listed = result.metrics;
        if (!listed.empty() && std::find(listed.begin(), listed.end(), metric) == listed.end())
          fail(path, number, "`metrics:` does not list " + metric);
        result.severities.insert(line);
      } else if (part == Part::culprit_waits || part == Part::open_calls) {  // these have call paths, too
        (part == Part::open_calls ? result.open_calls : result.culprit_waits).insert(line);
      } else {
        const bool counts = part == Part::diagnostics, pairs = part == Part::waits;
        const std::size_t columns = counts ? 2 : pairs ? 5 : 6;
        if (fields.size() != columns) fail(path, number, fmt::format("expected {} columns", columns));
        (counts ? result.diagnostics : pairs ? result.waits : result.instances).insert(join(fields));
      }
    }
  }
  if (!has_severities) fail(path, number, "no `--- severities`");
  return result;
}

AnalysisResult analyze_case(const CaseFile& c, const std::filesystem::path& trace) {
  PatternRegistry patterns;
  for (const auto& [parameter, value] : c.parameters) patterns.set(parameter, value);
  AnalysisOptions options;
  options.built_in = false;
  std::vector<std::string> on_request;
  for (const std::string& id : c.metrics) {
    const MetricIndex m = patterns.metrics().find(id);
    const PatternRegistry::Entry* const owner = m == no_metric ? nullptr : patterns.owner(m);
    if (owner != nullptr && owner->on_request) on_request.push_back(id);
  }
  options.patterns = patterns.chosen(on_request, {});
  return analyze(trace, options);
}

Rows severity_rows(const AnalysisResult& result, const std::vector<std::string>& metrics) {
  std::set<MetricIndex> wanted;
  for (const std::string& id : metrics) wanted.insert(result.metrics.at(id));
  Rows rows;
  for (const SeverityRow& row : result.table())
    if (wanted.empty() || wanted.contains(row.metric))
      rows.insert(fmt::format("{},{},{},{}", result.metrics[row.metric].id,
                              result.call_tree.path(row.callpath, result.definitions), row.location.value, row.value));
  return rows;
}

Rows diagnostic_rows(const AnalysisResult& result) {
  Rows rows;
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    if (const std::uint64_t count = result.diagnostics[id].count) rows.insert(fmt::format("{} {}", name(id), count));
  }
  return rows;
}

Rows wait_rows(const AnalysisResult& result, const std::vector<std::string>& metrics) {
  Rows rows;
  for (const auto& [metric, summary] : result.waits) {
    const std::string& id = result.metrics[metric].id;
    if (!wants(metrics, id)) continue;
    for (const auto& [pair, wait] : summary.pairs)
      rows.insert(fmt::format("{} {} {} {} {}", id, pair.first.value, pair.second.value, wait.count, wait.ticks));
  }
  return rows;
}

Rows instance_rows(const AnalysisResult& result, const std::vector<std::string>& metrics) {
  Rows rows;
  for (const auto& [metric, summary] : result.waits) {
    const std::string& id = result.metrics[metric].id;
    if (!wants(metrics, id)) continue;
    for (const auto& [callpath, instances] : summary.severe)
      for (const SevereInstance& i : instances)
        rows.insert(fmt::format("{} {} {} {} {} {}", id, i.total, i.waiters, i.longest.location.value, i.longest.begin,
                                i.longest.ticks));
  }
  return rows;
}

Rows culprit_wait_rows(const AnalysisResult& result, const std::vector<std::string>& metrics) {
  Rows rows;
  for (const auto& [metric, summary] : result.waits) {
    const std::string& id = result.metrics[metric].id;
    if (!wants(metrics, id)) continue;
    for (const auto& [callpath, instances] : summary.severe)
      for (const SevereInstance& i : instances) {
        const CulpritWait& own = i.culprit_wait;
        if (!own.known || own.ticks == 0) continue;
        rows.insert(fmt::format("{},{},{},{},{},{},{}", id, i.longest.location.value, i.longest.begin, own.ticks,
                                own.culprit.valid() ? fmt::to_string(own.culprit.value) : "-1", own.most,
                                result.call_tree.path(own.callpath, result.definitions)));
      }
  }
  return rows;
}

Rows open_call_rows(const AnalysisResult& result) {
  Rows rows;
  for (const OpenCall& call : result.open_calls)
    rows.insert(fmt::format("{},{},{}", call.location.value,
                            call.callpath.valid() ? result.call_tree.path(call.callpath, result.definitions)
                                                  : result.definitions[call.region].name,
                            call.enter));
  return rows;
}

std::string differences(const Rows& expected, const Rows& found) {
  std::vector<std::string> missing, unexpected;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(unexpected));
  std::string text;
  for (const std::string& row : missing) text += "missing:    " + row + "\n";
  for (const std::string& row : unexpected) text += "unexpected: " + row + "\n";
  return text;
}

std::string differences(const CaseFile& expected, const AnalysisResult& found) {
  return differences(expected.severities, severity_rows(found, expected.metrics)) +
         differences(expected.diagnostics, diagnostic_rows(found)) +
         differences_where_named(expected.waits, [&](const auto& metrics) { return wait_rows(found, metrics); }) +
         differences_where_named(expected.instances,
                                 [&](const auto& metrics) { return instance_rows(found, metrics); }) +
         differences_where_named(expected.culprit_waits,
                                 [&](const auto& metrics) { return culprit_wait_rows(found, metrics); }) +
         differences(expected.open_calls, open_call_rows(found));
}

TraceFile::TraceFile(std::string_view text) {
  static std::atomic<unsigned> count{0};
  path_ = std::filesystem::temp_directory_path() / fmt::format("waitstate_case_{}_{}.trace", getpid(), count++);
  std::ofstream out(path_, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path_.string() + ": cannot be written");
}

TraceFile::~TraceFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

std::string shifted(std::string_view trace, std::uint64_t ticks) {
  std::istringstream in{std::string(trace)};
  std::string result;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = words(line);
    if (fields.size() >= 3 && is_number(fields[0]) && is_number(fields[1])) {
      const std::size_t at = line.find(fields[1], line.find(fields[0]) + fields[0].size());
      line.replace(at, fields[1].size(), std::to_string(std::stoull(fields[1]) + ticks));
    }
    result += line + "\n";
  }
  return result;
}

}  // namespace waitstate::support
