#include "cli/peers/with_peers.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/errors.hpp"
#include "cli/guard.hpp"
#include "cli/recorder_files.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

namespace {

peers::Peers* current = nullptr;

/// The place of this process, as a launcher says it in the environment.
struct Launched {
  std::string_view mpi;  ///< as in the name of the library
  int rank = 0, size = 1;
};

std::optional<int> number(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::atoi(text);
}

// True if srun has started this process: no other launcher's processes have its numbers, but for those of a launcher
// that srun has started one of on each node.
bool is_task_of_slurm(int rank, int size) {
  return number("SLURM_PROCID") == rank && number("SLURM_STEP_NUM_TASKS") == size;
}

// True in a shell that a user types in: it is one of several tasks if `srun --pty` was asked for several, but what is
// started in it is not.
bool is_started_by_hand() {
  if (::isatty(STDIN_FILENO) == 0) return false;
  std::ifstream name(fmt::format("/proc/{}/comm", ::getppid()));
  std::string parent;
  return static_cast<bool>(std::getline(name, parent)) && parent != "slurmstepd";
}

// Open MPI's mpirun sets variables of its own; MPICH's speaks PMI, as srun does if it is asked to; PMIx, which srun
// speaks as well, is Open MPI's. If srun was asked for neither, there is no MPI by which the processes could find each
// other. WAITSTATE_MPI overrides what is found; "none" is for a process that one of several has started to work alone.
std::optional<Launched> find_launched() {
  struct Words {
    std::string_view mpi;
    const char *rank, *size;
  };
  constexpr Words all[] = {{"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                           {"mpich", "PMI_RANK", "PMI_SIZE"},
                           {"openmpi", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
                           {"", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const Words& words : all) {
    const std::optional<int> rank = number(words.rank), size = number(words.size);
    if (!rank || !size) continue;
    if (is_task_of_slurm(*rank, *size) && is_started_by_hand()) return std::nullopt;
    Launched found{words.mpi, *rank, *size};
    if (const char* const chosen = std::getenv("WAITSTATE_MPI"); chosen != nullptr && *chosen != '\0')
      found.mpi = chosen;
    if (found.size > 1 && found.mpi != "none") return found;
    return std::nullopt;
  }
  return std::nullopt;
}

// Found before the command gets a process of its own, which has another parent.
std::optional<Launched> launched() {
  static const std::optional<Launched> found = find_launched();
  return found;
}

// By PMI, which the launcher of MPICH speaks on a socket that its processes inherit. What it has not read of their
// output by then is lost.
void ask_launcher_to_end_all(const Launched& launched) {
  if (is_task_of_slurm(launched.rank, launched.size)) return;  // srun speaks another PMI
  const std::optional<int> socket = number("PMI_FD");
  if (!socket) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const std::string_view command = "cmd=abort exitcode=1\n";
  (void)::send(*socket, command.data(), command.size(), MSG_NOSIGNAL);
}

std::string node_name() {
  char name[256] = "?";
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::string place_of(const Launched& launched) {
  return fmt::format("rank {} of {} on node {}", launched.rank, launched.size, node_name());
}

/// All processes find that, wherever they are.
struct WrongLauncher : UsageError {
  using UsageError::UsageError;
};

std::unique_ptr<peers::Peers> connect(const Launched& launched) {
  if (launched.mpi.empty())
    throw WrongLauncher(fmt::format(
        "srun has started {} processes that cannot find each other: start them with srun --mpi=pmi2 (MPICH) "
        "or --mpi=pmix (Open MPI), start only one, or set WAITSTATE_MPI=none to let each work alone",
        launched.size));
  const std::string name = fmt::format("libwaitstate-peers-{}.so", launched.mpi);
  const std::string file = recorder_file(name);
  if (file.empty())
    throw UsageError(
        fmt::format("{} processes of {} have been started, but this waitstate was built without {}: build it where the "
                    "compiler of that MPI is installed, or start only one process",
                    launched.size, launched.mpi, name));
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw UsageError(fmt::format("{} cannot be loaded: {}", file, ::dlerror()));
  auto* const make = reinterpret_cast<peers::MakeTransport*>(::dlsym(library, peers::make_transport_name));
  note_start_of_mpi(true);
  std::unique_ptr<peers::Transport> transport(make == nullptr ? nullptr : make());
  note_start_of_mpi(false);
  if (transport == nullptr)
    throw UsageError(fmt::format("{} cannot be used: MPI could not be initialised for several threads", file));
  if (transport->size() != launched.size)
    throw WrongLauncher(
        fmt::format("{} processes have been started, but {} finds {} of them: start them with the launcher of that MPI "
                    "(srun --mpi=pmi2 for MPICH, --mpi=pmix for Open MPI), or name the launcher's MPI in WAITSTATE_MPI",
                    launched.size, name, transport->size()));
  return std::make_unique<peers::Peers>(std::move(transport));
}

}  // namespace

peers::Peers* current_peers() { return current; }
bool only_helps() { return current != nullptr && current->rank() != 0; }

WordsOfOne::WordsOfOne(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "analyze") return;
  const std::optional<Launched> launch = launched();
  of_several_ = launch.has_value();
  if (!launch) return;
  set_place_among_peers(place_of(*launch));
  if (launch->rank != 0) hidden_.hide();
}

void HiddenStreams::hide() {
  std::fflush(nullptr);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  out_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  err_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

void HiddenStreams::show() {
  std::fflush(nullptr);
  for (const auto& [kept, stream] :
       {std::pair{std::exchange(out_, -1), STDOUT_FILENO}, {std::exchange(err_, -1), STDERR_FILENO}}) {
    if (kept < 0) continue;
    ::dup2(kept, stream);
    ::close(kept);
  }
}

void end_peers_of_failed() {
  const std::optional<Launched> launch = launched();
  if (!launch) return;
  if (!is_task_of_slurm(launch->rank, launch->size)) return ask_launcher_to_end_all(*launch);
  const char* const job = std::getenv("SLURM_JOB_ID");
  const char* const step = std::getenv("SLURM_STEP_ID");
  if (job == nullptr || step == nullptr) return;
  const std::string id = fmt::format("{}.{}", job, step);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execlp("scancel", "scancel", "--quiet", "--signal=KILL", id.c_str(), nullptr);
    ::_exit(127);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

int with_peers(const std::function<int()>& body) {
  const std::optional<Launched> launch = launched();
  if (!launch) return with_errors_reported(body);
  std::string failure;
  if (launch->rank != 0) tell_errors_to(&failure);
  std::unique_ptr<peers::Peers> all;
  bool all_fail_alike = false;
  const int connected = with_errors_reported([&] {
    try {
      all = connect(*launch);
    } catch (const WrongLauncher&) {
      all_fail_alike = true;
      throw;
    }
    return static_cast<int>(ok);
  });
  HiddenStreams hidden;
  const auto say_it_here = [&](int code) {
    hidden.show();
    tell_errors_to(nullptr);
    if (code == ok) return print_out_of_memory();  // there was none to tell the others that all is well
    if (launch->rank == 0) return;                 // it has been said
    const std::string place = place_of(*launch);
    print_error(failure.find(place) != std::string::npos ? failure : place + ": " + failure);
  };
  if (connected != ok) {
    // The launcher may end all processes as soon as one of them has failed; the first one is to be heard before.
    if (launch->rank != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (launch->rank == 0 || !all_fail_alike) say_it_here(connected);
    ask_launcher_to_end_all(*launch);
    return connected;
  }
  if (launch->rank != 0) hidden.hide();
  current = all.get();
  const int code = with_errors_reported(body);
  current = nullptr;
  bool is_told = false;
  try {
    is_told = all->end(code, failure);
  } catch (const std::bad_alloc&) {  // there is not even memory for that
  }
  if (is_told) return code;
  (void)all.release();  // the end of MPI would wait for the others
  say_it_here(code);
  end_peers_of_failed();
  return code == ok ? unreadable : code;
}

}  // namespace waitstate::cli
