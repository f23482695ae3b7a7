// Calls of POSIX threads' functions: what the library that stands before them (preload/pthread.cpp) asks of the
// recorder. It is loaded only if they are to be recorded, and finds the recorder by the one symbol below.
#pragma once

#include <cstdint>

namespace waitstate::record {

#define WAITSTATE_PTHREAD_FUNCTIONS(X) \
  X(create)                            \
  X(join)                              \
  X(tryjoin_np)                        \
  X(timedjoin_np)                      \
  X(clockjoin_np)                      \
  X(mutex_lock)                        \
  X(mutex_trylock)                     \
  X(mutex_timedlock)                   \
  X(mutex_clocklock)                   \
  X(mutex_unlock)                      \
  X(cond_wait)                         \
  X(cond_timedwait)                    \
  X(cond_clockwait)                    \
  X(cond_signal)                       \
  X(cond_broadcast)                    \
  X(barrier_wait)                      \
  X(rwlock_rdlock)                     \
  X(rwlock_tryrdlock)                  \
  X(rwlock_timedrdlock)                \
  X(rwlock_clockrdlock)                \
  X(rwlock_wrlock)                     \
  X(rwlock_trywrlock)                  \
  X(rwlock_timedwrlock)                \
  X(rwlock_clockwrlock)                \
  X(rwlock_unlock)                     \
  X(spin_lock)                         \
  X(spin_trylock)                      \
  X(spin_unlock)

enum class PthreadFunction : std::uint8_t {
#define NAME(name) name,
  WAITSTATE_PTHREAD_FUNCTIONS(NAME)
#undef NAME
      count
};

/// Room for a recorded call on the stack of a wrapper. It has no destructor: a thread may be cancelled in the call, and
/// what is open is then closed at the end of the thread.
struct PthreadCall {
  alignas(8) unsigned char room[64];
};

using PthreadRun = void* (*)(void*);

struct PthreadRecorder {
  /// False: this call is not to be recorded. `caller`: the address in the program that it comes from.
  bool (*begin)(PthreadCall& call, PthreadFunction function, const void* caller);
  /// Around the work of the threads library.
  void (*pause)(PthreadCall& call);
  void (*resume)(PthreadCall& call);
  void (*end)(PthreadCall& call);
  /// The thread waits for it, if it has to.
  void (*wants)(PthreadCall& call, const void* lock);
  /// The thread has it now; `shared` with other readers.
  void (*acquired)(PthreadCall& call, const void* lock, bool shared);
  /// Before the thread gives it away.
  void (*releases)(PthreadCall& call, const void* lock);
  /// A lock is destroyed: what comes to be at its address is another one.
  void (*forget)(const void* lock);
  /// A thread is to be created: puts another function, with another argument, in the place of its own.
  void (*creates)(PthreadCall& call, PthreadRun& run, void*& argument);
  /// It could not be; what is in the place of its argument now.
  void (*not_created)(PthreadCall& call, PthreadRun run, void* argument);
  /// Number of a created thread, 0 if it is not known yet; and that it was waited for.
  std::uint64_t (*number_of)(std::uintptr_t thread);
  void (*joined)(PthreadCall& call, std::uint64_t number);
};

}  // namespace waitstate::record
