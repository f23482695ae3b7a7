#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

Progress::Progress(int fd)
    : fd_(fd),
      terminal_(fd < 0 && is_terminal(STDERR_FILENO)),
      next_(Clock::now() + std::chrono::milliseconds(fd < 0 ? 500 : 0)) {}

Progress::~Progress() {
  if (shown_) print("\r\x1b[K");
}

void Progress::tell(int fd, std::string_view line) {
  if (fd < 0) return;
  std::string text(line);
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // nobody listens any more
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Progress::show(std::uint64_t done, std::uint64_t announced) {
  if (!terminal_ && fd_ < 0) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  if (fd_ >= 0) return tell(fd_, fmt::format("{{\"events\":{},\"of\":{}}}", done, announced));
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
