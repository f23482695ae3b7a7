#include "routines.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class BigMessagesPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "big_messages",
                     .parent = "mpi_communication",
                     .title = "Big messages",
                     .summary = "Time in communication routines whose messages are large on average.",
                     .siblings = Siblings::overlapping}},
        .severity =
            "the time of all MPI functions that move data and whose mean message length is above the threshold: bytes "
            "sent and received in them, divided by the number of messages and collective operations",
        .charged_to = "the call paths of these functions, each location",
        .state = "none: computed at the end from time and bytes, by region",
        .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
        .differs =
            "collective operations count too; the paper leaves the threshold to the user, and the default here is 64 "
            "KiB",
        .diagnosis = "overlap these transfers with computation, or send less",
        .needs = {"comms_recv"},
        .parameters = {
            {"threshold", std::int64_t{65536}, "bytes", "Mean message length above which a routine counts.", 0}}};
  }

  void configure(const Parameters& p) override { threshold_ = p.integer("threshold"); }

  void wrapup(Context& c) override {
    add_time_of(c, communication_routines(c), [&](const Routine& r) {
      return r.operations > 0 &&
             static_cast<double>(r.bytes) > static_cast<double>(threshold_) * static_cast<double>(r.operations);
    });
  }

 private:
  std::int64_t threshold_ = 0;
};

}  // namespace

PatternHandle big_messages() { return make_pattern<BigMessagesPattern>(); }

}  // namespace waitstate::patterns
