// Writes definitions in the notation that document.hpp describes. Appends to a text that the caller owns.
#pragma once

#include <string>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::notation {

/// Appends a line for every definition, without the fields that have their default.
void write_definitions(std::string& out, const Definitions& definitions);

}  // namespace waitstate::notation
