#include "report/text/tables/software_counters_text.hpp"

#include <algorithm>
#include <vector>

#include "report/facts/software_counters.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

std::string bound_text(CounterBound bound) { return bound == CounterBound::exact ? "" : std::string(name(bound)); }

}  // namespace

std::string software_counters_text(const AnalysisResult& result, const Style& style) {
  const std::vector<SoftwareCounter> counters = software_counters(result);
  if (counters.empty()) return "";
  std::vector<std::vector<std::string>> lines{{"software counter", "all processes", "most of one", "whose", ""}};
  std::string missing, asked, left_out;
  for (const SoftwareCounter& c : counters) {
    if (c.values.empty()) {
      std::string& list = c.bound == CounterBound::unknown ? missing : c.is_of_pattern() ? asked : left_out;
      list += (list.empty() ? "" : ", ") + std::string(c.name);
      continue;
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t v : c.values) sum += v;
    if (sum == 0) continue;
    const auto most = std::max_element(c.values.begin(), c.values.end());
    lines.push_back({std::string(c.name), c.adds_up() ? grouped(static_cast<std::int64_t>(sum)) : "-",
                     grouped(static_cast<std::int64_t>(*most)),
                     process_label(result.definitions, ProcessId{static_cast<std::size_t>(most - c.values.begin())}),
                     bound_text(c.bound)});
  }
  std::string text = aligned_table(lines, style);
  if (lines.size() == 1) text.clear();
  if (!asked.empty()) text += paragraph("", "Only with --pattern mpi_posted_count: " + asked + '.', style.width);
  if (!left_out.empty()) text += paragraph("", "Not analysed: " + left_out + '.', style.width);
  return text + paragraph("", "Not in a trace (`waitstate explain NAME` says why): " + missing + '.', style.width);
}

}  // namespace waitstate::report
