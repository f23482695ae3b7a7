// Settings by which `waitstate record` controls the recorder library, in the environment: WAITSTATE_RECORD_*.
#pragma once

#include <cstdint>
#include <string>

#include "record/core/groups.hpp"

namespace waitstate::record {

/// Settings of the MPI library that the trace has: those that somebody has set, all, or none.
enum class Cvars : std::uint8_t { set, all, none };

struct Settings {
  std::string folder;                ///< folder of the archive; empty: one named after the program and the time
  bool folder_is_made = false;       ///< `record` has made the folder, and completes what is recorded in it
  Groups groups = default_groups();  ///< groups of functions that are recorded
  std::uint64_t limit_bytes = 0;     ///< limit of a process on disk; 0: none
  std::string pvars;                 ///< performance variables of MPI that are read
  std::uint64_t pvar_interval = 0;   ///< nanoseconds after which they are read again; 0: where calls end
  std::string events;                ///< events of MPI that are recorded
  Cvars cvars = Cvars::set;
  std::string node;  ///< in tests: what node this process is to be on
};

/// Read once, from the environment.
const Settings& settings();

}  // namespace waitstate::record
