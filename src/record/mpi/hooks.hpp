// The hooks that functions.def names: what is recorded in a call before and after the library's work.
//
// Those here convert arguments of every form (int and MPI_Count, arrays of either) for those in the .cpp files of the
// same subject. Sizes are bytes of the program's data: count times the size of the type; arguments that MPI ignores,
// such as those behind MPI_IN_PLACE, are never looked at.
#pragma once

#include "record/mpi/collectives.hpp"
#include "record/mpi/communicators.hpp"
#include "record/mpi/messages.hpp"
#include "record/mpi/requests.hpp"
#include "record/mpi/windows.hpp"
