#include "report/words/undetermined.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::report {

std::string undetermined_lines(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                               const Style& style) {
  std::vector<std::pair<std::string, std::string>> by_sentence;
  for (const UndeterminedMetric& u : all) {
    const std::string& id = result.metrics[u.metric].id;
    const auto known = std::find_if(by_sentence.begin(), by_sentence.end(),
                                    [&](const auto& entry) { return entry.second == u.sentence; });
    if (known != by_sentence.end())
      known->first += ", " + id;
    else
      by_sentence.emplace_back(id, u.sentence);
  }
  std::string text;
  for (const auto& [ids, sentence] : by_sentence) text += paragraph("  ", ids + ": " + sentence, style.width);
  return text;
}

std::string undetermined_text(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                              const Style& style, std::string_view heading) {
  const std::string lines = undetermined_lines(result, all, style);
  return lines.empty() ? "" : style.loss(heading) + '\n' + lines;
}

}  // namespace waitstate::report
