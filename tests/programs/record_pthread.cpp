// Records what a program does with POSIX threads: creation, mutexes and conditions.
//
//   cc -g -finstrument-functions -c pthread_waits.c && c++ -std=c++20 -O2 -c record_pthread.cpp record_threads.cpp
//   c++ -pthread -rdynamic pthread_waits.o record_pthread.o record_threads.o -lopen-trace-format2 -ldl -o pthread_waits
//       -Wl,--wrap=pthread_create,--wrap=pthread_join,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock
//       -Wl,--wrap=pthread_cond_wait,--wrap=pthread_cond_signal
//   RECORD_DIRECTORY=new_folder ./pthread_waits 2 20000
//
// The linker (--wrap) brings the program's calls here. Every thread that is created is a location of its own.
#include <pthread.h>

#include "recording_threads.hpp"

extern "C" {
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int __real_pthread_join(pthread_t, void**);
int __real_pthread_mutex_lock(pthread_mutex_t*);
int __real_pthread_mutex_unlock(pthread_mutex_t*);
int __real_pthread_cond_wait(pthread_cond_t*, pthread_mutex_t*);
int __real_pthread_cond_signal(pthread_cond_t*);
}

namespace {

using namespace recording::threads;

struct PthreadCall : Call {
  explicit PthreadCall(const char* name) : Call(OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_WRAPPER, name) {}
};

struct Start {
  void* (*run)(void*);
  void* argument;
  std::uint64_t number;
};

SpinLock numbers_mutex;
std::map<pthread_t, std::uint64_t> numbers;
std::atomic<std::uint64_t> created = 0;

void* start(void* given) {
  const std::unique_ptr<Start> s(static_cast<Start*>(given));
  record(Kind::thread_begin, 0, s->number);
  void* const result = s->run(s->argument);
  record(Kind::thread_end, 0, s->number);
  return result;
}

std::uint64_t address(const pthread_mutex_t* m) { return reinterpret_cast<std::uintptr_t>(m); }

}  // namespace

extern "C" {

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  const PthreadCall c("pthread_create");
  const std::uint64_t number = ++created;
  record(Kind::thread_create, 0, number);
  const int result = __real_pthread_create(thread, attributes, start, new Start{run, argument, number});
  const std::lock_guard guard(numbers_mutex);
  numbers[*thread] = number;
  return result;
}

int __wrap_pthread_join(pthread_t thread, void** value) {
  const PthreadCall c("pthread_join");
  const int result = __real_pthread_join(thread, value);
  const std::lock_guard guard(numbers_mutex);
  record(Kind::thread_wait, 0, numbers[thread]);
  return result;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t* m) {
  const PthreadCall c("pthread_mutex_lock");
  const int result = __real_pthread_mutex_lock(m);
  record_lock(Kind::acquire, OTF2_PARADIGM_PTHREAD, address(m));
  return result;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t* m) {
  const PthreadCall c("pthread_mutex_unlock");
  record_lock(Kind::release, OTF2_PARADIGM_PTHREAD, address(m));
  return __real_pthread_mutex_unlock(m);
}

int __wrap_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* m) {
  const PthreadCall c("pthread_cond_wait");
  record_lock(Kind::release, OTF2_PARADIGM_PTHREAD, address(m));
  const int result = __real_pthread_cond_wait(condition, m);
  record_lock(Kind::acquire, OTF2_PARADIGM_PTHREAD, address(m));
  return result;
}

int __wrap_pthread_cond_signal(pthread_cond_t* condition) {
  const PthreadCall c("pthread_cond_signal");
  return __real_pthread_cond_signal(condition);
}

}  // extern "C"
