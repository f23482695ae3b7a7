// One-sided records of one location: they go with the call that they lie in, as those of messages do. Matching them
// takes other locations and is not done here.
#pragma once

#include <cstdint>

#include "replay/open_calls.hpp"

namespace waitstate::replay {

class OneSidedReplay {
 public:
  OneSidedReplay(CallStack& stack, OpenCalls& calls) : stack_(stack), calls_(calls) {}

  /// `attributes`: as event_type.hpp lists them. The record stays in the chunk; null if it names no window, which the
  /// reader has counted, and is left out.
  const RmaRecord* record(EventType type, const std::uint64_t* attributes);

 private:
  std::uint32_t call_of_record(RmaWinId win);
  bool is_of_accelerator(RmaWinId win) const;

  CallStack& stack_;
  OpenCalls& calls_;
};

}  // namespace waitstate::replay
