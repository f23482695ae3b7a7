// The page of `waitstate serve`, as it is built from src/report/page: one HTML document.
#pragma once

#include <string_view>

namespace waitstate::serve {

std::string_view page();

}  // namespace waitstate::serve
