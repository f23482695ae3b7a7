// The factors of efficiency and of the ideal machine as `explain` and JSON reports say them: what each means, its
// formula, and where that comes from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/format/layout.hpp"

namespace waitstate::report {

struct Factor {
  std::string_view id, summary, formula, source;
  std::string_view needs;  ///< id of the pattern without which it is not known; may be empty
};
/// All, in the order of reports.
const std::vector<Factor>& factors();

/// What `waitstate explain ID` says; "" if no factor is called so.
std::string explain_factor(std::string_view id, const Style& style);

}  // namespace waitstate::report
