// Operations behind the requests of a process, in a file that it has mapped: parts/RANK/requests. A thread that waits
// for requests when its process is killed has their handles in its tail (tail.hpp); here is which message or operation
// each of them is.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "record/parts/tail.hpp"

namespace waitstate::record {

inline constexpr const char* pending_file = "requests";

struct PendingOperation {
  std::atomic<Waiting::What> what{Waiting::What::nothing};  ///< nothing: not under way
  std::uint32_t communicator = 0;                           ///< local number; of a one-sided operation: of its window
  std::uint64_t request = 0;                                ///< the handle
  std::uint64_t id = 0;                                     ///< the least one of those with equal handles is the oldest
  std::int64_t peer = -1, tag = -1;
  std::uint64_t unused[3] = {};
};
static_assert(sizeof(PendingOperation) == 64);

}  // namespace waitstate::record
