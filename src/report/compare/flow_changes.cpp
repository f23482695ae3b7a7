#include "report/compare/flow_changes.hpp"

#include <algorithm>

#include "report/compare/two_runs.hpp"
#include "report/format/names.hpp"

namespace waitstate::report {
namespace {

using TableRow = std::vector<std::string>;

std::string count_text(const std::optional<double>& number) { return number ? grouped(std::llround(*number)) : "-"; }
std::string count_change(const ByRun& number) {
  const auto by = std::llround(number.change(run_b).value_or(0));
  return by == 0 ? "same" : (by > 0 ? "+" : "-") + grouped(std::abs(by));
}

std::string series_rows(const std::vector<SeriesByRun>& series, std::size_t top, const Style& style) {
  std::vector<TableRow> rows = {{"waits over time", "changed most at", "A", "B", "change"}};
  for (const SeriesByRun& c : series) {
    if (rows.size() > top || c.spread() == 0) break;
    const auto most = std::max_element(c.parts.begin(), c.parts.end(),
                                       [](const ByRun& x, const ByRun& y) { return x.spread() < y.spread(); });
    const auto part = static_cast<std::size_t>(most - c.parts.begin());
    rows.push_back(
        {c.metric, fmt::format("{} to {} % of the run", part * 100 / parts_of_a_run, (part + 1) * 100 / parts_of_a_run),
         seconds_text((*most)[run_a]), seconds_text((*most)[run_b]), seconds_change(*most)});
  }
  return rows.size() == 1 ? "" : '\n' + aligned_table(rows, style);
}

std::string communication_rows(const std::optional<CommunicationByRun>& c, std::size_t top, const Style& style) {
  if (!c) return "";
  std::vector<TableRow> rows = {{"communication", "A", "B", "change"}};
  const auto row = [&](std::string name, const ByRun& n) {
    rows.push_back({std::move(name), count_text(n[run_a]), count_text(n[run_b]), count_change(n)});
  };
  for (const CommunicationByRun::Sum& sum : c->sums) {
    std::string name(sum.id);
    std::replace(name.begin(), name.end(), '_', ' ');
    if (sum.value[run_a] != 0 || sum.value[run_b] != 0) row(name, sum.value);
  }
  const char* const what = c->processes_per_block == 1 ? "process" : "block";
  for (std::size_t i = 0; i < std::min(top, c->pairs.size()); ++i) {
    const CommunicationByRun::Pair& p = c->pairs[i];
    const bool bytes = p.bytes.spread() != 0;
    row(fmt::format("  {}, {} {} to {}", bytes ? "bytes" : "messages", what, p.sender, p.receiver),
        bytes ? p.bytes : p.messages);
  }
  std::size_t shown = 0;
  for (const CommunicationByRun::Operations& o : c->collectives) {
    if (shown == top || o.seconds.spread() == 0) break;
    ++shown;
    rows.push_back(
        {printable(std::string(enum_name(o.operation)) + (o.communicator.empty() ? "" : " of " + o.communicator)),
         seconds_text(o.seconds[run_a]), seconds_text(o.seconds[run_b]), seconds_change(o.seconds)});
  }
  return rows.size() == 1 ? "" : '\n' + aligned_table(rows, style);
}

}  // namespace

std::string flow_text(const DetailsByRun& d, std::size_t top, const Style& style) {
  return series_rows(d.series, std::min<std::size_t>(top, 5), style) +
         communication_rows(d.communication, std::min<std::size_t>(top, 5), style);
}

}  // namespace waitstate::report
