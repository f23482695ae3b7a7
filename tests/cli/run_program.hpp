// Runs the program under test as a user would: arguments, the two streams, an exit code or the signal that ended it.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

namespace waitstate::test {

struct Outcome {
  int exit_code = -1;  ///< -1 if a signal ended it
  int signal = 0;
  std::string out, err;
};

/// A process that was started, with the reading ends of its streams.
struct Started {
  pid_t pid = -1;
  int out = -1, err = -1;
};

inline Started start(const std::vector<std::string>& arguments, std::string program = WAITSTATE_PROGRAM) {
  std::array<int, 2> out{}, err{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) std::abort();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{program.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  ::close(err[1]);
  return {pid, out[0], err[0]};
}

/// Reads both streams to their ends and waits.
inline Outcome finish(const Started& started) {
  Outcome outcome;
  std::array<pollfd, 2> open{pollfd{started.out, POLLIN, 0}, pollfd{started.err, POLLIN, 0}};
  std::array<std::string*, 2> texts{&outcome.out, &outcome.err};
  std::array<char, 65536> piece;
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    ::poll(open.data(), open.size(), -1);
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      const ssize_t n = ::read(open[i].fd, piece.data(), piece.size());
      if (n > 0) {
        texts[i]->append(piece.data(), static_cast<std::size_t>(n));
      } else {
        ::close(open[i].fd);
        open[i].fd = -1;
      }
    }
  }
  int status = 0;
  ::waitpid(started.pid, &status, 0);
  if (WIFEXITED(status))
    outcome.exit_code = WEXITSTATUS(status);
  else
    outcome.signal = WTERMSIG(status);
  return outcome;
}

inline Outcome run(const std::vector<std::string>& arguments) { return finish(start(arguments)); }

/// Runs a script of the shell, in which "$0" is the program under test.
inline Outcome run_shell(const std::string& script) {
  return finish(start({"-c", script, WAITSTATE_PROGRAM}, "/bin/sh"));
}

using support::TemporaryFolder;

inline std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace waitstate::test
