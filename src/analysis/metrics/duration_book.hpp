// Durations of very many waits in bounded memory: count, sum, minimum, maximum and variance are exact. Quantiles are
// exact for the first `exact` waits, and beyond them come from a histogram with 2^bits buckets between a power of two
// and the next: a bucket is at most 1/2^bits of its values wide, and its middle is off by at most half of that. All
// sums are integers, so the order in which waits come changes nothing. Only the buckets from the shortest to the
// longest wait take memory.
//
// classes() returns the same waits in few classes, for a picture: four between a power of two and the next. Their
// borders are borders of buckets, so that counts cost nothing more; their sums are kept only if with_classes() asked
// for them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "waitstate/result/wait_summary.hpp"

namespace waitstate::analysis {

/// Classes of durations: class 0 is for 0 ticks; class 1 + 4 * k + q begins at border[q] / 64 * 2^k.
struct DurationClasses {
  static constexpr std::array<std::uint64_t, 4> border = {64, 76, 91, 108};  ///< nearly 64 * 2^(q/4)
  static constexpr std::size_t count = 1 + 4 * 64;

  static constexpr std::size_t of(std::uint64_t ticks) {
    if (ticks == 0) return 0;
    const int k = std::bit_width(ticks) - 1;
    const std::uint64_t leading = k > 6 ? ticks >> (k - 6) : ticks << (6 - k);  // 64 … 127
    std::size_t q = 0;
    while (q < 3 && leading >= border[q + 1]) ++q;
    return 1 + 4 * static_cast<std::size_t>(k) + q;
  }
  /// The shortest duration that belongs to class `c` or a later one; for the class behind the last one, the largest
  /// number.
  static constexpr std::uint64_t from(std::size_t c) {
    if (c == 0) return 0;
    const std::size_t k = (c - 1) / 4;
    if (k >= 64) return ~std::uint64_t{0};
    const std::uint64_t b = border[(c - 1) % 4];
    return k >= 6 ? b << (k - 6) : ((b << k) + 63) >> 6;
  }
};

template <std::size_t exact, unsigned bits>
class DurationBook {
 public:
  /// Keeps sums of classes, from the first wait on.
  void with_classes() { sums_.assign(DurationClasses::count, 0); }
  void add(Ticks ticks) {
    const auto v = static_cast<std::uint64_t>(ticks);
    ++count_;
    sum_ += v;
    squares_ += static_cast<Wide>(v) * v;
    minimum_ = std::min(minimum_, v);
    maximum_ = std::max(maximum_, v);
    if (!buckets_.empty()) return put(v);
    values_.push_back(v);
    if (values_.size() > exact) fill_buckets();
  }
  /// Adds the waits of another book, with classes if this one has them: the result is that of one book.
  void merge(const DurationBook& other);
  template <class Archive>
  void travel(Archive& archive) {
    archive(count_, sum_, squares_, minimum_, maximum_, values_, buckets_, first_, sums_);
  }
  WaitStatistics result() const;
  bool any() const { return count_ != 0; }
  std::uint64_t count() const { return count_; }
  /// The classes that have waits, ascending; only after with_classes().
  std::vector<DurationClass> classes() const;

 private:
  __extension__ typedef unsigned __int128 Wide;

  // Values below 2^bits have a bucket each; above, the leading bits + 1 bits choose it.
  static std::size_t bucket_of(std::uint64_t v) {
    if (v < (std::uint64_t{1} << bits)) return static_cast<std::size_t>(v);
    const unsigned shift = static_cast<unsigned>(std::bit_width(v)) - bits - 1;
    return (std::size_t{shift} << bits) + static_cast<std::size_t>(v >> shift);
  }
  static std::uint64_t shortest_of(std::size_t bucket) {
    if (bucket < (std::size_t{1} << bits)) return bucket;
    return ((bucket & ((std::size_t{1} << bits) - 1)) | std::uint64_t{1} << bits) << ((bucket >> bits) - 1);
  }
  static double middle_of(std::size_t bucket) {
    if (bucket < (std::size_t{1} << bits)) return static_cast<double>(bucket);
    const auto width = static_cast<double>(std::uint64_t{1} << ((bucket >> bits) - 1));
    return static_cast<double>(shortest_of(bucket)) + (width - 1) / 2;
  }
  void put(std::uint64_t v) {
    const std::size_t bucket = bucket_of(v);
    if (bucket - first_ >= buckets_.size()) [[unlikely]]
      make_room(bucket);
    ++buckets_[bucket - first_];
    if (!sums_.empty()) sums_[DurationClasses::of(v)] += v;
  }
  void fill_buckets() {
    for (const std::uint64_t v : values_) put(v);
    values_ = {};
  }
  void make_room(std::size_t bucket) {
    if (buckets_.empty()) first_ = bucket;
    if (bucket < first_) {
      buckets_.insert(buckets_.begin(), first_ - bucket, 0);
      first_ = bucket;
    }
    if (bucket >= first_ + buckets_.size()) buckets_.resize(bucket - first_ + 1);
  }
  double quantile(double q) const;

  std::uint64_t count_ = 0;
  Wide sum_ = 0, squares_ = 0;
  std::uint64_t minimum_ = ~std::uint64_t{0}, maximum_ = 0;
  std::vector<std::uint64_t> values_;   ///< the waits themselves, while there are few
  std::vector<std::uint64_t> buckets_;  ///< counts per bucket from first_ on, once there are many
  std::size_t first_ = 0;
  std::vector<std::uint64_t> sums_;  ///< by class: sums of the waits in buckets; empty if not asked for
};

template <std::size_t exact, unsigned bits>
void DurationBook<exact, bits>::merge(const DurationBook& other) {
  if (other.count_ == 0) return;
  count_ += other.count_;
  sum_ += other.sum_;
  squares_ += other.squares_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
  if (count_ > exact) fill_buckets();
  if (count_ <= exact) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
    return;
  }
  for (const std::uint64_t v : other.values_) put(v);
  for (std::size_t b = 0; b < other.buckets_.size(); ++b) {
    if (other.buckets_[b] == 0) continue;
    const std::size_t bucket = other.first_ + b;
    if (bucket - first_ >= buckets_.size()) make_room(bucket);
    buckets_[bucket - first_] += other.buckets_[b];
  }
  for (std::size_t c = 0; c < std::min(sums_.size(), other.sums_.size()); ++c) sums_[c] += other.sums_[c];
}

template <std::size_t exact, unsigned bits>
double DurationBook<exact, bits>::quantile(double q) const {
  const double position = q * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::uint64_t>(std::floor(position));
  const double part = position - static_cast<double>(below);
  const std::uint64_t above = std::min(below + 1, count_ - 1);
  const auto nth = [&](std::uint64_t n) {
    std::uint64_t seen = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b)
      if ((seen += buckets_[b]) > n)
        return std::clamp(middle_of(first_ + b), static_cast<double>(minimum_), static_cast<double>(maximum_));
    return static_cast<double>(maximum_);
  };
  return nth(below) * (1 - part) + nth(above) * part;
}

template <std::size_t exact, unsigned bits>
WaitStatistics DurationBook<exact, bits>::result() const {
  WaitStatistics s;
  if (count_ == 0) return s;
  s.count = count_;
  s.sum = static_cast<Ticks>(static_cast<std::uint64_t>(sum_));
  s.minimum = static_cast<Ticks>(minimum_);
  s.maximum = static_cast<Ticks>(maximum_);
  const auto n = static_cast<long double>(count_);
  const auto sum = static_cast<long double>(sum_);
  s.mean = static_cast<double>(sum / n);
  if (count_ > 1) {
    const long double about_mean = static_cast<long double>(squares_) - sum * (sum / n);
    s.variance = static_cast<double>(std::max(about_mean, 0.0L) / (n - 1));
  }
  if (buckets_.empty()) {
    std::vector<std::uint64_t> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double q) {
      const double position = q * static_cast<double>(sorted.size() - 1);
      const auto below = static_cast<std::size_t>(std::floor(position));
      const std::size_t above = std::min(below + 1, sorted.size() - 1);
      const double part = position - static_cast<double>(below);
      return static_cast<double>(sorted[below]) * (1 - part) + static_cast<double>(sorted[above]) * part;
    };
    s.quartile25 = at(0.25), s.median = at(0.5), s.quartile75 = at(0.75);
  } else {
    s.quartile25 = quantile(0.25), s.median = quantile(0.5), s.quartile75 = quantile(0.75);
    s.quantile_error = 0.5 / static_cast<double>(std::size_t{1} << bits);
  }
  return s;
}

template <std::size_t exact, unsigned bits>
std::vector<DurationClass> DurationBook<exact, bits>::classes() const {
  static_assert(bits >= 6, "a class is a whole number of buckets");
  std::vector<DurationClass> all(DurationClasses::count);
  for (const std::uint64_t v : values_) {
    DurationClass& c = all[DurationClasses::of(v)];
    ++c.count;
    c.ticks = add_ticks(c.ticks, v);
  }
  for (std::size_t b = 0; b < buckets_.size(); ++b)
    if (buckets_[b] != 0) all[DurationClasses::of(shortest_of(first_ + b))].count += buckets_[b];
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!sums_.empty()) all[c].ticks = add_ticks(all[c].ticks, sums_[c]);
    all[c].from = DurationClasses::from(c), all[c].to = DurationClasses::from(c + 1);
  }
  std::erase_if(all, [](const DurationClass& c) { return c.count == 0; });
  return all;
}

}  // namespace waitstate::analysis
