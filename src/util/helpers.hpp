// Threads that wait until their number is known, since the system may give fewer than were asked for.
#pragma once

#include <cstddef>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace waitstate::util {

class Helpers {
 public:
  /// `work(number)` is done by each, with numbers from 1 on, after go(). It throws nothing, and outlives them.
  template <class Work>
  Helpers(std::size_t wanted, const Work& work) {
    try {
      for (std::size_t number = 1; number < wanted; ++number)
        threads_.emplace_back([this, &work, number] {
          gate_.wait();
          if (go_) work(number);
        });
    } catch (const std::system_error&) {
      // The threads that there are do the work.
    }
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() { join(); }
  std::size_t count() const { return threads_.size(); }
  void go() { go_ = true, gate_.count_down(); }
  void join() {
    if (!go_) gate_.count_down();
    for (std::thread& t : threads_)
      if (t.joinable()) t.join();
  }

 private:
  std::latch gate_{1};
  bool go_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace waitstate::util
