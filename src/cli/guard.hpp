// Runs a command in a child process, so that a crash inside the OTF2 library ends in a sentence and not in a core dump.
//
// The library trusts the files that it reads: a damaged archive can make it follow a wild pointer, and our checks in
// front of it do not find every such file. So the command runs in a child; the parent waits, passes on the signals that
// ask to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT), and explains it if the child dies by one. Then it also removes the
// files that the child can no longer remove: the incomplete output (report/format/output_file.hpp) and the links that
// the reader of archives may need (util/temporary_folder.hpp). Both have the child's number in their names, so the
// parent finds them without being told, and no signal handler has to do it. If the parent itself is killed with
// SIGKILL, a later run removes the rest.
//
// The child inherits all streams, so output, colour and progress are the same as without it. Forking a process that has
// just started costs less than the scatter of 60 runs of 15 ms.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/running_plugin.hpp"

namespace waitstate::cli {

/// Runs `body` in a child process and returns its exit code.
///
/// If the child crashes, or ends before `body` has returned (a plug-in called exit), an error on stderr says so. If a
/// plug-in was running, the error names it, and the exit code is 1; if none was, the error names `trace`, and the exit
/// code is 3 for a crash, else 1. If one of the signals above ends the child, the parent dies by the same signal;
/// signals that the caller ignores (nohup) stay ignored. `plugins`, which may be null, knows which plug-in is running.
/// `outputs` are the files that `body` writes. `crashed`, if it is not empty, is called when an error has been said.
///
/// Call it before any thread is started; in the child the function returns the result of `body`, so the caller must do
/// nothing more than exit. If `in_process`, or if no further process can be created, `body` runs in this process; then
/// a signal handler removes the incomplete outputs.
int guarded(const std::string& trace, const std::vector<std::string>& outputs, bool in_process,
            const std::function<int()>& body, const RunningPlugin* plugins = nullptr,
            const std::function<void()>& crashed = {});

/// In the child: MPI starts from now on, or has started. If the process ends meanwhile, the error says so.
void note_start_of_mpi(bool starting);

}  // namespace waitstate::cli
