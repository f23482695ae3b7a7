// Definitions that a hand-written file omits because they are obvious: locations in use, a process for each, and
// communicators with their groups.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "notation/scanner.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::notation {

/// Members of a communicator that its line lists instead of naming a group.
struct Members {
  bool given = false;
  bool all = false;   ///< all members of the paradigm's COMM_LOCATIONS group
  bool self = false;  ///< each process itself, as in MPI_COMM_SELF
  std::vector<std::pair<LocationId, TextPlace>> locations;
};

struct ImpliedComm {
  std::size_t comm = 0;
  Paradigm paradigm = Paradigm::mpi;
  Members a, b;
  TextPlace place;  ///< place of the last of these fields
};

struct Implied {
  std::vector<ImpliedComm> comms;
  std::set<std::ptrdiff_t> process_given;  ///< locations whose line has a process field, even if it is none
  std::size_t locations = 0;               ///< number of locations in use, if there are no location lines
  bool world = false;                      ///< communicator 0 is in use, and there are no comm lines
};

/// Adds the implied definitions to `definitions`, which are then complete except for finish().
void complete(Definitions& definitions, const Implied& implied, const std::string& path);

}  // namespace waitstate::notation
