// The counters of a trace over time. A counter is what recorders call by one name (PAPI_TOT_CYC). Of one that is
// accumulated, or whose values are differences, the timeline shows how much it grew in a second; of a state, such as
// memory in use, its value, from one record to the next. So each location has one value at a time, from its second
// record on, or from its first one.
//
// Values stand with the location that recorded them, as in the Perfetto export. Which accumulated counters are levels
// is decided as in the analysis (replay/counters): only the whole trace tells.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replay/counters/counters.hpp"
#include "serve/timeline/time_bins.hpp"
#include "waitstate/result/counter.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::serve {

/// All values of a counter in a bin of time.
struct CounterValues {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  double product = 0;  ///< value times ticks
  std::uint64_t ticks = 0;
  void add(double value, Time time) {
    least = std::min(least, value), greatest = std::max(greatest, value);
    product += value * static_cast<double>(time), ticks += time;
  }
  void add(const CounterValues& other) {
    least = std::min(least, other.least), greatest = std::max(greatest, other.greatest);
    product += other.product, ticks += other.ticks;
  }
};
inline void join_values(CounterValues& sum, const CounterValues& more) { sum.add(more); }
using CounterBins = TimeBins<CounterValues, join_values>;

class Counters {
 public:
  struct Member {
    std::size_t counter = 0;
    CounterKind kind{};
    CounterTiming timing{};
    double scale = 1;
  };

  explicit Counters(const Definitions& definitions);
  std::size_t size() const { return names_.size(); }
  std::optional<std::size_t> find(std::string_view name) const;
  /// The unit of the values that are shown, such as "bytes", or "1/s".
  std::string unit(std::size_t counter) const;
  const Member& member(MetricMemberId id) const { return members_[id.index()]; }
  /// The members whose values a record of the metric has.
  std::span<const MetricMemberId> members_of(MetricId metric) const;
  std::size_t member_count() const { return members_.size(); }
  double ticks_per_second() const { return static_cast<double>(definitions_->clock.resolution); }
  /// It is a state, although the recorder says that it is accumulated.
  void take_for_level(MetricMemberId member) { members_[member.index()].kind = CounterKind::absolute; }

 private:
  const Definitions* definitions_;
  std::vector<std::string> names_;  ///< sorted
  std::vector<Member> members_;     ///< by MetricMemberId
};

/// Takes the METRIC events of one location, and adds the values of each counter to its bins.
class CounterRecorder {
 public:
  /// `bins`: by counter; one without bins is not wanted. Both must outlive it.
  CounterRecorder(const Counters& counters, std::vector<CounterBins>& bins) : counters_(&counters), bins_(&bins) {}

  void record(Time now, MetricId metric, std::span<const Value> values);
  /// Nothing more comes before that time.
  void finish(Time end);
  /// How accumulated counters moved.
  const std::map<MetricMemberId, replay::CounterMoves>& moves() const { return moves_; }
  /// Time of the last record; 0 if there was none.
  Time last_record() const { return last_record_; }

 private:
  struct Last {
    bool is_known = false;
    Value raw;
    double value = 0;
    double not_shown = 0;  ///< differences that were recorded at `time`, after others
    Time time = 0;
  };

  const Counters* counters_;
  std::vector<CounterBins>* bins_;
  std::map<MetricId, std::vector<Last>> last_;
  std::map<MetricMemberId, replay::CounterMoves> moves_;
  Time last_record_ = 0;
};

/// The values of all counters of all locations in bins of equal width, in a limited number of bytes.
class CounterStore {
 public:
  static constexpr std::size_t most_bytes = std::size_t{16} << 20, most_bins = 8192, fewest_bins = 8;

  CounterStore(std::size_t counters, std::size_t locations, Time start);
  /// Number for each location and counter; 0: they do not fit, and only single records tell the values.
  std::size_t bins() const { return bins_; }
  Time width() const { return width_; }
  /// Bins for the values of a location, of a run of that length, which grow.
  CounterBins empty_bins(Time length) const {
    return {start_, length / std::max<std::size_t>(bins_, 1) + 1, bins_, true};
  }
  /// Takes over what a location has. Different locations may do so at the same time.
  void take(LocationId location, const std::vector<CounterBins>& values);
  /// Gives all the width of the widest, once all are there.
  void align();
  /// Adds the values of the locations from `first` to before `last`.
  void add(std::size_t counter, std::size_t first, std::size_t last, Time from, Time width,
           std::span<CounterValues> sums) const;

 private:
  struct Bin {
    float least = 0, greatest = 0, mean = std::numeric_limits<float>::quiet_NaN();  ///< NaN: there is no value
  };
  struct Series {
    Time width = 1;
    std::vector<Bin> bins;  ///< empty: the location has no values
  };
  static Bin joined(const Bin& a, const Bin& b);

  std::size_t locations_, bins_;
  Time start_, width_ = 1;
  std::vector<Series> series_;  ///< by counter, then location
};

}  // namespace waitstate::serve
