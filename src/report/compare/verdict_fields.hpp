// The fields of verdicts, in the file of --verdicts and in a comparison. verdicts.schema.json follows from them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "report/compare/verdict.hpp"
#include "report/fields/field.hpp"

namespace waitstate::report {

inline constexpr std::array<std::string_view, 2> scope_names = {"whole", "without_init_exit"};
inline constexpr std::array<std::string_view, 3> growth_names = {"none", "absolute", "relative"};
inline constexpr std::array<std::string_view, 4> comparison_signs = {">", ">=", "<", "<="};
inline constexpr std::array<std::string_view, 5> condition_units = {"sec", "occ", "bytes", "counter", "ratio"};

template <>
inline constexpr About about<JudgedCondition>{"Condition", "One comparison of a gate."};
template <class F>
void fields(const JudgedCondition& c, F&& f) {
  f("metric", c.metric, Measure::none, "The metric's id, or the name of an efficiency factor.");
  f("comparison", OneOf{c.comparison, comparison_signs}, Measure::none,
    "The condition holds if the value stands in this relation to the limit.");
  f("limit", needed(c.limit), Measure::none, "The limit that the gate names.");
  f("value", derived(std::optional(c.value)), Measure::none,
    "The measured value. null: the gate is undecided, or relative growth from zero.");
  f("at_least", c.at_least, Measure::none, "True if the true value may be larger.");
  f("unit", OneOf{c.unit, condition_units}, Measure::none,
    "The unit of limit and value. sec: seconds; occ: occurrences; counter: the metric's own unit; ratio: a share of "
    "all time of the base, an efficiency factor, or relative growth, where 1 is 100 %.");
  f("growth", OneOf{growth_names[static_cast<std::size_t>(c.growth)], growth_names}, Measure::none,
    "none: limit and value are about one run, the later one of two. Otherwise they are about the change from one run "
    "to the other, absolute or relative to the value in the first.");
  f("base", OneOf{name(c.base), scope_names}, Measure::none,
    "The part of the run that the value is of, and, for a share, the time that it is a share of: the whole run, or "
    "everything except MPI_Init, MPI_Finalize and their callees.");
}

template <>
inline constexpr About about<Verdict>{"Gate", "A gate and the verdict on it."};
template <class F>
void fields(const Verdict& v, F&& f) {
  f("gate", v.gate, Measure::none, "The gate as it was given.");
  f("verdict", OneOf{name(v.outcome), outcome_names}, Measure::none,
    "undecided: the gate cannot be judged; the reason says why.");
  f("value", v.value, Measure::none,
    "The value for people, as the gate measures it, with its unit; the values of several conditions are joined by "
    "'and'. Empty if the gate is undecided.");
  f("reason", v.reason(), Measure::none, "A sentence about a gate that failed or is undecided; empty if it passed.");
  f("conditions", sized(v.conditions, 1, 0), Measure::none,
    "The comparisons of the gate, in their order: several if they are joined by 'and'. It fails if all of them hold.");
}

/// The file of --verdicts.
struct VerdictsDocument {
  const std::vector<std::string>& runs;
  const std::vector<Verdict>& verdicts;
};
inline constexpr std::array<std::string_view, 1> verdicts_words = {"waitstate verdicts"};
template <>
inline constexpr About about<VerdictsDocument>{
    "Verdicts", "The verdicts on gates that `--verdicts FILE.json` of the commands check, diff and analyze writes."};
template <class F>
void fields(const VerdictsDocument& d, F&& f) {
  f("format", OneOf{verdicts_words[0], verdicts_words}, Measure::none, "Says that these are verdicts.");
  f("version", Constant{1}, Measure::none,
    "Version of this format; it changes when a member is removed or changes its meaning.");
  f("runs", sized(d.runs, 1, 2), Measure::none,
    "The path of the trace that was judged; of two traces, A and B, if they were compared.");
  f("verdict", OneOf{name(worst(d.verdicts)), outcome_names}, Measure::none,
    "undecided: at least one gate is; failed: none is undecided, and at least one failed. The exit codes are 0, 1 and "
    "2 "
    "in this order: passed, failed, undecided.");
  f("gates", sized(d.verdicts, 1, 0), Measure::none, "The gates of --fail-on, in their order.");
}

}  // namespace waitstate::report
