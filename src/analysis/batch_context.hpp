// For patterns in Python (python/bind), which may judge operations later than they are delivered, in batches, and may
// keep a sum of their own: which waits belong together, and what has no place.
#pragma once

#include <cstddef>

#include "waitstate/result/metrics.hpp"

namespace waitstate::analysis {

/// A Context of the engine is one, too.
class BatchContext {
 public:
  virtual ~BatchContext() = default;
  /// What is added from now on is one instance per metric and call path, of an operation of so many members; 0: what
  /// the callback itself is about again. To be set back before the callback ends.
  virtual void one_instance_of(std::size_t members) = 0;
  /// Whether what is added is about the event that is being delivered, and counts if that is in the chosen time: not
  /// in a batch, which the event only filled. Gives back what was so before, to be set back before the callback ends.
  virtual bool about_event(bool is) = 0;
  /// What is added to the metric has no call path and location of its own: it is a share of its parent as a whole.
  virtual void without_place(MetricHandle metric) = 0;
};

}  // namespace waitstate::analysis
