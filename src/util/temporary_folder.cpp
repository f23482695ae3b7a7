#include "util/temporary_folder.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace waitstate::util {
namespace {

namespace fs = std::filesystem;

std::string beginning(pid_t maker) { return "waitstate-" + std::to_string(maker) + "-"; }

}  // namespace

fs::path make_temporary_folder() {
  std::string folder = (fs::temp_directory_path() / (beginning(::getpid()) + "XXXXXX")).string();
  if (!::mkdtemp(folder.data())) throw fs::filesystem_error("mkdtemp", {errno, std::generic_category()});
  return folder;
}

void remove_temporary_folders(pid_t maker) noexcept try {
  const std::string name = beginning(maker);
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::temp_directory_path())) {
    if (!entry.path().filename().string().starts_with(name)) continue;
    struct stat status {};
    if (::lstat(entry.path().c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid())
      continue;
    std::error_code ignored;
    fs::remove_all(entry.path(), ignored);
  }
} catch (const fs::filesystem_error&) {  // an unreadable temporary folder: nothing that could be done about it
}

}  // namespace waitstate::util
