// What is known of all waits of one wait state: statistics, who made whom wait, where the culprits were, and the most
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
  double variance = 0;  ///< of the sample (divided by count - 1), ticks squared; 0 for fewer than two waits
  /// Quantiles by linear interpolation between the two nearest of the sorted waits (position q * (count - 1)).
  double quartile25 = 0, median = 0, quartile75 = 0;
  /// Largest relative error of the quantiles: 0 up to 1,024 waits, 1/128 beyond (then from a logarithmic histogram).
  double quantile_error = 0;
};

/// How often and how long one waited for another.
struct WaitPair {
  std::uint64_t count = 0;
  Ticks ticks = 0;
  friend bool operator==(const WaitPair&, const WaitPair&) = default;
};

/// By their keys in one sorted piece of memory: of a thousand locations any two may wait for each other. What is put in
/// between costs moving what is behind it.
template <class Key>
using WaitTable = boost::container::flat_map<Key, WaitPair, std::less<Key>, std::vector<std::pair<Key, WaitPair>>>;

/// What a culprit did not do in that time, because it waited for somebody itself: then it is not the reason, but who it
/// waited for may be.
struct CulpritWait {
  /// False: there is no culprit, or more was waited than can be kept (see analysis/metrics/wait_log.hpp), or the report
  /// does not say.
  bool known = false;
  /// Time within the wait in which the culprit waited itself, by all wait states that were looked for; never more than
  /// the wait.
  Ticks ticks = 0;
  Ticks most = 0;       ///< of that, what it waited most, all waits in one call path for one location together
  LocationId culprit;   ///< for whom that was; none: for nobody in particular
  CallPathId callpath;  ///< where
  friend bool operator==(const CulpritWait&, const CulpritWait&) = default;
};

/// An instance of a wait state: one wait, or all waits of one collective operation in one call path together.
struct SevereInstance {
  Wait longest;                      ///< the one wait, or the longest of the operation
  Ticks total = 0;                   ///< sum over all who waited
  std::uint32_t waiters = 0;         ///< their number
  CulpritWait culprit_wait{};        ///< what the culprit of `longest` waited in its time
  std::optional<WaitChain> chain{};  ///< of `longest`, with the pattern critical_path; of the most severe ones only
  // If asked for (AnalysisOptions::details):
  std::vector<Wait> members{};  ///< all waits of it, the longest first, at most max_members; empty: `longest` alone
  std::uint64_t members_left_out = 0;         ///< how many more there are
  std::optional<WaitCause> cause{};           ///< of `longest`; none where it is not known
  std::uint32_t context = WaitContext::none;  ///< if asked for: in AnalysisResult::contexts
  static constexpr std::size_t max_members = 32;
};

/// The durations of all waits in calls of one call path.
struct CallPathWaits {
  CallPathId callpath;
  WaitStatistics statistics;  ///< quantiles: exact up to 64 waits, with a relative error of 1/32 beyond
};

struct WaitSummary {
  WaitStatistics statistics;
  /// Culprit and waiting location. The waiters of a blocking operation with more than most_told_apart members are not
  /// told apart, or this would grow with the square of the locations: none stands for them.
  WaitTable<std::pair<LocationId, LocationId>> pairs;
  /// Where culprits were meanwhile: call path (none: not known) and culprit.
  WaitTable<std::pair<CallPathId, LocationId>> causes;
  /// Per call path of the waiting calls the most severe instances, by total, then by begin and location; at most
  /// max_severe of each.
  std::map<CallPathId, std::vector<SevereInstance>> severe;
  // If asked for (AnalysisOptions::details):
  std::vector<DurationClass> histogram;  ///< that have waits, ascending
  std::vector<CallPathWaits>
      by_callpath;  ///< of the call paths with most ticks, the largest first; at most max_by_callpath
  std::uint64_t callpaths_left_out = 0;  ///< how many more there are
  static constexpr std::size_t max_by_callpath = 20;
  static constexpr std::size_t max_severe = 5;
  static constexpr std::size_t most_told_apart = 512;
};

}  // namespace waitstate
