// The efficiency of a run, and what an ideal machine could gain, in sentences.
#pragma once

#include <string>

#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The reason why it is not known, as the end of a sentence: "there is only one process"; "" if it is known.
std::string why_unknown(const AnalysisResult& result, EfficiencyUnknown reason);
std::string why_unknown(const AnalysisResult& result, const IdealMachine& m);

/// One sentence with the three numbers and their meanings.
std::string efficiency_text(const AnalysisResult& result, const Efficiency& e);

/// The factors in a sentence.
std::string ideal_machine_text(const AnalysisResult& result, const IdealMachine& m);
/// The gain of two changes, or of one if everything is balanced.
std::string what_if_text(const AnalysisResult& result, const IdealMachine& m);

}  // namespace waitstate::report
