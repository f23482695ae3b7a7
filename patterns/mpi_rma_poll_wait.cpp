#include <algorithm>

#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class RmaPollWaitPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_rma_poll_wait",
                     .parent = "mpi",
                     .title = "Polling of a window",
                     .summary = "Time in calls that read a window again and again before another process started to "
                                "write what they looked for.",
                     .kind = MetricKind::wait,
                     .siblings = Siblings::elsewhere}},
        .severity =
            "for each call c of a loop of reads: min(E(w), L(c)) - E(c) if > 0; E, L: enter and exit; w: the put or "
            "atomic operation of another process that came between the last two reads: started before the last one "
            "was complete, complete after the start of the one before it. A loop: at least 3 reads of equally many, "
            "at most 16 bytes of one process's memory in one call path, each complete before the next one, without "
            "other recorded calls between them, in which at least half of the time is spent, with at most half as "
            "many writes of others",
        .charged_to = "the calls that read, flush and lock, the process that polls; the culprit started w",
        .state =
            "at most 512 calls of a loop for each location: in longer loops neighbouring calls are joined; the last "
            "writes to each process's memory in each window",
        .source = "waitstate's own, as shmem_wait_until",
        .differs = "no other analyzer has it. Reads of another process's memory without such a w are no polls",
        .diagnosis = "the writer is late: balance the work before its write, or compute between polls"};
  }

  void rma_wait_change_callback(const RmaWaitChange& w, Context& context) override {
    if (!w.call.region.valid() || !is_mpi(context.definitions()[w.call.region].region_class)) return;
    if (w.changed == nullptr) {
      ++without_reason_;
      return;
    }
    const Time until = std::min(w.changed->enter, w.call.exit);
    if (until > w.call.enter) context.add_wait(make_wait(w.call, static_cast<Ticks>(until - w.call.enter), *w.changed));
  }

  void merge(Pattern& other) override { without_reason_ += static_cast<RmaPollWaitPattern&>(other).without_reason_; }
  std::string state() override { return std::to_string(without_reason_); }
  void restore(const std::string& state) override { without_reason_ = std::stoll(state); }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (without_reason_ > 0)
      u.because(first_metric, e.count(without_reason_, "call polled a window", "calls polled a window") +
                                  " for something that the trace does not tell");
  }

 private:
  std::int64_t without_reason_ = 0;
};

}  // namespace

PatternHandle mpi_rma_poll_wait() { return make_pattern<RmaPollWaitPattern>(); }

}  // namespace waitstate::patterns
