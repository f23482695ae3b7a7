// The call paths of two runs as text. Their names are the same where both have the call path.
#pragma once

#include <string>

#include "report/compare/two_runs.hpp"
#include "report/facts/runs/details_by_run.hpp"
#include "report/format/csv.hpp"

namespace waitstate::report {

class PathNames {
 public:
  PathNames(const AnalysisResult& a, const AnalysisResult& b) : of_a_(a), of_b_(b) {}
  /// "" if neither run has one.
  std::string operator()(const PathByRun& path) const {
    return path[run_b].valid() ? of_b_.path(path[run_b]) : of_a_.path(path[run_a]);
  }
  std::string of_a(const PathByRun& path) const { return of_a_.path(path[run_a]); }
  std::string of_b(const PathByRun& path) const { return of_b_.path(path[run_b]); }

 private:
  CsvPaths of_a_, of_b_;
};

}  // namespace waitstate::report
