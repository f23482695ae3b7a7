#include "util/slabs.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace waitstate::util {

namespace {
constexpr std::size_t huge_page = std::size_t{1} << 21, largest_slab = std::size_t{1} << 23, page = 4096;
constexpr std::size_t rounded_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }
}  // namespace

void Slabs::Free::operator()(std::uint8_t* memory) const { ::operator delete[](memory, std::align_val_t{huge_page}); }

Slabs::Slab Slabs::allocate(std::size_t size) {
  return Slab(static_cast<std::uint8_t*>(::operator new[](size, std::align_val_t{huge_page})));
}

void Slabs::end_ahead() {
  ahead_ = false;
  if (next_.valid()) next_.wait();
  next_ = {};
}

void Slabs::prepare_next() {
  next_size_ = std::clamp(2 * size_, huge_page, largest_slab);
  try {
    next_ = std::async(std::launch::async, [size = next_size_] {
      Slab slab = allocate(size);
      for (std::size_t i = 0; i < size; i += page) static_cast<volatile std::uint8_t&>(slab[i]) = 0;
      return slab;
    });
  } catch (const std::system_error&) {
    ahead_ = false;  // the system gives no more threads, so the thread that fills the slabs does everything
  }
}

std::uint8_t* Slabs::take(std::size_t size) {
  size = rounded_up(size, 8);
  if (size_ - used_ < size) {
    memory_ += size_ - used_;
    const std::size_t wanted = std::max(std::clamp(2 * size_, huge_page, largest_slab), rounded_up(size, huge_page));
    if (next_.valid() && next_size_ >= wanted) {
      slabs_.push_back(next_.get());
      size_ = next_size_;
    } else {
      slabs_.push_back(allocate(wanted));
      size_ = wanted;
    }
    used_ = 0;
    if (ahead_ && slabs_.size() > 1 && !next_.valid()) prepare_next();
  }
  std::uint8_t* const at = slabs_.back().get() + used_;
  used_ += size, memory_ += size;
  return at;
}

}  // namespace waitstate::util
