#include "report/compare/comparable.hpp"

#include <fmt/format.h>

#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/focus.hpp"

namespace waitstate::report {

std::string why_not_comparable(const AnalysisResult& before, const AnalysisResult& after) {
  const std::int64_t a = process_count(before.definitions), b = process_count(after.definitions);
  if (a != b)
    return fmt::format("A has {}, B has {}: sums over all of them are not directly comparable",
                       count(a, "process", "processes"), count(b, "process", "processes"));
  const std::size_t la = before.definitions.locations.size(), lb = after.definitions.locations.size();
  if (la != lb)
    return fmt::format("A has {}, B has {}: sums over all of them are not directly comparable",
                       count(static_cast<std::int64_t>(la), "location", "locations"),
                       count(static_cast<std::int64_t>(lb), "location", "locations"));
  if (const std::string fa = focus_text(before), fb = focus_text(after); fa != fb)
    return fmt::format("A is about {}, B about {}: they are not about the same part of a run",
                       fa.empty() ? "the whole run" : fa, fb.empty() ? "the whole run" : fb);
  return "";
}

}  // namespace waitstate::report
