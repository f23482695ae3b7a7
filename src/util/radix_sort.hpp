// Sorting by numbers, digit by digit from the last one: it needs no comparisons, which a processor cannot predict.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace waitstate::util {

/// Sorts by `key(item)`, an unsigned number, and keeps the order of equal items. `scratch` is working memory. Takes a
/// pass over all items for each digit of `digit_bits` bits in which keys differ.
template <unsigned digit_bits, class T, class Key>
void radix_sort(std::vector<T>& items, std::vector<T>& scratch, const Key& key) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << digit_bits) - 1;
  if (items.empty()) return;
  std::uint64_t differ = 0;
  for (const T& item : items) differ |= key(item) ^ key(items.front());
  scratch.resize(items.size());
  for (unsigned shift = 0; shift < 64 && differ >> shift != 0; shift += digit_bits) {
    if ((differ >> shift & mask) == 0) continue;
    std::array<std::size_t, mask + 1> places{};
    for (const T& item : items) ++places[key(item) >> shift & mask];
    std::exclusive_scan(places.begin(), places.end(), places.begin(), std::size_t{0});
    for (T& item : items) scratch[places[key(item) >> shift & mask]++] = std::move(item);
    items.swap(scratch);
  }
}

}  // namespace waitstate::util
