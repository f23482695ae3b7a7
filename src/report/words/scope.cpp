#include "report/words/scope.hpp"

namespace waitstate::report {

std::string init_exit_text(const InitExit& libraries) {
  if (libraries.mpi && libraries.shmem) return "initialisation and finalisation of MPI and SHMEM";
  return libraries.shmem ? "initialisation and finalisation of SHMEM" : "MPI_Init and MPI_Finalize";
}

std::string without_text(const RunTotals& run) { return run.differ() ? init_exit_text(run.without()) : ""; }

}  // namespace waitstate::report
