// Who is whose neighbour in neighbourhood collective operations (MPI_Neighbor_…, MPI_Ineighbor_…).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "waitstate/definitions.hpp"

namespace waitstate::report {

/// Of each rank those whose data it needs: of a Cartesian topology one step down and one up in each dimension, of a
/// graph those that a property of its process names. Nothing if the trace does not say.
std::optional<std::vector<std::vector<std::size_t>>> neighbours_of(const Definitions& definitions, CommId comm);

}  // namespace waitstate::report
