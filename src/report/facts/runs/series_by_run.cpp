#include "report/facts/runs/series_by_run.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace waitstate::report {
namespace {

/// First and last time of the run; they are equal if it has no events.
std::pair<double, double> span_of(const AnalysisResult& r) {
  double first = 0, last = 0;
  bool any = false;
  for (const LocationSummary& l : r.locations) {
    if (l.events == 0) continue;
    first = any ? std::min(first, static_cast<double>(l.first_time)) : static_cast<double>(l.first_time);
    last = any ? std::max(last, static_cast<double>(l.last_time)) : static_cast<double>(l.last_time);
    any = true;
  }
  return {first, last};
}

/// The waiting time by part of the run, in seconds; a bin that lies in several parts is divided among them. Bins are a
/// power of two long, so the first may begin before the run and the last end after it: they count in the first and the
/// last part.
std::vector<double> in_parts(const AnalysisResult& run, const WaitSeries& series, const std::vector<Ticks>& ticks) {
  std::vector<double> sums(parts_of_a_run);
  const auto [first, last] = span_of(run);
  const double width = std::max(1.0, last - first) / static_cast<double>(parts_of_a_run);
  for (std::size_t b = 0; b < ticks.size(); ++b) {
    const double length = static_cast<double>(series.bin_ticks),
                 begin = static_cast<double>(series.start) + static_cast<double>(b) * length;
    const double low = std::max(begin, first), high = std::max(low, std::min(begin + length, last));
    for (std::size_t p = 0; p < sums.size() && ticks[b] != 0; ++p) {
      const double from = first + static_cast<double>(p) * width, to = from + width;
      double share = high > low ? std::max(0.0, std::min(high, to) - std::max(low, from)) / (high - low) : 0;
      if (high <= low && (p + 1 == sums.size() ? low >= from : low >= from && low < to)) share = 1;
      sums[p] += share * run.seconds(ticks[b]);
    }
  }
  return sums;
}

}  // namespace

double SeriesByRun::spread() const {
  double sum = 0;
  for (const ByRun& part : parts) sum += part.spread();
  return sum;
}

std::vector<SeriesByRun> series_by_run(Runs runs, const std::vector<std::string>& only) {
  if (!std::all_of(runs.begin(), runs.end(), [](const AnalysisResult* r) { return r->series.has_value(); })) return {};
  std::map<std::string, SeriesByRun> by_metric;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& [metric, of_metric] : runs[i]->series->metrics) {
      const std::string& id = runs[i]->metrics[metric].id;
      if (!is_compared(id, only)) continue;
      const SeriesByRun none{id, std::vector<ByRun>(parts_of_a_run, ByRun(runs.size(), 0))};
      SeriesByRun& series = by_metric.try_emplace(id, none).first->second;
      const std::vector<double> sums = in_parts(*runs[i], *runs[i]->series, of_metric.ticks);
      for (std::size_t p = 0; p < sums.size(); ++p) series.parts[p][i] = sums[p];
    }
  std::vector<SeriesByRun> all;
  for (auto& [id, series] : by_metric) all.push_back(std::move(series));
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.spread() > y.spread(); });
  return all;
}

}  // namespace waitstate::report
