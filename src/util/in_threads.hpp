// Work that is divided into items, done by several threads at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace waitstate::util {

/// work(item, thread) for each item below `items`, by at most so many threads, of which the calling one is number 0. If
/// the system gives fewer, those that there are do all. After an exception no other item is begun, and it is thrown
/// again when all have ended.
template <class Work>
void in_threads(std::size_t threads, std::size_t items, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&](std::size_t thread) {
    try {
      for (std::size_t item = next++; item < items; item = next++) work(item, thread);
    } catch (...) {
      next = items;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  try {
    for (std::size_t t = 1; t < threads && t < items; ++t) others.emplace_back(run, t);
  } catch (const std::system_error&) {
    // The threads that there are do the work.
  }
  run(0);
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace waitstate::util
