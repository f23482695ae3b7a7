#include "report/words/efficiency.hpp"

#include <fmt/format.h>

#include "report/facts/completeness.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/completeness.hpp"

namespace waitstate::report {

std::string why_unknown(const AnalysisResult& result, EfficiencyUnknown reason) {
  const Completeness completeness(result);
  switch (reason) {
    case EfficiencyUnknown::known:
      return "";
    case EfficiencyUnknown::times_mean_nothing:
      return completeness.why(result.metrics.find("time"));
    case EfficiencyUnknown::no_time:
      return "no time was recorded";
    case EfficiencyUnknown::no_metric_of_computation:
      return "computation is not among the metrics";
    case EfficiencyUnknown::no_other_region:
      return "the trace has no region outside of the communication libraries";
    case EfficiencyUnknown::no_library_call:
      return "the trace contains no calls of a communication library";
    case EfficiencyUnknown::no_library_call_ended:
      return "no call of a communication library has ended in the trace";
    case EfficiencyUnknown::unnamed_locations_missing:
      return "events of " + count(static_cast<std::int64_t>(completeness.missing_count()), "location", "locations") +
             " are missing";
    case EfficiencyUnknown::locations_missing:
      return "the events of " + missing_text(completeness) + " are missing";
    case EfficiencyUnknown::one_location_chosen:
      return "only one location was chosen";
    case EfficiencyUnknown::one_process:
      return "there is only one process";
    case EfficiencyUnknown::no_computation:
      return "no computation was recorded on a CPU";
  }
  return "";
}

std::string why_unknown(const AnalysisResult& result, const IdealMachine& m) {
  switch (m.unknown) {
    case IdealUnknown::known:
      return "";
    case IdealUnknown::part_of_the_run:
      return "it is known only for the whole run";
    case IdealUnknown::efficiency:
      return why_unknown(result, m.efficiency_unknown);
    case IdealUnknown::no_mpi:
      return "the trace contains no MPI calls";
    case IdealUnknown::one_process:
      return "there is only one process that computes";
    case IdealUnknown::longer_than_the_run:
      return Completeness(result).clock_error() > 0
                 ? "it would take longer than the run itself, which cannot be: the clocks of this trace disagree"
                 : "it would take longer than the run itself, which cannot be";
  }
  return "";
}

std::string efficiency_text(const AnalysisResult& result, const Efficiency& e) {
  if (!e.known()) return "unknown: " + why_unknown(result, e.unknown);
  const char* all = e.threads ? "threads" : "processes";
  std::string text = fmt::format(
      "parallel {:.1f} % (mean computation of {} / run time) = load balance {:.1f} % (mean / largest computation) x "
      "communication {:.1f} % (largest computation / run time)",
      100 * e.parallel, all, 100 * e.load_balance, 100 * e.communication);
  if (e.left_out != 0)
    text += fmt::format(", for the {} {} whose events are complete", grouped(static_cast<std::int64_t>(e.units)), all);
  if (!result.open_calls.empty())
    text +=
        deadlocks(result).empty() ? "; of the time that the events cover" : "; of the time before the run stood still";
  return text;
}

std::string ideal_machine_text(const AnalysisResult& result, const IdealMachine& m) {
  if (!m.known()) return "unknown: " + why_unknown(result, m);
  std::string text = fmt::format(
      "serialisation {:.1f} % (largest time outside of MPI / ideal run time) x transfer {:.1f} % (ideal run time / run "
      "time) = MPI communication {:.1f} %",
      100 * m.serialisation, 100 * m.transfer, 100 * m.mpi_communication);
  if (m.threads)
    text += fmt::format("; parallel = MPI {:.1f} % (load balance {:.1f} % x communication) x OpenMP {:.1f} %",
                        100 * m.mpi_parallel, 100 * m.mpi_load_balance, 100 * m.openmp);
  if (!m.bound.empty()) text += "; serialisation is an upper bound, because " + m.bound;
  return text;
}

std::string what_if_text(const AnalysisResult& result, const IdealMachine& m) {
  const Seconds seconds(result.definitions.clock, m.run_time);
  std::string text = fmt::format("if messages took no time, the run would take {} instead of {}",
                                 seconds.duration(m.ideal_run_time), seconds.duration(m.run_time));
  if (m.unbalanced.valid())
    text += fmt::format("; with {} balanced and communication as efficient as it is, {}",
                        callpath_label(result, m.unbalanced), seconds.duration(m.balanced_run_time));
  return text;
}

}  // namespace waitstate::report
