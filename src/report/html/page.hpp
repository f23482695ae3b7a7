// The page that shows a report, as it is built from src/report/page: one HTML document, and where the data goes.
#pragma once

#include <string_view>

namespace waitstate::report {

/// With three markers, each once: {{title}}, {{summary}} (both escaped text) and {{sections}} (elements).
std::string_view page();

}  // namespace waitstate::report
