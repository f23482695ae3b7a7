// The metric tree: what is reported, under which id, in which unit, and how a metric's value relates
// to its parent's. Built-in metrics come first, in the order in which reports show them; a plug-in's are added below
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

/// counter: a unit of the recorder's, see MetricInfo::unit_name.
enum class Unit : std::uint8_t { seconds, occurrences, bytes, counter };
std::string_view name(Unit u);  ///< "sec", "occ", "bytes", "counter"

/// Index of a metric in a MetricTree.
using MetricIndex = std::uint32_t;
inline constexpr MetricIndex no_metric = 0xffffffffu;

/// A metric of a pattern: its number in PatternInfo::metrics.
struct MetricHandle {
  std::uint32_t index = 0;
};
inline constexpr MetricHandle first_metric{};  ///< the one that gives a pattern its id

/// What a metric's time means: to sentences about the worst of it, and to patterns that are about all waits.
enum class MetricKind : std::uint8_t {
  other,
  wait,        ///< for somebody else to do something
  completion,  ///< for an operation to be done once everybody is there
  idleness,    ///< of threads that have nothing to do
  // The root of an account, which splits up all time in a library, and its parts:
  account,
  account_wait,
  account_transfer,    ///< after everybody had come
  account_management,  ///< to set up and tear down
  account_local,       ///< in which nobody was waited for
  account_unknown,
};
/// True of time in which somebody had nothing to do.
constexpr bool is_waiting(MetricKind kind) { return kind != MetricKind::other && kind < MetricKind::account; }
inline constexpr int metric_kind_count = static_cast<int>(MetricKind::account_unknown) + 1;
std::string_view name(MetricKind k);  ///< "other", "wait", "completion", "idleness", "account", "account_wait", …

/// How a share of a metric relates to the other shares of it, and to its own time.
enum class Siblings : std::uint8_t {
  disjoint,     ///< has nothing in common with the others: a view may take it off the parent's own value with them
  overlapping,  ///< may have something in common with another one, so that they do not add up
  elsewhere,    ///< has nothing in common with them, but not all of it lies in what the parent has of its own: it lies
                ///< in what the parent is the sum of, or a call of another kind has waited. It must not be taken off
};
namespace detail {
template <>
struct EnumNames<Siblings> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"disjoint", "overlapping", "elsewhere"};
};
}  // namespace detail

/// How the values of several call paths and locations go together. Nearly all are sums; there are minima and maxima
/// too, of which a value of 0 stands for none.
enum class Aggregation : std::uint8_t { sum, minimum, maximum };
namespace detail {
template <>
struct EnumNames<Aggregation> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"sum", "minimum", "maximum"};
};
}  // namespace detail
/// `value` and one more together; values of 0 change neither a minimum nor a maximum.
std::int64_t aggregate(Aggregation aggregation, std::int64_t value, std::int64_t more);

/// What the pattern of a metric says of it, as `explain` prints it; empty where no pattern computes it.
struct MetricTexts {
  std::string definition{};  ///< the formula
  std::string charged_to{};  ///< call path and location
  std::string source{};      ///< where the definition comes from
  std::string diagnosis{};   ///< what to do about it
  bool empty() const { return definition.empty() && charged_to.empty() && source.empty() && diagnosis.empty(); }
};

struct MetricInfo {
  std::string id;       ///< unique, e.g. "mpi_latesender": file, registry key, report row, option and test
  std::string title;    ///< for people, e.g. "Late Sender"
  std::string summary;  ///< one sentence
  Unit unit{};
  MetricIndex parent = no_metric;
  /// True: the metric's value is a share of what its parent has anyway (a wait state in the time of its region class).
  /// False: the parent's value is the sum over such children and what it has itself.
  bool within_parent = false;
  std::string
      unit_name{};   ///< of a counter's severities times `scale`, as its recorder wrote it: "#", "W", "bytes*s", …
  double scale = 1;  ///< of a counter: what a severity of 1 stands for; always above 0
  MetricKind kind = MetricKind::other;
  bool from_plugin = false;  ///< of a pattern that the user brought along (PatternHandle::is_built_in())
  Aggregation aggregation = Aggregation::sum;
  Siblings siblings = Siblings::disjoint;  ///< of a share of its parent
  MetricTexts texts{};

  /// A severity of a counter in its unit.
  double scaled(std::int64_t value) const { return static_cast<double>(value) * scale; }
  /// It adds up: over call paths and locations, and to a share of the whole.
  bool sums() const { return aggregation == Aggregation::sum; }
};

class MetricTree {
 public:
  /// The metrics that need no pattern: time by class of region, visits, and what a single location tells of messages.
  static MetricTree base();
  /// base() and the metrics of all built-in patterns.
  static MetricTree built_in();

  /// Adds a metric; its parent must be there. Throws UsageError on a duplicate id or an unknown parent.
  MetricIndex add(std::string id, std::string_view parent, Unit unit, bool within_parent, std::string title,
                  std::string summary, MetricKind kind = MetricKind::other);
  /// Takes away all but the first `n` metrics.
  void keep_first(std::size_t n) { metrics_.resize(n); }
  void set_from_plugin(MetricIndex i) { metrics_[i].from_plugin = true; }
  /// Of a metric whose unit is Unit::counter.
  void set_scale(MetricIndex i, std::string unit_name, double scale);
  void set_siblings(MetricIndex i, Siblings siblings) { metrics_[i].siblings = siblings; }
  void set_texts(MetricIndex i, MetricTexts texts) { metrics_[i].texts = std::move(texts); }
  /// Of a metric that a report says little of: takes texts and `siblings` from the one of the same id, if there is one.
  void explain_as(MetricIndex i, const MetricTree& known);
  void set_aggregation(MetricIndex i, Aggregation aggregation) { metrics_[i].aggregation = aggregation; }
  /// no_metric if there is none of that id.
  MetricIndex find(std::string_view id) const;
  /// As find(), but throws UsageError with the nearest id.
  MetricIndex at(std::string_view id) const;

  const MetricInfo& operator[](MetricIndex i) const { return metrics_[i]; }
  std::size_t size() const { return metrics_.size(); }
  /// All metrics depth first: a parent before its children, siblings in the order of definition.
  std::vector<MetricIndex> depth_first() const;
  std::vector<MetricIndex> children(MetricIndex i) const;
  /// True if the metric is `above` or below it.
  bool lies_within(MetricIndex metric, MetricIndex above) const;

 private:
  std::vector<MetricInfo> metrics_;
};

}  // namespace waitstate
