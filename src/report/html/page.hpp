// The page that shows a report, as it is built from src/report/page: one HTML document, and where the data goes.
#pragma once

#include <string_view>

namespace waitstate::report {

/// With markers, each once and in this order: {{title}}, {{summary}} (both escaped text), {{sections}}, before the
/// script, and {{values}}, behind it (elements).
std::string_view page();

}  // namespace waitstate::report
