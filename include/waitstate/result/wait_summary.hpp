// The summary of all waits of one wait state: statistics, who made whom wait, where the culprits were, and the most
// severe instances. Kept in bounded memory while the trace is read, whatever the number of waits.
#pragma once

#include <boost/container/flat_map.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "waitstate/pattern/message.hpp"
#include "waitstate/result/causes.hpp"
#include "waitstate/result/wait_context.hpp"
#include "waitstate/result/wait_details.hpp"

namespace waitstate {

/// Durations of all waits, one value a wait, in ticks. count, sum, minimum, maximum, mean and variance are exact.
struct WaitStatistics {
  std::uint64_t count = 0;
  Ticks sum = 0, minimum = 0, maximum = 0;
  double mean = 0;
  double variance = 0;  ///< variance of the sample (divided by count - 1), ticks squared; 0 for fewer than two waits
  /// Quantiles by linear interpolation between the two nearest of the sorted waits (position q * (count - 1)).
  double quartile25 = 0, median = 0, quartile75 = 0;
  /// Largest relative error of the quantiles: 0 up to 1,024 waits, 1/128 beyond (then from a logarithmic histogram).
  double quantile_error = 0;
};

/// Number and total time of waits of one location for another.
struct WaitPair {
  std::uint64_t count = 0;
  Ticks ticks = 0;
  friend bool operator==(const WaitPair&, const WaitPair&) = default;
};

/// A table sorted by key in one piece of memory, since of a thousand locations any two may wait for each other.
/// Inserting costs moving the entries behind.
template <class Key>
using WaitTable = boost::container::flat_map<Key, WaitPair, std::less<Key>, std::vector<std::pair<Key, WaitPair>>>;

/// The time of a wait that the culprit spent waiting itself: then it is not the reason for the wait, but the location
/// that it waited for may be.
struct CulpritWait {
  /// False if there is no culprit, if there were more waits than can be kept (see analysis/metrics/wait_log.hpp), or if
  /// the report does not say.
  bool known = false;
  /// Time within the wait in which the culprit waited itself, for all wait states that were looked for; at most the
  /// wait.
  Ticks ticks = 0;
  Ticks most = 0;       ///< the largest part of `ticks`: all waits in one call path for one location
  LocationId culprit;   ///< the location that the culprit waited for in that part; none for nobody in particular
  CallPathId callpath;  ///< the call path of that part
  friend bool operator==(const CulpritWait&, const CulpritWait&) = default;
};

/// An instance of a wait state: one wait, or all waits of one collective operation in one call path together.
struct SevereInstance {
  Wait longest;                      ///< the only wait, or the longest of the operation
  Ticks total = 0;                   ///< sum over all locations that waited
  std::uint32_t waiters = 0;         ///< number of locations that waited
  CulpritWait culprit_wait{};        ///< waits of the culprit of `longest` during that wait
  std::optional<WaitChain> chain{};  ///< the chain of `longest`, with the pattern critical_path; only for the most
                                     ///< severe instances
  // Present if asked for (Keep::details):
  std::vector<Wait> members{};         ///< all waits of the instance, the longest first, at most max_members; empty if
                                       ///< `longest` is the only one
  std::uint64_t members_left_out = 0;  ///< number of waits that were left out
  std::optional<WaitCause> cause{};    ///< the cause of `longest`; none if it is not known
  std::uint32_t context = WaitContext::none;  ///< index into AnalysisResult::contexts, if asked for
  static constexpr std::size_t max_members = 32;
};

/// The durations of all waits in calls of one call path.
struct CallPathWaits {
  CallPathId callpath;
  WaitStatistics statistics;  ///< quantiles are exact up to 64 waits, with a relative error of 1/32 beyond
};

struct WaitSummary {
  WaitStatistics statistics;
  /// By culprit and waiting location. The waiting locations of a blocking operation with more than most_told_apart
  /// members are not listed individually, or this would grow with the square of the locations: none stands for them.
  WaitTable<std::pair<LocationId, LocationId>> pairs;
  /// By the culprit's call path during the wait (none: not known) and culprit.
  WaitTable<std::pair<CallPathId, LocationId>> causes;
  /// For each call path of the waiting calls the most severe instances, by total, then by begin and location; at most
  /// max_severe of each.
  std::map<CallPathId, std::vector<SevereInstance>> severe;
  // Present if asked for (Keep::details):
  std::vector<DurationClass> histogram;  ///< classes that have waits, ascending
  std::vector<CallPathWaits>
      by_callpath;                       ///< the call paths with most ticks, the largest first; at most max_by_callpath
  std::uint64_t callpaths_left_out = 0;  ///< number of call paths that were left out
  static constexpr std::size_t max_by_callpath = 20;
  static constexpr std::size_t max_severe = 5;
  static constexpr std::size_t most_told_apart = 512;
};

}  // namespace waitstate
