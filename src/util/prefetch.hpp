// Requests memory before it is needed, so that nothing waits for it later.
#pragma once

#include <cstddef>

namespace waitstate::util {

/// Requests the cache lines of `size` bytes from `p`. Without the empty assembly, g++ takes a function that does
/// nothing else for one without effect and leaves out its calls.
template <bool written = false>
inline void prefetch(const void* p, std::size_t size = 1) {
  const char* const first = static_cast<const char*>(p);
  for (std::size_t i = 0; i < size; i += 64) __builtin_prefetch(first + i, written);
  if (size % 64 > 1) __builtin_prefetch(first + size - 1, written);  // it may begin in the middle of a line
  asm volatile("");
}

}  // namespace waitstate::util
