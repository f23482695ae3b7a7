// Points of accelerators, with all_waits: where a host thread waits for a kernel, and where that was launched.
//
// No recorder says which call launched a kernel. But a kernel begins when it has been launched and the one before on
// its stream has ended. So the path goes back over a stream as long as the latest launch of the process before a kernel
// lies before the end of the kernel before, and from the first kernel of which that is not so to that launch. Where
// there is none the path does not leave the host thread; delays and chains lead to the kernel all the same.
//
// Invariant: a kernel's point lies at its end, or at its begin; that of a launch at the enter of the call. Each kernel
// is looked at once. Memory, at the end only: 16 bytes a kernel and a launch.
#pragma once

#include "causes/recorded.hpp"
#include "waitstate/pattern/device.hpp"

namespace waitstate::causes {

class DevicePoints {
 public:
  explicit DevicePoints(Recorded& to) : to_(to) {}

  void add(const DeviceWait& w);
  void join(const DevicePoints& other) { has_points_ = has_points_ || other.has_points_; }
  template <class Archive>
  void travel(Archive& archive) {
    archive(has_points_);
  }
  /// When the trace has been read: adds points from kernels to what launched them. The time from a launch to the start
  /// of its kernel is nobody's: the path goes on at the launch.
  void finish();

 private:
  Recorded& to_;
  bool has_points_ = false;
};

}  // namespace waitstate::causes
