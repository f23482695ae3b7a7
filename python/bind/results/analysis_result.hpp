// A result of an analysis in Python: the numbers as NumPy arrays, all else as plain lists and dicts, from which
// waitstate/result.py makes what users see.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/definitions/definitions.hpp"
#include "bind/results/result_fields.hpp"
#include "report/facts/totals.hpp"
#include "report/text/analysis_text.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::python {

using ResultPtr = std::shared_ptr<const AnalysisResult>;

struct ResultObject {
  ResultPtr result;
  report::Diagnoses diagnoses;         ///< for the text
  std::vector<std::string> headlines;  ///< for the text
  std::shared_ptr<Tables> tables;

  ResultObject(ResultPtr r, report::Diagnoses d, std::vector<std::string> h)
      : result(std::move(r)),
        diagnoses(std::move(d)),
        headlines(std::move(h)),
        tables(std::make_shared<Tables>(Source{result, &result->definitions, &result->call_tree})) {}
  ResultObject(const ResultPtr& r, const std::vector<PatternHandle>& patterns)
      : ResultObject(r, report::diagnoses(patterns), report::headlines(*r, patterns)) {}

  /// The result and its definitions, which its objects share.
  Owner owner() const { return {tables, result.get()}; }

  /// Totals with and without MPI_Init and the like, made when they are asked for first. With the GIL held.
  const report::RunTotals& run() const {
    if (!run_) run_ = std::make_shared<const report::RunTotals>(*result);
    return *run_;
  }

 private:
  mutable std::shared_ptr<const report::RunTotals> run_;
};

// result_fields.cpp: the classes of the objects of a result
void bind_result_fields(py::module_& module);

// graph.cpp
py::object make_wait_graph(const ResultObject& result, const std::vector<std::string>& metrics,
                           const std::string& level);

}  // namespace waitstate::python
