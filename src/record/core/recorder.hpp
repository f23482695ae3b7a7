// The recorder inside a process: its threads, their event writers, its lines of definitions; its beginning and its end.
//
// Nothing here knows what is recorded: adapters (mpi, shmem, openmp, threads, user) do. Every process writes a part of
// its own, FOLDER/parts/PROCESS: event files through an OTF2 writer a thread, with numbers of its own for definitions,
// and lines that say what the numbers mean (line_kinds.hpp). No process ever waits for another to write its part, so
// trouble of one ends the recording of one. Who merges the parts is the adapter's business (archive.hpp).
//
// A thread writes only between begin_writing() and end_writing(). The thread that ends the recording first says so
// and then waits until no thread writes; the two stores and loads are ordered by membarrier(2) on its side alone, so
// that a call pays nothing for it.
//
// Memory is bounded: a thread has one chunk, which is mapped from a file (tail.hpp) and goes to the event file whenever
// it is full. So what is recorded outlives the process, however it ends.
#pragma once

#include <otf2/otf2.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "record/core/clock.hpp"
#include "record/core/lock.hpp"
#include "record/core/settings.hpp"
#include "record/parts/line_kinds.hpp"
#include "record/parts/tail.hpp"

namespace waitstate::record {

inline constexpr std::uint32_t undefined = OTF2_UNDEFINED_UINT32;

/// The adapters of a library, in the order in which they end what is open in a thread: what is inside of something else
/// comes before it.
enum class AdapterId : std::uint8_t { calls, openmp, regions, functions, threads, count };

struct Thread;

/// The core knows of an adapter what stands here, and keeps its state for each thread (adapter.hpp).
struct Adapter {
  AdapterId id;
  /// Ends what is open in a thread in which nobody writes any more, at that time; null if nothing ever is. The program
  /// has come to its end.
  void (*end_open)(Thread& thread, std::uint64_t time) = nullptr;
  /// True while something is open in a thread of which the whole is recorded, or nothing; null if nothing ever is.
  bool (*is_inside)(const Thread& thread) = nullptr;
};

/// From now on the adapter takes part in the end of the recording. May be called again, in any thread.
void use(const Adapter& adapter);

class EventFile;

struct Thread {
  OTF2_EvtWriter* writer = nullptr;
  EventFile* file = nullptr;  ///< where its events go
  Tail* tail = nullptr;       ///< the tail of `file`, as long as the thread lives
  std::uint32_t number = 0;
  unsigned depth = 0;                 ///< depth of calls while one is being recorded; calls inside it are not
  bool entered = false;               ///< the enter of that call is recorded, and its leave is not
  std::atomic<bool> writing{false};   ///< see above
  bool own_thread = false;            ///< a thread of the recorder, or one that is not to be recorded
  bool stream = false;                ///< no thread, and maybe with a clock of its own
  bool muted = false;                 ///< its records are dropped, see pause.cpp
  std::uint64_t events = 0;           ///< number of its records
  std::uint64_t first = 0, last = 0;  ///< times of its records
  std::uint64_t switched = 0;         ///< time from which it has been muted, or no longer
  std::uint32_t region = undefined;   ///< region of its call, while depth is not 0
  Thread* next = nullptr;             ///< in the list of all
  void* states[static_cast<std::size_t>(AdapterId::count)] = {};  ///< states of the adapters, see adapter.hpp

  bool begin_writing();
  void end_writing() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    writing.store(false, std::memory_order_release);
  }
  /// Writes a record: a function OTF2_EvtWriter_*, the time, and what the function is given behind it; nothing in a
  /// thread that is muted.
  template <class... Wanted, class... Given>
  [[gnu::always_inline]] void record(OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp,
                                                             Wanted...),
                                     std::uint64_t time, Given... given) {
    if (!muted) [[likely]]
      record_anyway(write, time, given...);
  }
  /// Writes a record in a muted thread too. A record counts when it is whole: of a process that is killed, what is
  /// behind the count is cut off.
  template <class... Wanted, class... Given>
  [[gnu::always_inline]] void record_anyway(OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*,
                                                                    OTF2_TimeStamp, Wanted...),
                                            std::uint64_t time, Given... given) {
    if (write(writer, nullptr, time, given...) != OTF2_SUCCESS) return;
    if (events == 0) [[unlikely]]
      begin_at(time);
    last = time;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    tail->events.store(++events, std::memory_order_relaxed);
  }
  void begin_at(std::uint64_t time);  ///< the time of its first record
};

/// True while events are recorded. A child that the program forks has the same memory, but the files are not its own:
/// in it the flag is false, because it lies in a page of its own that the kernel empties.
struct alignas(4096) RecordingFlag : std::atomic<bool> {
  using std::atomic<bool>::atomic;
};
extern RecordingFlag recording;
extern constinit thread_local Thread* this_thread __attribute__((tls_model("initial-exec")));

[[gnu::always_inline]] inline bool Thread::begin_writing() {
  writing.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (recording.load(std::memory_order_acquire) && writer != nullptr) return true;
  writing.store(false, std::memory_order_relaxed);
  return false;
}

/// For a thread's first record: gives it a location. Null while nothing is recorded, or if it cannot be.
Thread* attach();

/// A location that is no thread of the process: values that are read beside the program, or what a source of events
/// tells. Null while nothing is recorded. Its owner writes between begin_writing() and end_writing(), from one
/// thread at a time.
Thread* attach_stream(const std::string& name);

/// The calling thread; null while nothing is recorded, as in a forked child, which has not the memory of the tails.
inline Thread* current() {
  if (!recording.load(std::memory_order_relaxed)) return nullptr;
  Thread* const t = this_thread;
  return t != nullptr ? t : attach();
}

/// True if an adapter has something open in the thread that has to be recorded as a whole; see Adapter::is_inside.
bool is_inside(const Thread& thread);
/// Ends all that is open in a thread in which nobody else writes: its call, and what adapters have open.
void end_open(Thread& thread, std::uint64_t time);
/// The calling thread ends: its file is closed.
void detach();

/// Facts about a process when its recording begins.
struct ProcessInfo {
  std::uint64_t rank = 0, size = 1;
  std::string paradigm;       ///< "mpi", "shmem" or "threads"
  bool ends_at_exit = false;  ///< it has no end that is seen, such as MPI_Finalize: it is whole when it exits
};

/// Opens this process's part; then events are recorded, the calling thread's as those of the main one, in a region
/// named as the program that begins at `start`. False, with trouble(), if that does not work.
bool begin(const std::string& folder, const ProcessInfo& info, std::uint64_t start);

/// The end of the program will be seen after all: ProcessInfo::ends_at_exit no longer holds.
void ends_in_a_call();

/// The program has come to its end: ends the recording and closes the files. Without it, `recover` completes them.
void close();
/// Calls close() when the process exits, if that is the end of its program.
void close_at_exit();

/// Groups that are not recorded, and of which the program has called something.
extern std::atomic<Groups> left_out_called;
/// Says so in a line, for a call of the program's own.
void note_left_out(Groups group);

/// A call of this region returned an error: counts it where the count outlives the process.
void count_error(std::uint32_t region);

/// True in a child that the recorded process has forked: nothing of the recorder's is its own.
bool is_forked();

const std::string& folder();
/// The folder of this process's part.
const std::string& part_folder();
std::uint64_t process_rank();

/// Appends a line; in any thread.
void define(const std::string& line);
template <LineKind Line>
void define(const Line& line) {
  define(line_of(line));
}

/// Local number of a region.
std::uint32_t define_region(std::string_view name, OTF2_Paradigm paradigm, OTF2_RegionRole role);
/// The name of one of the first 4,096 regions, else "?".
const char* region_name(std::uint32_t region);
/// Local number of a text.
std::uint32_t define_string(std::string_view text);

/// The definition of a metric; see MetricLine.
struct MetricAbout {
  std::string name, unit = "#", description;
  OTF2_MetricMode mode = OTF2_METRIC_ACCUMULATED_START;
  OTF2_Type type = OTF2_TYPE_UINT64;
  ObjectKind object_kind = ObjectKind::none;
  std::uint32_t object = undefined;
};
/// Local number of a new metric. `stream`: what records it for the process, if that is not a thread.
std::uint32_t define_metric(const MetricAbout& about, const Thread* stream = nullptr);

/// Something has gone wrong: recording ends, and the reason is printed once. Never ends the program.
void trouble(const std::string& what);
/// Says something on stderr, after "waitstate record: ".
void say(const std::string& what);

/// A number for a communicator or team.
std::uint32_t next_comm_number();

/// If somebody asks the process to end, by a signal that the program leaves alone, the time is noted; it dies as it
/// would have died.
void watch_end();

extern Thread* all_threads;  ///< newest first; only ever grows

/// Name of the program, without folders.
std::string program_name();
std::string node_name();  ///< processes with the same one have the same clock

// --- the program's switch, see pause.cpp ---

extern std::atomic<bool> paused;  ///< recording is switched off
/// Switches recording off or on, in the calling thread at once.
void switch_recording(bool off);
/// The thread, in which nobody else writes, is muted or no longer, from that time on or later.
void mute(Thread& thread, bool off, std::uint64_t time);
bool follow_switch(Thread& thread);
/// A thread that is writing does as the switch says, if nothing is open in it. True if that changed it.
[[gnu::always_inline]] inline bool follow_pause(Thread& t) {
  return t.muted != paused.load(std::memory_order_relaxed) && follow_switch(t);
}

/// A call of a library, from enter to leave, with what is recorded in between; on the stack of a wrapper. What every
/// call does is inlined into the wrappers, whatever the compiler thinks of their size: that is 8 ns of 75.
class Call {
 public:
  /// `late`: its enter is recorded only if there turns out to be something to record; see enter_now().
  [[gnu::always_inline]] Call(Thread& thread, std::uint32_t region, bool late = false) : t(thread), late_(late) {
    t.region = region;
    begin = now();
    live_ = t.begin_writing();
    if (live_ && follow_pause(t)) begin = std::max(begin, t.last);
    ++t.depth;
    if (live_ && !late) enter();
  }
  /// Before the library's work, and after it.
  [[gnu::always_inline]] void pause() {
    if (live_) t.end_writing();
  }
  [[gnu::always_inline]] void resume() {
    end = now();
    t.tail->waiting.what.store(Waiting::What::nothing, std::memory_order_relaxed);
    live_ = live_ && t.begin_writing();
  }
  /// True while this call is being recorded.
  bool live() const { return live_; }
  void enter_now() {
    if (late_) enter();
    late_ = false;
  }
  bool entered() const { return !late_; }
  /// Records the call in a muted thread too, between a switch on and a switch off: it belongs to something that is
  /// recorded. Its records so far have been dropped.
  void record_anyway() {
    if (!t.muted || !live_) return;
    was_muted_ = true;
    mute(t, false, begin);
    if (!late_) enter();
  }
  [[gnu::always_inline]] void leave() {
    if (live_) {
      if (!late_) t.record(OTF2_EvtWriter_Leave, end, t.region);
      t.entered = false;
      t.last = end;
      if (was_muted_) [[unlikely]]
        mute(t, true, end);
      t.end_writing();
    }
    --t.depth;
  }
  void wait_for(Waiting::What what, std::uint32_t communicator, std::int64_t peer = -1, std::int64_t tag = -1) const {
    Waiting& w = t.tail->waiting;
    w.region = t.region;
    w.since = begin;
    w.communicator = communicator;
    w.peer = peer;
    w.tag = tag;
    w.what.store(what, std::memory_order_release);
  }

  Thread& t;
  std::uint64_t begin = 0, end = 0;

 private:
  [[gnu::always_inline]] void enter() {
    t.record(OTF2_EvtWriter_Enter, begin, t.region);
    t.entered = true;
  }

  bool live_ = false, late_ = false, was_muted_ = false;
};

}  // namespace waitstate::record
