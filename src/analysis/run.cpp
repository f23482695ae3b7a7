#include "analysis/run.hpp"

#include <array>

#include "util/in_threads.hpp"

namespace waitstate::analysis {

void Run::join(const std::vector<Run*>& others, std::size_t threads) {
  using Join = void (*)(Run&, Run&);
  static constexpr auto kinds = std::to_array<Join>({
      // the ones that take longest first
      [](Run& to, Run& from) {
        if (to.series != nullptr) to.series->merge(*from.series);
      },
      [](Run& to, Run& from) {
        if (to.communication != nullptr) to.communication->merge(*from.communication);
      },
      [](Run& to, Run& from) {
        if (to.messages != nullptr) to.messages->merge(*from.messages);
      },
      [](Run& to, Run& from) { to.waits.merge_log(from.waits); },
      [](Run& to, Run& from) { to.severities.merge(from.severities); },
      [](Run& to, Run& from) { to.waits.merge_severe(from.waits); },
      [](Run& to, Run& from) {
        if (to.phases != nullptr) to.phases->merge(*from.phases);
      },
      [](Run& to, Run& from) { to.queue_log.merge(from.queue_log); },
  });
  for (Run* const other : others) other->waits.end_adding();
  util::in_threads(threads, kinds.size() + without_place.size(), [&](std::size_t item, std::size_t) {
    for (Run* const other : others)
      if (item < kinds.size())
        kinds[item](*this, *other);
      else
        waits.merge_pairs(other->waits, static_cast<MetricIndex>(item - kinds.size()));
  });
  for (const Run* const other : others)
    for (std::size_t m = 0; m < without_place.size(); ++m)
      without_place[m] = without_place[m] || other->without_place[m];
}

}  // namespace waitstate::analysis
