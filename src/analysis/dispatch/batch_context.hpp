// An interface for patterns in Python (python/bind), which may judge operations in batches, later than they are
// delivered, and may keep sums of their own. It says which waits belong together, and which values have no place.
#pragma once

#include <cstddef>

#include "waitstate/result/metrics.hpp"

namespace waitstate::analysis {

/// Every Context of the engine implements it.
class BatchContext {
 public:
  virtual ~BatchContext() = default;
  /// From now on, values that are added are one instance per metric and call path, of an operation with this many
  /// members; 0 returns to the operation that the callback is about. Must be reset before the callback ends.
  virtual void one_instance_of(std::size_t members) = 0;
  /// Whether values that are added are about the event that is being delivered, and count if that event is in the
  /// chosen time. In a batch they are not, because the event only filled the batch. Returns the previous setting, which
  /// must be restored before the callback ends.
  virtual bool about_event(bool is) = 0;
  /// Says that values of the metric have no call path and location of their own: the metric is a share of its parent as
  /// a whole.
  virtual void without_place(MetricHandle metric) = 0;
};

}  // namespace waitstate::analysis
