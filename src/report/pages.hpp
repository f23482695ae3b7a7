// The pages of a report and of a comparison: what other forms write, in the envelope of html.
#pragma once

#include <iosfwd>
#include <vector>

#include "report/compare/diff.hpp"
#include "report/html/html_writer.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A failed write is the stream's to report.
void write_html(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options);
void write_diff_html(const Difference& d, const std::vector<Verdict>& verdicts, std::ostream& out,
                     const HtmlOptions& options);

}  // namespace waitstate::report
