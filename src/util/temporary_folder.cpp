#include "util/temporary_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace waitstate::util {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "waitstate-", link_names = "traces";
constexpr std::size_t random_letters = 6;  // at the end of the name, as mkdtemp() makes them

bool is_letter_of_mkdtemp(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The process that created `folder`, by a name of exactly our form: waitstate-NUMBER-XXXXXX; else 0.
pid_t maker_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(beginning)) return 0;
  pid_t maker = 0;
  const char* const end = name.data() + name.size();
  const char* const first = name.data() + beginning.size();
  const auto [last, error] = std::from_chars(first, end, maker);
  const bool right = error == std::errc{} && maker > 0 && *first != '0' &&
                     static_cast<std::size_t>(end - last) == random_letters + 1 && *last == '-' &&
                     std::all_of(last + 1, end, is_letter_of_mkdtemp);
  return right ? maker : 0;
}

/// A folder of this user that is open, so that nobody can put another one in its place; -1 if it is none.
int open_own_folder(const fs::path& path, struct stat& status) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  if (::fstat(fd, &status) == 0 && status.st_uid == ::geteuid()) return fd;
  ::close(fd);
  return -1;
}

/// Removes the links in a folder and then the folder. Where there is anything but links of our names, everything stays.
void remove_links_and_folder(const fs::path& folder, int fd) noexcept try {
  std::vector<std::string> links;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    links.push_back(entry.path().filename().string());
    struct stat status {};
    if (!links.back().starts_with(link_names) ||
        ::fstatat(fd, links.back().c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(status.st_mode) ||
        status.st_uid != ::geteuid())
      return;
  }
  for (const std::string& link : links) ::unlinkat(fd, link.c_str(), 0);
  ::rmdir(folder.c_str());
} catch (const std::exception&) {  // the folder stays
}

/// Removes folders of dead processes whose parents could not remove them either. A folder is locked as long as it is
/// needed, which also protects those of processes whose numbers cannot be seen from here.
void remove_abandoned(const fs::path& parent) noexcept try {
  constexpr std::time_t seconds = 60;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent)) {
    const pid_t maker = maker_of(entry.path());
    if (maker == 0 || ::kill(maker, 0) == 0 || errno != ESRCH) continue;
    struct stat status {};
    const int fd = open_own_folder(entry.path(), status);
    if (fd < 0) continue;
    if (std::time(nullptr) - status.st_mtime > seconds && ::flock(fd, LOCK_EX | LOCK_NB) == 0)
      remove_links_and_folder(entry.path(), fd);
    ::close(fd);
  }
} catch (const fs::filesystem_error&) {
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const fs::path parent = fs::temp_directory_path();
  remove_abandoned(parent);
  std::string folder = (parent / (std::string(beginning) + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (!::mkdtemp(folder.data())) throw fs::filesystem_error("mkdtemp", {errno, std::generic_category()});
  path_ = folder;
  fd_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd_ >= 0) (void)::flock(fd_, LOCK_SH | LOCK_NB);
}

TemporaryFolder::~TemporaryFolder() {
  remove_links_and_folder(path_, fd_);
  if (fd_ >= 0) ::close(fd_);
}

void TemporaryFolder::link(std::string_view rest, const fs::path& target) {
  fs::create_symlink(target, path_ / (std::string(link_names) + std::string(rest)));
}

void remove_temporary_folders(pid_t maker) noexcept try {
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::temp_directory_path())) {
    struct stat status {};
    const int fd = maker_of(entry.path()) == maker ? open_own_folder(entry.path(), status) : -1;
    if (fd < 0) continue;
    remove_links_and_folder(entry.path(), fd);
    ::close(fd);
  }
} catch (const fs::filesystem_error&) {  // an unreadable temporary folder, about which nothing can be done
}

}  // namespace waitstate::util
