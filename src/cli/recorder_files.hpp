// Finds the files of the recorder: libraries that are loaded into programs, and programs that run under an MPI.
#pragma once

#include <string>
#include <string_view>

namespace waitstate::cli {

/// Path of a file that belongs to this program, in the build folder or where it is installed; "" if it was not built.
/// Throws UsageError if others may write it.
std::string recorder_file(std::string_view name);

}  // namespace waitstate::cli
