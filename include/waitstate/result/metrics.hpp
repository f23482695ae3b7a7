// The metric tree: the metrics that are reported, their ids and units, and how a metric's value relates to its
// parent's. Built-in metrics come first, in the order in which reports show them; metrics of a plug-in are added below
// the parent that they name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

/// Units. `counter` is a unit of the recorder's, see MetricInfo::unit_name.
enum class Unit : std::uint8_t { seconds, occurrences, bytes, counter };
std::string_view name(Unit u);  ///< "sec", "occ", "bytes", "counter"

/// Index of a metric in a MetricTree.
using MetricIndex = std::uint32_t;
inline constexpr MetricIndex no_metric = 0xffffffffu;

/// A metric of a pattern: its number in PatternInfo::metrics.
struct MetricHandle {
  std::uint32_t index = 0;
};
inline constexpr MetricHandle first_metric{};  ///< the metric that gives a pattern its id

/// The meaning of a metric's time, for sentences about the worst metric, and for patterns that consider all waits.
enum class MetricKind : std::uint8_t {
  other,
  wait,        ///< waiting for another location to do something
  completion,  ///< waiting for an operation to finish once all members are there
  idleness,    ///< idle time of threads that have nothing to do
  // The root of an account, which splits up all time in a library, and its parts:
  account,
  account_wait,
  account_transfer,    ///< after all others had come
  account_management,  ///< time to set up and tear down
  account_local,       ///< time without waiting for anybody
  account_unknown,
  account_possible_wait,  ///< the part of a transfer in which somebody had not come for whom it may have waited
};
/// True for kinds of time in which a location had nothing to do.
constexpr bool is_waiting(MetricKind kind) { return kind != MetricKind::other && kind < MetricKind::account; }
inline constexpr int metric_kind_count = static_cast<int>(MetricKind::account_possible_wait) + 1;
std::string_view name(MetricKind k);  ///< "other", "wait", "completion", "idleness", "account", "account_wait", …

/// How a share of a metric relates to the other shares of that metric, and to its own time.
enum class Siblings : std::uint8_t {
  disjoint,     ///< does not overlap with the others: a view may subtract all of them from the parent's own value
  overlapping,  ///< may overlap with another share, so that shares do not add up
  elsewhere,    ///< does not overlap with the others, but part of it lies outside of the parent's own value: in a
                ///< metric that the parent is the sum of, or in a call of another kind. It must not be subtracted
};
namespace detail {
template <>
struct EnumNames<Siblings> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"disjoint", "overlapping", "elsewhere"};
};
}  // namespace detail

/// How the values of several call paths and locations are combined. Nearly all are sums; for minima and maxima, a value
/// of 0 stands for none.
WAITSTATE_ENUM(Aggregation, sum, minimum, maximum);
/// Combines `value` and one more; values of 0 change neither a minimum nor a maximum.
std::int64_t aggregate(Aggregation aggregation, std::int64_t value, std::int64_t more);

/// The texts of a metric's pattern, as `explain` prints them; empty if no pattern computes the metric.
struct MetricTexts {
  std::string definition{};  ///< the formula
  std::string charged_to{};  ///< call path and location
  std::string source{};      ///< origin of the definition
  std::string diagnosis{};   ///< advice to the user
  bool empty() const { return definition.empty() && charged_to.empty() && source.empty() && diagnosis.empty(); }
};

struct MetricInfo {
  std::string id;       ///< unique, e.g. "mpi_latesender": file, registry key, report row, option and test
  std::string title;    ///< for people, e.g. "Late Sender"
  std::string summary;  ///< one sentence
  Unit unit{};
  MetricIndex parent = no_metric;
  /// True if the metric's value is a share of its parent's own value (a wait state in the time of its region class).
  /// False if the parent's value is the sum of such children and its own value.
  bool within_parent = false;
  std::string unit_name{};  ///< for a counter: the unit of severities times `scale`, as its recorder wrote it: "#",
                            ///< "W", "bytes*s", …
  double scale = 1;         ///< for a counter: the amount that a severity of 1 stands for; always above 0
  MetricKind kind = MetricKind::other;
  bool from_plugin = false;  ///< the pattern was added by the user (PatternHandle::is_built_in())
  Aggregation aggregation = Aggregation::sum;
  Siblings siblings = Siblings::disjoint;  ///< for a share of its parent
  MetricTexts texts{};

  /// Converts a severity of a counter to its unit.
  double scaled(std::int64_t value) const { return static_cast<double>(value) * scale; }
  /// True if values add up over call paths and locations, and to a share of the whole.
  bool sums() const { return aggregation == Aggregation::sum; }
};

class MetricTree {
 public:
  /// The metrics that need no pattern: time by class of region, visits, and values about messages that single locations
  /// know.
  static MetricTree base();
  /// base() and the metrics of all built-in patterns.
  static MetricTree built_in();

  /// Adds a metric; its parent must be there. Throws UsageError on a duplicate id or an unknown parent.
  MetricIndex add(std::string id, std::string_view parent, Unit unit, bool within_parent, std::string title,
                  std::string summary, MetricKind kind = MetricKind::other);
  /// Removes all but the first `n` metrics.
  void keep_first(std::size_t n) { metrics_.resize(n); }
  void set_from_plugin(MetricIndex i) { metrics_[i].from_plugin = true; }
  /// Sets the scale of a metric whose unit is Unit::counter.
  void set_scale(MetricIndex i, std::string unit_name, double scale);
  void set_siblings(MetricIndex i, Siblings siblings) { metrics_[i].siblings = siblings; }
  void set_texts(MetricIndex i, MetricTexts texts) { metrics_[i].texts = std::move(texts); }
  /// Completes a metric about which a report says little: takes texts and `siblings` from the known metric with the
  /// same id, if there is one.
  void explain_as(MetricIndex i, const MetricTree& known);
  void set_aggregation(MetricIndex i, Aggregation aggregation) { metrics_[i].aggregation = aggregation; }
  /// The metric with this id; no_metric if there is none.
  MetricIndex find(std::string_view id) const;
  /// Like find(), but throws UsageError with the nearest id.
  MetricIndex at(std::string_view id) const;

  const MetricInfo& operator[](MetricIndex i) const { return metrics_[i]; }
  std::size_t size() const { return metrics_.size(); }
  /// All metrics depth first: a parent before its children, siblings in the order of definition.
  std::vector<MetricIndex> depth_first() const;
  std::vector<MetricIndex> children(MetricIndex i) const;
  /// True if the metric is `above` or below it.
  bool lies_within(MetricIndex metric, MetricIndex above) const;
  /// True if `whole` is `part` itself, or a sum that `part` adds to.
  bool adds_to(MetricIndex part, MetricIndex whole) const;

 private:
  std::vector<MetricInfo> metrics_;
};

}  // namespace waitstate
