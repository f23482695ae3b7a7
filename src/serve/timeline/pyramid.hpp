// The whole run in few numbers, made in one pass: for each location and each bin of time, how much of it the location
// spent in each class of regions, as bytes (255: all of it). Level 0 has the widest bins; each following one has twice
// as many. All levels together take at most 64 MB: of few locations there are 65,536 bins, of 10,000 there are 256, and
// views of less time than a few of these read the events themselves, by the marks that the same pass leaves. Where the
// trace has counters, a quarter of the 64 MB is for these, in one level.
//
// The width of bins follows from the length that the recorder announces, and doubles if events lie behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "pass/event_index.hpp"
#include "pass/trace_input.hpp"
#include "serve/timeline/class_bins.hpp"
#include "serve/timeline/counters.hpp"

namespace waitstate::serve {

class Pyramid {
 public:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20, most_bins = 65'536, fewest_bins = 16;
  /// Beyond so many locations not even the fewest bins fit.
  static constexpr std::size_t most_locations = most_bytes / (2 * class_count * fewest_bins);

  /// Reads the trace. `progress` is told from time to time how many events have been read. At most `most_locations`.
  Pyramid(pass::TraceInput& input, Time first, Time last, unsigned threads,
          const std::function<void(std::uint64_t)>& progress);

  Time start() const { return start_; }
  /// The last event.
  Time last() const { return last_; }
  std::uint64_t events() const { return events_; }
  /// The names of the programs, as recorded, each once.
  std::vector<std::string> programs(const Definitions& definitions) const;
  const pass::EventIndex& index() const { return index_; }
  /// Ticks of a bin of the finest level.
  Time finest_width() const { return width_; }

  std::size_t finest_bins() const { return levels_.back().bins; }

  /// Adds to `sums`, one for each of its bins, the time that the locations from `first` to before `last` spent in each
  /// class: sums of ticks, by shares that are rounded to 1/255.
  void add_shares(std::size_t first, std::size_t last, Time from, Time width, std::span<ClassBins::Bin> sums) const;
  /// About how many events, calls and sends the location has in that time.
  struct Counts {
    double events = 0, calls = 0, sends = 0;  ///< the last of one-sided transfers, too
  };
  Counts counts_in(LocationId l, Time from, Time to) const;
  const Counters& counters() const { return counters_; }
  const CounterStore& counter_store() const { return *counter_store_; }

 private:
  using Shares = std::array<std::uint8_t, class_count>;
  void correct_levels(pass::TraceInput& input, const std::map<MetricMemberId, replay::CounterMoves>& moves);
  struct Level {
    std::size_t bins;  ///< for each location
    std::vector<Shares> shares;
  };

  Time start_, last_ = 0, width_ = 1;
  std::uint64_t events_ = 0;
  std::vector<std::uint64_t> events_of_, calls_of_, sends_of_;  ///< by location
  std::vector<StringId> program_of_;                            ///< by location
  std::vector<Time> last_of_;                                   ///< by location
  pass::EventIndex index_;
  std::vector<Level> levels_;
  Counters counters_;
  std::optional<CounterStore> counter_store_;
};

}  // namespace waitstate::serve
