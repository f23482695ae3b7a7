// counted_while_waiting: the value of a counter in calls that waited for a late sender. In a library that polls, the
// counter continues while it waits; in one that sleeps it does not.
//
// severity    the value of the counter `counter` in call paths with Late Sender waits
// charged to  that call path and location
// unit        occurrences
// state       the number of counter records, for the check that there are any
// source      an example of how patterns use counters: their sums are severities, and each record has a callback
// differs     no
// diagnosis   compare with the same counter in calls that did not wait
#include <string>

#include <waitstate/pattern.hpp>

namespace {

using namespace waitstate;

class CountedWhileWaiting : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "counted_while_waiting",
                         .unit = Unit::occurrences,
                         .within_parent = false,
                         .title = "Counted while waiting",
                         .summary = "What a counter came to in call paths that waited for a late sender."}},
            .severity = "what the counter `counter` came to in call paths with Late Sender waits",
            .charged_to = "that call path and location",
            .state = "the number of counter records, for the check that there are any",
            .source = "an example of how patterns use counters",
            .differs = "no",
            .diagnosis = "compare with the same counter in calls that did not wait",
            .needs = {"mpi_latesender"},
            .parameters = {{"counter", std::string("PAPI_TOT_CYC"), "", "Id of the counter's metric."}}};
  }

  void configure(const Parameters& parameters) override { counter_ = parameters.text("counter"); }

  void metric_callback(const Event&, Context&) override { ++records_; }

  void wrapup(Context& context) override {
    const MetricIndex counter = context.metrics().find(counter_);
    if (records_ == 0 || counter == no_metric) return;
    context.severities().for_each(
        context.metrics().at("mpi_latesender"), [&](CallPathId path, LocationId location, std::int64_t) {
          if (const std::int64_t counted = context.severities().value(counter, path, location); counted != 0)
            context.add({path, location}, counted);
        });
  }

 private:
  std::string counter_;
  std::size_t records_ = 0;
};

}  // namespace

WAITSTATE_PLUGIN(CountedWhileWaiting)
