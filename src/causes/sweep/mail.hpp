// Boxes through which the parts of a sweep (part.hpp) tell each other what they found, and how they know that
// all of them are done.
//
// A part with nothing left to do waits for letters. When all of them wait and no box has one, nobody will write any
// more. A part that only writes could fill the memory of one that is slower: while more letters are under way than
// `most_under_way`, a part that is behind another one in time, that is earlier, lets it come near; the one that is
// latest always goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "waitstate/trace/ids.hpp"

namespace waitstate::causes {

template <class Letter>
class SweepMail {
 public:
  explicit SweepMail(std::size_t parts, std::int64_t most_under_way = 1 << 16)
      : boxes_(parts), most_under_way_(most_under_way) {}

  void send(std::size_t to, Letter&& letter) {
    Box& box = boxes_[to];
    under_way_.fetch_add(1, std::memory_order_relaxed);
    {
      const std::lock_guard lock(box.mutex);
      box.letters.push_back(std::move(letter));
      box.any = true;
    }
    if (waiting_ > 0) wake();
  }
  /// There are letters for that part.
  bool has(std::size_t part) const { return boxes_[part].any.load(std::memory_order_relaxed); }
  /// All of them; `letters` is empty before.
  void take(std::size_t part, std::vector<Letter>& letters) {
    Box& box = boxes_[part];
    const std::lock_guard lock(box.mutex);
    letters.swap(box.letters);
    box.any = false;
  }
  /// So many of those that were taken need no memory any more.
  void judged(std::int64_t letters) {
    if (letters > 0) under_way_.fetch_sub(letters, std::memory_order_relaxed);
  }

  /// Returns when all parts have come here, which each does once before it writes; false if one has failed.
  bool meet() {
    std::unique_lock lock(mutex_);
    if (++met_ == boxes_.size()) changed_.notify_all();
    changed_.wait(lock, [&] { return met_ == boxes_.size() || stopped_; });
    return !stopped_;
  }
  /// Returns when there are letters, or false if there will be none: all parts are done, or one has failed.
  bool wait(std::size_t part) {
    Box& box = boxes_[part];
    box.front = 0;
    for (const auto until = std::chrono::steady_clock::now() + before_sleep; std::chrono::steady_clock::now() < until;
         std::this_thread::yield())
      for (int i = 0; i < looks_before_yield; ++i)
        if (box.any) return !stopped_;
    std::unique_lock lock(mutex_);
    ++waiting_;
    if (waiting_ == boxes_.size() &&
        std::none_of(boxes_.begin(), boxes_.end(), [](const Box& b) { return b.any.load(); }))
      stopped_ = true, changed_.notify_all();
    changed_.wait(lock, [&] { return box.any || stopped_; });
    --waiting_;
    return !stopped_;
  }

  /// The part comes to what happened at that time; returns when it may go on with it, false if it has to stop.
  bool go_on(std::size_t part, Time front) {
    if (boxes_.size() == 1) return true;
    boxes_[part].front.store(front, std::memory_order_relaxed);
    while (under_way_.load(std::memory_order_relaxed) > most_under_way_ && !stopped_ && is_before_another(part, front))
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    return !stopped_;
  }

  /// Lets all parts stop.
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    stopped_ = true;
    changed_.notify_all();
  }
  /// When all have stopped.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // To sleep and to be woken takes longer than most letters take to come, which are told one after the other. But where
  // others use the processor each yield may take as long as they have it.
  static constexpr int looks_before_yield = 100;
  static constexpr std::chrono::microseconds before_sleep{200};

  struct alignas(64) Box {
    std::mutex mutex;
    std::vector<Letter> letters;
    std::atomic<bool> any = false;
    std::atomic<Time> front = 0;  ///< 0 while it waits
  };

  void wake() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  bool is_before_another(std::size_t part, Time front) const {
    for (std::size_t other = 0; other < boxes_.size(); ++other)
      if (other != part && boxes_[other].front.load(std::memory_order_relaxed) > front) return true;
    return false;
  }

  std::vector<Box> boxes_;
  const std::int64_t most_under_way_;
  std::atomic<std::int64_t> under_way_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> waiting_ = 0;  ///< parts; changed under the mutex
  std::mutex mutex_;
  std::size_t met_ = 0;  ///< parts
  std::condition_variable changed_;
  std::exception_ptr failure_;
};

}  // namespace waitstate::causes
