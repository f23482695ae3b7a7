// A lock that calls nothing: neither the program's threads library, whose calls may be recorded, nor malloc.
#pragma once

#include <sched.h>

#include <atomic>

namespace waitstate::record {

class SpinLock {
 public:
  void lock() {
    if (flag_.test_and_set(std::memory_order_acquire)) [[unlikely]]
      wait();
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  [[gnu::noinline, gnu::cold]] void wait() {
    for (unsigned tries = 0; flag_.test_and_set(std::memory_order_acquire); ++tries)
      if (tries % 64 == 63) sched_yield();  // its holder may wait for this core
  }

  std::atomic_flag flag_;
};

}  // namespace waitstate::record
