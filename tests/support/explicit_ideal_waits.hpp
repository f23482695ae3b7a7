// The waits of an ideal machine, with the whole trace at hand; explicit_ideal_waits.cpp describes the computation.
//
// It shares no code with the pattern mpi_ideal_wait. Threads of a team wait for each other as long as they did: the
// ideal machine concerns only messages.
#pragma once

#include "support/explicit_causes.hpp"

namespace waitstate::support {

/// The values of mpi_ideal_wait.
CauseTable explicit_ideal_waits(const EventTrace& trace);

}  // namespace waitstate::support
