// The recorder inside a process: its threads, their event writers, its lines of definitions; its beginning and its end.
//
// Nothing here knows what is recorded: adapters (mpi, shmem, openmp, threads, user) do. Every process writes a part of
// its own, FOLDER/parts/PROCESS: event files through an OTF2 writer a thread, with numbers of its own for definitions,
// and lines that say what the numbers mean (line_kinds.hpp). No process ever waits for another to write its part, so
// trouble of one ends the recording of one. Who merges the parts is the adapter's business (archive.hpp).
//
// A thread writes only between begin_writing() and end_writing(). Whoever ends the recording first says so and then
// waits until nobody writes; the two stores and loads are ordered by membarrier(2) on his side alone, so that a call
// pays nothing for it. A process that is ended by a signal closes its files in the handler if nobody is writing.
//
// Memory is bounded: a thread has buffers of settings().buffer_bytes, which go to the disk whenever they are full.
#pragma once

#include <otf2/otf2.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "record/core/clock.hpp"
#include "record/core/line_kinds.hpp"
#include "record/core/lock.hpp"
#include "record/core/settings.hpp"

namespace waitstate::record {

inline constexpr std::uint32_t undefined = OTF2_UNDEFINED_UINT32;

/// The message, operation or lock that a thread's call waits for, in case it never ends. Read by signal handlers, so
/// plain numbers.
struct Waiting {
  enum class What : std::uint8_t {
    nothing,
    send,
    receive,
    probe,
    requests,
    collective,
    window,
    lock,
    omp_lock,
    pthread_lock
  };
  What what = What::nothing;
  std::uint32_t communicator = undefined;  ///< local number; of a window or lock: that of the window; of a lock of
                                           ///< threads: its number
  std::int64_t peer = -1, tag = -1;        ///< -1: any, or none
  const void* requests = nullptr;          ///< requests in the adapter's form
  std::size_t count = 0;
};

struct Thread {
  OTF2_EvtWriter* writer = nullptr;
  std::uint32_t number = 0;
  unsigned depth = 0;                 ///< depth of calls while one is being recorded; calls inside it are not
  std::atomic<bool> writing{false};   ///< see above
  bool own_thread = false;            ///< a thread of the recorder, or one that is not to be recorded
  bool stream = false;                ///< no thread, and maybe with a clock of its own
  std::uint64_t first = 0, last = 0;  ///< times of its records
  std::uint32_t region = undefined;   ///< region of its call, while depth is not 0 or it waits for a lock of OpenMP
  std::uint64_t since = 0;            ///< when it began
  Waiting waiting;
  Thread* next = nullptr;          ///< in the list of all
  std::atomic<bool> ended{false};  ///< its writer is closed
  void* adapter[5] = {};           ///< state that adapters keep for it
  unsigned chunks = 0;             ///< number of chunks of memory that its writer has

  bool begin_writing();
  void end_writing() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    writing.store(false, std::memory_order_release);
  }
};

extern std::atomic<bool> recording;
extern thread_local Thread* this_thread __attribute__((tls_model("initial-exec")));

inline bool Thread::begin_writing() {
  writing.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (recording.load(std::memory_order_acquire) && writer != nullptr) return true;
  writing.store(false, std::memory_order_relaxed);
  return false;
}

/// A thread's first record: gives it a location. Null while nothing is recorded, or if it cannot be.
Thread* attach();

/// A location that is no thread of the process: values that are read beside the program, or what a source of events
/// tells. Null while nothing is recorded. Whoever has it writes between begin_writing() and end_writing(), one at a
/// time.
Thread* attach_stream(const std::string& name);

/// The calling thread; null while nothing is recorded.
inline Thread* current() {
  Thread* const t = this_thread;
  return t != nullptr ? t : recording.load(std::memory_order_relaxed) ? attach() : nullptr;
}

/// The thread ends: its file is closed.
void detach();

/// Facts about a process when its recording begins.
struct ProcessInfo {
  std::uint64_t rank = 0, size = 1;
  std::string paradigm;  ///< "mpi", "shmem" or "threads"
};

/// Makes FOLDER, which must not exist, and FOLDER/parts. An empty text, or what went wrong.
std::string make_folder(const std::string& folder);

/// A name made of the program and the time, if none has been given.
std::string default_folder();

/// Opens this process's part; then events are recorded, the calling thread's as those of the main one, in a region
/// named as the program that begins at `start`. False, with trouble(), if that does not work.
bool begin(const std::string& folder, const ProcessInfo& info, std::uint64_t start);

/// Ends the recording and closes the files. `whole`: the program came to its end. In a signal handler: false if a
/// thread was writing, and nothing could be closed.
bool close(bool whole, bool in_handler = false);

/// Groups that are not recorded, and of which the program has called something.
extern std::atomic<Groups> left_out_called;
/// Says so in a line, for a call of the program's own.
void note_left_out(Groups group);

const std::string& folder();
std::uint64_t process_rank();

/// Appends a line; in any thread.
void define(const std::string& line);
template <LineKind Line>
void define(const Line& line) {
  define(line_of(line));
}
/// Like define(), in a signal handler: no memory is asked for. Without line feed.
void define_in_handler(const char* line, std::size_t length);

/// Local number of a region.
std::uint32_t define_region(std::string_view name, OTF2_Paradigm paradigm, OTF2_RegionRole role);
/// The name of one of the first 4,096 regions, else "?"; also in a signal handler.
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

/// The same lines for every thread that waits in a call, by the adapter; in a signal handler.
extern void (*describe_waiting)();
/// Milliseconds for which a process that is asked to end stays, having written all: for the others, which were asked
/// too.
extern int lingers;
/// Writes a WaitsLine of a thread; in a signal handler.
void define_waiting(const Thread& thread, const char* function, const char* what, std::uint32_t communicator,
                    std::int64_t peer, std::int64_t tag);

/// A number for a communicator or team.
std::uint32_t next_comm_number();

/// Called when nobody writes any more, before the files are closed: adapters end what is open in a thread. Given what
/// is called before it, which it calls too.
extern void (*end_open)(Thread& thread);
/// The program has no end of its own that is seen, such as MPI_Finalize: it is whole when it exits.
extern bool ends_at_exit;

/// Closes this process's files if a signal, or exit without an end, ends it: handlers for signals that the program
/// leaves alone; it dies as it would have died.
void watch_end();

extern Thread* all_threads;  ///< newest first; only ever grows

/// Name of the program, without folders.
std::string program_name();
std::string node_name();  ///< processes with the same one have the same clock

/// A call of a library, from enter to leave, with what is recorded in between; on the stack of a wrapper.
class Call {
 public:
  /// `late`: its enter is recorded only if there turns out to be something to record; see enter_now().
  Call(Thread& thread, std::uint32_t region, bool late = false) : t(thread), late_(late) {
    t.region = region;
    begin = now();
    t.since = begin;
    ++t.depth;
    live_ = t.begin_writing();
    if (live_ && !late) OTF2_EvtWriter_Enter(t.writer, nullptr, begin, region);
    if (t.first == 0) t.first = begin;
  }
  /// Before the library's work, and after it.
  void pause() {
    if (live_) t.end_writing();
  }
  void resume() {
    end = now();
    t.waiting.what = Waiting::What::nothing;
    live_ = live_ && t.begin_writing();
  }
  /// True while this call is being recorded.
  bool live() const { return live_; }
  void enter_now() {
    if (late_) OTF2_EvtWriter_Enter(t.writer, nullptr, begin, t.region);
    late_ = false;
  }
  bool entered() const { return !late_; }
  void leave() {
    if (live_) {
      if (!late_) OTF2_EvtWriter_Leave(t.writer, nullptr, end, t.region);
      t.last = end;
      t.end_writing();
    }
    --t.depth;
  }
  void wait_for(Waiting::What what, std::uint32_t communicator, std::int64_t peer = -1, std::int64_t tag = -1) {
    t.waiting.communicator = communicator;
    t.waiting.peer = peer;
    t.waiting.tag = tag;
    t.waiting.what = what;
  }

  Thread& t;
  std::uint64_t begin = 0, end = 0;

 private:
  bool live_ = false, late_ = false;
};

}  // namespace waitstate::record
