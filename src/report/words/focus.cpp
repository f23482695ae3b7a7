#include "report/words/focus.hpp"

#include <fmt/format.h>

#include <vector>

#include "report/format/layout.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {

std::string focus_text(const AnalysisResult& result) {
  const Focus& focus = result.focus;
  std::vector<std::string> parts;
  if (!focus.region.empty()) parts.push_back("inside " + printable(focus.region));
  if (!focus.locations.empty())
    parts.push_back(focus.locations.size() == 1 ? "on " + location_label(result.definitions, focus.locations.front())
                                                : fmt::format("on {} of {} locations", focus.locations.size(),
                                                              result.definitions.locations.size()));
  if (focus.from != 0 || focus.to != ~Time{0}) {
    const Seconds seconds(result.definitions.clock, result.duration());
    const auto at = [&](Time t) {
      const Time first = first_event(result);
      return seconds.instant(t <= first ? 0 : static_cast<Ticks>(t - first));
    };
    parts.push_back(focus.to == ~Time{0} ? "from " + at(focus.from) + " on"
                                         : "from " + at(focus.from) + " to " + at(focus.to));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "only what happens " : ", ") + part;
  return text;
}

}  // namespace waitstate::report
