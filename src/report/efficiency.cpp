#include "report/efficiency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace waitstate::report {
namespace {

Efficiency cannot_tell(std::string why) {
  Efficiency e;
  e.unknown = std::move(why);
  return e;
}

}  // namespace

Efficiency efficiency(const AnalysisResult& result, const Totals& totals) {
  const MetricIndex comp = result.metrics.find("comp");
  if (totals.time() <= 0) return cannot_tell("no time was recorded");
  if (comp == no_metric) return cannot_tell("computation is not among the metrics");
  if (totals.of(comp) <= 0) return cannot_tell("the trace has no region outside of the communication libraries");
  if (totals.of(comp) == totals.time())
    return cannot_tell(result.open_calls.empty() ? "the trace has no call of a communication library"
                                                 : "no call of a communication library has ended in the trace");

  const std::vector<std::int64_t> time = totals.by_location(totals.time_metric()),
                                  computation = totals.by_location(comp);
  std::int64_t longest = 0, largest = 0;
  double sum = 0;
  std::size_t units = 0;
  std::vector<std::size_t> of_process(result.definitions.processes.size());
  Efficiency e;
  for (std::size_t l = 0; l < time.size(); ++l) {
    const Location& location = result.definitions.locations[l];
    if (location.type != LocationType::cpu_thread || time[l] <= 0) continue;
    ++units;
    sum += static_cast<double>(computation[l]);
    longest = std::max(longest, time[l]);
    largest = std::max(largest, computation[l]);
    if (location.process.valid() && ++of_process[location.process.index()] > 1) e.threads = true;
  }
  if (units < 2) return cannot_tell("there is only one process");
  if (largest <= 0) return cannot_tell("no computation was recorded on a CPU");
  const double mean = sum / static_cast<double>(units);
  e.load_balance = mean / static_cast<double>(largest);
  e.communication = static_cast<double>(largest) / static_cast<double>(longest);
  e.parallel = mean / static_cast<double>(longest);
  return e;
}

std::string efficiency_text(const Efficiency& e) {
  if (!e.unknown.empty()) return "cannot be told: " + e.unknown;
  const char* all = e.threads ? "threads" : "processes";
  return fmt::format(
      "parallel {:.1f} % (mean computation of {} / run time) = load balance {:.1f} % (mean / largest computation) x "
      "communication {:.1f} % (largest computation / run time)",
      100 * e.parallel, all, 100 * e.load_balance, 100 * e.communication);
}

}  // namespace waitstate::report
