#include "record/mpi/sessions.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include "record/core/recorder.hpp"
#include "record/core/run_folder.hpp"
#include "record/mpi/init.hpp"
#include "record/mpi/tools.hpp"
#include "record/mpi/world.hpp"
#include "record/user/functions.hpp"

namespace waitstate::record::mpi {
namespace {

void begin_alone(std::uint64_t start, MPI_Session session) {
  MPI_Group world{};
  if (!is_recordable()) return;
  find_predefined();
  if (!find_world_of(session, world)) return;
  int rank = 0, size = 0;
  real::Group_rank(world, &rank);
  real::Group_size(world, &size);
  real::Group_free(&world);
  std::string folder = settings().folder;
  if (folder.empty()) {
    if (rank == 0) say("not recorded: processes that use sessions need a folder that all know: name it with -o");
    return;
  }
  if (const std::string problem = join_folder(folder, static_cast<std::uint64_t>(rank)); !problem.empty())
    return trouble(problem);
  const ProcessInfo process = {static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(size), "mpi", true};
  if (!begin_process(folder, process, start)) return;
  if (rank == 0 && !settings().folder_is_made)
    say("when all processes have ended, `waitstate recover " + folder + "` completes the trace");
  ++this_thread->depth;
  enter_open_functions(start);
  start_tools();
  --this_thread->depth;
}

void record_region(const char* function, std::uint64_t start, std::uint64_t end) {
  Thread* const t = current();
  if (t == nullptr || t->depth != 0 || !t->begin_writing()) return;
  follow_pause(*t);
  const std::uint32_t region = define_region(function, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION);
  t->record(OTF2_EvtWriter_Enter, std::max(start, t->last), region);
  t->record(OTF2_EvtWriter_Leave, std::max(end, t->last), region);
  t->end_writing();
}

}  // namespace

int own_MPI_Session_init(int (*next)(MPI_Info, MPI_Errhandler, MPI_Session*), MPI_Info info, MPI_Errhandler handler,
                         MPI_Session* session) {
  const std::uint64_t start = now();
  if (!has_opened_session() && !has_world()) prepare_tools();
  const int result = next(info, handler, session);
  if (result != MPI_SUCCESS) return result;
  add_session(*session);
  static std::once_flag once;
  if (!recording.load() && !has_world()) std::call_once(once, begin_alone, start, *session);
  record_region("MPI_Session_init", start, now());
  return result;
}

int own_MPI_Session_finalize(int (*next)(MPI_Session*), MPI_Session* session) {
  const std::uint64_t start = now();
  remove_session(*session);
  const int result = next(session);
  record_region("MPI_Session_finalize", start, now());
  return result;
}

}  // namespace waitstate::record::mpi
