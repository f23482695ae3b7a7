// Records POSIX threads, in the form in which Score-P writes them: which thread created, began, ended and waited for
// which thread, and which thread had which lock when.
//
// A thread is recorded if the recorder knows it already or if a recorded call created it: threads that the MPI library
// makes for itself are neither, and what a library does in a call that is recorded is not looked at. Nor are calls from
// some libraries, wherever they are called from: those of MPI (UCX locks inside of malloc), allocators, and OpenMP
// runtimes, which have an interface of their own. A lock is known by its address; the numbers of its
// acquisitions are taken while the thread has it, so they are in the order in which it went from hand to hand. Readers
// that have a lock together have one number: the next writer waits for the last of them, and of several readers that
// wait for a writer the first is charged with the wait.
//
// Cost: two reads of the clock a call, and for a lock two look-ups (one to release it) in a table of 16,384 lists under
// one of 64 locks.
// Nothing is allocated once a lock is known.
#include "record/threads/pthread.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "record/core/adapter.hpp"
#include "record/core/node_lists.hpp"
#include "record/core/recorder.hpp"
#include "record/openmp/start.hpp"
#include "record/parts/line_kinds.hpp"

namespace waitstate::record {

namespace {

constexpr std::size_t functions_count = static_cast<std::size_t>(PthreadFunction::count);
constexpr const char* names[functions_count] = {
#define NAME(name) "pthread_" #name,
    WAITSTATE_PTHREAD_FUNCTIONS(NAME)
#undef NAME
};

static_assert(sizeof(Call) <= sizeof(PthreadCall::room) && alignof(Call) <= 8);
Call& of(PthreadCall& c) { return *std::launder(reinterpret_cast<Call*>(c.room)); }

std::uint32_t region(PthreadFunction function) {
  static std::array<std::atomic<std::uint32_t>, functions_count> known{};
  const auto i = static_cast<std::size_t>(function);
  if (known[i].load(std::memory_order_relaxed) == 0)
    known[i] = define_region(names[i], OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_WRAPPER) + 1;
  return known[i].load(std::memory_order_relaxed) - 1;
}

// --- whose calls are recorded ---------------------------------------------------------------------------------------

// Libraries whose threads and locks are not the program's: this one, OpenMP runtimes, what an MPI library is made of,
// and allocators, in whose calls nothing can be allocated.
constexpr std::string_view others[] = {"libwaitstate-record",
                                       "libomp.",
                                       "libgomp.",
                                       "libiomp5.",
                                       "libmpi",
                                       "libopen-",
                                       "libompi",
                                       "liboshmem",
                                       "mca_",
                                       "libpmix",
                                       "libprrte",
                                       "libevent",
                                       "libhwloc",
                                       "libucm",
                                       "libucs",
                                       "libuct",
                                       "libucp",
                                       "libfabric",
                                       "libpsm",
                                       "libibverbs",
                                       "librdmacm",
                                       "libmlx",
                                       "libefa",
                                       "libjemalloc",
                                       "libtcmalloc",
                                       "libmimalloc"};

bool is_in_other(const void* caller) {
  Dl_info info{};
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view path = info.dli_fname;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return std::any_of(std::begin(others), std::end(others),
                     [&](std::string_view name) { return file.starts_with(name); });
}

// The answer is kept for each place that calls: libraries come and go, so their addresses are not collected beforehand.
bool is_of_others(const void* caller) {
  static std::array<std::atomic<std::uintptr_t>, 4096> known{};
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  std::atomic<std::uintptr_t>& place = known[(at ^ at >> 12) % known.size()];
  const std::uintptr_t found = place.load(std::memory_order_relaxed);
  if (found >> 1 == at) return (found & 1) != 0;
  const bool other = is_in_other(caller);
  place.store(at << 1 | (other ? 1 : 0), std::memory_order_relaxed);
  return other;
}

bool begin_call(PthreadCall& c, PthreadFunction function, const void* caller) {
  Thread* t = this_thread;
  if (t == nullptr && function == PthreadFunction::create && !recording.load(std::memory_order_relaxed) &&
      !is_of_others(caller)) {
    begin_without_mpi();
    t = this_thread;
  }
  if (t == nullptr || t->depth != 0 || !recording.load(std::memory_order_relaxed) || is_of_others(caller)) return false;
  new (c.room) Call(*t, region(function));
  return true;
}

void pause(PthreadCall& c) { of(c).pause(); }
void resume(PthreadCall& c) { of(c).resume(); }
void end_call(PthreadCall& c) { of(c).leave(); }

// --- locks ----------------------------------------------------------------------------------------------------------

class LockTable {
 public:
  struct Known {
    std::uint32_t number = 0, acquired = 0, readers = 0;
  };
  /// f(known) of the lock at that address.
  template <class F>
  auto with(const void* lock, F&& f) {
    const Place at(lock);
    Shard& s = shards_[at.shard];
    const std::lock_guard guard(s.lock);
    Shard::Node*& first = s.lists[at.list];
    for (Shard::Node* n = first; n != nullptr; n = n->next)
      if (n->key == at.key) return f(n->value);
    Shard::Node* const n = s.take(at.key);
    n->value = {next_.fetch_add(1, std::memory_order_relaxed), 0, 0};
    n->next = first;
    first = n;
    return f(n->value);
  }
  void forget(const void* lock) {
    const Place place(lock);
    Shard& s = shards_[place.shard];
    const std::lock_guard guard(s.lock);
    for (Shard::Node** at = &s.lists[place.list]; *at != nullptr; at = &(*at)->next)
      if ((*at)->key == place.key) return s.remove(at);
  }

 private:
  using Shard = NodeLists<Known>;
  struct Place {
    explicit Place(const void* lock) : key(reinterpret_cast<std::uintptr_t>(lock)) {
      const std::uintptr_t mixed = key >> 3 ^ key >> 12 ^ key >> 20;
      shard = mixed & 63;
      list = mixed >> 6 & 255;
    }
    std::uintptr_t key, shard, list;
  };

  std::array<Shard, 64> shards_;
  std::atomic<std::uint32_t> next_{0};
};

LockTable& lock_table() {
  static auto* const table = new LockTable;
  return *table;
}

void wants(PthreadCall& call, const void* lock) {
  const std::uint32_t number = lock_table().with(lock, [](const LockTable::Known& k) { return k.number; });
  of(call).wait_for(Waiting::What::pthread_lock, lock_number(number));
}

void acquired(PthreadCall& call, const void* lock, bool shared) {
  const Call& c = of(call);
  if (!c.live()) return;
  const LockTable::Known now = lock_table().with(lock, [&](LockTable::Known& k) {
    if (!shared || k.readers == 0) ++k.acquired;
    if (shared) ++k.readers;
    return k;
  });
  c.t.record(OTF2_EvtWriter_ThreadAcquireLock, c.end, OTF2_PARADIGM_PTHREAD, lock_number(now.number), now.acquired);
}

void releases(PthreadCall& call, const void* lock) {
  const Call& c = of(call);
  if (!c.live()) return;
  const LockTable::Known now = lock_table().with(lock, [](LockTable::Known& k) {
    if (k.readers != 0) --k.readers;
    return k;
  });
  c.t.record(OTF2_EvtWriter_ThreadReleaseLock, c.begin, OTF2_PARADIGM_PTHREAD, lock_number(now.number), now.acquired);
}

void forget(const void* lock) {
  if (recording.load(std::memory_order_relaxed)) lock_table().forget(lock);
}

// --- threads --------------------------------------------------------------------------------------------------------

struct Start {
  PthreadRun run;
  void* argument;
  std::uint64_t number;
};

std::atomic<std::uint64_t> created{0};

SpinLock numbers_lock;
std::map<std::uintptr_t, std::uint64_t>& numbers() {
  static auto* const all = new std::map<std::uintptr_t, std::uint64_t>;
  return *all;
}

struct OfThread {
  Start* start = nullptr;  // until it has ended
};
void end(Thread& t, std::uint64_t time);
constexpr Adapter threads_adapter = {AdapterId::threads, end};

// Returns the number of the communicator of all threads that a process creates, whose members are known at the end.
std::uint32_t created_threads() {
  static const std::uint32_t number = [] {
    const std::uint32_t next = next_comm_number();
    define(TeamLine{.number = next, .paradigm = OTF2_PARADIGM_PTHREAD, .threads = {}});
    return next;
  }();
  return number;
}

// It was cancelled, or came to its end, or is there when the process ends.
void end(Thread& t, std::uint64_t time) {
  const OfThread* const known = find_state<OfThread>(t, threads_adapter);
  if (known == nullptr || known->start == nullptr) return;
  t.record_anyway(OTF2_EvtWriter_ThreadEnd, time, created_threads(), known->start->number);
}

// However a thread ends, the destructors of its keys are called.
void at_end(void* given) {
  auto* const start = static_cast<Start*>(given);
  if (Thread* const t = this_thread; t != nullptr) {
    if (t->begin_writing()) {
      end_open(*t, now());
      t->end_writing();
    }
    state_of<OfThread>(*t, threads_adapter).start = nullptr;
    ++t->depth;  // for good
    detach();
  }
  delete start;
}

pthread_key_t end_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, at_end);
    return made;
  }();
  return key;
}

void* run(void* given) {
  auto* const start = static_cast<Start*>(given);
  {
    const std::lock_guard guard(numbers_lock);
    numbers()[pthread_self()] = start->number;
  }
  pthread_setspecific(end_key(), start);
  Thread* const t = this_thread == nullptr && recording.load() ? attach() : nullptr;
  if (t != nullptr && t->begin_writing()) {
    state_of<OfThread>(*t, threads_adapter).start = start;
    const std::uint64_t begin = now();
    t->record(OTF2_EvtWriter_ThreadBegin, begin, created_threads(), start->number);
    t->end_writing();
  }
  return start->run(start->argument);
}

void creates(PthreadCall& call, PthreadRun& function, void*& argument) {
  Call& c = of(call);
  if (!c.live()) return;
  c.record_anyway();
  auto* const start = new Start{function, argument, ++created};
  c.t.record(OTF2_EvtWriter_ThreadCreate, c.begin, created_threads(), start->number);
  function = run;
  argument = start;
}

void not_created(PthreadCall&, PthreadRun function, void* argument) {
  if (function == run) delete static_cast<Start*>(argument);
}

std::uint64_t number_of(std::uintptr_t thread) {
  const std::lock_guard guard(numbers_lock);
  const auto at = numbers().find(thread);
  return at == numbers().end() ? 0 : at->second;
}

void joined(PthreadCall& call, std::uint64_t number) {
  Call& c = of(call);
  if (!c.live() || number == 0) return;
  c.record_anyway();
  c.t.record(OTF2_EvtWriter_ThreadWait, c.end, created_threads(), number);
}

}  // namespace

}  // namespace waitstate::record

extern "C" __attribute__((visibility("default"))) const waitstate::record::PthreadRecorder waitstate_record_pthread{
    waitstate::record::begin_call,  waitstate::record::pause,     waitstate::record::resume,
    waitstate::record::end_call,    waitstate::record::wants,     waitstate::record::acquired,
    waitstate::record::releases,    waitstate::record::forget,    waitstate::record::creates,
    waitstate::record::not_created, waitstate::record::number_of, waitstate::record::joined};
