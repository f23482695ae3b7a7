// Verdicts: whether gates hold, for people as text, and for programs as JSON and as JUnit XML, which CI systems read.
//
// The JSON form has the measured values as numbers in the base unit (seconds, bytes, 0.05 for 5 %), so that a program
// can follow a value over many runs; src/report/verdicts.schema.json describes it. In JUnit a gate is a test case: one
// that fails is a failure, one that cannot be judged is an error.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/scope.hpp"
#include "report/format/layout.hpp"

namespace waitstate::report {

/// One comparison of a gate. A gate has several if they are joined by "and".
struct JudgedCondition {
  enum class Growth : std::uint8_t { none, absolute, relative };
  std::string metric;      ///< id of the metric, or of an efficiency factor
  std::string comparison;  ///< ">", ">=", "<" or "<="
  double limit = 0;        ///< in `unit`
  std::string unit;        ///< "sec", "occ", "bytes", "counter", or "ratio" for shares, factors and relative growth
  Growth growth{};         ///< whether value and limit are about one run, or about the change between two
  Scope base{};            ///< the part of the run that the value is of; the base of shares
  std::optional<double> value{};  ///< in `unit`; none if it is unknown, or relative growth from zero
  bool at_least = false;          ///< whether the true value may be larger
};

struct Verdict {
  enum class Outcome : std::uint8_t { passed, failed, undecided };
  std::string gate;   ///< as given
  std::string value;  ///< as the gate measures it, with unit; empty if it is undecided
  Outcome outcome{};
  /// "MPI_Init and MPI_Finalize" if the gate did not name the whole of its share, and the share of the total time would
  /// differ.
  std::string without{};
  std::vector<JudgedCondition> conditions{};
  std::string why_undecided{};  ///< the complaint, which names the gate

  bool failed() const { return outcome == Outcome::failed; }
  bool undecided() const { return outcome == Outcome::undecided; }
  /// A sentence about a gate that fails or is undecided; "" for one that passes.
  std::string reason() const;
};

/// The names of the outcomes, in their order.
inline constexpr std::array<std::string_view, 3> outcome_names = {"passed", "failed", "undecided"};
std::string_view name(Verdict::Outcome outcome);
/// The outcome of all gates together, which decides the exit code.
Verdict::Outcome worst(const std::vector<Verdict>& verdicts);

/// A line for each gate, a line with their number, and a note on what values refer to; empty without gates.
std::string verdicts_text(const std::vector<Verdict>& verdicts, const Style& style = {});

/// The paths of the runs that were judged, one or two, and their verdicts.
void write_verdicts_json(const std::vector<std::string>& runs, const std::vector<Verdict>& verdicts, std::ostream& out);
void write_verdicts_junit(const std::vector<std::string>& runs, const std::vector<Verdict>& verdicts,
                          std::ostream& out);

}  // namespace waitstate::report
