// How a process ends that does not come to its end.
//
// Its records are in its files, however it ends (tail.hpp), so there is nothing to be saved. But when it stood still,
// only the time of its end tells for how long: where somebody asks the process to end, and the program has no handler
// of its own, a handler notes the time; then the process dies by the same signal as it would have died.
#include <unistd.h>

#include <csignal>

#include "record/core/recorder.hpp"

namespace waitstate::record {
namespace {

constexpr int ending[] = {SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGQUIT};
Tail* first_tail = nullptr;

void on_signal(int number) {
  if (recording.load()) first_tail->ended.store(now());
  std::signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
}

__attribute__((destructor)) void at_exit() { close_at_exit(); }

}  // namespace

void watch_end() {
  first_tail = this_thread->tail;
  for (const int number : ending) {
    struct sigaction old {};
    if (sigaction(number, nullptr, &old) != 0 || (old.sa_flags & SA_SIGINFO) != 0 || old.sa_handler != SIG_DFL)
      continue;
    struct sigaction ours {};
    ours.sa_handler = on_signal;
    sigaction(number, &ours, nullptr);
  }
}

}  // namespace waitstate::record
