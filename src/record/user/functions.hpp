// The program's own functions that are open where recording begins.
#pragma once

#include <cstdint>

#include "record/core/recorder.hpp"

namespace waitstate::record {

/// Records, in the thread that begins the recording, that its open functions were entered at `start`.
void enter_open_functions(std::uint64_t start);

}  // namespace waitstate::record
