// locks_reacquired: a thread takes a lock again that nobody else has had meanwhile.
//
// severity    1 for each acquisition of a lock by the thread that has released it last
// charged to  the acquiring call and thread
// unit        occurrences
// state       as of lock_acquired: per lock what has not met yet
// source      ours
// differs     no
// diagnosis   hold the lock for both times, or do without it: nobody contends for it
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class LocksReacquiredPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "locks_reacquired",
                         .parent = "",
                         .unit = Unit::occurrences,
                         .title = "Locks acquired again",
                         .summary = "Acquisitions of a lock by the thread that has released it last."}},
            .severity = "1 for each acquisition of a lock by the thread that has released it last",
            .charged_to = "the acquiring call and thread",
            .state = "per lock what has not met yet: an acquisition, or the release before it",
            .source = "ours",
            .differs = "no",
            .diagnosis = "hold the lock for both times, or do without it: nobody contends for it"};
  }

  void lock_reacquired_callback(const LockReacquired& r, Context& context) override { context.add(0, r.call, 1); }
};

}  // namespace

PatternHandle locks_reacquired() { return make_pattern<LocksReacquiredPattern>(); }

}  // namespace waitstate::patterns
