// Beginning and end of a recorded MPI program, and the functions of the library behind this one.
//
// All processes agree in MPI_Init on a folder, or on there being none; from then on each writes its own part. In
// MPI_Finalize they wait for each other once, and rank 0 makes the archive of the parts. MPI_Finalize of the library is
// called in this call in any case: programs rely on what happens there.
#include "record/mpi/init.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "record/archive/archive.hpp"
#include "record/core/run_folder.hpp"
#include "record/core/unrecorded.hpp"
#include "record/launch/reasons.hpp"
#include "record/mpi/clocks.hpp"
#include "record/mpi/communicators.hpp"
#include "record/mpi/known/functions.hpp"
#include "record/mpi/messages.hpp"
#include "record/mpi/requests.hpp"
#include "record/mpi/tools.hpp"
#include "record/mpi/world.hpp"
#include "record/parts/line_kinds.hpp"
#include "record/parts/parts.hpp"
#include "record/preload/loaded.hpp"
#include "record/user/functions.hpp"

namespace waitstate::record::mpi {

#ifdef OPEN_MPI
constexpr const char* own_name = "Open MPI";
Predefined predefined{};
#else
constexpr const char* own_name = "MPICH";
#endif

namespace {

bool agreed = false;
bool is_called = false;  // MPI_Init, or MPI_Init_thread

// The file of an MPI that a module of a language has loaded for itself.
const char* private_library() {
  static char file[1024] = "";
  static const bool found = preload::has_mpi_of_its_own(file, sizeof file);
  return found ? file : nullptr;
}

}  // namespace

void* find_function(const char* name) {
  if (void* const symbol = dlsym(RTLD_NEXT, name)) return symbol;
  const char* const file = private_library();
  static void* const library = file == nullptr ? nullptr : dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
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

// The agreement of all ranks: rank 0's folder, or why there is none. A rank that a session has begun to record stays in
// its folder.
std::string agree_on_folder(int rank, std::string& problem) {
  char text[4096] = "";
  if (rank == 0) {
    std::string folder = recording.load() ? waitstate::record::folder() : folder_of_run();
    MPI_Comm parent = MPI_COMM_NULL;
    real::Comm_get_parent(&parent);
    if (recording.load()) {
      problem.clear();
    } else if (parent == MPI_COMM_NULL) {
      problem = make_folder(folder);
    } else {  // a world of its own: an archive of its own, beside that of the processes which spawned it
      const std::string stem = folder + std::string(started_world);
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

const char* variable_of(const char* name) { return std::getenv(name); }

// Another form of handles would be taken for something else.
bool is_own_library() {
  Dl_info about{};
  void* const function = find_function("PMPI_Get_library_version");
  if (function == nullptr || dladdr(function, &about) == 0) return false;
  const bool is_openmpi = find_function("ompi_mpi_comm_world") != nullptr;
#ifdef OPEN_MPI
  const bool has_handles = is_openmpi;
#else
  const bool has_handles = !is_openmpi && find_function("MPI_UNWEIGHTED") != nullptr;
#endif
  return has_handles && std::strstr(about.dli_fname, "libmpi_abi.so") == nullptr;
}

void begin_recording(std::uint64_t start, const char* function) {
  int rank = 0, size = 0;
  if (!is_recordable()) return;
  find_predefined();
  if (real::Comm_dup(MPI_COMM_WORLD, &own_comm) != MPI_SUCCESS) return;
  agreed = true;
  real::Comm_rank(own_comm, &rank);
  real::Comm_size(own_comm, &size);
  std::string problem;
  const std::string folder = agree_on_folder(rank, problem);
  if (folder.empty()) return;
  const bool goes_on = recording.load();  // since a session was opened
  const ProcessInfo process = {static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(size), "mpi"};
  Thread* const t = goes_on || begin_process(folder, process, start) ? current() : nullptr;
  if (t != nullptr) ++t->depth;
  find_nodes(own_comm);  // also by a process that cannot write: the others wait for it
  measure_clocks(own_comm);
  if (t == nullptr) return;
  define_predefined_comms();
  if (goes_on)
    ends_in_a_call();
  else
    enter_open_functions(start);
  if (t->begin_writing()) {
    if (goes_on) start = std::max(start, t->last);
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
  if (!goes_on) start_tools();
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
  if (has_open_session()) define(PropertyLine{.name = "WAITSTATE::SESSIONS", .text = "open at MPI_Finalize"});
  close();
  real::Barrier(own_comm);
  int rank = 0;
  real::Comm_rank(own_comm, &rank);
  if (rank == 0 && !folder().empty() && !settings().folder_is_made) say(sentence(folder(), recover(folder())));
  real::Barrier(own_comm);
  real::Comm_free(&own_comm);
  agreed = false;
}

// `library`: calls the library's function.
template <class Library>
int initialize(const char* function, Library&& library) {
  const std::uint64_t start = now();
  is_called = true;
  if (!has_opened_session()) prepare_tools();
  const int result = library();
  if (result != MPI_SUCCESS) return result;
  set_world(true);
  if (!agreed) begin_recording(start, function);
  return result;
}

}  // namespace

bool is_recordable() {
  if (is_own_library()) return true;
  const std::string why =
      "the MPI of " + program_name() + " is not " + own_name + " or compatible with it: choose another with --mpi";
  tell_reason(variable_of, Reason::not_recordable, why.c_str());
  return false;
}

bool begin_process(const std::string& folder, const ProcessInfo& process, std::uint64_t start) {
  if (!begin(folder, process, start)) return false;
  ++this_thread->depth;
  find_tools(process.rank == 0);
  note_unknown_functions();
  watch_end();
  --this_thread->depth;
  return true;
}

int own_MPI_Init(int (*next)(int*, char***), int* count, char*** arguments) {
  return initialize("MPI_Init", [&] { return next(count, arguments); });
}

int own_MPI_Init_thread(int (*next)(int*, char***, int, int*), int* count, char*** arguments, int required,
                        int* provided) {
  return initialize("MPI_Init_thread", [&] { return next(count, arguments, required, provided); });
}

int own_MPI_Finalize(int (*next)()) {
  if (agreed && !is_forked()) end_recording();
  set_world(false);
  return next();
}

// --- where MPI_Init was not seen ------------------------------------------------------------------------------------

namespace {

bool is_initialized() {
  const auto ask = reinterpret_cast<int (*)(int*)>(find_function("PMPI_Initialized"));
  int flag = 0;
  return ask != nullptr && ask(&flag) == MPI_SUCCESS && flag != 0;
}

__attribute__((destructor)) void tell_why_not() {
  if (is_called || has_opened_session()) return;
  std::string why;
  if (is_initialized() && private_library() != nullptr)
    why = std::string(" has loaded its MPI (") + private_library() +
          ") with dlopen and called it past the recorder, by addresses that it asked for";
  else if (is_initialized())
    why = " has called MPI_Init past the recorder";
  else if (find_function("PMPI_Init") != nullptr)
    why = " has loaded an MPI, but did not call MPI_Init";
  if (!why.empty()) tell_reason(variable_of, Reason::not_initialized, (program_name() + why).c_str());
}

}  // namespace

}  // namespace waitstate::record::mpi
