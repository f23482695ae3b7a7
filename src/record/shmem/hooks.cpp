#include "record/shmem/hooks.hpp"

#include <dlfcn.h>
#include <pshmem.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "record/archive/archive.hpp"
#include "record/core/adapter.hpp"
#include "record/core/run_folder.hpp"
#include "record/parts/line_kinds.hpp"
#include "record/user/functions.hpp"

namespace waitstate::record::shmem {

void* look_up(const char* name) {
  void* const symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) {
    std::fprintf(stderr, "waitstate record: %s is called, but no SHMEM library provides it\n", name);
    std::abort();
  }
  return symbol;
}

namespace {

// The library's functions; linked by name they would be missed in processes without it.
template <class Result, class... Arguments>
Result call(const char* name, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(look_up(name))(arguments...);
}
int own_pe() { return call<int>("pshmem_my_pe"); }
int pe_count() { return call<int>("pshmem_n_pes"); }
void barrier_of_all() { call<void>("pshmem_barrier_all"); }

constexpr std::uint32_t all_pes = 0;  // local number of the window, and of its communicator
constexpr auto of_both = static_cast<OTF2_RmaSyncLevel>(OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY);

std::uint64_t world_size = 0;
int world_rank = 0;
const char* heap = nullptr;  // an address in the symmetric heap that is the same place on all PEs

struct Matches {
  explicit Matches(const Thread& t) : next(std::uint64_t{t.number} << 40) {}
  std::uint64_t next;
  std::vector<std::uint64_t> pending;
};
constexpr Adapter shmem_adapter = {AdapterId::calls};
Matches& matches(Thread& t) { return state_of<Matches>(t, shmem_adapter); }

std::uint64_t number_of(const volatile long* lock) {
  const char* const place = reinterpret_cast<const char*>(const_cast<const long*>(lock));
  Dl_info info{};
  if (dladdr(place, &info) != 0) return static_cast<std::uint64_t>(place - static_cast<const char*>(info.dli_fbase));
  return static_cast<std::uint64_t>(place - heap) + (std::uint64_t{1} << 48);
}

Numbers members(int start, int stride, int size) {
  Numbers all;
  for (int i = 0; i < size; ++i) all.push_back(static_cast<std::uint64_t>(start + i * stride));
  return all;
}

// Local number of the window of an active set.
std::uint32_t active_set(int start, int log_stride, int size) {
  const int stride = 1 << log_stride;
  if (start == 0 && stride == 1 && static_cast<std::uint64_t>(size) == world_size) return all_pes;
  static SpinLock lock;
  static auto* const known = new std::map<std::tuple<int, int, int>, std::uint32_t>;
  const std::lock_guard guard(lock);
  const auto [place, added] = known->try_emplace({start, stride, size}, static_cast<std::uint32_t>(known->size() + 1));
  if (added) {
    const std::string identity =
        "A" + std::to_string(start) + "+" + std::to_string(stride) + "x" + std::to_string(size);
    define(CommLine{.number = place->second,
                    .identity = identity,
                    .name = identity,
                    .parent = all_pes,
                    .size = static_cast<std::uint64_t>(size),
                    .rank = static_cast<std::uint64_t>((world_rank - start) / stride),
                    .members = members(start, stride, size)});
    define(WinLine{.number = place->second, .identity = identity, .name = identity, .comm = place->second});
  }
  return place->second;
}

// The folder that PE 0 has made; empty: none.
std::string agree_on_folder() {
  constexpr std::size_t length = 4096;
  auto* const text = call<char*>("pshmem_malloc", length);
  if (text == nullptr) return {};
  heap = text;
  *text = '\0';
  if (world_rank == 0) {
    std::string folder = folder_of_run();
    const std::string problem = make_folder(folder);
    if (!problem.empty())
      say(problem);
    else if (folder.size() < length)
      std::strcpy(text, folder.c_str());
  }
  barrier_of_all();
  if (world_rank != 0) call<void>("pshmem_getmem", static_cast<void*>(text), static_cast<const void*>(text), length, 0);
  const std::string folder = text;
  barrier_of_all();
  call<void>("pshmem_free", static_cast<void*>(text));
  return folder;
}

bool agreed = false;

void begin_recording(std::uint64_t start, const char* function) {
  if (agreed || !records()) return;
  world_rank = own_pe();
  world_size = static_cast<std::uint64_t>(pe_count());
  agreed = true;
  const std::string name = agree_on_folder();
  if (name.empty()) return;
  if (!begin(name, {static_cast<std::uint64_t>(world_rank), world_size, "shmem"}, start)) return;
  Thread* const t = this_thread;
  define(CommLine{.number = all_pes,
                  .identity = "W",
                  .name = "All PEs",
                  .parent = std::nullopt,
                  .size = world_size,
                  .rank = static_cast<std::uint64_t>(world_rank),
                  .members = members(0, 1, static_cast<int>(world_size))});
  define(WinLine{.number = all_pes, .identity = "W", .name = "All PEs", .comm = all_pes});
  watch_end();
  enter_open_functions(start);
  const std::uint32_t region = define_region(function, OTF2_PARADIGM_SHMEM, OTF2_REGION_ROLE_FUNCTION);
  if (!t->begin_writing()) return;
  t->last = now();
  t->record(OTF2_EvtWriter_Enter, start, region);
  t->record(OTF2_EvtWriter_RmaWinCreate, t->last, all_pes);
  t->record(OTF2_EvtWriter_Leave, t->last, region);
  t->end_writing();
}

void end_recording() {
  if (!agreed || is_forked()) return;
  agreed = false;
  Thread* const t = current();
  const std::uint64_t begin = now();
  barrier_of_all();
  if (t != nullptr && t->begin_writing()) {
    const std::uint32_t region = define_region("shmem_finalize", OTF2_PARADIGM_SHMEM, OTF2_REGION_ROLE_FUNCTION);
    t->last = now();
    t->record(OTF2_EvtWriter_Enter, begin, region);
    t->record(OTF2_EvtWriter_RmaWinDestroy, t->last, all_pes);
    t->record(OTF2_EvtWriter_Leave, t->last, region);
    t->end_writing();
  }
  close();
  barrier_of_all();
  if (world_rank == 0 && !folder().empty() && !settings().folder_is_made) say(sentence(folder(), recover(folder())));
  barrier_of_all();
}

}  // namespace

void put(ShmemCall& c, std::uint64_t bytes, int pe) {
  c.match = ++matches(c.t).next;
  c.t.record(OTF2_EvtWriter_RmaPut, c.begin, all_pes, static_cast<std::uint32_t>(pe), bytes, c.match);
}
void get(ShmemCall& c, std::uint64_t bytes, int pe) {
  c.match = ++matches(c.t).next;
  c.t.record(OTF2_EvtWriter_RmaGet, c.begin, all_pes, static_cast<std::uint32_t>(pe), bytes, c.match);
}
void atomic(ShmemCall& c, std::uint64_t bytes, bool returns, int pe) {
  c.match = ++matches(c.t).next;
  c.t.record(OTF2_EvtWriter_RmaAtomic, c.begin, all_pes, static_cast<std::uint32_t>(pe),
             returns ? OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD : OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, bytes, returns ? bytes : 0,
             c.match);
}

void moved(ShmemCall& c, bool pending) {
  if (pending)
    matches(c.t).pending.push_back(c.match);
  else
    c.t.record(OTF2_EvtWriter_RmaOpCompleteBlocking, c.end, all_pes, c.match);
}

void quiet(ShmemCall& c) {
  Matches& m = matches(c.t);
  for (const std::uint64_t match : m.pending) {
    c.t.record(OTF2_EvtWriter_RmaOpCompleteNonBlocking, c.end, all_pes, match);
    c.t.record(OTF2_EvtWriter_RmaOpCompleteRemote, c.end, all_pes, match);
  }
  m.pending.clear();
}

void waited(ShmemCall& c) { c.t.record(OTF2_EvtWriter_RmaWaitChange, c.end, all_pes); }

void asks_for_lock(ShmemCall& c, const volatile long* lock) {
  c.t.record(OTF2_EvtWriter_RmaRequestLock, c.begin, all_pes, undefined, number_of(lock), OTF2_LOCK_EXCLUSIVE);
}
void has_lock(ShmemCall& c, const volatile long* lock) {
  c.t.record(OTF2_EvtWriter_RmaAcquireLock, c.end, all_pes, undefined, number_of(lock), OTF2_LOCK_EXCLUSIVE);
}
void releases_lock(ShmemCall& c, const volatile long* lock) {
  c.t.record(OTF2_EvtWriter_RmaReleaseLock, c.begin, all_pes, undefined, number_of(lock));
}
void tried_lock(ShmemCall& c, const volatile long* lock, bool had) {
  if (had)
    has_lock(c, lock);
  else
    c.t.record(OTF2_EvtWriter_RmaTryLock, c.end, all_pes, undefined, number_of(lock), OTF2_LOCK_EXCLUSIVE);
}

void begins_collective(ShmemCall& c) {
  c.window = all_pes;
  c.members = world_size;
  c.t.record(OTF2_EvtWriter_RmaCollectiveBegin, c.begin);
}
void begins_collective(ShmemCall& c, int start, int log_stride, int size) {
  c.window = active_set(start, log_stride, size);
  c.members = static_cast<std::uint64_t>(size);
  c.place = (world_rank - start) >> log_stride;
  c.t.record(OTF2_EvtWriter_RmaCollectiveBegin, c.begin);
}
std::uint64_t others(const ShmemCall& c) { return c.members - 1; }

void ended_collective(ShmemCall& c, OTF2_CollectiveOp op, std::uint64_t sent, std::uint64_t received) {
  if (op == OTF2_COLLECTIVE_OP_BARRIER && c.window == all_pes) quiet(c);
  c.t.record(OTF2_EvtWriter_RmaCollectiveEnd, c.end, op, of_both, c.window, undefined, sent, received);
}

void ended_broadcast(ShmemCall& c, std::uint64_t bytes, int root) {
  const bool sends = c.place == root;
  c.t.record(OTF2_EvtWriter_RmaCollectiveEnd, c.end, OTF2_COLLECTIVE_OP_BCAST, of_both, c.window,
             static_cast<std::uint32_t>(root), sends ? bytes * others(c) : 0, sends ? 0 : bytes);
}

}  // namespace waitstate::record::shmem

using namespace waitstate::record;
using namespace waitstate::record::shmem;

extern "C" {

RECORD_EXPORT void shmem_init() {
  const std::uint64_t start = now();
  reinterpret_cast<void (*)()>(look_up("shmem_init"))();
  begin_recording(start, "shmem_init");
}
RECORD_EXPORT int shmem_init_thread(int requested, int* provided) {
  const std::uint64_t start = now();
  const int result = reinterpret_cast<int (*)(int, int*)>(look_up("shmem_init_thread"))(requested, provided);
  begin_recording(start, "shmem_init_thread");
  return result;
}
RECORD_EXPORT void start_pes(int count) {
  const std::uint64_t start = now();
  reinterpret_cast<void (*)(int)>(look_up("start_pes"))(count);
  begin_recording(start, "start_pes");
}
RECORD_EXPORT void shmem_finalize() {
  end_recording();
  reinterpret_cast<void (*)()>(look_up("shmem_finalize"))();
}

}  // extern "C"
