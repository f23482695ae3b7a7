// Several runs beside the values of metrics (side_by_side.hpp): efficiency, problems, how long single waits
// are, phases, when the waits were, and communication. A report from a file may lack any of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/facts/runs/communication_by_run.hpp"
#include "report/facts/runs/efficiency_by_run.hpp"
#include "report/facts/runs/phases_by_run.hpp"
#include "report/facts/runs/problems_by_run.hpp"
#include "report/facts/runs/series_by_run.hpp"
#include "report/facts/runs/waits_by_run.hpp"

namespace waitstate::report {

struct DetailsByRun {
  std::vector<const AnalysisResult*> runs;
  EfficiencyByRun efficiency;
  std::vector<ProblemByRun> problems;
  std::vector<WaitsByRun> waits;
  PhasesByRun phases;
  std::vector<SeriesByRun> series;
  std::optional<CommunicationByRun> communication;
};

/// `only`: ids of the metrics that are compared; empty: all, and what belongs to no metric: efficiency and
/// communication.
DetailsByRun details_by_run(Runs runs, const std::vector<std::string>& only);

}  // namespace waitstate::report
