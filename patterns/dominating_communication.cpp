#include "routines.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class DominatingCommunicationPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "dominating_communication",
                         .parent = "mpi_communication",
                         .title = "Dominating communication",
                         .summary = "Time in the communication routine that takes the most time.",
                         .siblings = Siblings::overlapping}},
            .severity =
                "the time of the MPI function that moves data and takes the largest time over all call paths and "
                "locations; of several with the same time, the first by name. Its name is that of the call paths that "
                "have a value",
            .charged_to = "the call paths of that function, each location",
            .state = "none: computed at the end from time, by region",
            .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "no",
            .diagnosis = "start here: this function costs more than any other communication"};
  }

  void wrapup(Context& c) override {
    const auto routines = communication_routines(c);
    const Routine* most = nullptr;
    for (const auto& [name, r] : routines)
      if (r.ticks > (most == nullptr ? 0 : most->ticks)) most = &r;
    if (most == nullptr) return;
    add_time_of(c, routines, [&](const Routine& r) { return &r == most; });
  }
};

}  // namespace

PatternHandle dominating_communication() { return make_pattern<DominatingCommunicationPattern>(); }

}  // namespace waitstate::patterns
