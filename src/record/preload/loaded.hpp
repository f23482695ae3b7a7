// The objects that the loader has put into this process before its first instruction: is there an MPI, and which, or
// something else that can be recorded?
//
// Files and sonames lie: libmpi.so.12 is MPICH's, Intel's or an old Open MPI's. So an MPI is known by symbols that
// belong to its form of handles: Open MPI's predefined objects are variables, and MPICH's compatible libraries have the
// variable MPI_UNWEIGHTED. The common ABI of MPI 5 has neither, and is known by the name that its standard fixes.
#pragma once

namespace waitstate::record::preload {

enum class Mpi : unsigned char { none, openmpi, mpich, abi, linked_statically, unknown };

struct Loaded {
  Mpi mpi = Mpi::none;
  char mpi_file[1024] = "";    ///< file of the MPI library
  bool has_shmem = false;      ///< Open MPI's OpenSHMEM
  bool has_libomp = false;     ///< LLVM's OpenMP runtime, or Intel's
  bool has_libgomp = false;    ///< GCC's OpenMP runtime
  bool has_regions = false;    ///< its functions or regions are marked
  bool makes_threads = false;  ///< it can create POSIX threads
  bool is_launcher = false;    ///< it starts the processes of a job, and is none of them
  bool is_emulated = false;    ///< under valgrind
  bool has_recorder = false;   ///< a recorder library is loaded already
};

/// Looks at all objects of the process. May be called before the C library is initialized.
Loaded look();

/// True if the MPI that was found has a function that came after the mpi.h with which the recorder was built.
bool has_later_functions(Mpi mpi);

/// The MPI among the objects that are loaded now, also those that only the program's own look-ups find; `file` gets its
/// path.
bool has_mpi_of_its_own(char* file, unsigned long size);

}  // namespace waitstate::record::preload
