#include "cli/guard.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <typeinfo>

#include "cli/errors.hpp"
#include "report/format/output_file.hpp"
#include "util/temporary_folder.hpp"

namespace waitstate::cli {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile std::sig_atomic_t child_pid = 0;

void pass_on(int signal) {
  if (child_pid > 0) ::kill(static_cast<pid_t>(child_pid), signal);
}

/// Files that a process must not leave behind if nobody waits for it. The list is complete before any signal is
/// handled.
std::vector<std::string> incomplete;

void remove_and_end(int signal) {
  for (const std::string& file : incomplete) report::OutputFile::remove_temporary(file.c_str());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Signals that the caller ignores stay ignored.
void handle_ending_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int signal : ending_signals) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);
  }
}

int unguarded(const std::vector<std::string>& outputs, const std::function<int()>& body) {
  for (const std::string& output : outputs) incomplete.push_back(report::OutputFile::temporary(output, ::getpid()));
  if (!incomplete.empty()) handle_ending_signals(remove_and_end);
  return body();
}

std::string description(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGABRT:
      return "aborted";
    case SIGFPE:
      return "arithmetic error";
    case SIGILL:
      return "illegal instruction";
    default: {
      const char* name = ::sigdescr_np(signal);
      return name != nullptr ? name : "unknown signal";
    }
  }
}

constexpr const char* what_mpi_needs =
    "check what MPI has printed itself, that the launcher is that MPI's own, and limits of memory (ulimit -v)";

std::string death(const std::string& trace, int signal, const RunningPlugin::Told& plugin, bool mpi_was_starting) {
  if (signal == SIGKILL)
    return fmt::format(
        "{}: the analysis was killed (signal 9){}, most likely because the machine ran out of memory: close other "
        "programs, or use a machine with more memory",
        trace, plugin.plugin.empty() ? "" : fmt::format(" while plug-in '{}' was running", plugin.plugin));
  if (mpi_was_starting)
    return fmt::format("MPI crashed while it was starting (signal {}, {}): {}", signal, description(signal),
                       what_mpi_needs);
  if (signal == SIGXCPU || signal == SIGXFSZ)
    return fmt::format("{}: the analysis reached a resource limit (signal {}, {}): raise the limit with ulimit", trace,
                       signal, description(signal));
  if (!plugin.plugin.empty())
    return fmt::format("plug-in '{}' crashed (signal {}, {}) {}: fix it, or leave it out", plugin.plugin, signal,
                       description(signal), plugin.where);
  return fmt::format(
      "{}: the trace could not be read (signal {}, {}): either a file is damaged in a way that waitstate cannot "
      "detect, or a plug-in crashed; try without plug-ins, copy the archive again from where it was recorded, or find "
      "the damaged file with otf2-print",
      trace, signal, description(signal));
}

std::string early_end(const std::string& trace, int code, const RunningPlugin::Told& plugin, bool mpi_was_starting) {
  if (mpi_was_starting)
    return fmt::format("MPI ended the process with exit code {} while it was starting: {}", code, what_mpi_needs);
  if (!plugin.plugin.empty())
    return fmt::format("plug-in '{}' ended the program with exit code {} {}: fix it, or leave it out", plugin.plugin,
                       code, plugin.where);
  return fmt::format(
      "{}: the analysis ended early with exit code {}, and nothing says why: if it has plug-ins, try without them",
      trace, code);
}

/// How the body ended, in memory that both processes see.
enum Done : char { not_done = 0, done_regularly = 1, out_of_memory = 2 };
struct Outcome {
  volatile Done done;
  volatile bool mpi_is_starting;
  volatile int code;
};

/// Initially not_done; null if the memory is not available.
Outcome* shared_outcome() {
  void* const page = ::mmap(nullptr, sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? nullptr : static_cast<Outcome*>(page);
}

Outcome* child_says = nullptr;  ///< in the child

/// Memory may run out where no exception can leave, such as in the destructors of a library.
[[noreturn]] void end_without_memory() {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (thrown != nullptr && *thrown == typeid(std::bad_alloc) && child_says != nullptr) {
    child_says->done = out_of_memory;
    ::_exit(unreadable);
  }
  std::abort();
}

void become_child(const sigset_t& mask) {
  // The kernel takes a limit of exactly 1 as "no core, not even for a crash handler"; 0 would still start the handler.
  const rlimit no_core{1, 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed parent leaves nothing behind
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
}

}  // namespace

void note_start_of_mpi(bool starting) {
  if (child_says != nullptr) child_says->mpi_is_starting = starting;
}

int guarded(const std::string& trace, const std::vector<std::string>& outputs, bool in_process,
            const std::function<int()>& body, const RunningPlugin* plugins, const std::function<void()>& crashed) {
  if (in_process) return unguarded(outputs, body);
  std::fflush(nullptr);  // otherwise both processes would write the buffered text
  Outcome* const outcome = shared_outcome();

  sigset_t all, mask;
  sigemptyset(&all);
  for (const int signal : ending_signals) sigaddset(&all, signal);
  ::sigprocmask(SIG_BLOCK, &all, &mask);  // no signal may arrive before there is a child to pass it on to
  const pid_t child = ::fork();
  if (child == 0) {
    become_child(mask);
    child_says = outcome;
    std::set_terminate(end_without_memory);
    const int code = body();
    if (outcome != nullptr) {
      outcome->code = code;
      outcome->done = done_regularly;
    }
    return code;
  }
  if (child < 0) {
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    return unguarded(outputs, body);
  }

  child_pid = child;
  handle_ending_signals(pass_on);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);

  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_pid = 0;
  const bool complete = outcome == nullptr || outcome->done == done_regularly;
  if (WIFEXITED(status) && complete) return outcome == nullptr ? WEXITSTATUS(status) : outcome->code;
  const RunningPlugin::Told plugin = plugins == nullptr ? RunningPlugin::Told{} : plugins->told();
  for (const std::string& output : outputs)
    report::OutputFile::remove_temporary(report::OutputFile::temporary(output, child).c_str());
  util::remove_temporary_folders(child);
  const bool mpi_was_starting = outcome != nullptr && outcome->mpi_is_starting;
  if (outcome != nullptr && outcome->done == out_of_memory) {
    print_out_of_memory();
    if (crashed) crashed();
    return unreadable;
  }
  if (WIFEXITED(status)) {
    print_error(early_end(trace, WEXITSTATUS(status), plugin, mpi_was_starting));
    if (crashed) crashed();
    return failed;
  }
  const int signal = WTERMSIG(status);
  if (std::find(std::begin(ending_signals), std::end(ending_signals), signal) != std::end(ending_signals)) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
  print_error(death(trace, signal, plugin, mpi_was_starting) + (complete ? "; all results have been written" : ""));
  if (crashed && !complete) crashed();
  return plugin.plugin.empty() ? unreadable : failed;
}

}  // namespace waitstate::cli
