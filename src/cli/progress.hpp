// Shows on stderr how far an analysis is: only on a terminal, and only once it takes noticeably long. Or tells it a
// program that waits at the other end of a pipe (`waitstate serve`): objects of JSON, one a line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace waitstate::cli {

class Progress {
 public:
  /// `fd`: where lines for a program go; -1: there is none.
  explicit Progress(int fd = -1);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Clears the line.
  ~Progress();

  /// Shows `done` of `announced` events (an estimate, may be 0); at most ten times a second.
  void show(std::uint64_t done, std::uint64_t announced);

  /// Writes a line for a program, if there is one.
  static void tell(int fd, std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;
  int fd_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace waitstate::cli
