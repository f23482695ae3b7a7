// Judges all waits of a trace (sweep_part.hpp) on all threads of the analysis: each has a part of the locations, which
// are next to each other, since neighbours wait for each other most.
#pragma once

#include <algorithm>
#include <exception>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "causes/sweep/part.hpp"

namespace waitstate::causes {

/// What delays cost: all waits.
class DelaySweep {
 public:
  /// `parts`: 0 for as many as the analysis has threads, but not more than cores or than are worth it.
  DelaySweep(const Causes& causes, std::size_t callpaths, std::size_t parts)
      : all_(causes), callpaths_(callpaths), wanted_(parts != 0 ? parts : worthwhile()) {}

  DelaySums run() {
    Helpers helpers(*this, std::min(wanted_, all_.locations()));
    split(helpers.count() + 1);
    SweepMail<Waiter> mail(parts_.size());
    mail_ = &mail;
    if (parts_.size() > 1) all_.share(static_cast<unsigned>(parts_.size()));
    helpers.go();
    sweep(0);
    helpers.join();
    if (parts_.size() > 1) all_.end_sharing();
    mail.rethrow_failure();
    return std::move(sums_);
  }

 private:
  std::size_t worthwhile() const {
    constexpr std::size_t points_per_thread = 1 << 14;
    return std::min({std::size_t{all_.work->threads()}, std::size_t{std::max(1u, std::thread::hardware_concurrency())},
                     1 + all_.points.size() / points_per_thread});
  }

  /// Threads that wait for the number of them to be known.
  class Helpers {
   public:
    Helpers(DelaySweep& sweep, std::size_t wanted) {
      try {
        for (std::size_t number = 1; number < wanted; ++number)
          threads_.emplace_back([this, &sweep, number] {
            gate_.wait();
            if (go_) sweep.sweep(number);
          });
      } catch (const std::system_error&) {
        // The system gives no more threads: those that there are do the work.
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

  // Locations next to each other, with as many points in each part as in the others.
  void split(std::size_t count) {
    std::size_t last = 0, points = 0;
    for (std::size_t part = 0; part < count; ++part) {
      LocationRange range{last, last};
      const std::size_t enough = (part + 1) * (all_.points.size() / count), left = count - part - 1;
      while (range.last < all_.locations() - left && (range.size() == 0 || left == 0 || points < enough))
        points += all_.points.size(LocationId{range.last++});
      last = range.last;
      parts_.push_back(range);
    }
  }

  void sweep(std::size_t part) {
    const SharedReader reader(static_cast<unsigned>(part));
    try {
      DelaySums sums = SweepPart(all_, callpaths_, parts_, part, *mail_).run();
      const std::lock_guard lock(mutex_);
      sums_.merge(sums);
      for (const auto& [place, ticks] : sums) sums_[place] += ticks;  // that others have too
    } catch (...) {
      mail_->fail(std::current_exception());
    }
  }

  const Causes& all_;
  const std::size_t callpaths_, wanted_;
  std::vector<LocationRange> parts_;
  SweepMail<Waiter>* mail_ = nullptr;
  std::mutex mutex_;
  DelaySums sums_;
};

}  // namespace waitstate::causes
