// Gates: conditions on a report under which a CI job fails, and whether they hold:
//
//   mpi_latesender>5%      share of the time without MPI_Init and MPI_Finalize, as the summary has it
//   mpi_latesender>0.5s    a time of the whole run, in s, ms or us
//   visits>1000            a number of the whole run, or bytes with KiB, MiB or GiB
//   mpi_latesender>+10%    growth from one report to another: relative
//   time>+0.5s             or absolute
//   mpi_latesender@whole>5%             share of the total time
//   time@without_init_exit>0.5s         a time without MPI_Init and MPI_Finalize; growth too
//   parallel_efficiency<80%             a factor of the efficiency (efficiency.hpp), without MPI_Init as in the summary
//   time>+10% and time>+10ms            both together
//
// with > >= < <=. Shares are those of the summary, so that a limit can be read off it: in a short run most of the total
// time is MPI_Init, and no wait would ever have much of it. Times and numbers refer to the whole run, unless the gate
// says otherwise.
//
// A gate that cannot be judged (no such metric, not analysed, unknown in the trace, or within what the clocks disagree
// by) is an error and never passes: a guard that sees nothing must not say that all is well. The same holds for a share
// if events of locations are missing: neither it nor the whole time is known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"
#include "report/facts/scope.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Gate {
  enum class Operator { greater, greater_equal, less, less_equal };
  enum class Measure { seconds, share, number };
  std::string text;    ///< as given
  std::string metric;  ///< id of the metric, or of an efficiency factor
  Operator op{};
  Measure measure{};
  bool growth = false;
  double limit = 0;              ///< seconds, share (0.05 of 5 %) or number
  std::optional<Scope> asked{};  ///< behind "@"
  std::vector<Gate> others{};    ///< conditions that must hold as well: "a and b"

  /// The scope of the gate's value.
  Scope scope() const {
    const bool as_in_summary = (measure == Measure::share && !growth) || is_factor(metric);
    return asked.value_or(as_in_summary ? Scope::without_init_exit : Scope::whole);
  }
};

/// Parses a gate. Throws UsageError, which says what is wrong and shows a valid gate.
Gate parse_gate(std::string_view text);

/// Throws UsageError if the gate is about growth, for which one report is not enough.
void require_no_growth(const Gate& gate);

struct Verdict {
  std::string gate;   ///< as given
  std::string value;  ///< as the gate measures it, with unit
  bool failed = false;
  Scope scope = Scope::whole;  ///< scope of the value
  /// "MPI_Init and MPI_Finalize" if the gate did not name the whole of its share, and the share of the total time would
  /// differ.
  std::string without{};
};

/// Judges a gate on one report; throws UsageError if it cannot be judged, and for one on growth.
Verdict judge(const Gate& gate, const AnalysisResult& result);
/// Judges growth from `before` to `after`, and any other gate on `after`.
Verdict judge(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after);

/// A line for each gate, a line with their number, and a note on what values refer to; empty without gates.
std::string verdicts_text(const std::vector<Verdict>& verdicts, const Style& style = {});

}  // namespace waitstate::report
