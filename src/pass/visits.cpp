#include "pass/visits.hpp"

#include <algorithm>
#include <span>

namespace waitstate::pass {
namespace {

constexpr std::size_t visit_events_at_a_time = 4096, visit_files = 16;

class VisitSink {
 public:
  VisitSink(const Definitions& definitions, const std::vector<bool>& regions, std::vector<Visit>& visits)
      : definitions_(definitions), regions_(regions), visits_(visits) {}

  void enter(Time t, RegionId region) {
    advance(t);
    stack_.push_back(region);
    if (outermost_ == 0 && region.index() < regions_.size() && regions_[region.index()]) {
      outermost_ = stack_.size();
      visits_.push_back({now_, now_, 0});
    }
  }
  void exit(Time t, RegionId region) {
    advance(t);
    std::size_t left = stack_.size();
    while (left > 0 && region.valid() && stack_[left - 1] != region) --left;
    if (left == 0) return;
    stack_.resize(left - 1);
    if (outermost_ > stack_.size()) leave();
  }
  void event(EventType, Time t, const std::uint64_t*, std::span<const Value>) { advance(t); }
  void attribute_list(std::span<const ListedAttribute>) {}
  void finish() {
    if (outermost_ != 0) leave();
  }

 private:
  void advance(Time t) {
    const Time next = std::max(now_, t);
    if (outermost_ != 0 && definitions_[stack_.back()].region_class == RegionClass::comp)
      visits_.back().computation += static_cast<Ticks>(next - now_);
    now_ = next;
  }
  void leave() {
    visits_.back().exit = now_;
    outermost_ = 0;
  }

  const Definitions& definitions_;
  const std::vector<bool>& regions_;
  std::vector<Visit>& visits_;
  std::vector<RegionId> stack_;
  std::size_t outermost_ = 0;  ///< size of the stack with the visited region on top; 0: not in it
  Time now_ = 0;
};

}  // namespace

std::vector<std::vector<Visit>> find_visits(TraceInput& input, const std::vector<bool>& regions) {
  const Definitions& definitions = input.definitions();
  std::vector<LocationId> locations;
  for (std::size_t l = 0; l < definitions.locations.size(); ++l) locations.emplace_back(l);
  const auto readers = input.readers<VisitSink>(locations, false, visit_files);
  std::vector<std::vector<Visit>> visits(locations.size());
  for (const LocationId l : locations) {
    VisitSink sink(definitions, regions, visits[l.index()]);
    while (!readers->at_end(l))
      if (readers->read(l, sink, visit_events_at_a_time) == 0) break;
    sink.finish();
    readers->go_to(l, {});  // a notation file is read again by the same document
  }
  return visits;
}

}  // namespace waitstate::pass
