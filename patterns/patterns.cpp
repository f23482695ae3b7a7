#include "patterns.hpp"

namespace waitstate {

std::vector<PatternHandle> built_in_patterns() {
  return {patterns::comms_recv(), patterns::mpi_latesender(), patterns::mpi_latesender_wo(),
          patterns::mpi_latereceiver()};
}

}  // namespace waitstate
