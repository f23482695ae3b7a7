// Changes from one run to another beside the values of metrics: efficiency, problems, durations of single waits,
// phases, and flow_changes.hpp. A report from a file may lack any of these, so only those that both runs have, or one
// of them, are compared.
//
// Problems and waits correspond by metric, and call paths by name. The n-th phases of two runs correspond if both are
// visits of regions of the same name, or stretches of time of the same number.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/compare/flow_changes.hpp"
#include "report/compare/sides.hpp"
#include "report/facts/scope.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct DetailChanges {
  struct Efficiency {
    std::string_view id;
    Sides value;  ///< 0 to 1
  };
  /// Run times in seconds, as recorded and as they would be (ideal_machine.hpp).
  struct WhatIf {
    Sides run_time, ideal_run_time, balanced_run_time;
    std::string unbalanced_before, unbalanced_after;  ///< call paths; "": none, or not known
  };
  /// A metric that is a problem in at least one run.
  struct Problem {
    std::string metric, title;
    Sides seconds;         ///< none: no problem there
    std::string callpath;  ///< call path with most of it, in B if it is a problem there
  };
  /// Waits in calls of one call path. Times in seconds.
  struct PathWaits {
    std::string callpath;
    Sides count, sum, median, longest;
  };
  /// Waits of [from, to) seconds; both limits are a power of two of A's ticks.
  struct LengthClass {
    double from = 0, to = 0;
    std::uint64_t before = 0, after = 0;
  };
  /// All waits of a metric.
  struct Waits {
    std::string metric;
    Sides count, sum, mean, median, longest;
    std::vector<LengthClass> histogram{};  ///< from the shortest to the longest; empty: not known for both runs
    std::vector<PathWaits> by_callpath{};  ///< the largest change first; only the most severe call paths are known
  };
  struct Phase {
    std::size_t number = 0;
    Sides longest;  ///< seconds
    Sides parallel_efficiency, load_balance, communication_efficiency;
    std::map<std::string, Sides> waits{};  ///< by metric id, seconds
  };

  Scope scope = Scope::whole;            ///< scope of the efficiency
  std::vector<Efficiency> efficiency{};  ///< with the factors of the ideal machine
  std::optional<WhatIf> what_if{};       ///< if one of the runs tells it
  std::vector<Problem> problems{};       ///< the worst of either run first
  std::vector<Waits> waits{};            ///< the largest change of the sum first
  std::string phases_of{};               ///< the kind of the phases; "" if the runs have none in common
  std::vector<Phase> phases{};
  FlowChanges flow{};
};

/// `only`: ids of the metrics that are compared; empty: all.
DetailChanges detail_changes(const AnalysisResult& before, const AnalysisResult& after,
                             const std::vector<std::string>& only);

/// The text of at most `top` changes of each kind; "" if there is none. Begins with an empty line.
std::string details_text(const DetailChanges& d, std::size_t top, const Style& style);
/// Adds the members efficiency, what_if, problems, waits, phases, series and communication, as far as they exist.
void add_details(const DetailChanges& d, nlohmann::ordered_json& json);

}  // namespace waitstate::report
