// The compound event of accelerators: a host thread that waits for a device, and what the device did meanwhile.
//
// All views are valid during the callback only. Times are timer ticks.
#pragma once

#include <cstdint>
#include <span>

#include "waitstate/pattern/message.hpp"

namespace waitstate {

/// A call of a host thread that waits for streams of accelerators (cudaDeviceSynchronize, a copy that is not
/// asynchronous, …), in which kernels or copies ended on streams of its process. Delivered once all of these streams
/// are known beyond its exit; in no other order.
///
/// The call is left when what it waits for has ended. So what is still running at its exit it did not wait for, and of
/// what ended inside the call the last one is what it waited for in the end; before that began, it waited for what had
/// ended last until then; and so on back to its enter.
struct DeviceWait {
  struct Part {
    Time begin = 0, end = 0;  ///< from the enter of the call, or the end of the part before; to the end of the activity
    bool copy = false;        ///< of memory between host and device; else a kernel
    LocationId stream;        ///< that executed it
    CallPathId callpath;      ///< of it there

    static auto fields(auto& e, auto&& f) {
      return f(Field{"begin", e.begin}, Field{"end", e.end}, Field{"copy", e.copy}, Field{"stream", e.stream},
               Field{"callpath", e.callpath});
    }
  };
  const Call& call;
  std::span<const Part> parts;  ///< in order of time, without gaps, from call.enter on; never empty

  /// The wait for one part: the culprit is the stream.
  Wait wait(const Part& part) const {
    return {call.location, call.callpath, call.enter, call.exit, part.begin, static_cast<Ticks>(part.end - part.begin),
            part.stream,   part.callpath};
  }

  static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"parts", e.parts}); }
  SourceLocation where() const { return {call.location, call.exit}; }
};

}  // namespace waitstate
