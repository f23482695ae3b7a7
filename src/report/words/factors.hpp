// The factors of efficiency and of the ideal machine in words: the meaning of each, its formula, and its source.
#pragma once

#include <string_view>
#include <vector>

namespace waitstate::report {

struct Factor {
  std::string_view id, formula, summary, source;
  std::string_view needs;  ///< id of the pattern without which it is not known; may be empty
};
/// All factors, in the order of reports.
const std::vector<Factor>& factors();

}  // namespace waitstate::report
