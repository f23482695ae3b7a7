// The program's own functions that are open where recording begins.
#pragma once

#include <cstdint>

#include "record/core/recorder.hpp"

namespace waitstate::record {

/// In the thread that begins the recording: what is open was entered at `start`.
void enter_open_functions(std::uint64_t start);

}  // namespace waitstate::record
