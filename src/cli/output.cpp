#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace waitstate::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
  throw UsageError(fmt::format("cannot write {}: {}", name, reason));
}

/// Who can be written over at all: of everything else (a terminal, a pipe) the bytes are gone once they are written.
std::optional<struct stat> regular_file(const std::string& path) {
  struct stat status {};
  if ((path.empty() ? ::fstat(STDOUT_FILENO, &status) : ::stat(path.c_str(), &status)) != 0) return std::nullopt;
  return S_ISREG(status.st_mode) ? std::optional(status) : std::nullopt;
}

void check_inputs(const std::string& path, const std::string& name, const std::vector<std::string>& inputs) {
  const auto output = regular_file(path);
  if (!output) return;
  if (const std::string reason = report::OutputFile::kept(path); !reason.empty()) refuse(name, reason);
  for (const std::string& input : inputs)
    if (const auto other = regular_file(input);
        !input.empty() && other && output->st_dev == other->st_dev && output->st_ino == other->st_ino)
      refuse(name, "it is an input of this command; give another name");
}

}  // namespace

Output::Output(const std::string& path) : stream_(nullptr) {
  if (!path.empty()) {
    file_.emplace(path);
    return;
  }
  buffer_.emplace(STDOUT_FILENO, "standard output");
  stream_.rdbuf(&*buffer_);
  stream_.exceptions(std::ios::badbit);  // lets the buffer's own exceptions through
}

void Output::commit() {
  if (file_)
    file_->commit();
  else
    stream_.flush();
}

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  const std::string name = path.empty() ? "standard output" : path;
  check_inputs(path, name, inputs);
  if (path.empty()) return;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) refuse(name, fmt::format("{}; give the name of a file", std::strerror(EISDIR)));
    if (::access(path.c_str(), W_OK) != 0) refuse(name, std::strerror(errno));
    return;
  }
  const std::filesystem::path prepared = report::OutputFile::temporary(path, ::getpid());
  const std::string folder = prepared.has_parent_path() ? prepared.parent_path().string() : ".";
  if (::access(folder.c_str(), F_OK) != 0) refuse(name, fmt::format("{}; make its folder first", std::strerror(errno)));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(name, std::strerror(errno));
}

void reserve_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // gets the lowest free number, which is fd
}

bool is_terminal(int fd) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(fd) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

report::Style text_style(bool to_file) {
  report::Style style;
  winsize size{};
  const char* wanted = std::getenv("COLUMNS");
  const long columns = wanted != nullptr ? std::strtol(wanted, nullptr, 10) : 0;
  if (columns > 0)
    style.width = static_cast<unsigned>(std::min(columns, 10'000L));
  else if (!to_file && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  style.width = std::max(style.width, 40u);
  const char* no_colour = std::getenv("NO_COLOR");
  style.colour = !to_file && (no_colour == nullptr || *no_colour == '\0') && is_terminal(STDOUT_FILENO);
  return style;
}

}  // namespace waitstate::cli
