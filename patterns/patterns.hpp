// The built-in patterns, one function a file, in the order in which they run. Nothing registers itself: a pattern is
// built in because it stands here and in patterns.cpp.
#pragma once

#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

PatternHandle comms_recv();        // also syncs_recv, bytes_rcvd
PatternHandle mpi_latereceiver();  // also mpi_clr_count, mpi_slr_count
PatternHandle mpi_latesender();    // also mpi_cls_count, mpi_sls_count
PatternHandle mpi_latesender_wo(); // also mpi_lswo_different, mpi_lswo_same, mpi_clswo_count, mpi_slswo_count

}  // namespace waitstate::patterns
