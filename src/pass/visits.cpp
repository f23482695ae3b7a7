#include "pass/visits.hpp"

#include "pass/region_walk.hpp"

namespace waitstate::pass {
namespace {

class VisitSink : public RegionWalk<VisitSink> {
 public:
  VisitSink(const Definitions& definitions, const std::vector<bool>& regions, std::vector<Visit>& visits)
      : definitions_(definitions), regions_(regions), visits_(visits) {}

  void entered(RegionId region) {
    if (outermost_ != 0 || region.index() >= regions_.size() || !regions_[region.index()]) return;
    outermost_ = stack().size();
    visits_.push_back({now(), now(), 0});
  }
  void left() {
    if (outermost_ > stack().size()) leave();
  }
  void spent(Time from, Time to) {
    if (outermost_ == 0 || !computes(definitions_)) return;
    Ticks& sum = visits_.back().computation;
    sum = add_ticks(sum, to - from);
  }
  void finish() {
    if (outermost_ != 0) leave();
  }

 private:
  void leave() {
    visits_.back().exit = now();
    outermost_ = 0;
  }

  const Definitions& definitions_;
  const std::vector<bool>& regions_;
  std::vector<Visit>& visits_;
  std::size_t outermost_ = 0;  ///< size of the stack with the visited region on top; 0: not in it
};

}  // namespace

std::vector<std::vector<Visit>> find_visits(TraceInput& input, const std::vector<bool>& regions) {
  std::vector<std::vector<Visit>> visits(input.definitions().locations.size());
  read_all_locations<VisitSink>(
      input, [&](LocationId l) { return VisitSink(input.definitions(), regions, visits[l.index()]); },
      [](LocationId, VisitSink& sink) { sink.finish(); });
  return visits;
}

}  // namespace waitstate::pass
