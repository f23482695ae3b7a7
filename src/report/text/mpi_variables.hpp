// The meaning of the performance variables of MPI libraries that a trace may have as counters: Open MPI's software
// counters (Eberius, Patinyasakdikul and Bosilca, "Using Software-Based Performance Counters to Expose Low-Level Open
// MPI Performance Information", EuroMPI/USA 2017, Table 1 and section 4), and its message queues.
#pragma once

#include <string>
#include <string_view>

#include "report/format/layout.hpp"

namespace waitstate::report {

/// The explanation under its keys; empty if nothing is known about the variable.
std::string explain_variable(std::string_view name, const Style& style);

}  // namespace waitstate::report
