#include "report/facts/factors.hpp"

#include <fmt/format.h>

#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"

namespace waitstate::report {
namespace {

constexpr std::string_view source_of_efficiency =
    "POP project (Performance Optimisation and Productivity), standard metrics for performance audit";
constexpr std::string_view source_of_ideal =
    "POP project, standard metrics, and its multiplicative model of hybrid programs";

}  // namespace

const std::vector<Factor>& factors() {
  static const std::vector<Factor> all = [] {
    std::vector<Factor> list;
    for (const EfficiencyFactor& f : efficiency_factors)
      list.push_back({f.id, f.summary, f.formula, source_of_efficiency, ""});
    for (const IdealFactor& f : ideal_factors)
      list.push_back({f.id, f.summary, f.formula, source_of_ideal, ideal_wait_pattern()});
    return list;
  }();
  return all;
}

std::string explain_factor(std::string_view id, const Style& style) {
  for (const Factor& f : factors()) {
    if (f.id != id) continue;
    const auto line = [&](std::string_view label, std::string_view what) {
      return paragraph(fmt::format("  {:<12}", label), what, style.width);
    };
    std::string text =
        style.bold(std::string(id)) + "\n\n" + paragraph("", f.summary, style.width) + '\n' +
        line("formula", f.formula) +
        line("over", f.needs.empty() ? "processes, or CPU threads where processes have several; computation is "
                                       "the metric comp, the run time the longest time of one of them"
                                     : "the first threads of processes; the ideal run time is the longest of "
                                       "their times outside of MPI and ideal waits together") +
        line("unit", "a share, 0 to 1; in texts percent") + line("source", f.source);
    if (!f.needs.empty()) text += line("needs", fmt::format("--pattern {}", f.needs));
    return text;
  }
  return "";
}

}  // namespace waitstate::report
