// Which recorder library goes with a program: found out from what the program and its launcher are, before anything
// runs.
#pragma once

#include <string>
#include <vector>

namespace waitstate::record {

enum class Library { openmpi, mpich, shmem, threads };

struct Choice {
  bool decided = false;
  Library library = Library::threads;
  std::string program;    ///< path of what is recorded, behind the launcher; empty if it is not found
  bool launched = false;  ///< behind a launcher such as mpirun
};

/// `command`: the launcher with its arguments, or the program with its own. A program tells by the libraries that it
/// needs, a launcher by what it is, a process that has been launched already by its environment. A program that needs
/// no such library and is not launched has threads at most.
Choice choose(const std::vector<std::string>& command);

/// Path of an executable as execvp finds it; empty if there is none.
std::string find_executable(const std::string& name);

/// Names of the libraries that a program needs, with those that these need; nothing of a script or a program without
/// them. Runs the system's loader, never the program.
std::vector<std::string> needed_libraries(const std::string& program);

/// True if the process was started by a launcher of MPI or SHMEM.
bool is_launched();

const char* name(Library library);  ///< "openmpi", ...
const char* debian_package(Library library);

}  // namespace waitstate::record
