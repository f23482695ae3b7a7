#include "cli/mpit/library_query.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <vector>

#include "cli/recorder_files.hpp"
#include "record/launch/command.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

using record::ToolListing;

constexpr std::size_t longest_answer = 64 << 20, longest_complaint = 1 << 16;
constexpr std::chrono::seconds longest_time(60);

std::string program_for(const std::string& mpi) { return recorder_file("waitstate-mpit-" + mpi); }

// The command that runs the program under its launcher, or alone if there is no launcher.
std::vector<std::string> command_for(const std::string& mpi) {
  const std::string program = program_for(mpi);
  if (program.empty())
    throw UsageError(fmt::format("this waitstate was built without {}: install {} and build it again", mpi,
                                 record::debian_package(mpi)));
  std::string launcher;
  for (const std::string& name : {"mpirun." + mpi, std::string(mpi == "mpich" ? "mpiexec.hydra" : "orterun")})
    if (launcher.empty()) launcher = record::find_executable(name);
  if (const std::string usual = record::find_executable("mpirun");
      launcher.empty() && record::mpi_of_launcher(usual) == mpi)
    launcher = usual;
  if (launcher.empty()) return {program};
  if (mpi == "mpich") return {launcher, "-n", "2", program};
  std::vector<std::string> command = {launcher, "--oversubscribe"};
  if (geteuid() == 0) command.emplace_back("--allow-run-as-root");
  command.insert(command.end(), {"-n", "2", program});
  return command;
}

struct Answer {
  std::string out, err;
  bool in_time = true;
};

pid_t start(const std::vector<std::string>& command, int out, int err) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  execv(words[0], words.data());
  _exit(127);
}

// Reads the program's streams to their ends, or to the limits, and then kills any process of it that is left.
Answer ask(const std::vector<std::string>& command) {
  std::array<int, 2> out{}, err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0)
    throw UsageError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  const pid_t child = start(command, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  if (child < 0) throw UsageError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  Answer answer;
  std::array<pollfd, 2> streams{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  const auto end = std::chrono::steady_clock::now() + longest_time;
  std::vector<char> piece(65536);
  while ((streams[0].fd >= 0 || streams[1].fd >= 0) && answer.in_time) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    const int ready = left.count() > 0 ? poll(streams.data(), streams.size(), static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    answer.in_time = ready > 0;
    for (std::size_t i = 0; ready > 0 && i < streams.size(); ++i) {
      if (streams[i].revents == 0) continue;
      const ssize_t n = read(streams[i].fd, piece.data(), piece.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        streams[i].fd = -1;
        continue;
      }
      std::string& text = i == 0 ? answer.out : answer.err;
      text.append(piece.data(), static_cast<std::size_t>(n));
      if (i == 1 && text.size() > longest_complaint) text.resize(longest_complaint);
      if (answer.out.size() > longest_answer) answer.in_time = false;
    }
  }
  if (!answer.in_time) kill(-child, SIGKILL);
  close(out[0]);
  close(err[0]);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return answer;
}

}  // namespace

std::string mpi_to_ask(const std::string& mpi) {
  if (mpi != "auto") return mpi;
  std::string by_launcher = record::mpi_of_launcher(record::find_executable("mpirun"));
  if (!by_launcher.empty() && !program_for(by_launcher).empty()) return by_launcher;
  for (const char* const other : {"openmpi", "mpich"})
    if (!program_for(other).empty()) return other;
  throw UsageError("this waitstate was built without MPI: install libopenmpi-dev or libmpich-dev and build it again");
}

ToolListing listing_of(const std::string& mpi) {
  const std::vector<std::string> command = command_for(mpi);
  const Answer answer = ask(command);
  ToolListing listing = record::read_tool_listing(answer.out);
  if (!listing.library.empty()) return listing;
  std::string complaint = util::printable(answer.err.substr(0, std::min<std::size_t>(answer.err.find('\n'), 200)));
  if (complaint.empty()) complaint = answer.in_time ? "it printed nothing" : "it did not end within a minute";
  throw TraceError(fmt::format("{} -n 2 {}", command.front(), command.back()),
                   fmt::format("cannot list the variables of its MPI: {}", complaint));
}

}  // namespace waitstate::cli
