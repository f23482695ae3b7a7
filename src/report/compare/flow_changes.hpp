// Changes from one run to another in the times of waits, and in the data that processes sent to each other, as text.
#pragma once

#include <string>

#include "report/facts/runs/details_by_run.hpp"
#include "report/format/layout.hpp"

namespace waitstate::report {

/// The text, with at most `top` rows in each table; "" if there is nothing to say. Begins with an empty line.
std::string flow_text(const DetailsByRun& d, std::size_t top, const Style& style);

}  // namespace waitstate::report
