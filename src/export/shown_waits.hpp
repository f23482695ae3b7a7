// All waits of an analysis, in the order of locations and times, for exports that show each one. They are kept in a
// scratch file while the analysis finds them, in whatever order; so memory does not grow with their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/metrics/wait_sink.hpp"
#include "export/spilled_sort.hpp"
#include "model/call_path_order.hpp"
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

  void begin() override { waits_.clear(), log_.reset(), order_.reset(); }
  void add(MetricIndex metric, const Wait& wait, std::uint64_t operation, std::uint32_t waiters,
           const WaitCause* cause) override {
    ShownWait shown{wait, metric, waiters, operation, {}, cause != nullptr};
    if (shown.wait.ticks < 0) shown.wait.ticks = 0;
    if (cause != nullptr) shown.cause = *cause;
    const std::lock_guard lock(mutex_);
    waits_.add(shown);
  }
  void end(std::unique_ptr<analysis::WaitLog> log, const CallPathOrder& order) override {
    log_ = std::move(log);
    order_ = order;
  }
  std::size_t size() const { return waits_.size(); }
  /// Calls visit(const ShownWait&) for all of them, in their order, with the result's numbers of call paths.
  template <class Visit>
  void each(Visit&& visit) {
    Sorted::Reader reader(waits_);
    while (const ShownWait* const w = reader.next()) visit(with_final_numbers(*w));
  }
  /// Like each(), but calls visit(const ShownWait&, const CulpritWait&): how long its culprit itself waited meanwhile.
  /// This is looked up for many waits at a time, as each look-up goes through all of them.
  template <class Visit>
  void each_with_culprit(Visit&& visit) {
    std::vector<ShownWait> some;
    Sorted::Reader reader(waits_);
    for (const ShownWait* w = reader.next(); w != nullptr;) {
      some.clear();
      for (; w != nullptr && some.size() < most_at_once; w = reader.next()) some.push_back(*w);
      const std::vector<CulpritWait> own = culprit_waits(some);
      for (std::size_t i = 0; i < some.size(); ++i) visit(with_final_numbers(some[i]), own[i]);
    }
  }

 private:
  static constexpr std::size_t most_at_once = std::size_t{1} << 17;  // 35 MB

  void renumber(CallPathId& callpath) const {
    if (callpath.valid()) callpath = CallPathId{order_->place(callpath)};
  }
  ShownWait with_final_numbers(ShownWait w) const {
    renumber(w.wait.callpath);
    renumber(w.wait.culprit_callpath);
    return w;
  }
  std::vector<CulpritWait> culprit_waits(const std::vector<ShownWait>& waits) const {
    std::vector<CulpritWait> found(waits.size());
    if (log_ == nullptr) return found;
    std::vector<analysis::WaitLog::Window> windows;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      const ShownWait& w = waits[i];
      if (!w.wait.culprit.valid() || w.wait.ticks == 0) continue;
      windows.push_back({w.wait.culprit, w.wait.begin, w.end()});
      places.push_back(i);
    }
    const std::vector<CulpritWait> answers = log_->waited_in(windows, *order_);
    for (std::size_t i = 0; i < places.size(); ++i) found[places[i]] = answers[i];
    for (CulpritWait& own : found) renumber(own.callpath);
    return found;
  }

  std::mutex mutex_;  ///< protects the waits while they are told
  Sorted waits_;
  std::unique_ptr<analysis::WaitLog> log_;
  std::optional<CallPathOrder> order_;  ///< present when all waits have been told
};

}  // namespace waitstate::exports
