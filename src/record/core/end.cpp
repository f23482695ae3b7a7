// How a process ends that does not come to its end: by a signal, or by exit.
//
// Launchers end a job with SIGTERM, people with Ctrl-C, and a program that crashes raises SIGSEGV and the like. The
// handler closes the process's files and says what each thread's call waits for; then the process dies by the same
// signal as it would have. Closing asks for memory, which a handler must not do: a second alarm lets the process die
// should that never come back. What the MPI library or the program handles itself goes on to it.
#include <fcntl.h>
#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "record/core/recorder.hpp"

namespace waitstate::record {

void (*describe_waiting)() = nullptr;
int lingers = 0;

namespace {

constexpr int ending[] = {SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGQUIT};   // asked to end
constexpr int crashing[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};  // the process's own doing
struct sigaction before[NSIG];
std::atomic<int> ended_by{0};
char alternate_stack[64 << 10];

void die_of(int number) {
  std::signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
}

void describe_locks() {
  for (const Thread* t = all_threads; t != nullptr; t = t->next) {
    if (t->writing.load()) continue;
    if (t->waiting.what == Waiting::What::omp_lock)
      define_waiting(*t, region_name(t->region), "omp_lock", t->waiting.communicator, -1, -1);
    if (t->waiting.what == Waiting::What::pthread_lock)
      define_waiting(*t, region_name(t->region), "pthread_lock", t->waiting.communicator, -1, -1);
  }
}

void too_long(int) { die_of(ended_by.load()); }

void on_signal(int number, siginfo_t* info, void* context) {
  int none = 0;
  if (ended_by.compare_exchange_strong(none, number)) {
    struct sigaction alarm {};
    alarm.sa_handler = too_long;
    sigaction(SIGALRM, &alarm, nullptr);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &one, nullptr);
    ::alarm(2);
    if (recording.load()) {
      if (describe_waiting != nullptr) describe_waiting();
      describe_locks();
      close(false, true);
    }
    ::alarm(0);
    if (std::find(std::begin(ending), std::end(ending), number) != std::end(ending)) poll(nullptr, 0, lingers);
  }
  const struct sigaction& old = before[number];
  if ((old.sa_flags & SA_RESETHAND) != 0)
    std::signal(number, SIG_DFL);
  else
    sigaction(number, &old, nullptr);
  if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction != nullptr) return old.sa_sigaction(number, info, context);
  if ((old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
    return old.sa_handler(number);
  die_of(number);
}

void handle(int number, bool also_if_handled) {
  struct sigaction old {};
  if (sigaction(number, nullptr, &old) != 0) return;
  const bool plain = (old.sa_flags & SA_SIGINFO) == 0;
  if (plain && old.sa_handler == SIG_IGN) return;
  if (!(plain && old.sa_handler == SIG_DFL) && !also_if_handled) return;
  before[number] = old;
  struct sigaction ours {};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(number, &ours, nullptr);
}

__attribute__((destructor)) void at_exit() {
  if (recording.load()) close(ends_at_exit);
}

}  // namespace

void watch_end() {
  stack_t present{};
  if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0) {
    stack_t own{};
    own.ss_sp = alternate_stack;
    own.ss_size = sizeof alternate_stack;
    sigaltstack(&own, nullptr);
  }
  for (const int number : ending) handle(number, false);
  for (const int number : crashing) handle(number, true);  // the MPI library prints where it happened, and goes on
}

void define_waiting(const Thread& thread, const char* function, const char* what, std::uint32_t communicator,
                    std::int64_t peer, std::int64_t tag) {
  char line[512];
  const int length = std::snprintf(line, sizeof line, "waits\t%u\t%llu\t%s\t%s\t%u\t%lld\t%lld", thread.number,
                                   static_cast<unsigned long long>(thread.since), function, what, communicator,
                                   static_cast<long long>(peer), static_cast<long long>(tag));
  if (length > 0) define_in_handler(line, static_cast<std::size_t>(length));
}

}  // namespace waitstate::record
