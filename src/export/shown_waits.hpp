// All waits of an analysis, in the order of locations and times, for exports that show each one. They are kept in a
// scratch file while the analysis finds them, in whatever order; so memory does not grow with their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "analysis/metrics/wait_sink.hpp"
#include "export/spilled_sort.hpp"
#include "waitstate/result/wait_summary.hpp"

namespace waitstate::exports {

struct ShownWait {
  Wait wait{};
  MetricIndex metric = no_metric;
  std::uint32_t waiters = 0;
  std::uint64_t operation = 0;  ///< as in WaitSink
  WaitCause cause{};
  bool cause_known = false;

  Time end() const { return wait.begin + static_cast<Time>(wait.ticks); }
};

/// By location and begin; what encloses another one comes before it, and a metric before its shares.
struct WaitOrder {
  bool operator()(const ShownWait& a, const ShownWait& b) const {
    const auto key = [](const ShownWait& w) {
      return std::tuple(w.wait.location.value, w.wait.begin, ~w.end(), w.metric, w.operation, w.wait.culprit.value,
                        w.wait.enter);
    };
    return key(a) < key(b);
  }
};

class ShownWaits final : public analysis::WaitSink {
 public:
  using Sorted = SpilledSort<ShownWait, WaitOrder>;

  void begin() override { waits_.clear(); }
  void add(MetricIndex metric, const Wait& wait, std::uint64_t operation, std::uint32_t waiters,
           const WaitCause* cause) override {
    ShownWait shown{wait, metric, waiters, operation, {}, cause != nullptr};
    if (shown.wait.ticks < 0) shown.wait.ticks = 0;
    if (cause != nullptr) shown.cause = *cause;
    waits_.add(shown);
  }
  std::size_t size() const { return waits_.size(); }
  /// Calls visit(const ShownWait&) for all of them, in their order.
  template <class Visit>
  void each(Visit&& visit) {
    Sorted::Reader reader(waits_);
    while (const ShownWait* const w = reader.next()) visit(*w);
  }

 private:
  Sorted waits_;
};

}  // namespace waitstate::exports
