// Bins of time of equal width, into which stretches of time are added. Time behind the last bin doubles the width of
// all, where that is allowed; else it does not count.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "waitstate/trace/ids.hpp"

namespace waitstate::serve {

/// Times do not grow beyond this, in ticks: only damaged time stamps do.
inline constexpr Time longest_time = Time{1} << 61;

/// `join` adds the second bin to the first one.
template <class Bin, void (*join)(Bin&, const Bin&)>
class TimeBins {
 public:
  TimeBins(Time start, Time width, std::size_t bins, bool grows)
      : start_(start), width_(std::max<Time>(width, 1)), grows_(grows), bins_(bins) {}

  /// Calls add(bin, its ticks in [from, to)) for each bin that has some.
  template <class Add>
  void each(Time from, Time to, Add&& add) {
    if (to <= start_ || bins_.empty()) return;
    Time at = std::max(from, start_) - start_, end = to - start_;  // damaged time stamps overflow nothing
    while (end > length() && grows_ && length() < longest_time) double_width();
    end = std::min(end, length());
    for (std::size_t bin = static_cast<std::size_t>(at / width_); at < end; ++bin) {
      const Time next = std::min<Time>(end, (bin + 1) * width_);
      add(bins_[bin], next - at);
      at = next;
    }
  }
  Time width() const { return width_; }
  std::span<const Bin> bins() const { return bins_; }

 private:
  Time length() const { return width_ * bins_.size(); }
  void double_width() {
    const std::size_t half = bins_.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      bins_[i] = bins_[2 * i];
      join(bins_[i], bins_[2 * i + 1]);
    }
    std::fill(bins_.begin() + static_cast<std::ptrdiff_t>(half), bins_.end(), Bin{});
    width_ *= 2;
  }

  Time start_, width_;
  bool grows_;
  std::vector<Bin> bins_;
};

}  // namespace waitstate::serve
