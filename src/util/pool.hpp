// Numbered objects that come and go in large numbers, addressed by 32-bit numbers that stay valid (as do the addresses)
// until the object is released.
//
// Objects acquired one after the other lie side by side, whatever the order of their release: a location's consecutive
// objects are also looked at consecutively, and with many locations open the cost of matching is memory latency.
// Numbers are therefore given out in runs of 64, and a run is used again once half of its objects have been released.
// Memory follows the largest number of objects alive at once, and is at most twice as much.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "util/prefetch.hpp"

namespace waitstate::util {

template <class T>
class Pool {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Returns the number of a fresh, value-initialised object.
  std::uint32_t acquire() {
    const std::uint32_t i = acquire_stale();
    (*this)[i] = T{};
    return i;
  }
  /// Like acquire(), but the object may still have the value that it had when it was released.
  [[gnu::always_inline]] std::uint32_t acquire_stale() {  // it is on the way of every call and message
    if (free_ == 0) [[unlikely]]
      next_run();
    const auto place = static_cast<std::uint32_t>(std::countr_zero(free_));
    free_ &= free_ - 1;
    ++alive_;
    ++runs_[run_].alive;
    if (const std::uint64_t later = free_ & (free_ - 1);
        later != 0)  // prefetches the object after the next one, which will be written
      prefetch<true>(first_ + std::countr_zero(later), sizeof(T));
    return run_ * run_size + place;
  }
  void release(std::uint32_t i) {
    --alive_;
    Run& run = runs_[i / run_size];
    if (i / run_size == run_) {
      free_ |= std::uint64_t{1} << i % run_size;
      --run.alive;
      return;
    }
    run.free |= std::uint64_t{1} << i % run_size;
    if (--run.alive == run_size / 2) ready_.push_back(i / run_size);
  }
  T& operator[](std::uint32_t i) { return blocks_[i >> bits][i & mask]; }
  const T& operator[](std::uint32_t i) const { return blocks_[i >> bits][i & mask]; }
  /// Calls f(number, object) for every object ever acquired, whether or not it has been released since.
  template <class F>
  void for_each(F&& f) {
    for (std::uint32_t i = 0; i < runs_.size() * run_size; ++i) f(i, (*this)[i]);
  }
  std::size_t alive() const { return alive_; }

 private:
  static constexpr unsigned bits = 10;
  static constexpr std::uint32_t block_size = 1u << bits, mask = block_size - 1, run_size = 64;
  struct Run {
    std::uint64_t free = 0;  ///< places of this run that are free; for the current run see free_
    std::uint32_t alive = 0;
  };

  // Moves on to a run that is ready, at least half of whose places are free.
  [[gnu::noinline]] void next_run() {
    if (!ready_.empty()) {
      run_ = ready_.back();
      ready_.pop_back();
      free_ = runs_[run_].free;
      runs_[run_].free = 0;
      first_ = &(*this)[run_ * run_size];
      return;
    }
    run_ = static_cast<std::uint32_t>(runs_.size());
    runs_.emplace_back();
    if (run_ % (block_size / run_size) == 0) blocks_.push_back(std::make_unique<T[]>(block_size));
    free_ = ~std::uint64_t{0};
    first_ = &(*this)[run_ * run_size];
  }

  std::vector<std::unique_ptr<T[]>> blocks_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> ready_;     ///< runs that are used again next, the last one first
  std::uint32_t run_ = none / run_size;  ///< the run that numbers are taken from; none at first
  std::uint64_t free_ = 0;               ///< free places of the current run
  T* first_ = nullptr;                   ///< the first object of the current run
  std::size_t alive_ = 0;
};

}  // namespace waitstate::util
