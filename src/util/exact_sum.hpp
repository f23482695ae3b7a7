// Sums of doubles that do not depend on the order or grouping of the additions, because no bit is lost before the end.
//
// A sum is kept as doubles that do not overlap, smallest first, whose true sum is the exact result (Grow-Expansion of
// J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997). There are
// usually two or three of them, and 40 at most. Values are finite and below 2
// 800, so that nothing overflows, not even when multiplied by a number of ticks.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace waitstate::util {

class ExactSum {
 public:
  /// Whether `value` is small enough for add().
  static bool takes(double value) { return std::abs(value) < 0x1p800; }

  void add(double value) {
    std::size_t kept = 0;
    for (const double part : parts_) {
      const double sum = value + part, shared = sum - value;
      const double lost = (value - (sum - shared)) + (part - shared);
      if (lost != 0) parts_[kept++] = lost;
      value = sum;
    }
    parts_.resize(kept);
    if (value != 0) parts_.push_back(value);
  }
  /// Adds a * b exactly, including the rounding error of the product.
  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    add(std::fma(a, b, -product));
  }
  template <class Archive>
  void travel(Archive& archive) {
    archive(parts_);
  }
  void add(const ExactSum& other) {
    const std::vector<double> parts = other.parts_;
    for (const double part : parts) add(part);
  }

  /// The double nearest to the true sum, and therefore the same for equal sums. Parts are added from the largest down
  /// until the rest is lost; a rest of exactly half a unit is rounded in the direction of the parts below it.
  double value() const {
    std::size_t n = parts_.size();
    if (n == 0) return 0;
    double high = parts_[--n], rest = 0;
    while (n > 0 && rest == 0) {
      const double before = high, part = parts_[--n];
      high = before + part;
      rest = part - (high - before);
    }
    if (n > 0 && ((rest < 0 && parts_[n - 1] < 0) || (rest > 0 && parts_[n - 1] > 0))) {
      const double twice = rest * 2, up = high + twice;
      if (up - high == twice) high = up;
    }
    return high;
  }
  bool zero() const { return parts_.empty(); }

 private:
  std::vector<double> parts_;
};

}  // namespace waitstate::util
