// Reads the global definitions and the markers of an archive into waitstate::Definitions.
#pragma once

#include "otf2/anchor.hpp"
#include "otf2/references.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::otf2 {

/// Fills `definitions` (finish() included) and `references`. Damaged definitions are kept as far as they can be read,
/// and counted. Throws TraceError only if nothing sensible can follow: no definitions file, or no location in it.
void read_definitions(const Anchor& anchor, Definitions& definitions, References& references, Diagnostics& diagnostics);

}  // namespace waitstate::otf2
