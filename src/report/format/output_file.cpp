#include "report/format/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string_view>
#include <system_error>
#include <thread>
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

constexpr std::string_view temporary_mark = ".waitstate-", temporary_suffix = ".tmp";

/// Begin of the names of the files in which `target` is prepared: its own name, if that leaves room for what follows;
/// else what there is room for, and a hash of the whole.
std::string temporary_begin(const std::filesystem::path& target) {
  constexpr std::size_t usual_limit = 255, number = 10, hash_size = 17;  // the hash with a dot
  constexpr std::size_t end = temporary_mark.size() + number + temporary_suffix.size();
  std::string name = target.filename().string();
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const long known = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  const std::size_t limit = known > 0 ? static_cast<std::size_t>(known) : usual_limit;
  if (name.size() + end <= limit) return name;
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3u;
  const std::size_t taken = end + hash_size;
  std::size_t kept = std::min(name.size(), limit > taken ? limit - taken : 0);
  while (kept > 0 && kept < name.size() && (static_cast<std::uint8_t>(name[kept]) & 0xc0u) == 0x80) --kept;
  return fmt::format("{}.{:016x}", name.substr(0, kept), hash);
}

enum class Kind { file, folder };

/// A file or folder of ours on which nobody holds a lock; every process that writes one does.
bool is_unlocked(const std::filesystem::path& path, Kind kind, struct stat& status) {
  const bool is_file = kind == Kind::file;
  const int fd =
      ::open(path.c_str(), (is_file ? O_RDWR : O_RDONLY | O_DIRECTORY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  const bool ours = ::fstat(fd, &status) == 0 && (is_file ? S_ISREG(status.st_mode) : S_ISDIR(status.st_mode)) &&
                    status.st_uid == ::geteuid();
  const bool unlocked = ours && ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  ::close(fd);
  return unlocked;
}

/// Nobody writes it any more. The writer's number and the age are for the moments in which it has no lock.
bool is_abandoned(const std::filesystem::path& path, Kind kind, pid_t writer) {
  constexpr std::time_t seconds = 60;
  struct stat status {};
  return is_unlocked(path, kind, status) &&
         ((::kill(writer, 0) != 0 && errno == ESRCH) || std::time(nullptr) - status.st_mtime > seconds);
}

/// Removes what killed processes have left of their attempts to write `target`.
void remove_abandoned(const std::filesystem::path& target, Kind kind) {
  const std::string begin = temporary_begin(target) + std::string(temporary_mark);
  std::error_code error;
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(temporary_suffix)) continue;
    const char* const last = name.data() + name.size() - temporary_suffix.size();
    pid_t writer = 0;
    const auto [read, wrong] = std::from_chars(name.data() + begin.size(), last, writer);
    if (wrong == std::errc{} && read == last && writer > 0 && name[begin.size()] != '0' &&
        is_abandoned(entry->path(), kind, writer)) {
      std::error_code ignored;
      std::filesystem::remove_all(entry->path(), ignored);
    }
  }
}

constexpr std::string_view archive_endings[] = {".otf2", ".def", ".evt", ".snap", ".marker", ".thumb"};

bool is_of_archive(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  return std::find(std::begin(archive_endings), std::end(archive_endings), ending) != std::end(archive_endings);
}

/// True if there are files of an archive in the folder of `file`.
bool is_beside_archive(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (is_of_archive(entry->path()) && entry->is_regular_file(error)) return true;
  return false;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder)
    : fd_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR) &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

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
  const std::filesystem::path target = resolved(path);
  return target.parent_path() /
         fmt::format("{}{}{}{}", temporary_begin(target), temporary_mark, writer, temporary_suffix);
}

void OutputFile::remove_abandoned_folders(const std::filesystem::path& path) {
  remove_abandoned(resolved(path), Kind::folder);
}

void OutputFile::remove_temporary(const char* file) noexcept {
  struct stat status {};
  if (::lstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid()) ::unlink(file);
}

std::string OutputFile::kept(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path target = resolved(path);
  const bool is_file = std::filesystem::is_regular_file(target, error);
  for (const std::filesystem::path& name : {path, target}) {
    if (!is_of_archive(name)) continue;
    const std::string ending = name.extension().string();
    if (is_file) return fmt::format("a {} file that exists belongs to a trace; give another name", ending);
    if (!std::filesystem::exists(target, error) && is_beside_archive(name))
      return fmt::format("a {} file in the folder of a trace would be taken for a part of it; give another name",
                         ending);
  }
  if (is_file && ::access(target.c_str(), W_OK) != 0) return std::strerror(errno);
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
  remove_abandoned(target_, Kind::file);
  const std::filesystem::path name = temporary(path_, ::gettid());
  if (struct stat left{}; is_unlocked(name, Kind::file, left))
    ::unlink(name.c_str());  // left by a thread with the same number
  const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) fail(errno);
  temporary_ = name;
  (void)::flock(fd, LOCK_EX | LOCK_NB);  // so that nobody takes it for abandoned
  // The permissions of our own old file are kept. Those of a file of somebody else, and bits by which a program runs as
  // its owner, are not ours to hand on.
  if (exists && status.st_uid == ::geteuid()) (void)!::fchmod(fd, status.st_mode & 0777);
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
