// Regions that the program names itself.
#pragma once

#include <cstdint>

#include "record/core/recorder.hpp"

namespace waitstate::record {

/// In the calling thread, until leave_user_region(). Nothing while nothing is recorded.
void enter_user_region(const char* name);
void leave_user_region();

}  // namespace waitstate::record
