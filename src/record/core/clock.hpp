// The clock of all records: CLOCK_MONOTONIC in nanoseconds, the same for all processes of a node.
//
// Reading it is half of what a recorded call costs (some 20 ns), so a call reads it twice: all records before the
// library's work have the first time, all behind it the second one.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace waitstate::record {

/// Added to every time: how tests make processes of one node look like processes of several.
extern std::uint64_t clock_skew;

inline std::uint64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec) + clock_skew;
}

/// Processes with the same text have the same clock: which machine, since which start of it, in which time namespace.
std::string name_of_clock();

/// Nanoseconds since 1970.
inline std::uint64_t date() {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace waitstate::record
