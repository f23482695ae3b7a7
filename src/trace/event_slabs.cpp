#include "trace/event_slabs.hpp"

#include <algorithm>
#include <new>

namespace waitstate::trace {

namespace {
constexpr std::size_t huge_page = std::size_t{1} << 21, largest_slab = std::size_t{1} << 25;
constexpr std::size_t rounded_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }
}  // namespace

void EventSlabs::Free::operator()(std::uint8_t* memory) const {
  ::operator delete[](memory, std::align_val_t{huge_page});
}

std::uint8_t* EventSlabs::take(std::size_t size) {
  size = rounded_up(size, 8);
  if (size_ - used_ < size) {
    const std::size_t wanted = std::max(std::clamp(2 * size_, huge_page, largest_slab), rounded_up(size, huge_page));
    slabs_.emplace_back(static_cast<std::uint8_t*>(::operator new[](wanted, std::align_val_t{huge_page})));
    memory_ += size_ - used_;
    size_ = wanted, used_ = 0;
  }
  std::uint8_t* const at = slabs_.back().get() + used_;
  used_ += size, memory_ += size;
  return at;
}

}  // namespace waitstate::trace
