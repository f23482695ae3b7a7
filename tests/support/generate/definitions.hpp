// The definitions of a generated trace, as Score-P would write them.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <vector>

#include "options.hpp"

namespace generate {

/// OTF2 reference of a location: Score-P's way, so that references are neither dense nor sorted by process.
inline std::uint64_t location_ref(std::uint64_t rank, std::uint64_t thread) { return thread << 32 | rank; }

struct TraceExtent {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  std::vector<std::uint64_t> events;  ///< by location, process-major
};

void write_definitions(OTF2_GlobalDefWriter* writer, const Options& options, const TraceExtent& extent);

}  // namespace generate
