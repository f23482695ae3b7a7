// Asks an MPI library which variables and events it offers through MPI_T.
//
// The library is queried by a program built for it (record/mpit/list.cpp), under its own launcher and in two processes,
// as a program of the user's would run: some variables are registered only there. That program and its output depend on
// the library and are not trusted: it gets a minute and 64 MiB, and its lines are checked one by one
// (record/launch/tool_listing.hpp).
#pragma once

#include <string>

#include "record/launch/tool_listing.hpp"

namespace waitstate::cli {

/// Chooses for `auto` the MPI that mpirun belongs to, else one that this program was built for; any other name is
/// returned as it is. Throws UsageError if there is none.
std::string mpi_to_ask(const std::string& mpi);

/// Throws UsageError if this program was not built for that MPI, TraceError if the library cannot be queried.
record::ToolListing listing_of(const std::string& mpi);

}  // namespace waitstate::cli
