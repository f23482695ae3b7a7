// Messages and collective operations that happen while recording is off here, and may be recorded by others.
//
// The analysis pairs the n-th send with the n-th receive, and the n-th collective operation of one member with that of
// the others. That is right as long as all of them have left out the same ones; so these are counted, and where the
// counts differ, merging says so. Cost: a look-up in a tree under a lock, while recording is off.
#pragma once

#include <compare>
#include <cstdint>

#include "record/parts/line_kinds.hpp"

namespace waitstate::record {

struct Unrecorded {
  using Kind = UnrecordedKind;
  Kind kind{};
  std::uint32_t comm = 0;           ///< local number
  std::uint32_t peer = 0, tag = 0;  ///< rank in the communicator, and tag; 0 of collective operations
  friend auto operator<=>(const Unrecorded&, const Unrecorded&) = default;
};

void note_unrecorded(const Unrecorded& what);
/// Writes a line for each kind of what was counted since the last time.
void define_unrecorded();

}  // namespace waitstate::record
