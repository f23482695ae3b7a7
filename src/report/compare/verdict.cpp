#include "report/compare/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/format/markup.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

using Outcome = Verdict::Outcome;

std::size_t number_of(const std::vector<Verdict>& verdicts, Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(verdicts.begin(), verdicts.end(), [&](const Verdict& v) { return v.outcome == outcome; }));
}

/// The outcome as the table says it.
const char* word(Outcome outcome) {
  return outcome == Outcome::failed ? "fails" : outcome == Outcome::undecided ? "undecided" : "ok";
}

std::string numbers_text(const std::vector<Verdict>& verdicts) {
  const std::size_t failed = number_of(verdicts, Outcome::failed), open = number_of(verdicts, Outcome::undecided);
  const std::string all = count(static_cast<std::int64_t>(verdicts.size()), "gate", "gates");
  std::string text =
      failed == 0 ? "No gate fails" : fmt::format("{} of {} fail{}", failed, all, failed == 1 ? "s" : "");
  if (open != 0) text += fmt::format("; {}{} cannot be judged", open, failed == 0 ? " of " + all : "");
  return text + ".\n";
}

/// For an attribute or the text of an element: without anything that XML does not allow.
std::string xml_text(std::string_view text) { return xml_escaped(printable(text)); }

}  // namespace

std::string Verdict::reason() const {
  if (undecided()) return why_undecided;
  return failed() ? fmt::format("gate '{}' fails: {}", gate, value) : "";
}

std::string_view name(Outcome outcome) { return outcome_names[static_cast<std::size_t>(outcome)]; }

Outcome worst(const std::vector<Verdict>& verdicts) {
  for (const Outcome outcome : {Outcome::undecided, Outcome::failed})
    if (number_of(verdicts, outcome) != 0) return outcome;
  return Outcome::passed;
}

std::string verdicts_text(const std::vector<Verdict>& verdicts, const Style& style) {
  if (verdicts.empty()) return "";
  std::size_t gates = 4, values = 5;
  for (const Verdict& v : verdicts) {
    gates = std::max(gates, columns(printable(v.gate)));
    values = std::max(values, columns(v.value));
  }
  std::string text = left("gate", gates + 2) + right("value", values) + "  verdict\n";
  for (const Verdict& v : verdicts)
    text += left(printable(v.gate), gates + 2) + right(v.undecided() ? "-" : v.value, values) + "  " + word(v.outcome) +
            '\n';
  text += numbers_text(verdicts);
  const auto without =
      std::find_if(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return !v.without.empty(); });
  if (without != verdicts.end())
    text += paragraph("",
                      fmt::format("Shares are of the time without {}; METRIC@whole is the share of the total time.",
                                  without->without),
                      style.width);
  return text;
}

// All attributes that one of the common schemas (Jenkins, Surefire, Ant) wants and that are not of a test's machine.
void write_verdicts_junit(const std::vector<std::string>& runs, const std::vector<Verdict>& verdicts,
                          std::ostream& out) {
  const std::string numbers =
      fmt::format(R"(tests="{}" failures="{}" errors="{}")", verdicts.size(), number_of(verdicts, Outcome::failed),
                  number_of(verdicts, Outcome::undecided));
  out << fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="waitstate" {0} time="0">
  <testsuite name="{1}" {0} skipped="0" time="0">
)",
                     numbers, xml_text(fmt::format("{}", fmt::join(runs, " to "))));
  for (const Verdict& v : verdicts) {
    out << fmt::format(R"(    <testcase name="{}" classname="waitstate" time="0")", xml_text(v.gate));
    if (v.outcome == Outcome::passed) {
      out << "/>\n";
      continue;
    }
    const char* const element = v.failed() ? "failure" : "error";
    out << fmt::format(">\n      <{0} message=\"{1}\" type=\"{2}\">{1}</{0}>\n    </testcase>\n", element,
                       xml_text(v.reason()), name(v.outcome));
  }
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace waitstate::report
