// Beginning and end of a recorded MPI program, and the functions of the library behind this one.
//
// All processes agree in MPI_Init on a folder, or on there being none; from then on each writes its own part. In
// MPI_Finalize they wait for each other once, and rank 0 makes the archive of the parts. MPI_Finalize of the library is
// called in this call in any case: programs rely on what happens there.
#include "record/mpi/init.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "record/archive/archive.hpp"
#include "record/core/unrecorded.hpp"
#include "record/mpi/clocks.hpp"
#include "record/mpi/communicators.hpp"
#include "record/mpi/messages.hpp"
#include "record/mpi/requests.hpp"
#include "record/mpi/tools.hpp"
#include "record/parts/line_kinds.hpp"
#include "record/user/functions.hpp"

namespace waitstate::record::mpi {

#ifdef OPEN_MPI
constexpr const char *own_version = "Open MPI", *library_file = "libmpi.so.40";
Predefined predefined{};
#else
constexpr const char *own_version = "MPICH", *library_file = "libmpich.so.12";
#endif

namespace {

bool agreed = false;
bool of_own_library = true;

}  // namespace

void* find_function(const char* name) {
  if (void* const symbol = dlsym(RTLD_NEXT, name)) return symbol;
  // Loaded privately, by a module of a language.
  static void* const library = dlopen(library_file, RTLD_LAZY | RTLD_NOLOAD);
  return library == nullptr ? nullptr : dlsym(library, name);
}

void* look_up(unsigned index, const char* name) {
  void* const symbol = find_function(name);
  if (symbol == nullptr) {
    std::fprintf(stderr, "waitstate record: %s is called, but no MPI library provides it\n", name);
    std::abort();
  }
  next_functions[index] = symbol;
  return symbol;
}

void find_predefined() {
#ifdef OPEN_MPI
  // By default: a program may have a copy of the variable, which is then the one that the library uses.
  const auto variable = [](const char* name) {
    void* const symbol = dlsym(RTLD_DEFAULT, name);
    return symbol != nullptr ? symbol : find_function(name);
  };
  predefined = {variable("ompi_mpi_comm_world"),      variable("ompi_mpi_comm_self"),
                variable("ompi_mpi_comm_null"),       variable("ompi_request_null"),
                variable("ompi_message_no_proc"),     variable("ompi_mpi_group_null"),
                variable("ompi_mpi_win_null"),        variable("ompi_mpi_byte"),
                variable("ompi_mpi_int64_t"),         variable("ompi_mpi_info_null"),
                variable("ompi_mpi_errhandler_null"), variable("ompi_mpi_errors_are_fatal")};
#endif
}

// --- beginning ------------------------------------------------------------------------------------------------------

namespace {

// The agreement of all ranks: rank 0's folder, or why there is none.
std::string agree_on_folder(int rank, std::string& problem) {
  char text[4096] = "";
  if (rank == 0) {
    std::string folder = settings().folder.empty() ? default_folder() : settings().folder;
    MPI_Comm parent = MPI_COMM_NULL;
    real::Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
      problem = make_folder(folder);
    } else {  // a world of its own: an archive of its own, beside that of the processes which spawned it
      const std::string stem = folder + ".child-";
      int number = 0;
      do {
        folder = stem + std::to_string(++number);
        problem = make_folder(folder);
      } while (!problem.empty() && errno == EEXIST && number < 10000);
    }
    if (!problem.empty())
      say(problem);
    else if (folder.size() < sizeof text)
      std::strcpy(text, folder.c_str());
  }
  real::Bcast(text, sizeof text, MPI_BYTE, 0, own_comm);
  return text;
}

void begin_recording(std::uint64_t start, const char* function) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0, rank = 0, size = 0;
  if (real::Get_library_version(version, &length) != MPI_SUCCESS || std::strstr(version, own_version) == nullptr) {
    of_own_library = false;
    say("this program's MPI is not " + std::string(own_version) + ": nothing is recorded; choose another with --mpi");
    return;
  }
  find_predefined();
  if (real::Comm_dup(MPI_COMM_WORLD, &own_comm) != MPI_SUCCESS) return;
  agreed = true;
  real::Comm_rank(own_comm, &rank);
  real::Comm_size(own_comm, &size);
  std::string problem;
  const std::string folder = agree_on_folder(rank, problem);
  if (folder.empty()) return;
  if (!begin(folder, {static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(size), "mpi"}, start)) return;
  Thread* const t = this_thread;
  ++t->depth;
  find_tools(rank == 0);
  define_predefined_comms();
  find_nodes(own_comm);
  measure_clocks(own_comm);
  watch_end();
  enter_open_functions(start);
  if (t->begin_writing()) {
    const std::uint32_t region = define_region(function, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION);
    const std::uint64_t end = now();
    t->record(OTF2_EvtWriter_Enter, start, region);
    t->record(OTF2_EvtWriter_MpiCollectiveBegin, start);
    t->record(OTF2_EvtWriter_MpiCollectiveEnd, end, OTF2_COLLECTIVE_OP_CREATE_HANDLE, world()->number, undefined, 0, 0);
    if (reads_variables) read_variables(*t, end);
    t->record(OTF2_EvtWriter_Leave, end, region);
    t->last = end;
    t->end_writing();
  }
  start_tools();
  --t->depth;
}

// --- end ------------------------------------------------------------------------------------------------------------

void end_recording() {
  switch_recording(false);
  define_unrecorded();
  Thread* const t = current();
  if (t == nullptr) {
    real::Barrier(own_comm);
  } else {
    Call call(*t, define_region("MPI_Finalize", OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION));
    if (call.live()) t->record(OTF2_EvtWriter_MpiCollectiveBegin, call.begin);
    call.wait_for(Waiting::What::collective, world()->number);
    call.pause();
    real::Barrier(own_comm);
    call.resume();
    if (call.live()) {
      t->record(OTF2_EvtWriter_MpiCollectiveEnd, call.end, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, world()->number,
                undefined, 0, 0);
      if (reads_variables) read_variables(*t, call.end, true);
    }
    call.leave();
    ++t->depth;
  }
  end_tools();
  measure_clocks(own_comm);
  if (const std::uint64_t freed = freed_receives(); freed != 0)
    define(PropertyLine{.name = "WAITSTATE::FREED_RECEIVES", .text = std::to_string(freed)});
  if (const std::uint64_t other = messages_of_other_worlds(); other != 0)
    define(PropertyLine{.name = "WAITSTATE::MESSAGES_OF_OTHER_WORLDS", .text = std::to_string(other)});
  define_errors();
  close();
  real::Barrier(own_comm);
  int rank = 0;
  real::Comm_rank(own_comm, &rank);
  if (rank == 0 && !folder().empty() && !settings().quiet) say(sentence(folder(), recover(folder())));
  real::Barrier(own_comm);
  real::Comm_free(&own_comm);
  agreed = false;
}

}  // namespace

int own_MPI_Init(int (*next)(int*, char***), int* count, char*** arguments) {
  const std::uint64_t start = now();
  prepare_tools();
  const int result = next(count, arguments);
  if (result == MPI_SUCCESS && !recording.load() && !agreed) begin_recording(start, "MPI_Init");
  return result;
}

int own_MPI_Init_thread(int (*next)(int*, char***, int, int*), int* count, char*** arguments, int required,
                        int* provided) {
  const std::uint64_t start = now();
  prepare_tools();
  const int result = next(count, arguments, required, provided);
  if (result == MPI_SUCCESS && !recording.load() && !agreed) begin_recording(start, "MPI_Init_thread");
  return result;
}

int own_MPI_Finalize(int (*next)()) {
  if (agreed && !is_forked()) end_recording();
  return next();
}

}  // namespace waitstate::record::mpi
