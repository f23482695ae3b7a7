#include "report/text/accounting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

constexpr std::array<const char*, FunctionAccount::part_count> part_names{"wait", "transfer", "management", "local",
                                                                          "unknown"};

}  // namespace

std::string accounting_text(const AnalysisResult& result, const std::vector<FunctionAccount>& accounts,
                            std::int64_t whole, std::size_t most, const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, accounts.size()); ++i) {
    const FunctionAccount& a = accounts[i];
    if (static_cast<double>(a.total) < 0.01 * static_cast<double>(whole)) break;
    std::string parts;
    const auto add = [&](std::int64_t ticks, const std::string& name) {
      if (static_cast<double>(ticks) < 0.0005 * static_cast<double>(whole)) return;
      parts += fmt::format("{}{} % {}", parts.empty() ? "" : ", ", percent(ticks, whole), name);
    };
    std::int64_t wait = a.parts[FunctionAccount::wait];
    // Wait states may overlap, and are counted from the start of an operation: they are named as far as they fit.
    for (const auto& [metric, ticks] : a.states) {
      const MetricInfo& info = result.metrics[metric];
      if (ticks > wait) continue;
      add(ticks, info.title.empty() ? info.id : info.title);
      wait = add_ticks(wait, 0 - static_cast<std::uint64_t>(ticks));
    }
    add(wait, a.states.empty() ? part_names[FunctionAccount::wait] : "other waits");
    for (const auto part :
         {FunctionAccount::transfer, FunctionAccount::management, FunctionAccount::local, FunctionAccount::unknown})
      add(a.parts[part], part_names[part]);
    if (parts.empty()) continue;
    text +=
        paragraph("", fmt::format("{} % of the time is spent in {}: {}.", percent(a.total, whole), a.function, parts),
                  style.width);
  }
  return text;
}

}  // namespace waitstate::report
