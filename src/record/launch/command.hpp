// A command, before it runs: its launcher, its form. Which recorder goes with a program is not asked here, because the
// process decides it (record/preload).
#pragma once

#include <string>

namespace waitstate::record {

/// Path of an executable as execvp finds it; empty if there is none.
std::string find_executable(const std::string& name);

/// "openmpi" or "mpich": the MPI to which a launcher such as mpirun belongs; empty of any other file.
std::string mpi_of_launcher(const std::string& path);

/// True if this process is one of several that a launcher of MPI or SHMEM has started.
bool is_one_of_many();

/// True for a program that needs no loader, and so takes no library from the environment.
bool is_linked_statically(const std::string& path);

/// The package of Debian with which a recorder ("openmpi", ...) can be built; empty: none is needed.
std::string debian_package(const std::string& recorder);

}  // namespace waitstate::record
