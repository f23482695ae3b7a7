// Bins of one width, of which some lie in a stretch of time that is divided into bins of another width.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "waitstate/trace/ids.hpp"

namespace waitstate::serve {

struct StretchOfBins {
  /// `start`, `wide`, `have`: the bins that there are; `from`, `width`, `wanted`: those of the stretch.
  StretchOfBins(Time bins_start, Time bins_width, std::size_t have, Time stretch_from, Time stretch_width,
                std::size_t wanted_bins)
      : start(bins_start), wide(bins_width), from(stretch_from), width(stretch_width), wanted(wanted_bins) {
    const Time to = from + width * wanted;
    first = from <= start ? 0 : std::min<std::size_t>(have, static_cast<std::size_t>((from - start) / wide));
    const std::size_t last =
        to <= start ? 0 : std::min<std::size_t>(have, static_cast<std::size_t>((to - start + wide - 1) / wide));
    count = last > first ? last - first : 0;
  }

  /// Calls add(bin of the stretch, bin among the `count`, ticks that both have in common).
  template <class Add>
  void spread(Add&& add) const {
    for (std::size_t i = 0; i < wanted; ++i) {
      Time begin = std::max(from + i * width, start + first * wide);
      const Time end = from + (i + 1) * width;
      if (begin >= end) continue;
      for (std::size_t b = static_cast<std::size_t>((begin - start) / wide) - first; b < count && begin < end; ++b) {
        const Time next = std::min<Time>(end, start + (first + b + 1) * wide);
        add(i, b, next - begin);
        begin = next;
      }
    }
  }

  Time start, wide, from, width;
  std::size_t wanted, first = 0, count = 0;
};

/// The ticks of shares of 1/255 that several locations have of a time.
inline std::uint64_t ticks_of_shares(std::uint32_t shares, Time time) {
  return static_cast<std::uint64_t>(static_cast<double>(shares) * static_cast<double>(time) / 255);
}

}  // namespace waitstate::serve
