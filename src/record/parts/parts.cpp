#include "record/parts/parts.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "record/parts/pending_operation.hpp"

namespace waitstate::record {
namespace {

namespace fs = std::filesystem;

bool is_number(std::string_view text) {
  return !text.empty() && (text == "0" || text.front() != '0') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
bool is_numbered(std::string_view name, std::string_view ending) {
  return name.ends_with(ending) && is_number(name.substr(0, name.size() - ending.size()));
}

/// The folders that the recorder makes: parts, RANK or archive in it, and traces in these.
enum class Level { parts, archive, traces };

bool is_own_folder(Level level, std::string_view name) {
  return level == Level::parts ? name == "archive" || is_number(name) : level == Level::archive && name == "traces";
}
bool is_own_file(Level level, std::string_view name) {
  if (level == Level::archive)
    return name == "traces.def" || name == "traces.otf2" || name == pending_file || is_numbered(name, ".tail");
  if (level == Level::parts && name == job_file) return true;
  return is_numbered(name, ".def") || (level == Level::traces && is_numbered(name, ".evt"));
}

/// By descriptors, so that a link which somebody puts there meanwhile is not followed.
void remove_own(int parent, const std::string& name, Level level) {
  const int fd = ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  DIR* const entries = ::fdopendir(fd);
  if (entries == nullptr) {
    ::close(fd);
    return;
  }
  std::vector<std::string> names;
  while (const dirent* const entry = ::readdir(entries)) names.emplace_back(entry->d_name);
  for (const std::string& inside : names) {
    struct stat about {};
    if (::fstatat(fd, inside.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(about.st_mode) && is_own_file(level, inside)) ::unlinkat(fd, inside.c_str(), 0);
    if (S_ISDIR(about.st_mode) && is_own_folder(level, inside))
      remove_own(fd, inside, level == Level::parts ? Level::archive : Level::traces);
  }
  ::closedir(entries);
  ::unlinkat(parent, name.c_str(), AT_REMOVEDIR);  // fails where somebody else's file is left
}

void remove_below(const std::string& folder, const std::string& name, Level level) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  remove_own(fd, name, level);
  ::close(fd);
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

std::string default_folder(const std::string& program, std::time_t begin) {
  std::tm local{};
  ::localtime_r(&begin, &local);
  char when[32] = "";
  std::strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
  return program + "." + when + ".trace";
}

// A lock of the process, not of the open file: a child that the program forks has the file, but not the lock.
void lock_lines(int file) {
  struct flock lock = whole_file(F_WRLCK);
  (void)::fcntl(file, F_SETLK, &lock);
}

std::optional<long> writer_of(const fs::path& lines) {
  const int fd = ::open(lines.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  struct flock lock = whole_file(F_WRLCK);
  const bool locked = ::fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(fd);
  if (!locked) return std::nullopt;
  return std::max<long>(0, lock.l_pid);
}

RunLock::RunLock(const std::string& folder) : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  taken_ = fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

RunLock::~RunLock() {
  if (fd_ >= 0) ::close(fd_);
}

bool is_anchor_of_recorder(const fs::path& anchor) {
  constexpr std::string_view creator = "waitstate record";
  const int fd = ::open(anchor.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  char begin[4096];
  const ssize_t size = ::read(fd, begin, sizeof begin);
  ::close(fd);
  return size > 0 && std::string_view(begin, static_cast<std::size_t>(size)).find(creator) != std::string_view::npos;
}

void remove_parts(const std::string& folder) { remove_below(folder, "parts", Level::parts); }
void remove_prepared(const std::string& folder) { remove_below(folder + "/parts", "archive", Level::archive); }

}  // namespace waitstate::record
