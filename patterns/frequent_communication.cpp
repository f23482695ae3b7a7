#include "routines.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class FrequentCommunicationPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "frequent_communication",
                         .parent = "mpi_communication",
                         .title = "Frequent communication",
                         .summary = "Time in communication routines whose calls are short on average.",
                         .siblings = Siblings::overlapping}},
            .severity = "the time of all MPI functions that move data whose mean time per call is below the threshold",
            .charged_to = "the call paths of these functions, each location",
            .state = "none: computed at the end from time and visits, by region",
            .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "no; the paper leaves the threshold to the user, and the default here is 10 us",
            .diagnosis = "if there are many of these calls: gather several messages into one",
            .parameters = {{"threshold", 1e-5, "s", "Mean time per call below which a routine counts.", 0}}};
  }

  void configure(const Parameters& p) override { threshold_ = p.number("threshold"); }

  void wrapup(Context& c) override {
    const auto resolution = static_cast<double>(c.definitions().clock.resolution);
    add_time_of(c, communication_routines(c), [&](const Routine& r) {
      return r.visits > 0 && static_cast<double>(r.ticks) < threshold_ * resolution * static_cast<double>(r.visits);
    });
  }

 private:
  double threshold_ = 0;
};

}  // namespace

PatternHandle frequent_communication() { return make_pattern<FrequentCommunicationPattern>(); }

}  // namespace waitstate::patterns
