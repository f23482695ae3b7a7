#include "cli/recorder_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "waitstate/error.hpp"

#ifndef WAITSTATE_RECORD_FOLDER
#define WAITSTATE_RECORD_FOLDER "lib/waitstate"
#endif

namespace waitstate::cli {

namespace fs = std::filesystem;

namespace {

// Refuses a library that others may write: it would be loaded into every process that the program starts.
void refuse_unsafe(const fs::path& file) {
  for (const fs::path& part : {file, file.parent_path()}) {
    struct stat about {};
    if (stat(part.c_str(), &about) != 0) throw UsageError(fmt::format("cannot read {}", part.string()));
    if ((about.st_mode & S_IWOTH) != 0 || (about.st_uid != 0 && about.st_uid != geteuid()))
      throw UsageError(
          fmt::format("{} belongs to another user or is writable by others, so it is not loaded into programs: install "
                      "waitstate in a folder of your own",
                      part.string()));
  }
}

}  // namespace

std::string recorder_file(std::string_view name) {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {own / "lib" / "waitstate", own.parent_path() / WAITSTATE_RECORD_FOLDER})
    if (fs::exists(folder / name, error)) {
      const fs::path found = fs::canonical(folder / name, error);
      refuse_unsafe(found);
      return found.string();
    }
  return "";
}

}  // namespace waitstate::cli
