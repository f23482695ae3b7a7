// Details of two runs, beside the values of metrics.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "report/compare/diff.hpp"
#include "report/facts/runs/details_by_run.hpp"

namespace waitstate::test {

/// The two results must outlive what is returned.
inline report::DetailsByRun details_of(const AnalysisResult& a, const AnalysisResult& b,
                                       const std::vector<std::string>& only = {}) {
  const AnalysisResult* const runs[] = {&a, &b};
  return report::details_by_run(runs, only);
}

/// The JSON of the comparison of two results, with these details.
inline nlohmann::json json_of(const AnalysisResult& a, const AnalysisResult& b,
                              const std::vector<std::string>& only = {}) {
  report::Difference d = report::difference(a, b, {});
  d.details = details_of(a, b, only);
  std::ostringstream out;
  report::diff_json(d, {}, out);
  return nlohmann::json::parse(out.str());
}

}  // namespace waitstate::test
