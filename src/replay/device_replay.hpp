// Kernels and copies of an accelerator's stream, and calls of a host thread that wait for a device.
//
// Kernels and calls are noted where the region is entered and known where it is left, as barriers of teams are; copies
// are one-sided operations of the stream, from their record to that of their completion. Only if somebody asks for it
// (ReplayOptions::device_calls), and only in regions of these kinds.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "replay/open_calls.hpp"

namespace waitstate::replay {

class DeviceReplay {
 public:
  DeviceReplay(ReplayContext& context, OpenCalls& calls);

  /// The innermost region was entered, and is a kernel or a call that waits for a device.
  void enter();
  /// A one-sided record: of a stream, a copy begins or ends.
  void copy(const RmaRecord& record) {
    if (copies_) copy_of_stream(record);
  }

 private:
  struct OpenCopy {
    Time begin = 0;
    std::uint32_t callpath = 0;
  };
  using CopyKey = std::pair<RmaWinId, std::uint64_t>;

  void copy_of_stream(const RmaRecord& record);

  ReplayContext& context_;
  OpenCalls& calls_;
  const bool copies_;
  std::map<CopyKey, OpenCopy> open_copies_;  ///< by window and number
};

}  // namespace waitstate::replay
