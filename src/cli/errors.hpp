// The one place where an exception becomes a sentence on stderr and an exit code.
//
//   0  ok                          also when the reader of the output closed it
//   1  the analysis says no        a gate or a pattern failed
//   2  usage                       a wrong option, or an output that cannot be written: found before the work where it
//                                  can be, after it where the disk is full, …
//   3  unreadable input            nothing of the trace can be read
//
// A process that a signal ended dies by that signal, which a shell shows as 128 and its number (guard.hpp).
#pragma once

#include <functional>
#include <string_view>

namespace waitstate::cli {

enum ExitCode : int { ok = 0, failed = 1, usage = 2, unreadable = 3 };

/// Runs `body` and returns its exit code, or that of the exception that leaves it.
int with_errors_reported(const std::function<int()>& body);

/// Prints "waitstate: error: …" on stderr, over a progress line if there is one.
void print_error(std::string_view message);
void print_out_of_memory();
/// The same of something that the user should know although all is well: "waitstate: note: …".
void print_note(std::string_view message);

}  // namespace waitstate::cli
