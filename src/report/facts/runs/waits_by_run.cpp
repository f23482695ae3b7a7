#include "report/facts/runs/waits_by_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "report/facts/runs/common_paths.hpp"

namespace waitstate::report {
namespace {

/// The waits of one metric in every run; null where a run has none.
using Summaries = std::vector<const WaitSummary*>;

Summaries summaries_of(Runs runs, const std::string& metric) {
  Summaries all;
  for (const AnalysisResult* run : runs) {
    const auto found = run->waits.find(run->metrics.find(metric));
    all.push_back(found == run->waits.end() ? nullptr : &found->second);
  }
  return all;
}

WaitLengths no_lengths(std::size_t runs) { return {ByRun(runs), ByRun(runs), ByRun(runs), ByRun(runs), ByRun(runs)}; }

void set(WaitLengths& lengths, std::size_t i, const AnalysisResult& run, const WaitStatistics& s) {
  lengths.count[i] = static_cast<double>(s.count);
  lengths.sum[i] = run.seconds(s.sum);
  lengths.mean[i] = seconds_in(run, s.mean);
  lengths.median[i] = seconds_in(run, s.median);
  lengths.longest[i] = run.seconds(s.maximum);
}

// Clocks of two runs are hardly ever the same, so their classes differ: each class is added to the one of the first run
// that contains its middle.
std::vector<LengthClassByRun> histogram(Runs runs, const Summaries& summaries) {
  std::map<int, LengthClassByRun> classes;
  const double tick = seconds_in(*runs.front(), 1);
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const DurationClass& c : summaries[i]->histogram) {
      const double middle =
          std::sqrt(std::max(1.0, static_cast<double>(c.from)) * std::max(1.0, static_cast<double>(c.to) - 0.5));
      const int power = std::max(0, static_cast<int>(std::floor(std::log2(seconds_in(*runs[i], middle) / tick))));
      LengthClassByRun& sum = classes[power];
      sum.from = std::ldexp(tick, power), sum.to = std::ldexp(tick, power + 1);
      sum.count.resize(runs.size());
      sum.count[i] += c.count;
    }
  std::vector<LengthClassByRun> all;
  for (auto& [power, c] : classes) all.push_back(std::move(c));
  return all;
}

/// `common`: common numbers by call path, of each run.
std::vector<PathWaitsByRun> by_callpath(Runs runs, const Summaries& summaries,
                                        const std::vector<std::vector<std::uint32_t>>& common) {
  const PathWaitsByRun none{PathByRun(runs.size(), CallPathId::none()), no_lengths(runs.size())};
  std::map<std::uint32_t, PathWaitsByRun> by_number;
  std::map<std::pair<std::string, std::uint32_t>, PathWaitsByRun*> by_name;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const CallPathWaits& c : summaries[i]->by_callpath) {
      const std::uint32_t number = common[i][c.callpath.index()];
      const auto [row, is_new] = by_number.try_emplace(number, none);
      if (is_new) by_name[{runs[i]->call_tree.path(c.callpath, runs[i]->definitions), number}] = &row->second;
      row->second.callpath[i] = c.callpath;
      set(row->second.lengths, i, *runs[i], c.statistics);
    }
  std::vector<PathWaitsByRun> all;
  for (const auto& [name, row] : by_name) all.push_back(std::move(*row));
  std::stable_sort(all.begin(), all.end(), [](const PathWaitsByRun& x, const PathWaitsByRun& y) {
    return x.lengths.sum.spread() > y.lengths.sum.spread();
  });
  return all;
}

}  // namespace

std::vector<WaitsByRun> waits_by_run(Runs runs, const std::vector<std::string>& only) {
  CommonPaths paths;
  std::vector<std::vector<std::uint32_t>> common;
  std::set<std::string> metrics;
  for (const AnalysisResult* run : runs) {
    common.push_back(paths.add(*run));
    for (const auto& [metric, summary] : run->waits)
      if (const std::string& id = run->metrics[metric].id; summary.statistics.count != 0 && is_compared(id, only))
        metrics.insert(id);
  }
  std::vector<WaitsByRun> all;
  for (const std::string& id : metrics) {
    WaitsByRun& w = all.emplace_back(WaitsByRun{.metric = id, .lengths = no_lengths(runs.size())});
    const Summaries summaries = summaries_of(runs, id);
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (summaries[i] != nullptr && summaries[i]->statistics.count != 0)
        set(w.lengths, i, *runs[i], summaries[i]->statistics);
    if (std::find(summaries.begin(), summaries.end(), nullptr) != summaries.end()) continue;
    const bool all_have_classes =
        std::none_of(summaries.begin(), summaries.end(), [](const WaitSummary* s) { return s->histogram.empty(); });
    if (all_have_classes) w.histogram = histogram(runs, summaries);
    w.by_callpath = by_callpath(runs, summaries, common);
  }
  std::stable_sort(all.begin(), all.end(), [](const WaitsByRun& x, const WaitsByRun& y) {
    return x.lengths.sum.spread() > y.lengths.sum.spread();
  });
  return all;
}

}  // namespace waitstate::report
