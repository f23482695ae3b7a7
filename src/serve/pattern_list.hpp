// The metrics and patterns that can be chosen, as the page is told: exactly what the registry has.
#pragma once

#include <string>

#include "waitstate/pattern/registry.hpp"

namespace waitstate::serve {

/// The JSON of GET patterns.
std::string patterns_json(const PatternRegistry& registry);

}  // namespace waitstate::serve
