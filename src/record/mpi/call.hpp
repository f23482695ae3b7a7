// An MPI call while it is recorded: what its hooks before the library's work leave for those behind it.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "record/core/adapter.hpp"
#include "record/core/recorder.hpp"
#include "record/core/unrecorded.hpp"
#include "record/mpi/next.hpp"
#include "record/mpi/variables.hpp"

namespace waitstate::record::mpi {

struct Comm {
  std::uint32_t number = undefined;  ///< local
  std::string identity;
  int size = 0, rank = 0, remote_size = 0;
  bool inter = false;
  MPI_Comm handle{};
  std::uint64_t created = 0;     ///< communicators made of it so far
  std::uint64_t windows = 0;     ///< windows made of it so far
  std::uint64_t persistent = 0;  ///< persistent collective operations prepared on it so far
  /// An error is returned, and does not end the run: then what a call starts is recorded when the call has ended.
  std::atomic<bool> returns_errors{false};
  int sources = -1, targets = -1;  ///< in its topology; -1: not asked for yet
  std::vector<char> nobody;        ///< for each neighbour: true if there is none (edge of a grid); empty: all are there
};

struct Window {
  std::uint32_t number = undefined;
  struct Pending {
    int target;
    std::uint64_t match;
    bool recorded = true;
    bool local = false;  ///< complete here, and recorded so
  };
  SpinLock lock;
  std::vector<Pending> pending;
  std::vector<int> unrecorded_locks;  ///< targets of locks that were asked for while recording was off
  std::uint32_t started = undefined, posted = undefined;  ///< groups of the epochs
};

struct Collective {
  OTF2_CollectiveOp op{};
  std::uint32_t root = undefined;
  std::uint64_t sent = 0, received = 0;
  Comm* comm = nullptr;
};

/// The operation behind a request of the program, or the one that a call starts.
struct Operation {
  enum class Kind : std::uint8_t { none, send, receive, both, collective, one_sided, duplicate };
  Kind kind = Kind::none;
  bool persistent = false, active = true, cancelled = false;
  bool recorded = true;       ///< false: begun while recording was off, so its completion has no record either
  bool partitioned = false;   ///< a message in parts, of which the library's status says nothing
  bool is_of_found = false;   ///< a receive of a message that a probe has found, if that has a record
  std::uint64_t id = 0;       ///< in `both`: id of the send; the receive has the next one
  Comm* comm = nullptr;       ///< in `duplicate`: the parent
  int peer = -1, tag = -1;    ///< in `both`: peer and tag of the receive
  std::uint64_t bytes = 0;    ///< bytes of a persistent send or a message in parts; in `both`: room of the receive
  std::uint64_t message = 0;  ///< number of a message that was found
  Collective collective;
  Window* window = nullptr;
  MPI_Comm* made = nullptr;  ///< in `duplicate`: where its handle will be
  std::uint64_t number = 0;  ///< in `duplicate`: its number among the parent's
};

/// Scratch memory of a thread: arrays that grow as needed, and numbers that are its own.
struct Scratch {
  explicit Scratch(const Thread& t);
  std::vector<std::uint64_t> requests;
  std::vector<MPI_Status> statuses;
  std::uint64_t next_id;
};
/// Numbers of operations have that of the thread above this bit.
inline constexpr unsigned thread_shift = 40;
inline bool begun_by(const Operation& o, const Thread& t) { return o.id >> thread_shift == t.number; }
inline Scratch::Scratch(const Thread& t) : next_id(std::uint64_t{t.number} << thread_shift) {}
inline constexpr Adapter mpi_adapter = {AdapterId::calls};
inline Scratch& scratch(Thread& t) { return state_of<Scratch>(t, mpi_adapter); }

/// The record of what a call starts.
struct StartRecord {
  enum class Kind : std::uint8_t { send, isend, irecv, collective, icollective };
  Kind kind{};
  std::uint32_t peer = 0, tag = 0;
  std::uint64_t bytes = 0, id = 0;
};

struct MpiCall;
/// The library returned an error: counts it, and finds out what happened all the same.
void note_error(MpiCall& c, int code);
/// True for the class of errors with which a message was received as far as there was room for it.
bool is_truncation(int code);

/// Most calls need little of it, so what is large is not even initialised before it is needed.
struct MpiCall : Call {
  [[gnu::always_inline]] MpiCall(Thread& thread, std::uint32_t region, bool late = false)
      : Call(thread, region, late) {}
  /// Records what the call starts, now or when it has ended well: see Comm::returns_errors.
  [[gnu::always_inline]] void start(const Comm& on, const StartRecord& record) {
    if (on.returns_errors.load(std::memory_order_relaxed)) {
      started_on = &on;
      started_with = record;
    } else {
      write(on, record, begin);
    }
  }
  /// Records what is still to be recorded of it.
  [[gnu::noinline, gnu::cold]] void write_start() {
    if (!started_with) return;
    if (live()) write(*started_on, *started_with, std::max(begin, t.last));
    started_with.reset();
  }
  /// The library's work is done.
  [[gnu::always_inline]] void end_with(int code) {
    resume();
    if (code != MPI_SUCCESS) [[unlikely]]
      note_error(*this, code);
    if (started_with && has_outcome) [[unlikely]]
      write_start();
  }
  [[gnu::always_inline]] void leave() {
    if (reads_variables && live() && entered() && !t.muted) read_variables(t, end);
    Call::leave();
  }
  std::uint64_t new_id() { return ++scratch(t).next_id; }

  Comm* comm = nullptr;  ///< communicator of its message, or the one that it is about
  Window* window = nullptr;
  std::optional<Operation> operation;  ///< operation that it starts, or completes with a found message
  Collective collective;
  int target = -1;
  bool has_lock_record = true;
  std::uint64_t number = 0;
  bool flag = false;
  std::uint32_t group = undefined;
  std::size_t count = 0;                    ///< number of requests that it waits for
  const std::uint64_t* requests = nullptr;  ///< their handles: in the thread's tail, or in its Scratch if they are many
  MPI_Status own;                           ///< where the program has none
  int result = MPI_SUCCESS;
  bool has_outcome = true;  ///< it did what it was called for, or some of it: of a message that is too long, as much as
                            ///< there was room for; of several requests, those whose status says so
  const Comm* started_on = nullptr;
  std::optional<StartRecord> started_with;  ///< record of its start, as long as it is not written

 private:
  [[gnu::always_inline]] void write(const Comm& on, const StartRecord& r, std::uint64_t time) {
    if (t.muted) [[unlikely]] {
      if (r.kind == StartRecord::Kind::send || r.kind == StartRecord::Kind::isend)
        note_unrecorded({Unrecorded::Kind::send, on.number, r.peer, r.tag});
      return;
    }
    switch (r.kind) {
      case StartRecord::Kind::send:
        return t.record(OTF2_EvtWriter_MpiSend, time, r.peer, on.number, r.tag, r.bytes);
      case StartRecord::Kind::isend:
        return t.record(OTF2_EvtWriter_MpiIsend, time, r.peer, on.number, r.tag, r.bytes, r.id);
      case StartRecord::Kind::irecv:
        return t.record(OTF2_EvtWriter_MpiIrecvRequest, time, r.id);
      case StartRecord::Kind::collective:
        return t.record(OTF2_EvtWriter_MpiCollectiveBegin, time);
      case StartRecord::Kind::icollective:
        return t.record(OTF2_EvtWriter_NonBlockingCollectiveRequest, time, r.id);
    }
  }
};

inline bool records(Groups g) {
  static const Groups all = settings().groups;
  return (all & g) != 0;
}

/// No thread: the call is of a group that is not recorded. That the program makes such calls is noted.
inline Thread* leave_out(Groups g) {
  if ((left_out_called.load(std::memory_order_relaxed) & g) == 0) note_left_out(g);
  return nullptr;
}

/// A call that is not recorded, and in which the library calls functions of MPI that are: file operations of MPICH
/// exchange messages. They are inside of a call.
class UnrecordedCall {
 public:
  explicit UnrecordedCall(const Thread* recorded) : thread_(recorded == nullptr ? this_thread : nullptr) {
    if (thread_ != nullptr) ++thread_->depth;
  }
  UnrecordedCall(const UnrecordedCall&) = delete;
  UnrecordedCall& operator=(const UnrecordedCall&) = delete;
  ~UnrecordedCall() {
    if (thread_ != nullptr) --thread_->depth;
  }

 private:
  Thread* thread_;
};

/// Local number of a function's region, when it is called for the first time.
std::uint32_t new_region(unsigned index, const char* name, OTF2_RegionRole role);
/// Local number of a function's region.
[[gnu::always_inline]] inline std::uint32_t region(unsigned index, const char* name, OTF2_RegionRole role) {
  if (const std::uint32_t known = regions[index]; known != 0) [[likely]]
    return known - 1;
  return new_region(index, name, role);
}

}  // namespace waitstate::record::mpi
