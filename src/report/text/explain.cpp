#include "report/text/explain.hpp"

#include <fmt/format.h>

#include "report/words/factors.hpp"
#include "report/words/software_counters.hpp"

namespace waitstate::report {

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

std::string explain_software_counter(std::string_view wanted, const Style& style) {
  const SoftwareCounter* const c = software_counter(wanted);
  if (c == nullptr) return "";
  const auto line = [&](const std::string& label, const std::string& what) {
    return paragraph(fmt::format("  {:<12}", label), what, style.width);
  };
  return style.bold(std::string(c->name)) + '\n' + line("counts", std::string(words_of(*c).counts)) +
         line("in a trace", in_a_trace(*c)) +
         line("source", c->of_paper
                            ? "Eberius, Patinyasakdikul and Bosilca, EuroMPI/USA 2017, Table 1 (SPC of Open MPI)"
                            : "later versions of Open MPI than the paper of Eberius et al., EuroMPI/USA 2017");
}

}  // namespace waitstate::report
