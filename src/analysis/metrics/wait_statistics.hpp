// What is kept of all waits, per metric: statistics, who made whom wait, where culprits were, the most severe
// instances. One pass, bounded memory: nothing grows with the number of waits.
//
// Statistics are exact but for quantiles of more than 1,024 waits, which come from a histogram with 64 buckets between
// a power of two and the next: a bucket is at most 1/64 of its values wide, and its middle at most 1/128 off. All sums
// are integers, so the order in which waits come changes nothing.
//
// Waits that belong to one operation (a collective's) are one instance: between open() and close() they are gathered.
//
// What the culprits of the most severe instances waited themselves is looked up at the end, in the log of all waits
// that note() was told of.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "analysis/metrics/wait_log.hpp"
#include "util/flat_map.hpp"
#include "waitstate/metrics.hpp"
#include "waitstate/wait_summary.hpp"

namespace waitstate::analysis {

class WaitStatisticsBook {
 public:
  void add(Ticks ticks);
  WaitStatistics result() const;
  bool any() const { return count_ != 0; }

 private:
  static constexpr std::size_t exact = 1024;
  static constexpr unsigned bits = 6;  ///< 2^bits buckets between powers of two
  __extension__ typedef unsigned __int128 Wide;

  static std::size_t bucket_of(std::uint64_t ticks);
  static double middle_of(std::size_t bucket);
  double quantile(double q) const;

  std::uint64_t count_ = 0;
  Wide sum_ = 0, squares_ = 0;
  std::uint64_t minimum_ = ~std::uint64_t{0}, maximum_ = 0;
  std::vector<std::uint64_t> values_;   ///< while there are few
  std::vector<std::uint64_t> buckets_;  ///< once there are many
};

class WaitRecorder {
 public:
  explicit WaitRecorder(std::size_t metrics) : metrics_(metrics) {}

  void add(MetricIndex metric, const Wait& wait);
  /// A location waited then, whether it is to be reported or not.
  void note(const Wait& wait) { log_->add(wait); }
  /// What is added between open() and close() is one instance per metric and call path, of an operation of so many
  /// members.
  void open(std::size_t members) {
    open_ = true;
    aggregated_ = members > WaitSummary::most_told_apart;
  }
  void close();

  /// True if waits of the metric have been added.
  bool any(MetricIndex metric) const { return metrics_[metric].statistics.any(); }
  /// Of the metrics that have waits.
  std::map<MetricIndex, WaitSummary> summaries();

 private:
  // The members of an operation wait for the same one, in the order of their numbers: these pairs lie side by side.
  struct Pair {
    std::uint32_t first = 0, second = 0;
    bool operator==(const Pair&) const = default;
    std::uint64_t hash() const {
      const std::uint64_t h = (std::uint64_t{first} << 32 | second / 8) * 0xc2b2ae3d27d4eb4fu;
      return (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
    }
    std::size_t beside() const { return std::size_t{first} + second; }
  };
  using Pairs = util::FlatMap<Pair, WaitPair>;
  struct Severe {
    std::array<SevereInstance, WaitSummary::max_severe> worst{};  ///< the first `count`, the worst first
    std::size_t count = 0;
  };
  struct OfMetric {
    WaitStatisticsBook statistics;
    Pairs pairs, causes;
    util::FlatMap<Pair, Severe> severe;  ///< first: call path
  };
  struct Pending {  ///< waits that are still to be added up
    Pairs* table = nullptr;
    Pair key;
    WaitPair waits;
  };
  struct Gathered {
    MetricIndex metric;
    SevereInstance instance;
    LocationId latest;  ///< that waited
  };
  void add(Pairs& table, const Pair& key, const WaitPair& waits);
  static void add_up(Pending& pending);
  void keep_severe(MetricIndex metric, const SevereInstance& instance);
  template <class Key>
  static WaitTable<Key> in_order(Pairs& table);
  void look_up_culprits(std::map<MetricIndex, WaitSummary>& summaries) const;

  std::vector<OfMetric> metrics_;
  // Of a thousand locations any two may wait for each other: the tables are larger than the caches. So a place in them
  // is asked for when a wait comes, and looked at a few waits later.
  std::array<Pending, 8> pending_;
  std::size_t next_pending_ = 0;
  Pending cause_;  ///< of the latest wait: those of an operation have one, so it is added up when the next one comes
  std::vector<Gathered> gathered_;
  bool open_ = false, aggregated_ = false;
  std::unique_ptr<WaitLog> log_ = std::make_unique<WaitLog>();
};

}  // namespace waitstate::analysis
