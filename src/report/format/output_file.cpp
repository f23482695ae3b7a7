#include "report/format/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace waitstate::report {
namespace {

constexpr std::size_t buffer_size = 256 * 1024;

/// A symbolic link stays one: its target is what is replaced, or made where it is not there yet. Absolute, as the
/// current folder may be another one when the file gets its name.
std::filesystem::path resolved(const std::filesystem::path& path) {
  constexpr int most_links = 40;
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(path, error);
  if (!error) return real;
  real = std::filesystem::absolute(path, error);
  if (error) real = path;
  for (int i = 0; std::filesystem::is_symlink(real, error); ++i) {
    const std::filesystem::path target = std::filesystem::read_symlink(real, error);
    if (error || i == most_links) return path;  // a circle
    real = real.parent_path() / target;
  }
  return real;
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
      throw OutputError(fmt::format("cannot write {}: {}", name_, std::strerror(errno)));
  }
  return 0;
}

std::filesystem::path OutputFile::temporary(const std::filesystem::path& path, pid_t writer) {
  return fmt::format("{}.{}.tmp", resolved(path).string(), writer);
}

std::string OutputFile::kept(const std::filesystem::path& path) {
  constexpr std::string_view endings[] = {".otf2", ".def", ".evt", ".snap", ".marker", ".thumb"};
  std::error_code error;
  const std::filesystem::path target = resolved(path);
  if (!std::filesystem::is_regular_file(target, error)) return {};
  for (const std::string& ending : {path.extension().string(), target.extension().string()})
    if (std::find(std::begin(endings), std::end(endings), ending) != std::end(endings))
      return fmt::format("a {} file that exists belongs to a trace; give another name", ending);
  if (::access(target.c_str(), W_OK) != 0) return std::strerror(errno);
  return {};
}

OutputFile::OutputFile(const std::filesystem::path& path, const std::filesystem::path& input)
    : path_(path), target_(resolved(path)), fd_(open(input)), buffer_(fd_, path.string()), stream_(&buffer_) {
  stream_.exceptions(std::ios::badbit);  // lets the buffer's own exceptions through
}

int OutputFile::open(const std::filesystem::path& input) {
  std::error_code error;
  std::string reason = kept(path_);
  if (!input.empty() && std::filesystem::is_regular_file(target_, error) &&
      std::filesystem::equivalent(target_, input, error))
    reason = "the result was read from it; give another name";
  if (!reason.empty()) throw OutputError(fmt::format("cannot write {}: {}", path_.string(), reason));
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    const int fd = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) fail(errno);
    return fd;
  }
  const std::filesystem::path name = temporary(path_, ::gettid());
  ::unlink(name.c_str());  // of a thread that had the same number
  const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) fail(errno);
  temporary_ = name;
  if (exists) (void)!::fchmod(fd, status.st_mode & 07777);  // where it may
  return fd;
}

void OutputFile::fail(int error) const {
  const char* advice = error == ENOENT ? "; make its folder first" : error == EISDIR ? "; give the name of a file" : "";
  throw OutputError(fmt::format("cannot write {}: {}{}", path_.string(), std::strerror(error), advice));
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::commit() {
  stream_.flush();
  if (::close(std::exchange(fd_, -1)) != 0) fail(errno);  // some file systems tell only here that they are full
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

}  // namespace waitstate::report
