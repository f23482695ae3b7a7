// The functions of POSIX threads, before those of the C library: a library of its own, which `waitstate record` loads
// beside the recorder only where they are asked for, so that all other programs, launchers and shells keep their own.
//
// It has no state but the addresses of the functions behind it, and asks the recorder, found by its symbol, what to do.
// No frame here has anything to clean up, because threads are cancelled inside of these calls.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "record/threads/pthread.hpp"

extern "C" __attribute__((weak)) const waitstate::record::PthreadRecorder waitstate_record_pthread;

namespace {

using namespace waitstate::record;
using F = PthreadFunction;

// The next function of that name. Conditions have two forms in the C library, of which the plain look-up may give the
// older one.
void* look_up(const char* name) {
  void* found = nullptr;
#if defined(__x86_64__)
  found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::fprintf(stderr, "waitstate record: %s is called, but no library provides it\n", name);
    std::abort();
  }
  return found;
}

template <class Function>
Function next(std::atomic<void*>& known, const char* name) {
  void* address = known.load(std::memory_order_relaxed);
  if (address == nullptr) known.store(address = look_up(name), std::memory_order_relaxed);
  return reinterpret_cast<Function>(address);
}

const PthreadRecorder* recorder() { return &waitstate_record_pthread; }

bool begins(PthreadCall& c, F function, const void* caller) {
  return recorder() != nullptr && recorder()->begin(c, function, caller);
}

bool has_it(int result) { return result == 0 || result == EOWNERDEAD; }

enum class What : unsigned char { nothing, acquires, shares, releases };

// A call that is about one lock, or none.
template <class Work>
int call(F function, const void* caller, What what, const void* lock, Work&& work) {
  PthreadCall c;
  if (!begins(c, function, caller)) return work();
  if (what == What::releases) recorder()->releases(c, lock);
  if (what == What::acquires || what == What::shares) recorder()->wants(c, lock);
  recorder()->pause(c);
  const int result = work();
  recorder()->resume(c);
  if ((what == What::acquires || what == What::shares) && has_it(result))
    recorder()->acquired(c, lock, what == What::shares);
  recorder()->end(c);
  return result;
}

// The mutex is given away while the thread waits.
template <class Work>
int wait(F function, const void* caller, const void* lock, Work&& work) {
  PthreadCall c;
  if (!begins(c, function, caller)) return work();
  recorder()->releases(c, lock);
  recorder()->pause(c);
  const int result = work();
  recorder()->resume(c);
  recorder()->acquired(c, lock, false);
  recorder()->end(c);
  return result;
}

template <class Work>
int join(F function, const void* caller, pthread_t thread, Work&& work) {
  PthreadCall c;
  if (!begins(c, function, caller)) return work();
  std::uint64_t number = recorder()->number_of(thread);
  recorder()->pause(c);
  const int result = work();
  recorder()->resume(c);
  if (result == 0) {
    if (number == 0) number = recorder()->number_of(thread);  // it had not begun
    recorder()->joined(c, number);
  }
  recorder()->end(c);
  return result;
}

}  // namespace

#define NEXT(name, ...)                     \
  static std::atomic<void*> known{nullptr}; \
  const auto behind = next<int (*)(__VA_ARGS__)>(known, "pthread_" #name)
#define CALLER __builtin_return_address(0)
#define EXPORT extern "C" __attribute__((visibility("default"))) int

// NAME(LOCK*) and NAME(LOCK*, time), NAME(LOCK*, clock, time)
#define OF_LOCK(name, lock_t, what)                                                                            \
  EXPORT pthread_##name(lock_t* lock) noexcept {                                                               \
    NEXT(name, lock_t*);                                                                                       \
    return call(F::name, CALLER, What::what, const_cast<const void*>(static_cast<const volatile void*>(lock)), \
                [&] { return behind(lock); });                                                                 \
  }
#define OF_LOCK_UNTIL(name, lock_t, what)                                                \
  EXPORT pthread_##name(lock_t* lock, const timespec* until) noexcept {                  \
    NEXT(name, lock_t*, const timespec*);                                                \
    return call(F::name, CALLER, What::what, lock, [&] { return behind(lock, until); }); \
  }
#define OF_LOCK_BY(name, lock_t, what)                                                          \
  EXPORT pthread_##name(lock_t* lock, clockid_t clock, const timespec* until) noexcept {        \
    NEXT(name, lock_t*, clockid_t, const timespec*);                                            \
    return call(F::name, CALLER, What::what, lock, [&] { return behind(lock, clock, until); }); \
  }
#define DESTROYS(name, lock_t)                                                                                       \
  EXPORT pthread_##name(lock_t* lock) noexcept {                                                                     \
    NEXT(name, lock_t*);                                                                                             \
    if (recorder() != nullptr) recorder()->forget(const_cast<const void*>(static_cast<const volatile void*>(lock))); \
    return behind(lock);                                                                                             \
  }

OF_LOCK(mutex_lock, pthread_mutex_t, acquires)
OF_LOCK(mutex_trylock, pthread_mutex_t, acquires)
OF_LOCK_UNTIL(mutex_timedlock, pthread_mutex_t, acquires)
OF_LOCK_BY(mutex_clocklock, pthread_mutex_t, acquires)
OF_LOCK(mutex_unlock, pthread_mutex_t, releases)
DESTROYS(mutex_destroy, pthread_mutex_t)
OF_LOCK(rwlock_rdlock, pthread_rwlock_t, shares)
OF_LOCK(rwlock_tryrdlock, pthread_rwlock_t, shares)
OF_LOCK_UNTIL(rwlock_timedrdlock, pthread_rwlock_t, shares)
OF_LOCK_BY(rwlock_clockrdlock, pthread_rwlock_t, shares)
OF_LOCK(rwlock_wrlock, pthread_rwlock_t, acquires)
OF_LOCK(rwlock_trywrlock, pthread_rwlock_t, acquires)
OF_LOCK_UNTIL(rwlock_timedwrlock, pthread_rwlock_t, acquires)
OF_LOCK_BY(rwlock_clockwrlock, pthread_rwlock_t, acquires)
OF_LOCK(rwlock_unlock, pthread_rwlock_t, releases)
DESTROYS(rwlock_destroy, pthread_rwlock_t)
OF_LOCK(spin_lock, pthread_spinlock_t, acquires)
OF_LOCK(spin_trylock, pthread_spinlock_t, acquires)
OF_LOCK(spin_unlock, pthread_spinlock_t, releases)
DESTROYS(spin_destroy, pthread_spinlock_t)

EXPORT pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  NEXT(cond_wait, pthread_cond_t*, pthread_mutex_t*);
  return wait(F::cond_wait, CALLER, mutex, [&] { return behind(condition, mutex); });
}
EXPORT pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  NEXT(cond_timedwait, pthread_cond_t*, pthread_mutex_t*, const timespec*);
  return wait(F::cond_timedwait, CALLER, mutex, [&] { return behind(condition, mutex, until); });
}
EXPORT pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                              const timespec* until) {
  NEXT(cond_clockwait, pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  return wait(F::cond_clockwait, CALLER, mutex, [&] { return behind(condition, mutex, clock, until); });
}
EXPORT pthread_cond_signal(pthread_cond_t* condition) noexcept {
  NEXT(cond_signal, pthread_cond_t*);
  return call(F::cond_signal, CALLER, What::nothing, nullptr, [&] { return behind(condition); });
}
EXPORT pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  NEXT(cond_broadcast, pthread_cond_t*);
  return call(F::cond_broadcast, CALLER, What::nothing, nullptr, [&] { return behind(condition); });
}
EXPORT pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  NEXT(barrier_wait, pthread_barrier_t*);
  return call(F::barrier_wait, CALLER, What::nothing, nullptr, [&] { return behind(barrier); });
}

EXPORT pthread_create(pthread_t* thread, const pthread_attr_t* attributes, PthreadRun run, void* argument) noexcept {
  NEXT(create, pthread_t*, const pthread_attr_t*, PthreadRun, void*);
  PthreadCall c;
  if (!begins(c, F::create, CALLER)) return behind(thread, attributes, run, argument);
  recorder()->creates(c, run, argument);
  recorder()->pause(c);
  const int result = behind(thread, attributes, run, argument);
  recorder()->resume(c);
  if (result != 0) recorder()->not_created(c, run, argument);
  recorder()->end(c);
  return result;
}
EXPORT pthread_join(pthread_t thread, void** value) {
  NEXT(join, pthread_t, void**);
  return join(F::join, CALLER, thread, [&] { return behind(thread, value); });
}
EXPORT pthread_tryjoin_np(pthread_t thread, void** value) noexcept {
  NEXT(tryjoin_np, pthread_t, void**);
  return join(F::tryjoin_np, CALLER, thread, [&] { return behind(thread, value); });
}
EXPORT pthread_timedjoin_np(pthread_t thread, void** value, const timespec* until) {
  NEXT(timedjoin_np, pthread_t, void**, const timespec*);
  return join(F::timedjoin_np, CALLER, thread, [&] { return behind(thread, value, until); });
}
EXPORT pthread_clockjoin_np(pthread_t thread, void** value, clockid_t clock, const timespec* until) {
  NEXT(clockjoin_np, pthread_t, void**, clockid_t, const timespec*);
  return join(F::clockjoin_np, CALLER, thread, [&] { return behind(thread, value, clock, until); });
}
