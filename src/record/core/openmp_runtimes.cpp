#include "record/core/openmp_runtimes.hpp"

#include <link.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace waitstate::record {

std::atomic<bool> openmp_tells{false};

bool is_openmp_silent() {
  const auto is_of_gcc = [](dl_phdr_info* object, std::size_t, void*) {
    const std::string_view path = object->dlpi_name;
    return path.substr(path.rfind('/') + 1).starts_with("libgomp.") ? 1 : 0;
  };
  return !openmp_tells && dl_iterate_phdr(is_of_gcc, nullptr) != 0 && !libomp_file().empty();
}

std::string libomp_file() {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> folders = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"};
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib", error))
    if (entry.path().filename().string().starts_with("llvm-")) folders.push_back(entry.path() / "lib");
  for (const fs::path& folder : folders)
    for (const char* const file : {"libomp.so.5", "libomp.so"})
      if (fs::exists(folder / file, error)) return (folder / file).string();
  return {};
}

}  // namespace waitstate::record
