// Receives every wait that a report counts, as it is found: for exports that show each one. The waits of one metric
// that it is told are those of the metric's statistics, with the same number and sum.
//
// They come in no order of time, and from several threads at once. A trace that has to be read twice
// (cancelled_sends.hpp) begins anew.
#pragma once

#include <cstdint>
#include <memory>

#include "analysis/metrics/wait_log.hpp"
#include "model/call_path_order.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/wait_summary.hpp"

namespace waitstate::analysis {

class WaitSink {
 public:
  virtual ~WaitSink() = default;
  /// Forgets all waits so far: the trace is read from its begin.
  virtual void begin() = 0;
  /// `operation`: a number that all waits of one operation have in common, and hardly any others; 0 for a wait that is
  /// one of its own. `waiters`: how many locations waited in it, in this metric and call path. `cause` is null if it is
  /// not known.
  virtual void add(MetricIndex metric, const Wait& wait, std::uint64_t operation, std::uint32_t waiters,
                   const WaitCause* cause) = 0;
  /// Says that all waits have been told. `log` knows when each location waited, also in waits that no report counts.
  /// Its call paths and those of the waits have the numbers that they got while the trace was read; the result's number
  /// of a call path is its place in `order`.
  virtual void end(std::unique_ptr<WaitLog> log, const CallPathOrder& order) = 0;
};

}  // namespace waitstate::analysis
