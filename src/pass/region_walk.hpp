// A look at the whole trace that decodes and keeps a region stack, but does nothing else: for what has to be known
// before the trace is analysed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "pass/trace_input.hpp"
#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::pass {

/// Base of a sink of one location. `Self` has entered(region), left(), and spent(from, to) for the time that the
/// regions on the stack take. Times never go back.
template <class Self>
class RegionWalk {
 public:
  void enter(Time t, RegionId region) {
    advance(t);
    stack_.push_back(region);
    self().entered(region);
  }
  void exit(Time t, RegionId region) {
    advance(t);
    std::size_t left = stack_.size();
    while (left > 0 && region.valid() && stack_[left - 1] != region) --left;
    if (left == 0) return;
    stack_.resize(left - 1);
    self().left();
  }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value>) {
    if (type == EventType::program_begin) return enter(t, RegionId{});
    advance(t);
    if (type == EventType::program_end && !stack_.empty()) {
      stack_.clear();
      self().left();
    }
    if (type == EventType::measurement_on_off)
      measured_ = static_cast<MeasurementMode>(attributes[0]) != MeasurementMode::off;
  }
  void attribute_list(std::span<const ListedAttribute>) {}

 protected:
  const std::vector<RegionId>& stack() const { return stack_; }
  bool computes(const Definitions& definitions) const {
    return !stack_.back().valid() || definitions[stack_.back()].region_class == RegionClass::comp;
  }
  Time now() const { return now_; }
  bool measured() const { return measured_; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  void advance(Time t) {
    const Time next = std::max(now_, t);
    if (!stack_.empty() && next > now_) self().spent(now_, next);
    now_ = next;
  }

  std::vector<RegionId> stack_;
  Time now_ = 0;
  bool measured_ = true;
};

/// Reads all events of each location into a sink that `make(location)` returns, and hands that to `done(location,
/// sink)`. A notation file is read again by the same document.
template <class Sink, class Make, class Done>
void read_all_locations(TraceInput& input, Make&& make, Done&& done) {
  constexpr std::size_t events_at_a_time = 4096, open_files = 16;
  std::vector<LocationId> locations;
  for (std::size_t l = 0; l < input.definitions().locations.size(); ++l) locations.emplace_back(l);
  const auto readers = input.readers<Sink>(locations, false, open_files);
  for (const LocationId l : locations) {
    Sink sink = make(l);
    while (!readers->at_end(l))
      if (readers->read(l, sink, events_at_a_time) == 0) break;
    done(l, sink);
    readers->go_to(l, {});
  }
}

}  // namespace waitstate::pass
