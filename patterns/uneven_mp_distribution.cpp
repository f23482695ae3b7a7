#include <algorithm>
#include <cmath>

#include "routines.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class UnevenDistributionPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "uneven_mp_distribution",
                     .parent = "mpi_communication",
                     .title = "Uneven MP distribution",
                     .summary = "Time in communication routines that take some processes much longer than others.",
                     .siblings = Siblings::overlapping}},
        .severity =
            "the time of all MPI functions that move data for which the standard deviation, over processes, of the "
            "time spent in them exceeds the threshold times the mean (over all processes of the trace, including those "
            "that spent no time there)",
        .charged_to = "the call paths of these functions, each location",
        .state = "none: computed at the end from time, by region and process",
        .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
        .differs = "no; the paper leaves the threshold to the user, and the default here is 0.5",
        .diagnosis = "look at the function by location: work or communication is not distributed evenly",
        .parameters = {
            {"threshold", 0.5, "", "Ratio of standard deviation and mean above which a routine counts.", 0}}};
  }

  void configure(const Parameters& p) override { threshold_ = p.number("threshold"); }

  void wrapup(Context& c) override {
    double processes = 0;
    for (const LocationGroup& p : c.definitions().processes)
      processes += !p.locations.empty() && p.type != LocationGroupType::accelerator;
    add_time_of(c, communication_routines(c, true), [&](const Routine& r) {
      const double mean = static_cast<double>(r.ticks) / processes;
      // Processes that were never in the routine have 0 ticks, whether or not they are among `processes`.
      const auto without = std::count(r.ticks_of_process.begin(), r.ticks_of_process.end(), 0);
      double squares =
          (processes - static_cast<double>(r.ticks_of_process.size()) + static_cast<double>(without)) * mean * mean;
      for (const std::int64_t ticks : r.ticks_of_process)
        if (ticks != 0) squares += (static_cast<double>(ticks) - mean) * (static_cast<double>(ticks) - mean);
      return std::sqrt(squares / processes) > threshold_ * mean;
    });
  }

 private:
  double threshold_ = 0;
};

}  // namespace

PatternHandle uneven_mp_distribution() { return make_pattern<UnevenDistributionPattern>(); }

}  // namespace waitstate::patterns
