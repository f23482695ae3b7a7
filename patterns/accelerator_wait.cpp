#include <algorithm>
#include <cstdint>

#include "waitstate/pattern/pattern.hpp"
#include "waitstate/pattern/undetermined.hpp"

namespace waitstate::patterns {

namespace {

class AcceleratorWaitPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "accelerator_wait",
                     .parent = "execution",
                     .title = "Wait for an accelerator",
                     .summary = "Time in calls that wait for a device until its kernels and copies have ended.",
                     .kind = MetricKind::wait,
                     .siblings = Siblings::elsewhere},
                    {.id = "accelerator_wait_kernel",
                     .parent = "accelerator_wait",
                     .within_parent = false,
                     .title = "Wait for kernels",
                     .summary = "Time in calls that wait for a device until a kernel has ended.",
                     .kind = MetricKind::wait},
                    {.id = "accelerator_wait_copy",
                     .parent = "accelerator_wait",
                     .within_parent = false,
                     .title = "Wait for copies",
                     .summary = "Time in calls that wait for a device until a copy between host and device has ended.",
                     .kind = MetricKind::wait}},
        .severity =
            "T - E if > 0; E, L: enter and exit of a call that waits for a device (its name contains \"synchronize\"; "
            "or it copies or frees and is not asynchronous; clFinish, clWaitForEvents; acc_wait); T: the last end of a "
            "kernel or copy in (E, L] on the streams of the process. The wait is split at the ends of the activities: "
            "the time before T belongs to the activity that ended at T, back to its start or to the end of the last "
            "activity that ended before; the time before that belongs to this activity, and so on. "
            "accelerator_wait_kernel: the parts that belong to kernels; accelerator_wait_copy: those that belong to "
            "copies between host and device",
        .charged_to = "the waiting call on its thread; the culprit is the stream, in the call path of the kernel",
        .state =
            "for each process, kernels and copies that ended while its host threads have not been read beyond them",
        .source =
            "waitstate's own; events as Score-P records them: kernels are regions of stream locations, copies are "
            "one-sided operations",
        .differs =
            "a call waits for the streams or events that it names, but few recorders write these down, so every "
            "activity that ended in the call on any stream of the process counts. A call that contains another waiting "
            "call is left out",
        .diagnosis =
            "give the host work between the launch and the call, or make the kernel faster; for copies, use "
            "asynchronous ones and page-locked memory, or move less data"};
  }

  void device_wait_callback(const DeviceWait& w, Context& context) override {
    for (const DeviceWait::ActivityWait& part : w.parts) context.add_wait(w.wait(part), part.copy ? copies : kernels);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (const std::int64_t n = streams_of_nobody(e.definitions()); n > 0)
      u.because(first_metric, e.count(n, "stream of an accelerator names", "streams of accelerators name") +
                                  " no process, and the trace has several: it is not known whose calls wait for them");
    if (e.has_events_of(LocationType::accelerator_stream)) return;
    if (const std::string name = e.called(waits_for_device); !name.empty())
      u.because(first_metric, name + " is called, but the trace has no events of an accelerator's streams");
  }

 private:
  static std::int64_t streams_of_nobody(const Definitions& definitions) {
    return std::count_if(definitions.locations.begin(), definitions.locations.end(), [&](const Location& l) {
      return l.type == LocationType::accelerator_stream && l.process.valid() &&
             definitions[l.process].type == LocationGroupType::accelerator && !definitions[l.process].host.valid();
    });
  }

  static constexpr MetricHandle kernels{1}, copies{2};
};

}  // namespace

PatternHandle accelerator_wait() { return make_pattern<AcceleratorWaitPattern>(); }

}  // namespace waitstate::patterns
