#include "cli/peers/with_peers.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/errors.hpp"
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

// Open MPI's mpirun says its own; that of MPICH speaks PMI, as srun does if it is asked to; PMIx, which srun speaks as
// well, is Open MPI's. WAITSTATE_MPI says it where this is wrong; "none" is for a process that was started by one of
// several, alone.
std::optional<Launched> launched() {
  struct Words {
    std::string_view mpi;
    const char *rank, *size;
  };
  constexpr Words all[] = {{"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                           {"mpich", "PMI_RANK", "PMI_SIZE"},
                           {"openmpi", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
  for (const Words& words : all) {
    const std::optional<int> rank = number(words.rank), size = number(words.size);
    if (!rank || !size) continue;
    Launched found{words.mpi, *rank, *size};
    if (const char* const chosen = std::getenv("WAITSTATE_MPI"); chosen != nullptr && *chosen != '\0')
      found.mpi = chosen;
    if (found.size > 1 && found.mpi != "none") return found;
    return std::nullopt;
  }
  return std::nullopt;
}

/// Nobody sees what this process says, but for what it tells the others.
void keep_silent() {
  std::fflush(nullptr);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

std::unique_ptr<peers::Peers> connect(const Launched& launched) {
  const std::string name = fmt::format("libwaitstate-peers-{}.so", launched.mpi);
  const std::string file = recorder_file(name);
  if (file.empty())
    throw UsageError(
        fmt::format("{} processes of {} have been started, but this waitstate was built without {}: build it where the "
                    "compiler of that MPI is, or start one process",
                    launched.size, launched.mpi, name));
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw UsageError(fmt::format("{} cannot be loaded: {}", file, ::dlerror()));
  auto* const make = reinterpret_cast<peers::MakeTransport*>(::dlsym(library, peers::make_transport_name));
  std::unique_ptr<peers::Transport> transport(make == nullptr ? nullptr : make());
  if (transport == nullptr)
    throw UsageError(fmt::format("{} cannot be used: MPI could not be initialised for several threads", file));
  return std::make_unique<peers::Peers>(std::move(transport));
}

}  // namespace

peers::Peers* current_peers() { return current; }
bool only_helps() { return current != nullptr && current->rank() != 0; }

WordsOfOne::WordsOfOne(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "analyze") return;
  const std::optional<Launched> launch = launched();
  of_several_ = launch.has_value();
  if (!launch || launch->rank == 0) return;
  std::fflush(nullptr);
  out_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  err_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  keep_silent();
}

void WordsOfOne::they_are_right() {
  std::fflush(nullptr);
  for (const auto& [kept, stream] : {std::pair{out_, STDOUT_FILENO}, std::pair{err_, STDERR_FILENO}}) {
    if (kept < 0) continue;
    ::dup2(kept, stream);
    ::close(kept);
  }
}

int with_peers(const std::function<int()>& body) {
  const std::optional<Launched> launch = launched();
  if (!launch) return with_errors_reported(body);
  std::string failure;
  if (launch->rank != 0) {
    keep_silent();
    tell_errors_to(&failure);
  }
  std::unique_ptr<peers::Peers> all;
  const int connected = with_errors_reported([&] {
    all = connect(*launch);
    return static_cast<int>(ok);
  });
  if (connected != ok) {
    // The launcher may end all processes as soon as one of them has failed; the first one is to be heard before.
    if (launch->rank != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
    return connected;
  }
  current = all.get();
  const int code = with_errors_reported(body);
  all->end(code, failure);
  current = nullptr;
  return code;
}

}  // namespace waitstate::cli
