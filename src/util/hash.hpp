// Hashes of keys that are made of a few integers, for tables of one process. Such keys are small numbers, most of them
// equal in their high bits; FlatMap and the other tables choose a place by the high bits of the hash, so these are the
// ones that are mixed well. Only analysis/metrics/message_book lets what is written depend on one.
#pragma once

#include <cstdint>

namespace waitstate::util {

/// Two numbers as one.
constexpr std::uint64_t joined(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

/// Carries each bit of a number into the bits above it. One multiplication, enough for numbers that are counted up; the
/// factor is 2^64 divided by the golden ratio (D. Knuth, The Art of Computer Programming, volume 3, section 6.4).
constexpr std::uint64_t spread(std::uint64_t number) { return number * 0x9e3779b97f4a7c15u; }

/// Lets each bit of a number change all high bits of the hash. Two multiplications, for numbers that are put together.
constexpr std::uint64_t mixed(std::uint64_t number) {
  const std::uint64_t h = number * 0xc2b2ae3d27d4eb4fu;
  return spread(h ^ h >> 29);
}
constexpr std::uint64_t mixed(std::uint64_t first, std::uint64_t second) { return mixed(first ^ spread(second)); }

}  // namespace waitstate::util
