// The summary of all waits, per metric: statistics, pairs of waiting and culprit locations, call paths of culprits, the
// most severe instances. One pass, bounded memory: nothing grows with the number of waits.
//
// Statistics are exact except for quantiles of more than 1,024 waits (duration_book.hpp). All sums are integers, so the
// order in which waits come changes nothing.
//
// Waits that belong to one operation (a collective's) are one instance: between open() and close() they are gathered.
//
// The time that the culprits of the most severe instances waited themselves is looked up at the end, in the log of all
// waits that note() received.
//
// With details, three more things are kept: all waits of the most severe instances, which are picked from those of the
// operation when it turns out to be so severe; their causes, which are looked up then; and statistics per call path.
// That costs a copy and an addition a wait.
//
// If causes are looked for, so are the chains of the most severe instances (find_chains()).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "analysis/metrics/duration_book.hpp"
#include "analysis/metrics/wait_log.hpp"
#include "analysis/metrics/wait_sink.hpp"
#include "causes/engine.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/wait_summary.hpp"

namespace waitstate::analysis {

using WaitStatisticsBook = DurationBook<1024, 6>;
using WaitStatisticsByPath = DurationBook<64, 4>;

/// Finds out what a wait waited for, in the event that patterns receive; returns false if the event does not say.
class CauseFinder {
 public:
  virtual ~CauseFinder() = default;
  virtual bool find(const Wait& wait, WaitCause& cause) const = 0;
};

class WaitRecorder {
 public:
  /// If `causes` is not null, details are kept, and it is asked for causes; if `sink` is not null, it receives all
  /// waits. `recorders` is how many there are for one analysis, which share the memory of the log of all waits.
  explicit WaitRecorder(std::size_t metrics, const CauseFinder* causes = nullptr, WaitSink* sink = nullptr,
                        std::size_t recorders = 1)
      : metrics_(metrics),
        causes_(causes),
        sink_(sink),
        log_(std::make_unique<WaitLog>(WaitLog::most_blocks / std::max<std::size_t>(recorders, 1))) {
    if (causes_ != nullptr)
      for (OfMetric& m : metrics_) m.statistics.with_classes();
  }

  void add(MetricIndex metric, const Wait& wait);
  /// Notes a wait of a location, whether it is to be reported or not.
  void note(const Wait& wait) { log_->add(wait); }
  /// Between open() and close(), waits are one instance per metric and call path, of an operation with this many
  /// members.
  void open(std::size_t members) {
    open_ = true;
    aggregated_ = members > WaitSummary::most_told_apart;
  }
  void close();

  /// Adds the waits of another recorder, of which none is open; call it before find_chains(). Nothing of `other` can be
  /// used afterwards.
  void merge(WaitRecorder& other);
  // The parts of merge(); different threads may do them at once, of several others one after the other.
  void merge_pairs(WaitRecorder& other, MetricIndex metric);
  void merge_severe(WaitRecorder& other);
  void merge_log(WaitRecorder& other) { log_->merge(*other.log_); }
  /// Call it before the parts of merge() for the recorder that is merged.
  void end_adding();
  /// Brings all waits to a recorder of another process, which has none; no operation is open.
  template <class Archive>
  void travel(Archive& archive) {
    end_adding();
    archive(metrics_, details_, callpath_books_, *log_);
  }

  /// True if waits of the metric have been added.
  bool any(MetricIndex metric) const { return metrics_[metric].statistics.any(); }
  /// Asks for the chains of the most severe instances of each metric among those added so far.
  void find_chains(const causes::Engine& engine);
  /// Summaries of the metrics that have waits. The sink receives the log of all waits; nothing can be added afterwards.
  std::map<MetricIndex, WaitSummary> summaries(const CallPathOrder& order, std::size_t threads = 1);

 private:
  // The members of an operation wait for the same location, in the order of their numbers: the hash puts these pairs
  // side by side.
  struct Pair {
    std::uint32_t first = 0, second = 0;
    bool operator==(const Pair&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(first, second / 8)); }
    std::size_t beside() const { return std::size_t{first} + second; }
  };
  using Pairs = util::FlatMap<Pair, WaitPair>;
  static constexpr std::uint32_t no_details = ~std::uint32_t{0};
  /// A SevereInstance in the making: small, because most are dropped.
  struct Instance {
    Wait longest;
    Ticks total = 0;
    std::uint32_t waiters = 0;
    std::uint32_t details = no_details;  ///< index into details_
  };
  struct Details {
    std::vector<Wait> members;
    std::uint64_t members_left_out = 0;
    std::optional<WaitCause> cause;

    template <class Archive>
    void travel(Archive& archive) {
      archive(members, members_left_out, cause);
    }
  };
  struct Severe {
    std::array<Instance, WaitSummary::max_severe> worst{};  ///< the first `count`, the worst first
    std::uint32_t count = 0;
    std::uint32_t book = no_details;  ///< index into callpath_books_
  };
  struct OfMetric {
    WaitStatisticsBook statistics;
    Pairs pairs, causes;
    util::FlatMap<Pair, Severe> severe;  ///< first is the call path

    template <class Archive>
    void travel(Archive& archive) {
      archive(statistics, pairs, causes, severe);
    }
  };
  struct Pending {  ///< waits that are not added up yet
    Pairs* table = nullptr;
    Pair key;
    WaitPair waits;
  };
  struct Gathered {
    MetricIndex metric;
    Instance instance;
    LocationId latest;  ///< the location that waited last
  };
  struct OperationWait {
    MetricIndex metric;
    Wait wait;
  };
  void add(Pairs& table, const Pair& key, const WaitPair& waits);
  static void add_up(Pairs& table, const Pair& key, const WaitPair& waits);
  static void add_up(Pending& pending);
  static bool more_severe(const Instance& a, const Instance& b);
  /// True if the instance is one of the most severe ones, s.worst; with details, newest_details_ are its own.
  bool insert(Severe& s, const Instance& instance);
  /// True if the instance was kept: in s.worst, with `details` of its own if these are asked for.
  bool keep_severe(Severe& s, const Instance& instance);
  void merge(Severe& mine, const Severe& theirs, WaitRecorder& other);
  void keep_single(MetricIndex metric, const Wait& wait);
  void keep_operation(const Gathered& gathered);
  void tell(MetricIndex metric, const Wait& wait, std::uint64_t operation, std::uint32_t waiters);
  void tell_operation();
  WaitStatisticsByPath& book_of(Severe& s);
  Severe& severe_of(MetricIndex metric, CallPathId callpath) {
    return metrics_[metric].severe.find_or_insert({callpath.value, 0});
  }
  SevereInstance finished(MetricIndex metric, const Instance& instance);
  void finish_callpaths(OfMetric& of_metric, WaitSummary& summary) const;
  template <class Key>
  static WaitTable<Key> in_order(Pairs& table);
  void look_up_culprits(std::map<MetricIndex, WaitSummary>& summaries, const CallPathOrder& order,
                        std::size_t threads) const;

  std::vector<OfMetric> metrics_;
  // Any two of a thousand locations may wait for each other: the tables are larger than the caches. So an entry is
  // prefetched when a wait comes, and looked at a few waits later.
  std::array<Pending, 8> pending_;
  std::size_t next_pending_ = 0;
  Pending
      cause_;  ///< cause of the latest wait; those of an operation are equal, so it is added up when another one comes
  std::vector<Gathered> gathered_;
  const CauseFinder* causes_ = nullptr;
  WaitSink* sink_ = nullptr;
  std::vector<OperationWait> operation_;  ///< with details or a sink: all waits of the operation
  std::vector<Details> details_;
  std::uint32_t newest_details_ = no_details;  ///< details of the instance that was kept last
  std::vector<WaitStatisticsByPath> callpath_books_;
  using ChainKey = std::tuple<MetricIndex, LocationId, Time, Time, Ticks>;
  static ChainKey chain_key(MetricIndex metric, const Wait& w) {
    return {metric, w.location, w.enter, w.begin, w.ticks};
  }
  std::map<ChainKey, WaitChain> chains_;
  bool open_ = false, aggregated_ = false;
  std::unique_ptr<WaitLog> log_;
};

}  // namespace waitstate::analysis
