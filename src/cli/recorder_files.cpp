#include "cli/recorder_files.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <system_error>

#include "util/own_files.hpp"
#include "waitstate/error.hpp"

#ifndef WAITSTATE_RECORD_FOLDER
#define WAITSTATE_RECORD_FOLDER "lib/waitstate"
#endif

namespace waitstate::cli {

namespace fs = std::filesystem;

std::string recorder_file(std::string_view name) {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {own / "lib" / "waitstate", own.parent_path() / WAITSTATE_RECORD_FOLDER})
    if (fs::exists(folder / name, error)) {
      const fs::path found = fs::canonical(folder / name, error);
      if (const fs::path part = util::part_of_others(found); !part.empty())
        throw UsageError(
            fmt::format("{} belongs to another user or is writable by others, so it is not loaded into programs: "
                        "install waitstate in a folder of your own",
                        part.string()));
      return found.string();
    }
  return "";
}

}  // namespace waitstate::cli
