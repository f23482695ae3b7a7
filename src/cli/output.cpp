#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace waitstate::cli {
namespace {

constexpr std::size_t buffer_size = 256 * 1024;

[[noreturn]] void fail(const std::string& name, int error, const char* advice = "") {
  throw OutputError(fmt::format("cannot write {}: {}{}", name, std::strerror(error), advice));
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A symbolic link stays one: its target is what is replaced.
std::string resolved(const std::string& path) {
  std::error_code ignored;
  const auto real = std::filesystem::canonical(path, ignored);
  return ignored ? path : real.string();
}

}  // namespace

FdBuffer::FdBuffer(int fd, std::string name) : fd_(fd), name_(std::move(name)), buffer_(buffer_size) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

FdBuffer::int_type FdBuffer::overflow(int_type c) {
  sync();
  if (c != traits_type::eof()) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int FdBuffer::sync() {
  const char* from = pbase();
  const char* const to = pptr();
  setp(buffer_.data(), buffer_.data() + buffer_.size());  // whatever happens, the same bytes are not written twice
  while (from < to) {
    const ssize_t n = ::write(fd_, from, static_cast<std::size_t>(to - from));
    if (n >= 0)
      from += n;
    else if (errno == EPIPE)
      throw ClosedPipe("the reader of the output closed it");
    else if (errno != EINTR)
      fail(name_, errno);
  }
  return 0;
}

Output::Output(const std::string& path)
    : target_(path.empty() ? path : resolved(path)),
      fd_(open(target_)),
      buffer_(fd_, path.empty() ? "standard output" : path),
      stream_(&buffer_) {
  stream_.exceptions(std::ios::badbit);  // lets the buffer's own exceptions through
}

int Output::open(const std::string& path) {
  if (path.empty()) return STDOUT_FILENO;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) fail(path, errno);
    return fd;
  }
  temporary_ = fmt::format("{}.{}.tmp", path, ::getpid());
  const int fd = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) fail(path, errno);
  if (exists) (void)!::fchmod(fd, status.st_mode & 07777);  // a replaced file keeps its permissions where it may
  return fd;
}

Output::~Output() {
  if (fd_ != STDOUT_FILENO && fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::commit() {
  stream_.flush();
  if (fd_ == STDOUT_FILENO) return;
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0) fail(target_, errno);  // some file systems tell only here that they are full
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, errno);
  temporary_.clear();
}

void check_writable(const std::string& path) {
  if (path.empty()) return;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) fail(path, EISDIR, "; give the name of a file");
    if (::access(path.c_str(), W_OK) != 0) fail(path, errno);
    return;
  }
  const std::string folder = folder_of(resolved(path));
  if (::access(folder.c_str(), F_OK) != 0) fail(path, errno, "; make its folder first");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail(path, errno);
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
  const char* terminal = std::getenv("TERM");
  style.colour = !to_file && ::isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
                 terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  return style;
}

}  // namespace waitstate::cli
