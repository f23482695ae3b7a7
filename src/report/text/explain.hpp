// The explanations of names that are no metrics, for `waitstate explain`: factors of efficiency, and software counters
// of Open MPI.
#pragma once

#include <string>
#include <string_view>

#include "report/format/layout.hpp"

namespace waitstate::report {

/// "" if no factor has that id.
std::string explain_factor(std::string_view id, const Style& style);
/// "" if no software counter has that name.
std::string explain_software_counter(std::string_view name, const Style& style);

}  // namespace waitstate::report
