// Shows on stderr how far an analysis is: only on a terminal, and only once it takes noticeably long.
#pragma once

#include <chrono>
#include <cstdint>

namespace waitstate::cli {

class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Clears the line.
  ~Progress();

  /// Shows `done` of `announced` events (an estimate, may be 0); at most ten times a second.
  void show(std::uint64_t done, std::uint64_t announced);

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace waitstate::cli
