#include "export/folded.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "export/time_scale.hpp"
#include "report/facts/totals.hpp"
#include "report/format/text_stream.hpp"
#include "util/text.hpp"

namespace waitstate::exports {

void write_folded(const AnalysisResult& result, MetricIndex metric, std::ostream& out) {
  const std::vector<std::int64_t> values = report::Totals(result).by_callpath(metric);
  const TimeScale time(result.definitions.clock, 0);
  const bool is_time = result.metrics[metric].unit == Unit::seconds;
  report::TextStream text(out);
  std::vector<std::string> names;
  for (const CallPathId id : result.call_tree.depth_first()) {
    const std::int64_t value = values[id.index()];
    if (value <= 0) continue;
    names.clear();
    for (CallPathId at = id; at.valid(); at = result.call_tree[at].parent) {
      names.push_back(util::printable(result.call_tree.name(at, result.definitions)));
      std::replace(names.back().begin(), names.back().end(), ';', ':');
    }
    for (auto name = names.rbegin(); name != names.rend(); ++name)
      text.print("{}{}", name == names.rbegin() ? "" : ";", *name);
    text.print(" {}\n", is_time ? time.nanoseconds(static_cast<Time>(value)) : static_cast<std::uint64_t>(value));
  }
  text.flush();
}

}  // namespace waitstate::exports
