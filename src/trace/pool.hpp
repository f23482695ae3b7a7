// Numbered objects that come and go in large numbers: allocated in blocks, reused through a free list, addressed by
// 32-bit numbers that stay valid (and whose addresses stay put) until the object is released. Memory follows the
// largest number of objects alive at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace waitstate::trace {

template <class T>
class Pool {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// A fresh, value-initialised object.
  std::uint32_t acquire() {
    const std::uint32_t i = acquire_stale();
    (*this)[i] = T{};
    return i;
  }
  /// The same, but what was released last may still be in it.
  std::uint32_t acquire_stale() {
    ++alive_;
    if (!free_.empty()) {
      const std::uint32_t i = free_.back();
      free_.pop_back();
      return i;
    }
    if ((size_ & mask) == 0) blocks_.push_back(std::make_unique<T[]>(block_size));
    return size_++;
  }
  void release(std::uint32_t i) {
    --alive_;
    free_.push_back(i);
  }
  T& operator[](std::uint32_t i) { return blocks_[i >> bits][i & mask]; }
  const T& operator[](std::uint32_t i) const { return blocks_[i >> bits][i & mask]; }
  /// Calls f(number, object) for every object ever acquired, whether or not it has been released since.
  template <class F>
  void for_each(F&& f) {
    for (std::uint32_t i = 0; i < size_; ++i) f(i, (*this)[i]);
  }
  std::size_t alive() const { return alive_; }

 private:
  static constexpr unsigned bits = 10;
  static constexpr std::uint32_t block_size = 1u << bits, mask = block_size - 1;
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
  std::size_t alive_ = 0;
};

}  // namespace waitstate::trace
