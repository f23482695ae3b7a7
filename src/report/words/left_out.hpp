// The calls that a recorder left out, on purpose or because it could not see them, and the effect on times.
#pragma once

#include <string>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::report {

/// Kinds of calls with what became of their time, such as "MPI calls on files: their time is part of computation".
/// Behind them, the records that one side alone has, and communicators that could not be told apart. Empty if the
/// recorder does not say that it left anything out, or only MPI calls that the program did not make.
std::string left_out_text(const Definitions& definitions);

/// Records that one side alone has, and communicators that could not be told apart. Empty if the recorder says of none.
std::string unsure_text(const Definitions& definitions);

/// Kinds of calls that the recorder could not see, each with the reason, such as "calls of 1 function of the MPI
/// library that the recorder did not know (MPI_Send_x)". Empty if it says of none.
std::string unseen_text(const Definitions& definitions);

}  // namespace waitstate::report
