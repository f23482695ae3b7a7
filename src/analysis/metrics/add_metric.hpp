// The metrics of a pattern come into the tree.
#pragma once

#include <string>

#include "waitstate/error.hpp"
#include "waitstate/metrics.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::analysis {

/// Throws UsageError if the id is taken, the parent does not exist, or the two cannot be added up.
inline MetricIndex add_metric(MetricTree& metrics, const MetricSpec& m) {
  if (!m.parent.empty() && !m.within_parent)
    if (const Unit whole = metrics[metrics.at(m.parent)].unit; whole != m.unit)
      throw UsageError("metric '" + m.id + "' has the unit " + std::string(name(m.unit)) + " and is added to '" +
                       m.parent + "', which has the unit " + std::string(name(whole)) +
                       ": choose another parent or none, or set within_parent");
  return metrics.add(m.id, m.parent, m.unit, m.within_parent, m.title, m.summary, m.kind);
}

}  // namespace waitstate::analysis
