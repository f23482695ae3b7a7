// Runs a command in a child process, so that a crash inside the OTF2 library ends in a sentence and not in a core dump.
//
// The library trusts the files that it reads: a damaged archive can make it follow a wild pointer, and no check of ours
// in front of it finds every such file. So the command runs in a child; the parent waits, passes on the signals that
// ask to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT), and says what happened if the child dies by one. Then it also removes
// what the child can no longer remove itself: the output that was not complete (report/format/output_file.hpp) and the
// links that the reader of archives may need (util/temporary_folder.hpp). Both have the child's number in their names,
// so nobody has to be told of them, and no signal handler has to work. What is left if the parent itself is killed with
// SIGKILL, a later run clears.
//
// The child inherits all streams, so output, colour and progress are as without it. The fork of a process that has not
// started yet costs less than the scatter of 60 runs of 15 ms.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/running_plugin.hpp"

namespace waitstate::cli {

/// Runs `body` in a child process and returns its exit code. If the child crashes, or ends before `body` has returned
/// (a plug-in called exit), an error on stderr says so: it names the plug-in that was running then, and the exit code
/// is 1; or, if none was, `trace`, and the exit code is 3 of a crash, else 1. A child that one of the signals above
/// ended takes the parent with it by the same one; signals that the caller ignores (nohup) stay ignored. `plugins`,
/// which may be null, knows what is running. `outputs` are the files that `body` writes. Call it before any thread is
/// started; in the child the function returns what `body` returned, so the caller must do nothing more than exit. Runs
/// `body` right here if `in_process`, or if there is no further process to be had; then a signal handler removes the
/// outputs that are not complete.
int guarded(const std::string& trace, const std::vector<std::string>& outputs, bool in_process,
            const std::function<int()>& body, const RunningPlugin* plugins = nullptr);

}  // namespace waitstate::cli
