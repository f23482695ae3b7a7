#include "util/temporary_folder.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>

namespace waitstate::util {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view beginning = "waitstate-";

bool is_own_folder(const fs::path& path, struct stat& status) {
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

/// The process that created `folder`; 0 if it is not a folder of ours.
pid_t maker_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(beginning)) return 0;
  pid_t maker = 0;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data() + beginning.size(), end, maker);
  return error == std::errc{} && last != end && *last == '-' ? maker : 0;
}

/// Removes folders of dead processes whose parents could not remove them either. A folder is needed only while
/// definitions are read, so an old one belongs to nobody.
void remove_abandoned(const fs::path& parent) noexcept try {
  constexpr std::time_t seconds = 60;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent)) {
    const pid_t maker = maker_of(entry.path());
    struct stat status {};
    if (maker <= 0 || ::kill(maker, 0) == 0 || errno != ESRCH || !is_own_folder(entry.path(), status)) continue;
    std::error_code ignored;
    if (std::time(nullptr) - status.st_mtime > seconds) fs::remove_all(entry.path(), ignored);
  }
} catch (const fs::filesystem_error&) {
}

}  // namespace

fs::path make_temporary_folder() {
  const fs::path parent = fs::temp_directory_path();
  remove_abandoned(parent);
  std::string folder = (parent / (std::string(beginning) + std::to_string(::getpid()) + "-XXXXXX")).string();
  if (!::mkdtemp(folder.data())) throw fs::filesystem_error("mkdtemp", {errno, std::generic_category()});
  return folder;
}

void remove_temporary_folders(pid_t maker) noexcept try {
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::temp_directory_path())) {
    struct stat status {};
    if (maker_of(entry.path()) != maker || !is_own_folder(entry.path(), status)) continue;
    std::error_code ignored;
    fs::remove_all(entry.path(), ignored);
  }
} catch (const fs::filesystem_error&) {  // an unreadable temporary folder, about which nothing can be done
}

}  // namespace waitstate::util
