// Long because threads, definitions and the end of a process share one state.
#include "record/core/recorder.hpp"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "record/core/openmp_runtimes.hpp"
#include "record/parts/event_file.hpp"
#include "record/parts/line_kinds.hpp"
#include "record/parts/not_cancelled.hpp"
#include "record/parts/parts.hpp"

namespace waitstate::record {

RecordingFlag recording{false};
constinit thread_local Thread* this_thread __attribute__((tls_model("initial-exec"))) = nullptr;
Thread* all_threads = nullptr;

std::atomic<Groups> left_out_called{0};

std::uint32_t next_comm_number() {
  static std::atomic<std::uint32_t> next{0};
  return next.fetch_add(1);
}

namespace {

constexpr std::uint64_t most_threads = 1 << 20;

struct State {
  SpinLock lock;  // protects the list of threads, definitions and the file of lines
  std::string folder, part, reason;
  int file = -1;
  pid_t pid = 0;
  OTF2_Archive* archive = nullptr;
  std::uint64_t rank = 0, bytes_of_lines = 0;
  std::uint32_t threads = 0, metrics = 0;
  std::map<std::string, std::uint32_t, std::less<>> strings, regions;
  std::array<const std::string*, 4096> region_names{};
  bool failed = false;
  std::atomic<std::uint64_t> written{0};      // bytes in event files
  EventFile* made = nullptr;                  // the newest location's
  std::atomic<ErrorCounts*> errors{nullptr};  // in the tail of the first thread
  bool ends_at_exit = false;
  std::array<std::atomic<const Adapter*>, static_cast<std::size_t>(AdapterId::count)> adapters{};
};

// Never destroyed: threads may record while the process ends.
State& state() {
  static State* const s = new State;
  return *s;
}

Thread* thread_of(OTF2_LocationRef location) {
  for (Thread* t = all_threads; t != nullptr; t = t->next)
    if (t->number == location) return t;
  return nullptr;
}

// Writes a line with its line feed.
void append_line(const char* line, std::size_t length) {
  const NotCancelled not_cancelled;
  State& s = state();
  if (s.file < 0) return;
  s.bytes_of_lines += length;
  const bool fits = is_within_limit(s.bytes_of_lines);
  if (!fits) errno = EFBIG;
  if ((!fits || write(s.file, line, length) != static_cast<ssize_t>(length)) && s.reason.empty())
    s.reason = std::string("cannot write ") + s.part + ".def: " + std::strerror(errno);
}
void append(const std::string& line) {
  const std::string whole = line + '\n';
  append_line(whole.data(), whole.size());
}

std::string events_line(const Thread& t) {
  return line_of(EventsLine{.location = t.number, .records = t.events, .first = t.first, .last = t.last});
}

// --- memory of the writers ------------------------------------------------------------------------------------------

void stop_for(const std::string& reason) {
  State& s = state();
  if (s.reason.empty()) s.reason = reason;
  recording.store(false);
}

// One chunk more has been written. The rest of the record at hand is still recorded.
void count_chunk(const Thread& t) {
  State& s = state();
  t.tail->last = t.last;
  if (!t.file->outlives_process()) {
    const std::lock_guard guard(s.lock);
    append(events_line(t));
  }
  const std::uint64_t most = settings().limit_bytes;
  if (most == 0 || (s.written += chunk_bytes) < most) return;
  const std::lock_guard guard(s.lock);
  if (s.reason.empty()) append(line_of(PropertyLine{.name = "WAITSTATE::LIMIT", .text = std::to_string(t.last)}));
  stop_for("more than the " + std::to_string(most >> 20) + " MiB of --limit; recording ends here");
}

// The memory of a location's first chunk is that of all: a chunk that is full has been closed by OTF2 when it asks for
// the next one. The first one is asked for by add_location(), which has the lock.
void* next_chunk(void*, OTF2_FileType type, OTF2_LocationRef location, void** data, std::uint64_t) {
  State& s = state();
  if (type != OTF2_FILETYPE_EVENTS) return nullptr;  // this process writes no other files
  auto* file = static_cast<EventFile*>(*data);
  if (file == nullptr) {
    *data = s.made = file = new EventFile(s.part, location);
  } else if (file->write_chunk()) {
    if (const Thread* const t = thread_of(location)) count_chunk(*t);
    return file->chunk();
  }
  if (!file->problem().empty()) stop_for(file->problem());
  return file->problem().empty() ? file->chunk() : nullptr;
}

// These belong to the location.
void free_chunks(void*, OTF2_FileType, OTF2_LocationRef, void**, bool) {}

OTF2_FlushType never_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_NO_FLUSH; }

OTF2_ErrorCode on_error(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  State& s = state();
  const int number = errno;
  if (s.reason.empty() && recording.load()) {
    s.reason = std::string("cannot write ") + s.part + ": " +
               (number != 0 ? std::strerror(number) : OTF2_Error_GetDescription(code));
    recording.store(false);
  }
  return code;
}

OTF2_CallbackCode create(void*, OTF2_Lock* lock) {
  *lock = reinterpret_cast<OTF2_Lock>(new SpinLock);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode destroy(void*, OTF2_Lock lock) {
  delete reinterpret_cast<SpinLock*>(lock);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode acquire(void*, OTF2_Lock lock) {
  reinterpret_cast<SpinLock*>(lock)->lock();
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode release(void*, OTF2_Lock lock) {
  reinterpret_cast<SpinLock*>(lock)->unlock();
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_Archive* open_archive(const std::string& path) {
  OTF2_Error_RegisterCallback(on_error, nullptr);
  OTF2_Archive* const archive = OTF2_Archive_Open(path.c_str(), "traces", OTF2_FILEMODE_WRITE, chunk_bytes, chunk_bytes,
                                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive == nullptr) return nullptr;
  static const OTF2_FlushCallbacks flush = {never_flush, nullptr};
  static const OTF2_MemoryCallbacks memory = {next_chunk, free_chunks};
  static const OTF2_LockingCallbacks locking = {nullptr, create, destroy, acquire, release};
  if (OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr) != OTF2_SUCCESS ||
      OTF2_Archive_SetMemoryCallbacks(archive, &memory, nullptr) != OTF2_SUCCESS ||
      OTF2_Archive_SetLockingCallbacks(archive, &locking, nullptr) != OTF2_SUCCESS ||
      OTF2_Archive_SetSerialCollectiveCallbacks(archive) != OTF2_SUCCESS ||
      OTF2_Archive_OpenEvtFiles(archive) != OTF2_SUCCESS)
    return nullptr;
  return archive;
}

}  // namespace

// --- beginning ------------------------------------------------------------------------------------------------------

std::string program_name() {
  const std::string name = program_invocation_name;
  return name.substr(name.rfind('/') + 1);
}

std::string node_name() {
  if (!settings().node.empty()) return settings().node;
  return name_of_clock();
}

bool begin(const std::string& folder, const ProcessInfo& info, std::uint64_t start) {
  State& s = state();
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  s.folder = folder;
  s.rank = info.rank;
  s.ends_at_exit = info.ends_at_exit;
  s.part = folder + "/parts/" + std::to_string(info.rank);
  s.pid = getpid();
  s.file = open((s.part + ".def").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_APPEND, 0666);
  if (s.file < 0) {
    trouble("cannot write " + s.part + ".def: " + std::strerror(errno));
    return false;
  }
  lock_lines(s.file);
  errno = 0;
  s.archive = open_archive(s.part);
  if (s.archive == nullptr) {
    trouble("cannot write in " + s.part + (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string()));
    ::close(std::exchange(s.file, -1));  // nobody waits for its lock
    return false;
  }
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  if (madvise(&recording, sizeof recording, MADV_WIPEONFORK) != 0)
    pthread_atfork(nullptr, nullptr, [] { recording.store(false); });
  append(line_of(FormatLine{}));
  append(line_of(ProcessLine{.rank = info.rank,
                             .size = info.size,
                             .host = host,
                             .node = node_name(),
                             .program = program_name(),
                             .pid = static_cast<std::uint64_t>(s.pid),
                             .paradigm = info.paradigm,
                             .chunk_bytes = chunk_bytes}));
  append(line_of(DateLine{.time = now(), .since_1970 = date()}));
  if (const Groups out = all_groups() & ~settings().groups & ~foreign_groups(info.paradigm); out != 0)
    append(line_of(LeftOutLine{.groups = names_of(out)}));
  const OTF2_StringRef name = define_string(program_name());
  recording.store(true);
  Thread* const t = attach();
  if (t == nullptr) {
    trouble("cannot write in " + s.part);
    return false;
  }
  s.errors = &t->tail->errors;
  t->record(OTF2_EvtWriter_ProgramBegin, start, name, 0, nullptr);
  return true;
}

namespace {

// A location of its own. `name`: of a stream; empty: a thread is named by its number.
Thread* add_location(const std::string& name) {
  const NotCancelled not_cancelled;
  State& s = state();
  const std::lock_guard guard(s.lock);
  if (!recording.load() || s.threads == most_threads) return nullptr;
  auto* const t = new Thread;
  t->number = s.threads++;
  t->stream = !name.empty();
  t->writer = OTF2_Archive_GetEvtWriter(s.archive, t->number);
  t->file = std::exchange(s.made, nullptr);
  if (t->writer == nullptr || t->file == nullptr) {
    delete t->file;
    delete t;
    return nullptr;
  }
  t->tail = &t->file->tail();
  t->next = all_threads;
  all_threads = t;
  if (name.empty())
    append(line_of(LocationLine{.number = t->number,
                                .name = t->number == 0 ? "Master thread" : "Thread " + std::to_string(t->number)}));
  else
    append(line_of(LocationLine{.number = t->number, .name = name, .kind = LocationKind::metric}));
  return t;
}

}  // namespace

void Thread::begin_at(std::uint64_t time) {
  first = time;
  tail->first.store(time, std::memory_order_relaxed);
}

Thread* attach() {
  Thread* const t = add_location({});
  if (t != nullptr) this_thread = t;
  return t;
}

Thread* attach_stream(const std::string& name) { return add_location(name); }

// --- definitions ----------------------------------------------------------------------------------------------------

void define(const std::string& line) {
  const std::lock_guard guard(state().lock);
  append(line);
}

std::uint32_t define_region(std::string_view name, OTF2_Paradigm paradigm, OTF2_RegionRole role) {
  State& s = state();
  const std::string key = line_of("", name, int{paradigm}, int{role});
  const std::lock_guard guard(s.lock);
  const auto [place, added] = s.regions.try_emplace(key, static_cast<std::uint32_t>(s.regions.size()));
  if (added) {
    append(line_of(RegionLine{.number = place->second, .name = std::string(name), .paradigm = paradigm, .role = role}));
    if (place->second < s.region_names.size()) s.region_names[place->second] = new std::string(name);
  }
  return place->second;
}

const char* region_name(std::uint32_t region) {
  const State& s = state();
  const std::string* const name = region < s.region_names.size() ? s.region_names[region] : nullptr;
  return name == nullptr ? "?" : name->c_str();
}

std::uint32_t define_string(std::string_view text) {
  State& s = state();
  const std::lock_guard guard(s.lock);
  const auto [place, added] = s.strings.try_emplace(std::string(text), static_cast<std::uint32_t>(s.strings.size()));
  if (added) append(line_of(StringLine{.number = place->second, .text = std::string(text)}));
  return place->second;
}

std::uint32_t define_metric(const MetricAbout& about, const Thread* stream) {
  State& s = state();
  const std::lock_guard guard(s.lock);
  const std::uint32_t number = s.metrics++;
  append(line_of(MetricLine{.number = number,
                            .name = about.name,
                            .unit = about.unit,
                            .description = about.description,
                            .mode = about.mode,
                            .type = about.type,
                            .object_kind = about.object_kind,
                            .object = about.object == undefined ? std::nullopt : std::optional(about.object)}));
  if (stream != nullptr) append(line_of(SampledLine{.metric = number, .location = stream->number}));
  return number;
}

void note_left_out(Groups group) {
  const Thread* const t = this_thread;
  if (t == nullptr || t->depth != 0 || !recording.load() || (left_out_called.fetch_or(group) & group) != 0) return;
  define(LeftOutCalledLine{.groups = names_of(group)});
}

void count_error(std::uint32_t region) {
  ErrorCounts* const errors = state().errors.load();
  if (errors == nullptr) return;
  for (ErrorCount& e : errors->functions) {
    std::uint32_t unused = 0;
    if (e.region.load() == region + 1 || e.region.compare_exchange_strong(unused, region + 1) || unused == region + 1) {
      e.calls.fetch_add(1);
      return;
    }
  }
  errors->others.fetch_add(1);
}

bool is_forked() { return state().pid != 0 && state().pid != getpid(); }

const std::string& folder() { return state().folder; }
const std::string& part_folder() { return state().part; }
std::uint64_t process_rank() { return state().rank; }

// --- end ------------------------------------------------------------------------------------------------------------

namespace {

// Calls that returned an error. While the tail with the counts is there, merging takes these lines and not the tail's.
void append_errors() {
  const ErrorCounts* const errors = state().errors.exchange(nullptr);
  if (errors == nullptr) return;
  const auto add = [](std::string_view name, std::uint64_t count) {
    append(line_of(PropertyLine{.name = std::string(error_prefix) + std::string(name), .text = std::to_string(count)}));
  };
  for (const ErrorCount& e : errors->functions)
    if (const std::uint32_t calls = e.calls.load(); calls != 0) add(region_name(e.region.load() - 1), calls);
  if (const std::uint64_t others = errors->others.load(); others != 0) add(further_functions, others);
}

// Waits until no thread writes any more, or that time has passed.
void wait_for_writers() {
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  const std::uint64_t limit = now() + 100'000'000;
  for (const Thread* t = all_threads; t != nullptr; t = t->next)
    while (t->writing.load(std::memory_order_acquire) && !t->own_thread && now() < limit) usleep(1000);
}

// Closes the file of a thread. Returns what went wrong, or an empty text; events that could not be written then stay in
// the tail, as long as there is one.
std::string close_writer(Thread& t, bool& closed) {
  const State& s = state();
  OTF2_Archive_CloseEvtWriter(s.archive, t.writer);
  t.writer = nullptr;
  closed = t.file->finish();
  std::string problem = t.file->problem();
  if (!closed) {
    const std::string tail = s.part + "/" + std::to_string(t.number) + ".tail";
    if (access(tail.c_str(), F_OK) == 0)
      problem += "; `waitstate recover` takes the last events of thread " + std::to_string(t.number) + " from " + tail;
    else
      problem = "the last events of thread " + std::to_string(t.number) + " are lost: " + problem;
  }
  return problem;
}

}  // namespace

void end_open(Thread& t, std::uint64_t time) {
  if (std::exchange(t.entered, false)) t.record(OTF2_EvtWriter_Leave, time, t.region);
  for (const auto& adapter : state().adapters)
    if (const Adapter* const a = adapter.load(); a != nullptr && a->end_open != nullptr) a->end_open(t, time);
}

bool is_inside(const Thread& t) {
  return std::ranges::any_of(state().adapters, [&](const auto& adapter) {
    const Adapter* const a = adapter.load();
    return a != nullptr && a->is_inside != nullptr && a->is_inside(t);
  });
}

void use(const Adapter& adapter) { state().adapters[static_cast<std::size_t>(adapter.id)] = &adapter; }

void detach() {
  const NotCancelled not_cancelled;
  Thread* const t = this_thread;
  if (t == nullptr) return;
  State& s = state();
  if (t->begin_writing()) {
    const std::string line = events_line(*t);
    bool closed = false;
    const std::string problem = close_writer(*t, closed);
    // The thread itself is the only one that uses its tail. At the end of the recording others may still use theirs.
    t->tail = nullptr;
    delete std::exchange(t->file, nullptr);
    t->end_writing();
    const std::lock_guard guard(s.lock);
    if (closed) append(line);
    if (s.reason.empty()) s.reason = problem;
  }
}

void close() {
  State& s = state();
  if (s.archive == nullptr || s.pid != getpid()) return;
  recording.store(false);
  wait_for_writers();
  append_errors();
  std::uint64_t end = 0;
  for (const Thread* t = all_threads; t != nullptr; t = t->next)
    if (!t->stream) end = std::max(end, t->last);
  for (Thread* t = all_threads; t != nullptr; t = t->next) {
    if (t->writer == nullptr || t->writing.load()) continue;
    // The thread that ends the recording is in the call that does so, whose end is its last record.
    const bool in_last_call = t == this_thread && !s.ends_at_exit;
    end_open(*t, in_last_call ? t->last : std::max(t->last, now()));
    if (t->number == 0) {
      const std::uint64_t time = std::max(end, now());
      t->record_anyway(OTF2_EvtWriter_ProgramEnd, time, OTF2_UNDEFINED_INT64);
    }
    const std::string line = events_line(*t);
    bool closed = false;
    const std::string problem = close_writer(*t, closed);
    if (closed) append(line);
    if (s.reason.empty()) s.reason = problem;
  }
  if ((settings().groups & group::openmp) != 0 && is_openmp_silent())
    append(line_of(PropertyLine{.name = silent_openmp, .text = "GCC"}));
  append(line_of(EndLine{}));
  OTF2_Archive_CloseEvtFiles(s.archive);
  s.archive = nullptr;  // its anchor is written when all parts are merged
  ::close(s.file);
  s.file = -1;
  if (!s.reason.empty()) trouble(s.reason);
}

void ends_in_a_call() { state().ends_at_exit = false; }

void close_at_exit() {
  if (recording.load() && state().ends_at_exit) close();
}

void say(const std::string& what) {
  const std::string line = "waitstate record: " + what + "\n";
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

void trouble(const std::string& what) {
  State& s = state();
  recording.store(false);
  if (!std::exchange(s.failed, true)) say(what);
}

}  // namespace waitstate::record
