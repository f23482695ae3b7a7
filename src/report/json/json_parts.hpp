// The parts of a result that are written if the whole is too large.
#pragma once

#include <cstddef>

#include "waitstate/result/wait_context.hpp"

namespace waitstate::report {

/// The HTML page has severities in another form, and leaves out contexts and series of locations that do not fit.
struct JsonParts {
  bool severities = true;
  std::size_t contexts = WaitContext::max_contexts;  ///< the contexts of the most severe instances
  bool series_by_location = true;
  friend bool operator==(const JsonParts&, const JsonParts&) = default;
};

}  // namespace waitstate::report
