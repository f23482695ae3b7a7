// OpenMP runtimes: that of LLVM tells tools what it does, and has the entry points of GCC's, which tells nothing, so a
// program of GCC can be run on it.
#pragma once

#include <atomic>
#include <string>

namespace waitstate::record {

/// Name of the property of processes that is_openmp_silent() is true of.
inline constexpr const char* silent_openmp = "WAITSTATE::OPENMP_NOT_RECORDED";

/// True if the process's runtime tells what it does.
extern std::atomic<bool> openmp_tells;
/// True if the process has loaded GCC's runtime and none tells anything, although LLVM's is installed.
bool is_openmp_silent();

/// The file of LLVM's runtime; empty if it is not installed.
std::string libomp_file();

}  // namespace waitstate::record
