#include "report/text/problems_text.hpp"

#include <fmt/format.h>

#include "report/words/waits/open_calls.hpp"

namespace waitstate::report {

std::string problems_text(const AnalysisResult& result, const RunTotals& run,
                          const std::vector<FunctionAccount>& accounts, const Seconds& seconds, const Diagnoses& advice,
                          std::size_t most, const Style& style) {
  const ToldProblems found =
      told_problems(result, run, accounts, seconds, advice, most, style.width > 10 ? style.width - 8 : 2);
  std::string text = open_calls_text(result, seconds, most, style);
  std::size_t number = 0;
  for (const ToldProblem& p : found.listed) {
    const std::string lead = fmt::format("{}. ", ++number);
    const std::string lines = paragraph(lead, p.sentence + (p.advice.empty() ? "" : ' ' + p.advice), style.width);
    text += lead + style.warning(p.title) + lines.substr(lead.size() + p.title.size());
  }
  if (found.unlisted != 0) text += fmt::format("   and {} more (--top {})\n", found.unlisted, number + found.unlisted);
  return text + (found.note.empty() ? "" : paragraph("", found.note, style.width));
}

}  // namespace waitstate::report
