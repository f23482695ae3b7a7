// Waits of host threads for accelerators: calls that synchronise with a device are put beside the kernels and
// copies that the streams of the same process execute meanwhile. See DeviceWait for the rule.
//
// Host threads and streams are read side by side, not together: a call waits here until all streams of its process have
// been read beyond its exit, and what a stream did is kept until no call of a host thread of the process can begin
// before its end any more. So memory follows how far the locations are apart, not how long the trace is. Cost: a search
// among what a stream did lately per call, a few steps per kernel that it waited for.
#pragma once

#include <deque>
#include <vector>

#include "link/call_builder.hpp"
#include "link/listener.hpp"
#include "waitstate/pattern/device.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class Devices {
 public:
  /// A kernel or a copy.
  struct Activity {
    Time begin, end;
    CallPathId callpath;
    bool copy;
  };

  Devices(const Definitions& definitions, Listener& listener);

  /// True if there is any stream whose process has a host thread.
  static bool any(const Definitions& definitions);

  /// Takes a chunk, in the order of its location's chunks, by the three functions below.
  void process(const replay::Chunk& chunk, CallBuilder& calls);

  /// A call that waits for devices. Calls of a location come in the order of their enters, none inside another.
  void call(const Call& call);
  /// The activities that a stream has executed since the last call of this function for it.
  void activities(LocationId stream, std::vector<Activity> done);
  /// All calls of a location entered, all activities that end, before `until` have been given; all at all if `last`.
  void read_up_to(LocationId location, Time until, bool last);

 private:
  void stream(const replay::Chunk& chunk, CallBuilder& calls);
  void host(const replay::Chunk& chunk, CallBuilder& calls);

  struct Stream {
    LocationId location;
    std::deque<Activity> done;  ///< ends never decrease
    Time until = 0;
  };
  struct Host {
    LocationId location;
    Time until = 0;
  };
  struct Process {
    std::vector<Host> hosts;
    std::vector<Stream> streams;
    std::vector<Call> calls;  ///< calls whose streams are not known far enough
  };

  Process* process_of(LocationId location);
  void decide(Process& process);
  void deliver(const Process& process, const Call& call);
  void forget(Process& process) const;

  const Definitions& definitions_;
  Listener& listener_;
  std::vector<std::uint32_t> process_of_;  ///< by location
  std::vector<Process> processes_;
  std::vector<DeviceWait::ActivityWait> parts_;  ///< scratch of deliver()
  std::vector<std::size_t> next_;  ///< scratch of deliver(): by stream, how many of its activities are left
};

}  // namespace waitstate::link
