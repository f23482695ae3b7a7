// Changes from one run to another beside the values of metrics: efficiency, problems, how long single waits are,
// phases, and flow_changes.hpp. A report from a file may lack any of it, so only what both runs have, or one of them,
// is compared.
//
// Problems and waits are the same by metric, call paths by their names, the n-th phase of one run is that of the other
// if both are visits of a region of one name, or stretches of time of one number.
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
  /// Run times in seconds, as they are and as they would be (ideal_machine.hpp).
  struct WhatIf {
    Sides run_time, ideal_run_time, balanced_run_time;
    std::string unbalanced_before, unbalanced_after;  ///< call paths; "": none, or not known
  };
  /// A metric that is a problem of one run at least.
  struct Problem {
    std::string metric, title;
    Sides seconds;         ///< none: no problem there
    std::string callpath;  ///< where most of it is, in B if it is a problem there
  };
  /// Waits in calls of one call path. Times in seconds.
  struct PathWaits {
    std::string callpath;
    Sides count, sum, median, longest;
  };
  /// Waits of [from, to) seconds, of which the ends are a power of two of ticks of A.
  struct LengthClass {
    double from = 0, to = 0;
    std::uint64_t before = 0, after = 0;
  };
  /// All waits of a metric.
  struct Waits {
    std::string metric;
    Sides count, sum, mean, median, longest;
    std::vector<LengthClass> histogram{};  ///< from the shortest to the longest; empty: not known of both
    std::vector<PathWaits> by_callpath{};  ///< the largest change first; of what is known of both the most severe ones
  };
  struct Phase {
    std::size_t number = 0;
    Sides longest;  ///< seconds
    Sides parallel_efficiency, load_balance, communication_efficiency;
    std::map<std::string, Sides> waits{};  ///< by metric id, seconds
  };

  Scope scope = Scope::whole;            ///< scope of the efficiency
  std::vector<Efficiency> efficiency{};  ///< with the factors of the ideal machine
  std::optional<WhatIf> what_if{};       ///< if one of the two tells
  std::vector<Problem> problems{};       ///< the worst of either run first
  std::vector<Waits> waits{};            ///< the largest change of the sum first
  std::string phases_of{};               ///< how the run is cut into them; "" if the two have none in common
  std::vector<Phase> phases{};
  FlowChanges flow{};
};

/// `only`: ids of the metrics that are compared; empty: all.
DetailChanges detail_changes(const AnalysisResult& before, const AnalysisResult& after,
                             const std::vector<std::string>& only);

/// At most `top` of each; "" if there is nothing to say. Begins with an empty line.
std::string details_text(const DetailChanges& d, std::size_t top, const Style& style);
/// Adds the members efficiency, what_if, problems, waits, phases, series and communication, of those that there are.
void add_details(const DetailChanges& d, nlohmann::ordered_json& json);

}  // namespace waitstate::report
