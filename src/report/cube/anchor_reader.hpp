// anchor.xml of a CUBE 4 report, ours or another tool's, as an AnalysisResult without severities, and how the rows of
// its metrics map to call paths.
//
// A report does not say how a metric relates to its parent: built-in metrics are known by their id (a wait state is a
// share of its parent's time, MPI a summand), all others are taken as shares (within_parent).
//
// The system tree of old reports, <machine><node><process><thread>, is read as what it is called today:
// <systemtreenode><locationgroup><location>.
//
// What other tools do and we do not: metrics that a formula derives from others (they have no data; left out, their
// children move up), values that are no plain numbers (left out), several call paths of the same callee below the same
// caller (told apart by parameters; here they are one, whose values go together), anchors packed with gzip. What is
// left out is counted in Diagnostics. Elements that are not known are passed over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "report/cube/data.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct CubeMetric {
  std::string member;  ///< its data are in <member>.data and <member>.index
  MetricIndex metric = 0;
  CubeType type{};
  bool inclusive = false;  ///< along the call tree
};

/// A <cnode>; a parent stands before its children.
struct CubeCallPath {
  static constexpr std::uint32_t no_parent = 0xffffffffu;
  std::uint32_t parent = no_parent;
  CallPathId callpath;
};

struct CubeAnchor {
  AnalysisResult result;
  std::vector<CubeMetric> metrics;      ///< metrics whose data can be read
  std::vector<CubeCallPath> callpaths;  ///< in document order, which is depth first: the rows of EXCLUSIVE metrics
};

/// `bytes`: the contents of the member. Throws CubeDamage.
CubeAnchor read_cube_anchor(std::string bytes);

}  // namespace waitstate::report
