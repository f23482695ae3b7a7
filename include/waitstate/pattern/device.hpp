// The compound event of accelerators: a host thread that waits for a device, and the activities of the device
// meanwhile.
//
// All views are valid during the callback only. Times are timer ticks.
#pragma once

#include <cstdint>
#include <span>

#include "waitstate/pattern/message.hpp"

namespace waitstate {

/// A call of a host thread that waits for streams of accelerators (cudaDeviceSynchronize, a copy that is not
/// asynchronous, …), in which kernels or copies ended on streams of its process. Delivered once all events of these
/// streams before its exit are known, in no other order.
///
/// The call returns when the activity that it waits for has ended. So it did not wait for activities that are still
/// running at its exit; of those that ended inside the call, it waited for the last one in the end; before that one
/// began, it waited for the one that had ended last until then; and so on back to its enter.
struct DeviceWait {
  struct ActivityWait {
    Time begin = 0, end = 0;  ///< begins at the enter of the call, or at the end of the part before; ends with the
                              ///< activity
    bool copy = false;        ///< true for a copy of memory between host and device, false for a kernel
    LocationId stream;        ///< the stream that executed the activity
    CallPathId callpath;      ///< call path of the activity on the stream

    static auto fields(auto& e, auto&& f) {
      return f(Field{"begin", e.begin}, Field{"end", e.end}, Field{"copy", e.copy}, Field{"stream", e.stream},
               Field{"callpath", e.callpath});
    }
  };
  const Call& call;
  std::span<const ActivityWait> parts;  ///< in order of time, without gaps, from call.enter on; never empty

  /// The wait for one part; its culprit is the stream.
  Wait wait(const ActivityWait& part) const {
    return {call.location, call.callpath, call.enter, call.exit, part.begin, static_cast<Ticks>(part.end - part.begin),
            part.stream,   part.callpath};
  }

  static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"parts", e.parts}); }
  SourceLocation where() const { return {call.location, call.exit}; }
};

}  // namespace waitstate
