#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class MessagesInWrongOrderPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "wrong_order",
                     .parent = "mpi_point2point",
                     .title = "Receiving messages in wrong order",
                     .summary = "Time of receives while an older message for the same receiver was queued.",
                     .siblings = Siblings::overlapping}},
        .severity =
            "the time of every receiving call whose message was sent after one that a later call of the same location "
            "receives: that older message was in the queue",
        .charged_to = "the receiving call, receiver",
        .state = "receives that an older message can still overtake (kept by the engine)",
        .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT: Receiving messages in wrong order)",
        .differs =
            "an older message that is never received does not count: whether it had arrived is not recorded. The "
            "whole receiving call counts, not only its wait (see mpi_latesender_wo)",
        .diagnosis = "receive messages in the order in which they are sent, or in the order in which they arrive"};
  }

  // An older message overtakes some of the call's messages if and only if it overtakes the youngest of them.
  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    const Message* youngest = nullptr;
    for (const Message& m : r.messages)
      if (youngest == nullptr || m.send_time > youngest->send_time) youngest = &m;
    if (youngest == nullptr) return;
    const Wait whole = make_wait(r.call, static_cast<Ticks>(r.call.exit - r.call.enter), *youngest->send);
    c.publish(WatchOvertaking{*youngest, whole});
  }

  void overtaken_callback(const Overtaken& o, Context& c) override { c.add(o.wait, o.wait.ticks); }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override { never_received(e, u, first_metric); }
};

}  // namespace

PatternHandle wrong_order() { return make_pattern<MessagesInWrongOrderPattern>(); }

}  // namespace waitstate::patterns
