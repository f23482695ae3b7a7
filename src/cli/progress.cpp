#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/output.hpp"
#include "report/format/units.hpp"

namespace waitstate::cli {
namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress() : terminal_(is_terminal(STDERR_FILENO)), next_(Clock::now() + std::chrono::milliseconds(500)) {}

Progress::~Progress() {
  if (shown_) print("\r\x1b[K");
}

void Progress::show(std::uint64_t done, std::uint64_t announced) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  const std::string events = report::grouped(static_cast<std::int64_t>(done)) + " events";
  // Announced counts are wrong in some traces: 100 % is not shown before the end.
  if (announced >= done && announced != 0)
    print(fmt::format("\r\x1b[K{:3.0f} %  {}",
                      std::min(99.0, 100.0 * static_cast<double>(done) / static_cast<double>(announced)), events));
  else
    print("\r\x1b[K" + events);
}

}  // namespace waitstate::cli
