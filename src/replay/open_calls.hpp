// The calls of one location that other locations are compared with: of MPI and SHMEM, as soon as there is a record in
// them, and of barriers, taskwaits, locks, kernels and devices ("sync calls"). A call gets its place in the chunk when
// its first record comes, and its exit when its region is left.
//
// With each call goes what the location did before it: the longest interval since the previous such call. It has to be
// noted at the enter, as whether a call has records shows only later. MPI calls look past barriers and lock calls
// between them, barriers and lock calls past nothing, but in teams an MPI call counts as an interval for them.
//
// A chunk ends where no call is open, if it can. Where it cannot, a barrier, taskwait or lock call is carried over: all
// of it is told in the next chunk. Any other call is cut in two.
//
// Cost: a call that has no records costs its enter the copy of an interval and its exit two comparisons.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/activity.hpp"
#include "replay/call_stack.hpp"
#include "replay/chunk/chunk.hpp"

namespace waitstate::replay {

class OpenCalls {
 public:
  explicit OpenCalls(CallStack& stack);

  /// A chunk begins: it gets the calls that were carried over.
  void begin_chunk() {
    if (!carried_over_.empty()) bring_back();
  }
  /// True if no call with a record in the chunk is open.
  bool none() const { return open_ == 0; }
  /// The chunk ends and calls of this stack are open.
  void cut(std::vector<Frame>& stack);

  /// The innermost region was entered, and may be a call that has records. `a`: the activity of the stack.
  void note_before(Activity& a) const {
    a.before = a.longest.interval();
    Frame& frame = a.stack.back();
    frame.charged = profiles_.charged(frame.callpath);
  }
  /// After note_before(): it is a call of that kind, other than one of MPI with nothing to look past and nothing to
  /// tell.
  void enter(Profile::Kind kind);
  /// The innermost region is about to be left.
  void leave(const Activity& a) {
    if (a.stack.size() == a.mpi_depth) [[unlikely]]
      leave_mpi();
    if (a.stack.back().has_call()) [[unlikely]]
      close(a.stack.back());
  }
  /// The call of a region that is left, or that nothing more is known of.
  void close(const Frame& frame);

  /// Index into Chunk::calls of the MPI call - or SHMEM, for one-sided records - that is the innermost region;
  /// Frame::no_call if it is none.
  std::uint32_t call_of_record(bool one_sided);
  /// Like call_of_record(), for a record that lies in no such call. A recorder that writes no MPI regions does not say
  /// when the operation was called: the record is a call of its own that takes no time.
  std::uint32_t call_without_region();
  /// Index into Chunk::sync_calls of the innermost region.
  std::uint32_t sync_call();
  /// A lock is acquired or released.
  void lock(TeamRecord::Kind kind, Paradigm paradigm, std::uint64_t lock, std::uint64_t order);

  /// Enter of the outermost MPI or SHMEM call that is open, else the current time.
  Time open_since() const;

  /// Forgets the intervals by which a barrier or lock call of a new segment is not to be explained.
  void forget_mpi_call() { mpi_call_ = {}; }

  /// The time outside of parallel regions begins, and ends: a part of it with the call path of its longest interval, 0
  /// if there is none. Until the first begin, it is the time since the location's first event.
  void begin_outside_parallel_regions();
  PathInterval end_outside_parallel_regions();

 private:
  /// A call for the next chunk, and what the last one said of it.
  struct CarriedOver {
    CallRecord call;
    std::vector<TeamRecord> records;
    std::vector<TaskTime> times;
  };
  struct OutsideParallelRegions {
    Time begin = 0;
    std::uint32_t callpath = 0;  ///< call path of its longest interval, as far as calls have been closed
    Time longest = 0;            ///< length of that; all ones in parallel regions
  };

  void watch(Profile::Kind kind);
  void leave_mpi();
  void add_search();
  void add_wait(TeamRecord::Kind kind);
  bool is_wait_of_caller() const;
  CallRecord call_record(const Frame& frame);
  Ticks exclusive(const Frame& frame) const {
    return add_ticks(profiles_.charged(frame.callpath), 0 - static_cast<std::uint64_t>(frame.charged));
  }
  bool carry_over(Frame& frame);
  void bring_back();
  void note_outside(const PathInterval& interval);
  Profile::Kind kind_of(const Frame& f) const { return profiles_[f.callpath].kind; }
  Time now() const { return profiles_.now(); }
  Chunk& chunk() const { return *context_.chunk; }

  CallStack& stack_;
  Profiles& profiles_;
  ReplayContext& context_;
  std::uint32_t open_ = 0;
  PathInterval mpi_call_;     ///< the longest MPI call in a team since the last barrier, lock call, … ended
  bool in_mpi_call_ = false;  ///< an enter of the chunks' MPI call intervals has no exit yet
  OutsideParallelRegions outside_;
  std::vector<CarriedOver> carried_over_;
};

}  // namespace waitstate::replay
