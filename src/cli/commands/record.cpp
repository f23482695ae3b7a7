// `waitstate record` runs a program with the recorder library loaded, and `waitstate recover` completes the output of a
// run that ended early.
//
// The library reaches the program by LD_PRELOAD: before a launcher, which passes its environment on, or in each process
// that a launcher started. In the first form the command stays and waits, so that it can complete the archive of a run
// that ended early; in the second it becomes the program. Either way the command returns the program's exit
// code, or dies by the signal that ended the program.
#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/record.hpp"
#include "cli/errors.hpp"
#include "cli/help_formatter.hpp"
#include "cli/recorder_files.hpp"
#include "cli/run_folder.hpp"
#include "record/archive/archive.hpp"
#include "record/core/groups.hpp"
#include "record/core/openmp_runtimes.hpp"
#include "record/launch/command.hpp"
#include "record/launch/reasons.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

namespace fs = std::filesystem;

struct RecordSettings {
  std::vector<std::string> program;
  std::string folder, mpi = "auto", record, without, openmp = "auto", pvars, pvar_at = "call", events, cvars = "set";
  std::uint64_t limit = 0;
  bool analyze = false;
};

const std::vector<std::string> implementations = {"auto", "openmpi", "mpich", "none"};
const std::vector<std::string> openmp_choices = {"auto", "libomp", "off"};
const std::vector<std::string> cvar_choices = {"set", "all", "none"};
constexpr unsigned long longest_interval = 3'600'000;  // milliseconds

record::Groups groups(const RecordSettings& s) {
  std::string unknown;
  record::Groups all = s.record.empty() ? record::default_groups() : record::groups_of(s.record, &unknown);
  all &= ~record::groups_of(s.without, &unknown);
  if (!unknown.empty()) {
    std::vector<std::string> known = {"all"};
    for (const record::NamedGroup& g : record::named_groups) known.emplace_back(g.name);
    throw UsageError(fmt::format("unknown group '{}'{}", unknown, did_you_mean(unknown, known)));
  }
  if (s.openmp == "off") all &= ~record::group::openmp;
  return all | record::group::mgmt;
}

void check_pvar_at(const RecordSettings& s) {
  if (s.pvar_at == "call") return;
  unsigned long interval = 0;
  const char* const end = s.pvar_at.data() + s.pvar_at.size();
  const auto [stop, error] = std::from_chars(s.pvar_at.data(), end, interval);
  if (error != std::errc{} || stop != end || interval == 0 || interval > longest_interval)
    throw UsageError(fmt::format("--pvar-at: '{}' is neither 'call' nor a number of milliseconds from 1 to {}",
                                 s.pvar_at, longest_interval));
  if (s.pvars.empty()) throw UsageError("--pvar-at needs --pvar, which names the variables to read");
}

std::string library_name(std::string_view name) { return fmt::format("libwaitstate-record-{}.so", name); }

/// LD_PRELOAD only warns of a library that it cannot load, in each process. So loading is tried beforehand, in a
/// process of its own, because a loaded library cannot be removed again.
void check_that_it_loads(const std::string& file) {
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t trial = fork();
  if (trial == 0) {
    ::close(ends[0]);
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
      const std::string why = dlerror();
      if (::write(ends[1], why.data(), why.size()) < 0) _exit(2);
    }
    _exit(0);
  }
  ::close(ends[1]);
  std::string why;
  char some[4096];
  for (ssize_t n = 0; (n = ::read(ends[0], some, sizeof some)) > 0;) why.append(some, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  if (trial > 0) waitpid(trial, &status, 0);
  if (why.empty() && WIFSIGNALED(status))
    why = fmt::format("{}: loading it ends with signal {} ({})", file, WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (!why.empty())
    throw UsageError(
        fmt::format("the recorder cannot be loaded: {}. Build or install waitstate again on this system", why));
}

std::string library_file(const std::string& recorder) {
  if (std::string file = recorder_file(library_name(recorder)); !file.empty()) return file;
  const std::string package = record::debian_package(recorder);
  throw UsageError(fmt::format("this waitstate was built without the recorder for {}{}", recorder,
                               package.empty() ? "" : ": install " + package + " and build it again"));
}

std::string installed_libomp() {
  std::string file = record::libomp_file();
  if (file.empty()) throw UsageError("--openmp libomp: libomp is not installed; install libomp5");
  return file;
}

void set(const std::string& name, const std::string& value) {
  setenv(("WAITSTATE_RECORD_" + name).c_str(), value.c_str(), 1);
}

/// Names of the Open MPI variables that the user gives to the launcher: it passes them on to its processes among many
/// variables of its own, and the processes cannot tell them apart.
std::string given_to_launcher(const std::vector<std::string>& program) {
  std::string names;
  const auto add = [&](std::string_view name) { names += (names.empty() ? "" : ",") + std::string(name); };
  constexpr std::string_view prefix = "OMPI_MCA_";
  for (char** at = environ; at != nullptr && *at != nullptr; ++at)
    if (const std::string_view entry = *at; entry.starts_with(prefix))
      add(entry.substr(prefix.size(), entry.find('=') - prefix.size()));
  for (std::size_t i = 0; i + 1 < program.size(); ++i)
    if (const std::string& word = program[i]; word == "--mca" || word == "-mca" || word == "--gmca" || word == "-gmca")
      add(program[i + 1]);
  return names;
}

/// LD_PRELOAD separates its files by blanks and colons, and has no way to escape these in a name.
void refuse_separators(const std::string& file) {
  if (file.find_first_of(" :") == std::string::npos) return;
  throw UsageError(fmt::format(
      "{} cannot be loaded into programs, because its path has a blank or a colon: install waitstate in a folder whose "
      "path has neither, or move it there",
      file));
}

/// Open MPI passes only variables that are named explicitly on to other nodes, and does not accept both ways of naming
/// them. Whether a script uses the other way is not known, so its launcher is told nothing.
void name_variables(const std::vector<std::string>& program) {
  const bool has_launcher = std::any_of(program.begin(), program.end(), [](const std::string& word) {
    return record::mpi_of_launcher(record::find_executable(word)) == "openmpi";
  });
  const bool told = std::find(program.begin(), program.end(), "-x") != program.end() ||
                    std::getenv("OMPI_MCA_mca_base_env_list") != nullptr;
  if (!has_launcher || told) return;
  std::string names = "LD_PRELOAD";
  for (char** at = environ; at != nullptr && *at != nullptr; ++at)
    if (const std::string_view entry = *at; entry.starts_with("WAITSTATE_RECORD_"))
      names += ";" + std::string(entry.substr(0, entry.find('=')));
  setenv("OMPI_MCA_mca_base_env_list", names.c_str(), 1);
}

/// `folder`: empty if the first process makes it. `stays`: this command made it, and completes the run.
void prepare_environment(const RecordSettings& s, const std::string& folder, bool stays) {
  std::vector<std::string> also, all = {library_file("launch")};
  if (s.mpi != "auto" && s.mpi != "none") all.push_back(library_file(s.mpi));
  if ((groups(s) & record::group::pthread) != 0) also.push_back(library_file("pthread"));
  if (s.openmp == "libomp") also.push_back(installed_libomp());
  for (const char* const recorder : {"openmpi", "openmpi-later", "mpich", "mpich-later", "shmem", "threads", "lookup"})
    if (std::string file = recorder_file(library_name(recorder)); !file.empty()) all.push_back(std::move(file));
  all.insert(all.end(), also.begin(), also.end());
  for (const std::string& file : all) refuse_separators(file);
  for (const std::string& file : all) check_that_it_loads(file);
  const char* const before = std::getenv("LD_PRELOAD");
  setenv("LD_PRELOAD", before == nullptr || *before == '\0' ? all[0].c_str() : (all[0] + ":" + before).c_str(), 1);
  if (!also.empty()) set("ALSO", fmt::format("{}", fmt::join(also, ":")));
  if (s.mpi != "auto") set("MPI", s.mpi);
  if (!folder.empty()) set("FOLDER", folder);
  if (stays) set("FOLDER_IS_MADE", "1");
  if (stays) setenv(record::launcher_variable, "none", 1);
  set("GROUPS", record::names_of(groups(s)));
  if (!s.pvars.empty()) set("PVARS", s.pvars);
  if (s.pvar_at != "call") set("PVAR_AT", s.pvar_at);
  if (!s.events.empty()) set("EVENTS", s.events);
  if (s.cvars != "set") set("CVARS", s.cvars);
  if (stays)
    if (const std::string names = given_to_launcher(s.program); !names.empty()) set("LAUNCHER_CVARS", names);
  if (s.limit != 0) set("LIMIT", std::to_string(s.limit));
  name_variables(s.program);
}

std::vector<char*> arguments_of(const std::vector<std::string>& program) {
  std::vector<char*> arguments;
  for (const std::string& word : program) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

pid_t child = 0, companion = 0;

// A signal for the whole group of processes - from timeout, or from a batch system - has reached the launcher too, and
// mpirun takes a second one as the wish to kill all processes at once, before they have written anything. The state of
// `companion`, which does nothing but belong to the group, shows whether the whole group got the signal.
void hand_on(int number) {
  const int saved = errno;
  bool whole_group = false;
  for (int i = 0; i < 20 && companion > 0 && !whole_group; ++i) {
    int status = 0;
    if (waitpid(companion, &status, WNOHANG) != 0) {
      companion = 0;
      whole_group = WIFSIGNALED(status) && WTERMSIG(status) == number;
    } else {
      poll(nullptr, 0, 5);
    }
  }
  if (child > 0 && !whole_group) kill(child, number);
  errno = saved;
}

pid_t start_companion() {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  unsetenv("LD_PRELOAD");
  execlp("sleep", "sleep", "infinity", nullptr);
  _exit(127);
}

// Waits for the program; signals from a terminal reach it without our help.
int run(const std::vector<std::string>& program) {
  const std::vector<char*> arguments = arguments_of(program);
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  struct sigaction interrupt {
  }, quit{};
  sigaction(SIGINT, &ignored, &interrupt);
  sigaction(SIGQUIT, &ignored, &quit);
  child = fork();
  if (child == 0) {
    sigaction(SIGINT, &interrupt, nullptr);
    sigaction(SIGQUIT, &quit, nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "waitstate record: cannot run {}: {}\n", program.front(), std::strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
  }
  if (child < 0) throw UsageError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  companion = start_companion();
  for (const int number : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    struct sigaction handed_on {};
    handed_on.sa_handler = hand_on;
    handed_on.sa_flags = SA_RESTART;
    sigaction(number, &handed_on, nullptr);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  if (companion > 0) {
    kill(companion, SIGKILL);
    waitpid(companion, nullptr, 0);
  }
  return status;
}

int analyze(const std::string& folder) {
  const pid_t analysis = fork();
  if (analysis == 0) {
    unsetenv("LD_PRELOAD");
    execl("/proc/self/exe", "waitstate", "analyze", folder.c_str(), nullptr);
    _exit(2);
  }
  int status = 0;
  while (analysis > 0 && waitpid(analysis, &status, 0) < 0 && errno == EINTR) {
  }
  return analysis > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/// `told`: the reason that a process left, if one did.
std::string why_nothing_was_recorded(const std::string& told, const std::vector<std::string>& program, int status) {
  if (!told.empty()) return told;
  for (const std::string& word : program)
    if (const std::string file = record::find_executable(word); !file.empty() && record::is_linked_statically(file))
      return word + " is linked statically, and takes no library that could record it";
  if (WIFSIGNALED(status))
    return fmt::format("the command was ended by signal {} ({}) before a process of it called MPI_Init",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    return fmt::format("the command ended with exit code {}, and no process called MPI_Init before that",
                       WEXITSTATUS(status));
  return "no process of the command used MPI, OpenSHMEM, LLVM's OpenMP runtime or a marked region by libraries that "
         "are loaded when a program starts";
}

int record_program(const RecordSettings& s) {
  if (s.mpi == "none" && !s.pvars.empty())
    throw UsageError("--pvar reads variables of MPI, and --mpi none records none");
  if (s.mpi == "none" && !s.events.empty())
    throw UsageError("--event records events of MPI, and --mpi none records none");
  if (record::is_one_of_many()) {
    prepare_environment(s, s.folder, false);
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
    const std::vector<char*> arguments = arguments_of(s.program);
    execvp(arguments[0], arguments.data());
    throw UsageError(fmt::format("cannot run {}: {}", s.program.front(), std::strerror(errno)));
  }
  RunFolder folder(s.folder);
  try {
    prepare_environment(s, folder.path(), true);
  } catch (...) {
    folder.remove();
    throw;
  }
  const int status = run(s.program);
  const std::string told = folder.reason();
  const RunFolder::Outcome outcome = folder.complete();
  if (outcome == RunFolder::Outcome::nothing_recorded)
    fmt::print(stderr, "waitstate record: nothing was recorded: {}\n",
               why_nothing_was_recorded(told, s.program, status));
  if (s.analyze && outcome == RunFolder::Outcome::complete) analyze(folder.path());
  if (WIFSIGNALED(status)) {  // dies as the program died, without a core of our own
    std::signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
  }
  return WEXITSTATUS(status);
}

}  // namespace

int own_arguments(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]) != "record") return argc;
  const CLI::App* const options = app.get_subcommand("record");
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--" || word.empty() || word[0] != '-') return i;
    if (word.find('=') != std::string::npos) continue;
    const CLI::Option* const option = options->get_option_no_throw(word);
    if (option != nullptr && option->get_items_expected_max() > 0) ++i;
  }
  return argc;
}

std::string group_list() {
  std::string text = "  all       all groups below\n";
  for (const record::NamedGroup& g : record::named_groups)
    text += fmt::format("  {:9} {}{}\n", g.name, g.meaning, g.recorded ? "" : " (not recorded by default)");
  return text;
}

void add_record(CLI::App& app, Commands& commands, const std::vector<std::string>* program) {
  Command& command = add_command(
      app, commands, "record", "Run a program and record a trace of it",
      "  waitstate record -- mpirun -n 4 ./app\n"
      "  mpirun -n 4 waitstate record -o run.trace ./app\n"
      "  waitstate record --without test --analyze -- mpirun -n 4 ./app\n"
      "\nOptions come before the program; '--' may separate them. The exit code is that of the program.\n\nGroups:\n" +
          group_list(),
      {}, false);
  command.options->formatter(std::make_shared<HelpFormatter>("[--] PROGRAM [ARGUMENT...]"));
  const auto settings = std::make_shared<RecordSettings>();
  CLI::App& options = *command.options;
  options
      .add_option("-o,--output", settings->folder,
                  "the folder to create for the trace (default: PROGRAM.DATE-TIME.trace, after the recorded program)")
      ->type_name("FOLDER");
  add_choice(options, "--mpi", settings->mpi, implementations,
             "the MPI to record in every process (default: auto, the one that the process has loaded when it starts)");
  options.add_option("--record", settings->record, "record only these groups of calls, which are listed below")
      ->type_name("GROUP[,GROUP...]");
  options.add_option("--without", settings->without, "do not record these groups")->type_name("GROUP[,GROUP...]");
  add_choice(options, "--openmp", settings->openmp, openmp_choices,
             "which OpenMP to record: everything that the program's own runtime reports (auto, the default), nothing "
             "(off), or also programs built with GCC, by running them on LLVM's runtime (libomp)");
  options
      .add_option("--pvar", settings->pvars,
                  "performance variables of the MPI library to read at the end of each call: names, in which * stands "
                  "for any characters, or all; 'waitstate mpit pvars' lists them")
      ->type_name("NAME[,NAME...]");
  options
      .add_option("--pvar-at", settings->pvar_at,
                  "when to read performance variables: at the end of each call of the main thread (call, the default), "
                  "or every WHEN milliseconds by a separate thread")
      ->type_name("WHEN");
  options
      .add_option("--event", settings->events,
                  "events of the MPI library to record, with names as for --pvar; 'waitstate mpit events' lists them")
      ->type_name("NAME[,NAME...]");
  add_choice(
      options, "--cvars", settings->cvars, cvar_choices,
      "settings of MPI to store in the trace: those that the environment or a file sets (set, the default), all, or "
      "none");
  options
      .add_option("--limit", settings->limit,
                  "size of a process's records on disk in MiB at which it stops recording (default: none)")
      ->type_name("N");
  options.add_flag("--analyze", settings->analyze, "analyse the trace after the run");
  command.check = [settings, program] {
    settings->program = *program;
    if (settings->program.empty())
      throw UsageError("no program given: waitstate record [OPTIONS] -- PROGRAM [ARGUMENTS]");
    check_word("MPI", settings->mpi, implementations);
    check_word("choice of --openmp", settings->openmp, openmp_choices);
    check_word("choice of --cvars", settings->cvars, cvar_choices);
    check_pvar_at(*settings);
    groups(*settings);
  };
  command.body = [settings] { return record_program(*settings); };
}

void add_recover(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "recover", "Complete the trace of a run that was ended early",
                                 "  waitstate recover app.20260102-030405.trace",
                                 {{"FOLDER", "the folder that 'waitstate record' created", "no folder given"}}, false);
  command.body = [&command] {
    const record::Recovered r = record::recover(command.value(0));
    if (!r.problem.empty()) throw TraceError(command.value(0), r.problem);
    fmt::print("{}\n", record::sentence(command.value(0), r));
    return 0;
  };
}

}  // namespace waitstate::cli
