// Regions that the program names itself.
#pragma once

#include <string_view>

namespace waitstate::record {

/// In the calling thread, until leave_user_region(). Nothing while nothing is recorded.
void enter_user_region(const char* name);
void leave_user_region();
/// All that are open, at the time of the thread's last record.
void leave_user_regions();

}  // namespace waitstate::record
