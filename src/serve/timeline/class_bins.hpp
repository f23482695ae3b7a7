// How long a location was in regions of each class, in bins of time of equal width: the sink that reads its events, for
// the whole run and for a part of it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pass/event_index.hpp"
#include "pass/region_walk.hpp"
#include "serve/timeline/counters.hpp"
#include "serve/timeline/time_bins.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::serve {

/// Classes of regions that a timeline tells apart.
inline constexpr std::array<std::string_view, 8> timeline_classes = {
    "computation", "device", "threads", "one-sided", "collective", "point to point", "file", "other"};
inline constexpr std::size_t class_count = timeline_classes.size();

std::uint8_t timeline_class(RegionClass c);
/// By number of a region.
std::vector<std::uint8_t> timeline_classes_of(const Definitions& definitions);

/// Ticks by class.
using ClassTicks = std::array<std::uint64_t, class_count>;
inline void join_ticks(ClassTicks& sum, const ClassTicks& more) {
  for (std::size_t c = 0; c < class_count; ++c) sum[c] += more[c];
}

class ClassBins : public TimeBins<ClassTicks, join_ticks> {
 public:
  using Bin = ClassTicks;
  using TimeBins::TimeBins;

  void add(Time from, Time to, std::uint8_t kind) {
    each(from, to, [kind](Bin& bin, Time ticks) { bin[kind] += ticks; });
  }
};

/// Adds up the time of one location; of its METRIC events too, if `counters` is not null.
class ClassSink : public pass::RegionWalk<ClassSink> {
 public:
  ClassSink(const std::vector<std::uint8_t>& classes, ClassBins& bins, CounterRecorder* counters = nullptr)
      : classes_(&classes), bins_(&bins), counters_(counters) {}

  void entered(RegionId) { ++calls_; }
  void left() {}
  void spent(Time from, Time to) {
    if (measured()) bins_->add(from, to, class_of(stack().back()));
  }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail) {
    sends_ += type == EventType::send || type == EventType::isend || type == EventType::rma_put ||
              type == EventType::rma_get || type == EventType::rma_atomic;
    if (type == EventType::program_begin && !program_.valid())
      program_ = StringId{static_cast<std::size_t>(attributes[0])};
    RegionWalk::event(type, t, attributes, tail);
    if (type == EventType::metric && counters_ != nullptr)
      counters_->record(now(), MetricId{static_cast<std::size_t>(attributes[0])}, tail);
  }
  std::uint64_t calls() const { return calls_; }
  /// Number of messages and one-sided transfers that it started.
  std::uint64_t sends() const { return sends_; }
  /// The name of the program; none if the location does not record it.
  StringId program() const { return program_; }
  Time last_time() const { return now(); }
  const std::vector<RegionId>& open() const { return stack(); }

 private:
  std::uint8_t class_of(RegionId region) const { return region.valid() ? (*classes_)[region.index()] : 0; }

  const std::vector<std::uint8_t>* classes_;
  ClassBins* bins_;
  CounterRecorder* counters_;
  StringId program_;
  std::uint64_t calls_ = 0, sends_ = 0;
};

}  // namespace waitstate::serve
