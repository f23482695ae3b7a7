// A result of an analysis in Python: the numbers as NumPy arrays, all else as plain lists and dicts, from which
// waitstate/result.py makes what users see.
#pragma once

#include <memory>

#include "bind/bind.hpp"
#include "bind/definitions/definitions.hpp"
#include "report/text/analysis_text.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::python {

using ResultPtr = std::shared_ptr<const AnalysisResult>;

struct ResultObject {
  ResultPtr result;
  report::Diagnoses diagnoses;         ///< for the text
  std::vector<std::string> headlines;  ///< for the text
  std::shared_ptr<Tables> tables;

  ResultObject(ResultPtr r, const std::vector<PatternHandle>& patterns)
      : result(std::move(r)),
        diagnoses(report::diagnoses(patterns)),
        headlines(report::headlines(*result, patterns)),
        tables(std::make_shared<Tables>(Source{result, &result->definitions, &result->call_tree})) {}
};

// graph.cpp
py::object make_wait_graph(const ResultPtr& result, const std::vector<std::string>& metrics, const std::string& level);

}  // namespace waitstate::python
