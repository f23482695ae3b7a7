// Gates: conditions on a report under which a CI job fails, as they are written; judge.hpp judges them:
//
//   mpi_latesender>5%      share of the time without MPI_Init and MPI_Finalize, as the summary has it
//   mpi_latesender>0.5s    a time of the whole run, in s, ms, us or ns
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
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"
#include "report/facts/scope.hpp"

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

  /// The gate with all its conditions, as given.
  std::string whole_text() const;
  /// The comparison as it is written: ">", ">=", "<" or "<=".
  std::string_view comparison() const;
  /// Whether a value lies where the gate fails.
  bool holds(double value) const;
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

}  // namespace waitstate::report
