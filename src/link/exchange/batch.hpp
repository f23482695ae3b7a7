// Records of one worker for another, on their way.
#pragma once

#include <cstddef>
#include <memory>

#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

/// Records of one worker for another.
struct Batch {
  static constexpr std::size_t capacity = std::size_t{1} << 14;

  std::unique_ptr<std::byte[]> bytes;  ///< each record behind its kind: see Port; null if there are none
  std::size_t size = 0;                ///< in bytes
  Time promise = 0;                    ///< no send that the worker posts later was earlier than this
  std::size_t call_paths = 0;          ///< number of call paths that the records may name
};

}  // namespace waitstate::link
