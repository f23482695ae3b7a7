// The steps of one location (chunk/step_record.hpp), if somebody asks for them, and the time outside of MPI until each.
//
// The location is in MPI while the innermost region is one of MPI, as far as enters and exits have told. Cost: a
// comparison an enter or exit, 48 bytes a step; nothing unless asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/call_stack.hpp"

namespace waitstate::replay {

class StepReplay {
 public:
  explicit StepReplay(CallStack& stack) : stack_(stack) {}

  bool is_on() const { return stack_.context.options.steps; }

  /// After a region has been entered, and left.
  void enter(std::uint32_t callpath);
  void exit(std::uint32_t callpath);
  /// The program has begun, or ended.
  void leave_mpi() { change(false); }
  /// An event of any kind but those of counters.
  void begin();
  /// A record of a message or collective operation, which gets the number of its step in the chunk.
  void record(CommRecord& r);
  void record(const RmaRecord& r);

 private:
  struct OpenWorldCall {
    std::uint32_t callpath;
    Time enter;
  };

  Time now() const { return stack_.profiles.now(); }
  bool is_mpi(std::uint32_t callpath) const;
  void change(bool in_mpi);
  StepRecord& add(StepRecord::Kind kind, std::uint32_t callpath);
  StepRecord& add(StepRecord::Kind kind) { return add(kind, stack_.activity.current); }
  /// Returns the number of the call.
  std::uint64_t add_call(const RmaRecord& r);

  CallStack& stack_;
  bool has_begun_ = false, in_mpi_ = false;
  Time since_ = 0;     ///< when that changed last
  Ticks outside_ = 0;  ///< time outside of MPI until then
  std::vector<OpenWorldCall> world_;
  std::uint32_t lock_callpath_ = 0;  ///< the latest call with records of locks; 0: its exit has come
  Time lock_enter_ = 0;
  std::uint64_t lock_number_ = 0;  ///< as in Call
};

}  // namespace waitstate::replay
