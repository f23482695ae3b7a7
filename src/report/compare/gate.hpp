// Conditions on a report under which a CI job is to fail, and whether they hold:
//
//   mpi_latesender>5%      share of the total time
//   mpi_latesender>0.5s    a time, in s, ms or us
//   visits>1000            a number, or bytes with KiB, MiB or GiB
//   mpi_latesender>+10%    growth from one report to another: relative
//   time>+0.5s             or absolute
//
// with > >= < <=. A gate that cannot be judged (no such metric, not analysed, not to be told from the trace) is an
// error and never passes: a guard that sees nothing must not say that all is well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Gate {
  enum class Operator { greater, greater_equal, less, less_equal };
  enum class Measure { seconds, share, number };
  std::string text;    ///< as given
  std::string metric;  ///< id
  Operator op{};
  Measure measure{};
  bool growth = false;
  double limit = 0;  ///< seconds, share (0.05 of 5 %) or number
};

/// Throws UsageError that says what is wrong and shows a right one.
Gate parse_gate(std::string_view text);

/// Throws UsageError if the gate is about growth, for which one report is not enough.
void require_no_growth(const Gate& gate);

struct Verdict {
  std::string gate;   ///< as given
  std::string value;  ///< as the gate measures it, with unit
  bool failed = false;
};

/// Judges a gate on one report; throws UsageError if it cannot be judged, and for one on growth.
Verdict judge(const Gate& gate, const AnalysisResult& result);
/// Judges growth from `before` to `after`, and what is no growth on `after`.
Verdict judge(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after);

/// A line a gate and one that sums up; empty without gates.
std::string verdicts_text(const std::vector<Verdict>& verdicts);

}  // namespace waitstate::report
