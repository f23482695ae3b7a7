// Changes from one run to another beside the values of metrics, as text and in JSON: efficiency, problems, durations of
// single waits, phases, and flow_changes.hpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "report/facts/runs/details_by_run.hpp"
#include "report/format/layout.hpp"

namespace waitstate::report {

/// The text of at most `top` changes of each kind; "" if there is none. Begins with an empty line.
std::string details_text(const DetailsByRun& d, std::size_t top, const Style& style);
/// Adds the members efficiency, what_if, problems, waits, phases, series and communication, as far as they exist.
void add_details(const DetailsByRun& d, nlohmann::ordered_json& json);

}  // namespace waitstate::report
