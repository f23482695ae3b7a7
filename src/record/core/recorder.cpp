// Long because threads, definitions and the end of a process share one state.
#include "record/core/recorder.hpp"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

#include "record/core/line_kinds.hpp"
#include "record/core/parts.hpp"

namespace waitstate::record {

std::atomic<bool> recording{false};
thread_local Thread* this_thread __attribute__((tls_model("initial-exec"))) = nullptr;
Thread* all_threads = nullptr;

std::atomic<Groups> left_out_called{0};

void (*end_open)(Thread& thread) = nullptr;
bool ends_at_exit = false;

std::uint32_t next_comm_number() {
  static std::atomic<std::uint32_t> next{0};
  return next.fetch_add(1);
}

namespace {

constexpr std::uint64_t chunk_bytes = 1 << 20;
constexpr std::uint64_t most_threads = 1 << 20;

struct State {
  SpinLock lock;  // protects the list of threads, definitions and the file of lines
  std::string folder, part, reason;
  int file = -1;
  pid_t pid = 0;
  OTF2_Archive* archive = nullptr;
  std::uint64_t rank = 0;
  std::uint32_t threads = 0, metrics = 0;
  std::map<std::string, std::uint32_t, std::less<>> strings, regions;
  std::array<const std::string*, 4096> region_names{};
  bool failed = false;
  std::atomic<std::uint64_t> flushed{0};
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

// --- buffers of the writers -----------------------------------------------------------------------------------------

struct Buffers {
  std::uint64_t count = 0;
  std::vector<void*> chunks;
};

// OTF2 keeps so much more before it writes to a file.
constexpr std::uint64_t file_buffer = 4 << 20;

void stop_for(const std::string& reason);

// Whether a location's file can grow by so much. OTF2 does not survive a write that fails, so none must.
bool has_room(OTF2_LocationRef location, std::uint64_t bytes) {
  const State& s = state();
  char path[4096];  // no memory is asked for here
  std::snprintf(path, sizeof path, "%s/traces/%llu.evt", s.part.c_str(), static_cast<unsigned long long>(location));
  struct stat about {};
  const std::uint64_t size = stat(path, &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
  rlimit most{};
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && size + bytes > most.rlim_cur) {
    errno = EFBIG;
    return false;
  }
  struct statvfs disk {};
  if (statvfs(s.part.c_str(), &disk) == 0 && std::uint64_t{disk.f_bavail} * disk.f_frsize < bytes + file_buffer) {
    errno = ENOSPC;
    return false;
  }
  return true;
}

// As many chunks for events as the settings say; when there is none, the writer flushes. If that cannot be, there is
// one more for the record at hand, and recording ends.
void* allocate_chunk(void*, OTF2_FileType type, OTF2_LocationRef location, void** data, std::uint64_t size) {
  auto* buffers = static_cast<Buffers*>(*data);
  if (buffers == nullptr) *data = buffers = new Buffers;
  const std::uint64_t most = std::max<std::uint64_t>(2, settings().buffer_bytes / chunk_bytes);
  if (type == OTF2_FILETYPE_EVENTS && buffers->count == most) {
    if (has_room(location, most * chunk_bytes + file_buffer)) return nullptr;
    stop_for(std::string("cannot write ") + state().part + ": " + std::strerror(errno));
  }
  if (buffers->count == buffers->chunks.size()) {
    void* const chunk = std::malloc(size);
    if (chunk == nullptr) return nullptr;
    buffers->chunks.push_back(chunk);
  }
  return buffers->chunks[buffers->count++];
}

void free_chunks(void*, OTF2_FileType, OTF2_LocationRef, void** data, bool final) {
  auto* const buffers = static_cast<Buffers*>(*data);
  if (buffers == nullptr) return;
  buffers->count = 0;
  if (!final) return;
  for (void* const chunk : buffers->chunks) std::free(chunk);
  delete buffers;
  *data = nullptr;
}

// With its line feed.
void append_line(const char* line, std::size_t length) {
  State& s = state();
  if (s.file < 0) return;
  if (write(s.file, line, length) != static_cast<ssize_t>(length) && s.reason.empty())
    s.reason = std::string("cannot write ") + s.part + ".def: " + std::strerror(errno);
}
void append(const std::string& line) {
  const std::string whole = line + '\n';
  append_line(whole.data(), whole.size());
}

std::string events_line(const Thread& t, std::uint64_t last) {
  std::uint64_t events = 0;
  OTF2_EvtWriter_GetNumberOfEvents(t.writer, &events);
  return line_of(EventsLine{.location = t.number, .records = events, .first = t.first, .last = last});
}

void stop_for(const std::string& reason) {
  State& s = state();
  if (s.reason.empty()) s.reason = reason;
  recording.store(false);
}

OTF2_FlushType before_flush(void*, OTF2_FileType type, OTF2_LocationRef location, void*, bool) {
  if (type != OTF2_FILETYPE_EVENTS || has_room(location, settings().buffer_bytes + file_buffer)) return OTF2_FLUSH;
  // The rest, at the end: less than the buffers may be left to write.
  stop_for(std::string("cannot write ") + state().part + ": " + std::strerror(errno));
  return OTF2_NO_FLUSH;
}

// The file's contents are there now for a recovery. Called in the thread that writes, or in the one that closes its
// writer.
OTF2_TimeStamp after_flush(void*, OTF2_FileType type, OTF2_LocationRef location) {
  State& s = state();
  Thread* const t = thread_of(location);
  const std::uint64_t time = t != nullptr && t->stream ? t->last : now();
  if (type == OTF2_FILETYPE_EVENTS && t != nullptr && t->writer != nullptr && recording.load()) {
    const std::lock_guard guard(s.lock);
    std::uint64_t events = 0;
    OTF2_EvtWriter_GetNumberOfEvents(t->writer, &events);
    char line[128];
    const int length = std::snprintf(line, sizeof line, "events\t%u\t%llu\t%llu\t%llu\n", t->number,
                                     static_cast<unsigned long long>(events), static_cast<unsigned long long>(t->first),
                                     static_cast<unsigned long long>(time));
    append_line(line, static_cast<std::size_t>(length));
    const std::uint64_t most = settings().limit_bytes;
    s.flushed += settings().buffer_bytes;
    if (most != 0 && s.flushed.load() >= most && s.reason.empty()) {
      s.reason = "more than the " + std::to_string(most >> 20) + " MiB of --limit; recording ends here";
      append(line_of(PropertyLine{.name = "WAITSTATE::LIMIT", .text = std::to_string(time)}));
    }
    if (!s.reason.empty()) recording.store(false);
  }
  return time;
}

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
  static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
  static const OTF2_MemoryCallbacks memory = {allocate_chunk, free_chunks};
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

std::string make_folder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0777) != 0)
    return "cannot make the folder " + folder + ": " + std::strerror(errno) +
           (errno == EEXIST ? "; name another one with -o" : "");
  if (mkdir((folder + "/parts").c_str(), 0777) != 0)
    return "cannot make the folder " + folder + "/parts: " + std::strerror(errno);
  return {};
}

std::string program_name() {
  const std::string name = program_invocation_name;
  return name.substr(name.rfind('/') + 1);
}

std::string default_folder() {
  const std::time_t t = std::time(nullptr);
  std::tm local{};
  localtime_r(&t, &local);
  char when[32] = "";
  std::strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
  return program_name() + "." + when + ".trace";
}

std::string node_name() {
  if (!settings().node.empty()) return settings().node;
  char text[256] = "";
  std::string name;
  if (const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC); file >= 0) {
    if (const ssize_t n = read(file, text, sizeof text - 1); n > 0)
      name.assign(text, text[n - 1] == '\n' ? static_cast<std::size_t>(n - 1) : static_cast<std::size_t>(n));
    ::close(file);
  }
  if (const ssize_t n = readlink("/proc/self/ns/time", text, sizeof text - 1); n > 0)
    name += "/" + std::string(text, static_cast<std::size_t>(n));
  return name;
}

bool begin(const std::string& folder, const ProcessInfo& info, std::uint64_t start) {
  State& s = state();
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  s.folder = folder;
  s.rank = info.rank;
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
  pthread_atfork(nullptr, nullptr, [] { recording.store(false); });  // a child has the files, but they are not its own
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
  t->first = start;
  t->last = start;
  OTF2_EvtWriter_ProgramBegin(t->writer, nullptr, start, name, 0, nullptr);
  return true;
}

namespace {

// A location of its own. `name`: of a stream; empty: a thread is named by its number.
Thread* add_location(const std::string& name) {
  State& s = state();
  const std::lock_guard guard(s.lock);
  if (!recording.load() || s.threads == most_threads) return nullptr;
  auto* const t = new Thread;
  t->number = s.threads++;
  t->stream = !name.empty();
  t->writer = OTF2_Archive_GetEvtWriter(s.archive, t->number);
  if (t->writer == nullptr) {
    delete t;
    return nullptr;
  }
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

void define_in_handler(const char* line, std::size_t length) {
  const State& s = state();
  char text[4096];
  length = std::min(length, sizeof text - 1);
  std::memcpy(text, line, length);
  text[length] = '\n';
  if (s.file >= 0 && write(s.file, text, length + 1) < 0) return;
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

const std::string& folder() { return state().folder; }
std::uint64_t process_rank() { return state().rank; }

// --- end ------------------------------------------------------------------------------------------------------------

namespace {

// True if no thread writes any more, or within that time.
bool nobody_writes(bool in_handler) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  const std::uint64_t limit = now() + 100'000'000;
  for (const Thread* t = all_threads; t != nullptr; t = t->next)
    while (t->writing.load(std::memory_order_acquire) && !t->own_thread) {
      if (in_handler && t == this_thread) return false;  // it is the one that was interrupted
      if (now() > limit) return false;
      usleep(1000);
    }
  return true;
}

// Closes the file of a thread. An empty text, or why its last events are lost.
std::string close_writer(Thread& t, bool& closed) {
  const State& s = state();
  std::uint64_t events = 0;
  OTF2_EvtWriter_GetNumberOfEvents(t.writer, &events);
  errno = 0;
  closed = OTF2_Archive_CloseEvtWriter(s.archive, t.writer) == OTF2_SUCCESS;
  t.writer = nullptr;
  int error = errno;
  struct stat about {};
  const std::string file = s.part + "/traces/" + std::to_string(t.number) + ".evt";
  if (closed && (events == 0 || stat(file.c_str(), &about) == 0)) return {};
  if (closed) error = errno;  // somebody has removed it
  return "the last events of thread " + std::to_string(t.number) + " are lost: cannot write " + file +
         (error != 0 ? std::string(": ") + std::strerror(error) : std::string());
}

}  // namespace

void detach() {
  Thread* const t = this_thread;
  if (t == nullptr) return;
  State& s = state();
  if (t->begin_writing()) {
    const std::string line = events_line(*t, t->last);
    bool closed = false;
    const std::string problem = close_writer(*t, closed);
    t->end_writing();
    const std::lock_guard guard(s.lock);
    if (closed) append(line);
    if (s.reason.empty()) s.reason = problem;
  }
  t->ended.store(true);
}

bool close(bool whole, bool in_handler) {
  State& s = state();
  if (s.archive == nullptr || s.pid != getpid()) return true;
  recording.store(false);
  if (!nobody_writes(in_handler) && in_handler) return false;
  std::uint64_t end = 0;
  for (const Thread* t = all_threads; t != nullptr; t = t->next)
    if (!t->stream) end = std::max(end, t->last);
  for (Thread* t = all_threads; t != nullptr; t = t->next) {
    if (t->writer == nullptr || t->writing.load()) continue;
    if (whole && end_open != nullptr) end_open(*t);
    if (t->number == 0 && whole) {
      const std::uint64_t time = std::max(end, now());
      OTF2_EvtWriter_ProgramEnd(t->writer, nullptr, time, OTF2_UNDEFINED_INT64);
      t->last = time;
    }
    const std::string line = events_line(*t, std::max(t->last, t->first));
    bool closed = false;
    const std::string problem = close_writer(*t, closed);
    if (closed) append(line);
    if (s.reason.empty()) s.reason = problem;
  }
  append(whole ? "end" : "ended\t" + std::to_string(now()));
  OTF2_Archive_CloseEvtFiles(s.archive);
  s.archive = nullptr;  // its anchor is written when all parts are merged
  ::close(s.file);
  s.file = -1;
  if (!s.reason.empty()) trouble(s.reason);
  return true;
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
