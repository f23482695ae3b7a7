// Reads the marker file of an archive, through the OTF2 library.
#pragma once

#include <otf2/otf2.h>

#include "otf2/anchor.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::otf2 {

/// Fills the markers of `definitions`. An archive need not have any. Damage is counted and ends the reading.
void read_markers(const Anchor& anchor, OTF2_Reader* reader, Definitions& definitions, Diagnostics& diagnostics);

}  // namespace waitstate::otf2
