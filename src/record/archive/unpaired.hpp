// Messages and collective operations that some of their processes recorded and others did not, because recording was
// off there (mpi/unrecorded.hpp). Where all have left out equally many, they are taken to be the same ones.
#pragma once

#include <cstdint>
#include <vector>

#include "record/archive/merge.hpp"
#include "record/parts/part_lines.hpp"

namespace waitstate::record {

struct Unpaired {
  std::uint64_t messages = 0, collectives = 0;  ///< that there are at least
};

/// `m`: with the communicators of the parts, and the processes' numbers of them.
Unpaired count_unpaired(const std::vector<PartLines>& parts, const Merged& m);

}  // namespace waitstate::record
