// Details of two runs, beside the values of metrics.
#pragma once

#include <string>
#include <vector>

#include "report/facts/runs/details_by_run.hpp"

namespace waitstate::test {

/// The two results must outlive what is returned.
inline report::DetailsByRun details_of(const AnalysisResult& a, const AnalysisResult& b,
                                       const std::vector<std::string>& only = {}) {
  const AnalysisResult* const runs[] = {&a, &b};
  return report::details_by_run(runs, only);
}

}  // namespace waitstate::test
