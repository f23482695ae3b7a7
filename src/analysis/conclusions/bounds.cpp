#include "analysis/conclusions/bounds.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "waitstate/pattern/undetermined.hpp"

namespace waitstate::analysis {
namespace {

using Answers = std::vector<UndeterminedMetric>;
using ByLocation = std::vector<Ticks>;

void add(Ticks& sum, Ticks value) {
  if (__builtin_add_overflow(sum, value, &sum)) sum = std::numeric_limits<Ticks>::max();
}

bool is_idleness(const AnalysisResult& result, MetricIndex m) { return result.metrics[m].kind == MetricKind::idleness; }

/// The metrics whose values `time` is the sum of.
std::vector<MetricIndex> parts_of_time(const MetricTree& metrics) {
  const MetricIndex time = metrics.find("time");
  if (time == no_metric) return {};
  std::vector<MetricIndex> parts{time};
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const MetricIndex child : metrics.children(parts[i]))
      if (!metrics[child].within_parent) parts.push_back(child);
  return parts;
}

/// The time of each location, either idle or not.
ByLocation times(const AnalysisResult& result, const std::vector<MetricIndex>& parts, bool idle) {
  ByLocation all(result.definitions.locations.size());
  for (const MetricIndex m : parts) {
    if (is_idleness(result, m) != idle || m >= result.severities.metric_count()) continue;
    result.severities.for_each(m, [&](CallPathId, LocationId l, std::int64_t value) {
      if (l.index() < all.size()) add(all[l.index()], value);
    });
  }
  return all;
}

/// The part of idle time that overlaps a thread's own time however both lie in the run.
Ticks overlap_of(Ticks own, Ticks idle, Ticks run) {
  if (idle == 0) return 0;
  add(own, idle);
  return std::max(own - run, Ticks{0});
}

/// Takes idle time of some locations away, from the largest rows first.
class IdleTime {
 public:
  explicit IdleTime(AnalysisResult& result) : result_(result), rows_(result.definitions.locations.size()) {
    for (MetricIndex m = 0; m < result.metrics.size(); ++m)
      if (is_idleness(result, m) && !result.metrics[m].from_plugin && m < result.severities.metric_count())
        result.severities.for_each(m, [&](CallPathId path, LocationId l, std::int64_t value) {
          rows_[l.index()].push_back({m, path, l, value});
        });
  }

  void take(LocationId l, Ticks time) {
    std::vector<SeverityRow>& rows = rows_[l.index()];
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    for (SeverityRow& row : rows) {
      if (result_.metrics[row.metric].within_parent) continue;
      const Ticks taken = std::min(time, row.value);
      take(row, taken);
      time -= taken;
    }
    // A parent has a smaller index.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.metric < b.metric; });
    for (SeverityRow& row : rows)
      if (const MetricInfo& info = result_.metrics[row.metric]; info.within_parent && is_idleness(result_, info.parent))
        take(row, std::max(row.value - result_.severities.value(info.parent, row.callpath, l), Ticks{0}));
  }
  void take_all(LocationId l) {
    for (SeverityRow& row : rows_[l.index()]) take(row, row.value);
  }

 private:
  void take(SeverityRow& row, Ticks time) {
    if (time == 0) return;
    result_.severities.add(row.metric, row.callpath, row.location, -time);
    row.value -= time;
  }

  AnalysisResult& result_;
  std::vector<std::vector<SeverityRow>> rows_;  ///< by location
};

/// The time in call paths on locations, with what is called there.
class TimeOfCalls {
 public:
  TimeOfCalls(const AnalysisResult& result, const std::vector<MetricIndex>& parts)
      : result_(result), parts_of_path_(result.call_tree.size()) {
    for (const MetricIndex m : parts)
      result.severities.for_each(m, [&](CallPathId path, LocationId, std::int64_t) {
        std::vector<MetricIndex>& of = parts_of_path_[path.index()];
        if (of.empty() || of.back() != m) of.push_back(m);
      });
  }

  bool has(CallPathId path, LocationId l, Ticks wait) {
    return wait <= exclusive(path, l) || wait <= inclusive(l)[path.index()];
  }

 private:
  Ticks exclusive(CallPathId path, LocationId l) const {
    Ticks sum = 0;
    for (const MetricIndex m : parts_of_path_[path.index()]) add(sum, result_.severities.value(m, path, l));
    return sum;
  }
  const ByLocation& inclusive(LocationId l) {
    const auto [found, is_new] = inclusive_.try_emplace(l);
    ByLocation& of_path = found->second;
    if (!is_new) return of_path;
    of_path.resize(parts_of_path_.size());
    for (std::size_t p = of_path.size(); p-- > 0;) {  // a parent has a smaller id
      add(of_path[p], exclusive(CallPathId{p}, l));
      if (const CallPathId parent = result_.call_tree[CallPathId{p}].parent; parent.valid())
        add(of_path[parent.index()], of_path[p]);
    }
    return of_path;
  }

  const AnalysisResult& result_;
  std::vector<std::vector<MetricIndex>> parts_of_path_;  ///< the parts of time that a call path has
  std::map<LocationId, ByLocation> inclusive_;           ///< time of the locations that were asked for
};

/// Waits of our own patterns: what a plug-in charges where is its own affair.
bool lies_in_a_call(const AnalysisResult& result, MetricIndex m) {
  const MetricInfo& info = result.metrics[m];
  return is_waiting(info.kind) && info.kind != MetricKind::idleness && info.unit == Unit::seconds && info.sums() &&
         !info.from_plugin && m < result.severities.metric_count();
}

// A part of the run may hold more of a wait than of the time of its call.
void check_waits(const AnalysisResult& result, const std::vector<MetricIndex>& parts, Answers& answers) {
  if (result.call_tree.size() == 0 || !result.focus.all()) return;
  TimeOfCalls time(result, parts);
  for (MetricIndex m = 0; m < result.metrics.size(); ++m) {
    if (!lies_in_a_call(result, m)) continue;
    std::int64_t places = 0, all = 0;
    result.severities.for_each(m, [&](CallPathId path, LocationId l, std::int64_t value) {
      ++all;
      places += !time.has(path, l, value);
    });
    if (places != 0)
      answers.push_back({m, "it is longer than the calls that it lies in, in " +
                                TraceEvidence::of(places, all, "place") +
                                " (call path and location): records contradict each other"});
  }
}

}  // namespace

// A worker that leaves a region some microseconds after its master is idle and works at once. That is no reason to know
// nothing of its idle time.
void take_back_idle_time(AnalysisResult& result) {
  const std::vector<MetricIndex> parts = parts_of_time(result.metrics);
  const ByLocation own = times(result, parts, false), idle = times(result, parts, true);
  const Ticks run = result.duration();
  std::optional<IdleTime> rows;
  for (std::size_t l = 0; l < own.size(); ++l) {
    const Ticks overlap = overlap_of(own[l], idle[l], run);
    if (overlap == 0) continue;
    if (!rows) rows.emplace(result);
    if (overlap <= idle[l] / 100) {
      rows->take(LocationId{l}, overlap);
    } else {
      rows->take_all(LocationId{l});
      result.diagnostics.add(DiagnosticId::idle_too_long, {LocationId{l}, ~Time{0}, {}});
    }
  }
}

std::vector<UndeterminedMetric> out_of_bounds(const AnalysisResult& result) {
  Answers answers;
  const std::vector<MetricIndex> parts = parts_of_time(result.metrics);
  const auto locations = static_cast<std::int64_t>(result.definitions.locations.size());
  if (const auto n = static_cast<std::int64_t>(result.diagnostics[DiagnosticId::idle_too_long].count); n > 0)
    for (const MetricIndex m : parts)
      if (is_idleness(result, m) && !is_idleness(result, result.metrics[m].parent))
        answers.push_back({m, "the records of teams contradict each other: they leave " +
                                  TraceEvidence::of(n, locations, "location") +
                                  " idle for longer than the run without its own time"});
  const Ticks run = result.duration();
  if (parts.empty() || run <= 0) return answers;
  const ByLocation own = times(result, parts, false);
  std::int64_t longer = 0;
  for (const Ticks time : own) longer += time > run;
  if (longer != 0)
    answers.push_back({parts.front(), "the time of " + TraceEvidence::of(longer, locations, "location") +
                                          " is longer than the run: records contradict each other"});
  check_waits(result, parts, answers);
  return answers;
}

}  // namespace waitstate::analysis
