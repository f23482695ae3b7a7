// The explanations of names that are not metrics, for `waitstate explain`: factors of efficiency, and software counters
// of Open MPI.
#pragma once

#include <string>
#include <string_view>

#include "report/format/layout.hpp"

namespace waitstate::report {

/// The explanation of a factor; "" if no factor has that id.
std::string explain_factor(std::string_view id, const Style& style);
/// The explanation of a software counter; "" if none has that name.
std::string explain_software_counter(std::string_view name, const Style& style);

}  // namespace waitstate::report
