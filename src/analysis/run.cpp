#include "analysis/run.hpp"

namespace waitstate::analysis {

void Run::join(Run& other) {
  severities.merge(other.severities);
  waits.merge(other.waits);
  for (std::size_t m = 0; m < without_place.size(); ++m) without_place[m] = without_place[m] || other.without_place[m];
  if (communication != nullptr) communication->merge(*other.communication);
  if (messages != nullptr) messages->merge(*other.messages);
  if (series != nullptr) series->merge(*other.series);
  if (phases != nullptr) phases->merge(*other.phases);
  queue_log.merge(other.queue_log);
}

}  // namespace waitstate::analysis
