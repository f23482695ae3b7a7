// What is missing from a trace or odd about it, in comments ahead of a listing: it must not be taken for the whole.
#pragma once

#include <string>

#include "waitstate/diagnostics.hpp"

namespace waitstate::cli {

/// One line a kind, each behind "# "; empty if there is nothing to say.
std::string reservations(const Diagnostics& diagnostics);

}  // namespace waitstate::cli
