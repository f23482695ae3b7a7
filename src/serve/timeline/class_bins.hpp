// How long a location was in regions of each class, in bins of time of equal width: the sink that reads its events, for
// the whole run and for a part of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pass/event_index.hpp"
#include "pass/region_walk.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::serve {

/// Classes of regions that a timeline tells apart.
inline constexpr std::array<std::string_view, 8> timeline_classes = {
    "computation", "device", "threads", "one-sided", "collective", "point to point", "file", "other"};
inline constexpr std::size_t class_count = timeline_classes.size();

std::uint8_t timeline_class(RegionClass c);
/// By number of a region.
std::vector<std::uint8_t> timeline_classes_of(const Definitions& definitions);

/// Ticks by bin and class. Time behind the last bin doubles the width of all, where that is allowed; else it does not
/// count.
class ClassBins {
 public:
  using Bin = std::array<std::uint64_t, class_count>;
  /// Times do not grow beyond this, in ticks: only damaged time stamps do.
  static constexpr Time longest = Time{1} << 61;

  ClassBins(Time start, Time width, std::size_t bins, bool grows)
      : start_(start), width_(std::max<Time>(width, 1)), grows_(grows), bins_(bins) {}

  void add(Time from, Time to, std::uint8_t kind) {
    if (to <= start_) return;
    Time at = std::max(from, start_) - start_, end = to - start_;  // damaged time stamps overflow nothing
    while (end > length() && grows_ && length() < longest) double_width();
    end = std::min(end, length());
    for (std::size_t bin = static_cast<std::size_t>(at / width_); at < end; ++bin) {
      const Time next = std::min<Time>(end, (bin + 1) * width_);
      bins_[bin][kind] += next - at;
      at = next;
    }
  }
  Time width() const { return width_; }
  std::span<const Bin> bins() const { return bins_; }

 private:
  Time length() const { return width_ * bins_.size(); }
  void double_width() {
    for (std::size_t i = 0; i < bins_.size() / 2; ++i)
      for (std::size_t c = 0; c < class_count; ++c) bins_[i][c] = bins_[2 * i][c] + bins_[2 * i + 1][c];
    std::fill(bins_.begin() + static_cast<std::ptrdiff_t>(bins_.size() / 2), bins_.end(), Bin{});
    width_ *= 2;
  }

  Time start_, width_;
  bool grows_;
  std::vector<Bin> bins_;
};

class ClassSink : public pass::RegionWalk<ClassSink> {
 public:
  ClassSink(const std::vector<std::uint8_t>& classes, ClassBins& bins) : classes_(&classes), bins_(&bins) {}

  void entered(RegionId) { ++calls_; }
  void left() {}
  void spent(Time from, Time to) {
    if (measured()) bins_->add(from, to, class_of(stack().back()));
  }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail) {
    sends_ += type == EventType::send || type == EventType::isend;
    RegionWalk::event(type, t, attributes, tail);
  }
  std::uint64_t calls() const { return calls_; }
  std::uint64_t sends() const { return sends_; }
  Time last_time() const { return now(); }
  const std::vector<RegionId>& open() const { return stack(); }

 private:
  std::uint8_t class_of(RegionId region) const { return region.valid() ? (*classes_)[region.index()] : 0; }

  const std::vector<std::uint8_t>* classes_;
  ClassBins* bins_;
  std::uint64_t calls_ = 0, sends_ = 0;
};

}  // namespace waitstate::serve
