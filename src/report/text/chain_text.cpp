#include "report/text/chain_text.hpp"

#include <fmt/format.h>

#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/waits/chain.hpp"

namespace waitstate::report {

std::string chain_text(const AnalysisResult& result, const NumberedInstance& asked, const Style& style) {
  const WaitChain& chain = *asked.instance->chain;
  const Wait& wait = asked.instance->longest;
  const Seconds seconds(result.definitions.clock, result.duration());
  const auto path = [&](CallPathId id) {
    const std::string source = callpath_source(result, id);
    return callpath_label(result, id) + (source.empty() ? "" : " at " + source);
  };
  const MetricInfo& info = result.metrics[asked.metric];
  std::string text = style.bold(fmt::format("{} {}", info.id, asked.number)) +
                     fmt::format("  at {}", seconds.instant(ticks_since_first(result, wait.begin)));
  if (asked.instance->waiters > 1)
    text +=
        fmt::format(", {} waited {} together: the longest of them",
                    count(asked.instance->waiters, "location", "locations"), seconds.duration(asked.instance->total));
  text += '\n';
  std::size_t number = 0;
  for (const ChainStep& s : chain.steps) {
    const std::string lead = fmt::format("{:>3}. ", ++number);
    std::string line =
        fmt::format("{} waited {} in {} (entered at {})", location_label(result.definitions, s.location),
                    seconds.duration(s.ticks), path(s.callpath), seconds.instant(ticks_since_first(result, s.enter)));
    if (s.culprit.valid())
      line += fmt::format(" for {}: {}", location_label(result.definitions, s.culprit), awaited(s.crossing));
    if (number > 1) line += fmt::format("; {} of the first wait goes through here", share_text(s.share));
    text += paragraph(lead, line, style.width);
  }
  std::string end =
      chain.steps.back().culprit.valid() ? location_label(result.definitions, chain.steps.back().culprit) : "this wait";
  end += end_clause(chain, path);
  if (chain.root.valid())
    end += fmt::format("; it spent {} more there than {}", seconds.duration(chain.root_ticks),
                       location_label(result.definitions, chain.steps.back().location));
  end += further_causes_clause(result, chain, path);
  return text + paragraph("     ", end + '.', style.width);
}

}  // namespace waitstate::report
