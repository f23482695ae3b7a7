// Fractions of ticks whose sums do not depend on the order in which they come about.
#pragma once

#include <algorithm>
#include <cmath>

namespace waitstate::causes {

/// A number of ticks >= 0 in steps of 2^-60, so that a sum is the same in any order and what was added can be taken
/// off. What is more than 2^60 ticks, which only damaged times are, counts as that.
class FixedTicks {
 public:
  FixedTicks() = default;
  explicit FixedTicks(double ticks) : steps_(static_cast<Steps>(std::clamp(ticks, 0.0, 0x1p60) * 0x1p60)) {}
  FixedTicks& operator+=(FixedTicks x) { return steps_ += x.steps_, *this; }
  FixedTicks& operator-=(FixedTicks x) { return steps_ -= x.steps_, *this; }
  double ticks() const { return steps_ == 0 ? 0 : static_cast<double>(steps_) * 0x1p-60; }

 private:
  __extension__ using Steps = unsigned __int128;
  Steps steps_ = 0;
};

/// A sum of numbers of either sign, likewise in any order.
class SignedFixedTicks {
 public:
  SignedFixedTicks& operator+=(double ticks) {
    (ticks < 0 ? below_ : above_) += FixedTicks(std::abs(ticks));
    return *this;
  }
  double ticks() const { return above_.ticks() - below_.ticks(); }

 private:
  FixedTicks above_, below_;
};

}  // namespace waitstate::causes
