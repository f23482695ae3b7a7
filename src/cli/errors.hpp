// The one place where an exception becomes a sentence on stderr and an exit code.
//
//   0  ok                          also when the reader of the output closed it
//   1  the analysis says no        a gate or a pattern failed
//   2  usage                       a wrong option, or an output that cannot be written: found before the work if
//                                  possible, or after it if the disk is full, …
//   3  unreadable input            nothing of the trace can be read
//
// A process that is ended by a signal dies by that signal, which a shell shows as 128 plus its number (guard.hpp).
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace waitstate::cli {

enum ExitCode : int { ok = 0, failed = 1, usage = 2, unreadable = 3 };

/// Runs `body` and returns its exit code, or the exit code for the exception that leaves it.
int with_errors_reported(const std::function<int()>& body);

/// Prints "waitstate: error: …" on stderr, over a progress line if there is one.
void print_error(std::string_view message);
void print_out_of_memory();
/// The place of this process among several, "rank 3 of 64 on node n7": print_out_of_memory() names it.
void set_place_among_peers(std::string place);
/// From now on print_error() puts the message into `text` instead, for a process that says nothing itself.
void tell_errors_to(std::string* text);
/// Prints "waitstate: note: …" on stderr in the same way, for information that the user needs although nothing is
/// wrong.
void print_note(std::string_view message);

}  // namespace waitstate::cli
