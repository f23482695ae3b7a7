// Messages and collective operations that some of their processes recorded and others did not, because recording was
// off there (core/unrecorded.hpp). Where all have left out equally many, they are taken to be the same ones.
#pragma once

#include <cstdint>
#include <vector>

#include "record/archive/merged.hpp"
#include "record/parts/part_lines.hpp"

namespace waitstate::record {

struct Unpaired {
  std::uint64_t messages = 0, collectives = 0;  ///< at least so many
};

/// `m`: with the communicators of the parts, and the processes' numbers of them.
Unpaired count_unpaired(const std::vector<PartLines>& parts, const Merged& m);

}  // namespace waitstate::record
