// MPI_Pcontrol: level 0 switches recording off, level 1 on; all others, and what stands behind a level, are not the
// recorder's. MPI_Pcontrol(2) asks tools to write out what they have, which is always the case here.
//
// The function takes any number of arguments of any type, and need not be given any. What registers hold is passed on
// as it is: that is all that a tool behind this one can ask for in portable ways, pointers and integers.
#include <dlfcn.h>

#include "record/mpi/call.hpp"

namespace waitstate::record::mpi {
namespace {

using Pcontrol = int(int, ...);

// `next`: null where the library has none.
int control(Pcontrol* next, int level, void* a, void* b, void* c, void* d, void* e) {
  if (level == 0) switch_recording(true);
  const int result = next == nullptr ? MPI_SUCCESS : next(level, a, b, c, d, e);
  if (level != 1) return result;
  switch_recording(false);
  define_unrecorded();
  // Variables are read, because their increase meanwhile belongs to no call.
  if (Thread* const t = this_thread; reads_variables && t != nullptr && t->depth == 0 && t->begin_writing()) {
    t->last = std::max(t->last, now());
    read_variables(*t, t->last);
    t->end_writing();
  }
  return result;
}

}  // namespace
}  // namespace waitstate::record::mpi

// Under names of their own here, because mpi.h declares them with any arguments.
extern "C" {

RECORD_EXPORT int waitstate_pcontrol(int level, void* a, void* b, void* c, void* d, void* e) asm("MPI_Pcontrol");
RECORD_EXPORT int waitstate_profiled_pcontrol(int level, void* a, void* b, void* c, void* d,
                                              void* e) asm("PMPI_Pcontrol");

RECORD_EXPORT int waitstate_pcontrol(int level, void* a, void* b, void* c, void* d, void* e) {
  using namespace waitstate::record::mpi;
  static auto* const next = reinterpret_cast<Pcontrol*>(find_function("MPI_Pcontrol"));
  return control(next, level, a, b, c, d, e);
}

RECORD_EXPORT int waitstate_profiled_pcontrol(int level, void* a, void* b, void* c, void* d, void* e) {
  using namespace waitstate::record::mpi;
  static auto* const next = reinterpret_cast<Pcontrol*>(find_function("PMPI_Pcontrol"));
  return control(next, level, a, b, c, d, e);
}

}  // extern "C"
