// What `waitstate record` tells the recorder library, in the environment: WAITSTATE_RECORD_*.
#pragma once

#include <cstdint>
#include <string>

#include "record/core/groups.hpp"

namespace waitstate::record {

struct Settings {
  std::string folder;                    ///< of the archive; empty: one named after the program and the time
  Groups groups = default_groups();      ///< what is recorded
  std::uint64_t buffer_bytes = 2 << 20;  ///< of a thread
  std::uint64_t limit_bytes = 0;         ///< of a process on disk; 0: none
  std::string pvars;                     ///< performance variables of MPI that are read
  bool quiet = false;                    ///< no final line
  std::string node;                      ///< in tests: what node this process is to be on
};

/// Read once, from the environment.
const Settings& settings();

}  // namespace waitstate::record
