// What is kept of all waits, per metric: statistics, who made whom wait, where culprits were, the most severe
// instances. One pass, bounded memory: nothing grows with the number of waits.
//
// Statistics are exact but for quantiles of more than 1,024 waits (duration_book.hpp). All sums are integers, so the
// order in which waits come changes nothing.
//
// Waits that belong to one operation (a collective's) are one instance: between open() and close() they are gathered.
//
// What the culprits of the most severe instances waited themselves is looked up at the end, in the log of all waits
// that note() was told of.
//
// With details, three things more: all waits of the most severe instances, which are picked from those of the operation
// when it turns out to be so severe; their causes, which are asked for then; and statistics per call path. That costs a
// copy and an addition a wait.
//
// If a pattern finds chains of waits, it is asked for those of the most severe instances (find_chains()).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "analysis/metrics/duration_book.hpp"
#include "analysis/metrics/wait_log.hpp"
#include "util/flat_map.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/wait_summary.hpp"

namespace waitstate::analysis {

using WaitStatisticsBook = DurationBook<1024, 6>;

/// Finds out what a wait waited for, of the event that patterns are told of: false if that does not say.
class CauseFinder {
 public:
  virtual ~CauseFinder() = default;
  virtual bool find(const Wait& wait, WaitCause& cause) const = 0;
};

class WaitRecorder {
 public:
  /// `causes`: keep details, and ask it for causes; null: do not.
  explicit WaitRecorder(std::size_t metrics, const CauseFinder* causes = nullptr) : metrics_(metrics), causes_(causes) {
    if (causes_ != nullptr)
      for (OfMetric& m : metrics_) m.statistics.with_classes();
  }

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
  /// Asks for the chains of the most severe instances of each metric, of those that were added so far.
  void find_chains(const ChainFinder& finder);
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
  using CallPathBook = DurationBook<64, 4>;
  static constexpr std::uint32_t no_details = ~std::uint32_t{0};
  /// A SevereInstance in the making: small, as most do not stay.
  struct Instance {
    Wait longest;
    Ticks total = 0;
    std::uint32_t waiters = 0;
    std::uint32_t details = no_details;  ///< in details_
  };
  struct Details {
    std::vector<Wait> members;
    std::uint64_t members_left_out = 0;
    std::optional<WaitCause> cause;
  };
  struct Severe {
    std::array<Instance, WaitSummary::max_severe> worst{};  ///< the first `count`, the worst first
    std::uint32_t count = 0;
    std::uint32_t book = no_details;  ///< in callpath_books_
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
    Instance instance;
    LocationId latest;  ///< that waited
  };
  struct OperationWait {
    MetricIndex metric;
    Wait wait;
  };
  void add(Pairs& table, const Pair& key, const WaitPair& waits);
  static void add_up(Pending& pending);
  static bool more_severe(const Instance& a, const Instance& b);
  /// True if it was kept: in s.worst, with `details` of its own if these are asked for.
  bool keep_severe(Severe& s, const Instance& instance);
  void keep_single(MetricIndex metric, const Wait& wait);
  void keep_operation(const Gathered& gathered);
  CallPathBook& book_of(Severe& s);
  Severe& severe_of(MetricIndex metric, CallPathId callpath) {
    return metrics_[metric].severe.find_or_insert({callpath.value, 0});
  }
  SevereInstance finished(MetricIndex metric, const Instance& instance);
  void finish_callpaths(OfMetric& of_metric, WaitSummary& summary) const;
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
  const CauseFinder* causes_ = nullptr;
  std::vector<OperationWait> operation_;  ///< with details: all waits of the operation
  std::vector<Details> details_;
  std::uint32_t newest_details_ = no_details;  ///< of the instance that was kept last
  std::vector<CallPathBook> callpath_books_;
  using ChainKey = std::tuple<MetricIndex, LocationId, Time, Time, Ticks>;
  static ChainKey chain_key(MetricIndex metric, const Wait& w) {
    return {metric, w.location, w.enter, w.begin, w.ticks};
  }
  std::map<ChainKey, WaitChain> chains_;
  bool open_ = false, aggregated_ = false;
  std::unique_ptr<WaitLog> log_ = std::make_unique<WaitLog>();
};

}  // namespace waitstate::analysis
