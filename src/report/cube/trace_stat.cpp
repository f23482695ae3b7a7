#include "report/cube/trace_stat.hpp"

#include <algorithm>
#include <vector>

#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"

namespace waitstate::report {
namespace {

constexpr std::uint64_t enough_for_variance = 2, enough_for_quartiles = 5;

class StatWriter {
 public:
  StatWriter(const AnalysisResult& result, std::ostream& out)
      : result_(result), out_(out), first_(first_event(result)), cnodes_(result.call_tree.size()) {
    std::size_t place = 0;
    for (const CallPathId id : result.call_tree.depth_first()) cnodes_[id.index()] = place++;
  }

  void write() {
    out_.print("{:<25} {:>5}{:>10}{:>10}{:>13}{:>13}{:>9}{:>13}{:>13}{:>13}\n", "PatternName", "Count", "Mean",
               "Median", "Minimum", "Maximum", "Sum", "Variance", "Quartil25", "Quartil75");
    for (const MetricIndex metric : result_.metrics.depth_first()) {
      const auto found = result_.waits.find(metric);
      if (found == result_.waits.end() || found->second.statistics.count == 0) continue;
      statistics(result_.metrics[metric].id, found->second.statistics);
      severe(found->second);
      out_.print("\n");
    }
    out_.flush();
  }

 private:
  double seconds(double ticks) const { return ticks / static_cast<double>(result_.definitions.clock.resolution); }

  void statistics(const std::string& id, const WaitStatistics& s) {
    out_.print("{:<25} {:>10} {:.7f} {:.7f} {:.10f} {:.10f} {:.10f}", id, s.count, seconds(s.mean), seconds(s.median),
               result_.seconds(s.minimum), result_.seconds(s.maximum), result_.seconds(s.sum));
    const double count = static_cast<double>(s.count);
    if (s.count >= enough_for_variance) out_.print(" {:.10f}", seconds(seconds(s.variance * (count - 1) / count)));
    if (s.count >= enough_for_quartiles) out_.print(" {:.10f} {:.10f}", seconds(s.quartile25), seconds(s.quartile75));
    out_.print("\n");
  }

  void severe(const WaitSummary& summary) {
    std::vector<std::pair<std::size_t, const SevereInstance*>> instances;  // call path and its worst
    for (const auto& [callpath, of_path] : summary.severe)
      if (callpath.index() < cnodes_.size() && !of_path.empty())
        instances.emplace_back(cnodes_[callpath.index()], &of_path.front());
    std::sort(instances.begin(), instances.end(), [](const auto& a, const auto& b) {
      return a.second->total != b.second->total ? a.second->total > b.second->total : a.first < b.first;
    });
    for (const auto& [cnode, instance] : instances)
      out_.print("- cnode {} enter: {:.10f} exit: {:.10f} duration: {:.10f} rank: {}\n", cnode,
                 since_first(instance->longest.enter), since_first(instance->longest.exit),
                 result_.seconds(instance->total), rank(instance->longest.location));
  }

  double since_first(Time time) const { return result_.seconds(static_cast<Ticks>(time - first_)); }

  /// The rank of the location's process; without one the number of the location, so that the line still says who it
  /// was.
  std::int64_t rank(LocationId location) const {
    const Definitions& d = result_.definitions;
    if (location.index() >= d.locations.size()) return 0;
    const ProcessId process = d[location].process;
    if (process.index() < d.processes.size() && d[process].rank >= 0) return d[process].rank;
    return location.value;
  }

  const AnalysisResult& result_;
  TextStream out_;
  Time first_;
  std::vector<std::size_t> cnodes_;  // by call path
};

}  // namespace

void write_trace_stat(const AnalysisResult& result, std::ostream& out) { StatWriter(result, out).write(); }

}  // namespace waitstate::report
