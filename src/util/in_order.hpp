// Makes things in several threads at once, and uses them in their order: parts of a report that are formatted side by
// side and written one behind the other.
#pragma once

#include <cstddef>
#include <deque>
#include <future>
#include <system_error>
#include <utility>

namespace waitstate::util {

/// Calls use(make(i)) for i from 0 to n - 1, in this order and in the calling thread, until use() returns false. make()
/// is called in up to `threads` other threads, with 1 in the calling one, and must not touch what use() changes. Holds
/// at most `threads` things that have been made. Rethrows the first exception.
template <class Make, class Use>
void make_and_use_in_order(std::size_t threads, std::size_t n, Make&& make, Use&& use) {
  std::deque<std::future<decltype(make(std::size_t{0}))>> ahead;  // waits for all of them if it is destroyed
  for (std::size_t next = 0, i = 0; i < n; ++i) {
    for (; next < n && ahead.size() < threads; ++next) {
      const auto one = [&make, next] { return make(next); };
      try {
        ahead.push_back(std::async(threads > 1 ? std::launch::async : std::launch::deferred, one));
      } catch (const std::system_error&) {  // the system gives no more threads: this one makes it when it is asked for
        ahead.push_back(std::async(std::launch::deferred, one));
      }
    }
    auto made = std::move(ahead.front());
    ahead.pop_front();
    if (!use(made.get())) return;
  }
}

}  // namespace waitstate::util
