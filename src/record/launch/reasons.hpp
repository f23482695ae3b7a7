// Why nothing was recorded of a program, as a process of it tells.
//
// Where `waitstate record` stays until the run ends, processes leave their reasons in a file of the run's folder, and
// it shows the one that explains most if nothing was recorded. Where a command in each process has become the program,
// the process of rank 0 says its reason itself. Only system calls are made here, because the library that is loaded
// into every process uses this before the C library is ready.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace waitstate::record {

/// How much a reason explains; of several, the last one in this order is shown.
enum class Reason : unsigned char { not_initialized, not_recordable };

inline constexpr const char* reasons_file = "/reasons";

/// Variables in which launchers and batch systems tell a process its rank.
inline constexpr const char* rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",        "PMIX_RANK",
                                                 "MV2_COMM_WORLD_RANK",  "MPI_LOCALRANKID", "PALS_RANKID",
                                                 "FLUX_TASK_RANK"};

/// In the processes of an MPI launcher this variable names them, for one that tells them apart in no other way.
/// `record` sets it, so that the launcher need only give it another value.
inline constexpr const char* launcher_variable = "WAITSTATE_RECORD_LAUNCHER";

/// `get`: looks up a variable of the environment.
template <class Get>
const char* rank_variable(const Get& get) {
  for (const char* const name : rank_variables)
    if (const char* const rank = get(name)) return rank;
  // srun of one task is a shell in which a user starts programs, and a batch script is none of its tasks.
  const char* const tasks = get("SLURM_STEP_NUM_TASKS");
  return tasks != nullptr && std::strcmp(tasks, "1") != 0 ? get("SLURM_PROCID") : nullptr;
}

/// Leaves a reason, or says it; `text` has no line feed.
template <class Get>
void tell_reason(const Get& get, Reason kind, const char* text) {
  const char* const rank = rank_variable(get);
  if (rank != nullptr && std::strcmp(rank, "0") != 0) return;
  char line[2048];
  const char* const folder = get("WAITSTATE_RECORD_FOLDER");
  int to = -1;
  if (folder != nullptr && get("WAITSTATE_RECORD_FOLDER_IS_MADE") != nullptr) {
    if (std::snprintf(line, sizeof line, "%s%s", folder, reasons_file) >= static_cast<int>(sizeof line)) return;
    to = ::open(line, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (to < 0) return;
    std::snprintf(line, sizeof line, "%d %s\n", static_cast<int>(kind), text);
  } else {
    std::snprintf(line, sizeof line, "waitstate record: nothing was recorded: %s\n", text);
  }
  if (::write(to < 0 ? STDERR_FILENO : to, line, std::strlen(line)) < 0) line[0] = '\0';
  if (to >= 0) ::close(to);
}

}  // namespace waitstate::record
