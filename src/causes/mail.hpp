// Boxes through which the parts of a computation tell each other what they found, each part on a thread of its own, and
// how they know that all of them are done: the sweep (sweep/part.hpp), and the ideal machine (ideal/part.hpp).
//
// A part with nothing left to do waits for letters. When all of them wait and no box has one, nobody will write any
// more. A part that only writes could fill the memory of one that is slower: while more letters are under way than
// `most_under_way`, a part that has less left to do than another one lets it come near; the one that has most left
// always goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace waitstate::causes {

template <class Letter>
class Mail {
 public:
  explicit Mail(std::size_t parts, std::int64_t most_under_way = 1 << 16)
      : boxes_(parts), most_under_way_(most_under_way) {}

  void send(std::size_t to, Letter&& letter) {
    put(to, 1, [&](std::vector<Letter>& letters) { letters.push_back(std::move(letter)); });
  }
  /// In their order, with nothing in between; `letters` is empty then.
  void send(std::size_t to, std::vector<Letter>& letters) {
    put(to, static_cast<std::int64_t>(letters.size()), [&](std::vector<Letter>& in_box) {
      if (in_box.empty())
        in_box.swap(letters);
      else
        in_box.insert(in_box.end(), std::make_move_iterator(letters.begin()), std::make_move_iterator(letters.end()));
    });
    letters.clear();
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
  /// Some part has nothing to do.
  bool somebody_waits() const { return idle_.load(std::memory_order_relaxed) > 0; }

  /// Returns when all parts have come here, which each does once before it writes; false if one has failed.
  bool meet() {
    std::unique_lock lock(mutex_);
    if (++met_ == boxes_.size()) changed_.notify_all();
    changed_.wait(lock, [&] { return met_ == boxes_.size() || stopped_; });
    return !stopped_;
  }
  /// Returns when there are letters, or false if there will be none: all parts are done, or one has failed.
  bool wait(std::size_t part) {
    return wait(part, [] { return false; });
  }
  /// Like wait(), but when all parts are done one of them calls `on_quiet`, while the others stand; if it returns true,
  /// all go on. It must not write.
  template <class OnQuiet>
  bool wait(std::size_t part, OnQuiet&& on_quiet) {
    Box& box = boxes_[part];
    box.left = 0;
    if (boxes_.size() > 1 && comes_soon(box)) return !stopped_;
    std::unique_lock lock(mutex_);
    const std::uint64_t round = round_;
    ++waiting_;
    if (waiting_ == boxes_.size() && !stopped_ &&
        std::none_of(boxes_.begin(), boxes_.end(), [](const Box& b) { return b.any.load(); })) {
      if (on_quiet())
        ++round_, waiting_ = 0;
      else
        stopped_ = true;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return box.any || stopped_ || round_ != round; });
    if (round_ == round) --waiting_;
    return !stopped_;
  }

  /// The part has so much left to do, in the units of the parts; returns when it may go on, false if it has to stop. It
  /// may go on with `lead` less than others have left.
  bool go_on(std::size_t part, std::uint64_t left, std::uint64_t lead = 0) {
    if (boxes_.size() == 1) return true;
    boxes_[part].left.store(left, std::memory_order_relaxed);
    while (under_way_.load(std::memory_order_relaxed) > most_under_way_ && !stopped_ &&
           another_has_more(part, left, lead))
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
    std::atomic<std::uint64_t> left = 0;  ///< 0 while it waits
  };

  template <class Add>
  void put(std::size_t to, std::int64_t letters, Add&& add) {
    Box& box = boxes_[to];
    under_way_.fetch_add(letters, std::memory_order_relaxed);
    {
      const std::lock_guard lock(box.mutex);
      add(box.letters);
      box.any = true;
    }
    if (waiting_ > 0) wake();
  }
  void wake() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  bool comes_soon(const Box& box) {
    idle_.fetch_add(1, std::memory_order_relaxed);
    bool any = false;
    for (const auto until = std::chrono::steady_clock::now() + before_sleep;
         !any && std::chrono::steady_clock::now() < until; std::this_thread::yield())
      for (int i = 0; i < looks_before_yield && !any; ++i) any = box.any;
    idle_.fetch_sub(1, std::memory_order_relaxed);
    return any;
  }
  bool another_has_more(std::size_t part, std::uint64_t left, std::uint64_t lead) const {
    for (std::size_t other = 0; other < boxes_.size(); ++other)
      if (other != part && boxes_[other].left.load(std::memory_order_relaxed) > left + lead) return true;
    return false;
  }

  std::vector<Box> boxes_;
  const std::int64_t most_under_way_;
  std::atomic<std::int64_t> under_way_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> idle_ = 0;     ///< parts that look for letters
  std::atomic<std::size_t> waiting_ = 0;  ///< parts that sleep; changed under the mutex
  std::mutex mutex_;
  std::size_t met_ = 0;      ///< parts
  std::uint64_t round_ = 0;  ///< how often all went on after they had been done
  std::condition_variable changed_;
  std::exception_ptr failure_;
};

}  // namespace waitstate::causes
