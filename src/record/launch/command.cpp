#include "record/launch/command.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "record/launch/reasons.hpp"

namespace waitstate::record {

namespace {

namespace fs = std::filesystem;

bool is_executable(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_executable(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_executable(name) ? name : std::string();
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path; !rest.empty();) {
    const std::string folder(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (is_executable(file)) return file;
  }
  return {};
}

std::string mpi_of_launcher(const std::string& path) {
  std::error_code error;
  const std::string real = fs::canonical(path, error).filename().string();
  if (real == "orterun" || real == "prterun" || real == "prte") return "openmpi";
  return real == "mpiexec.hydra" ? "mpich" : "";
}

bool is_one_of_many() {
  if (rank_variable([](const char* name) { return std::getenv(name); }) == nullptr) return false;
  for (const char* const size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"})
    if (const char* const value = std::getenv(size); value != nullptr && std::strcmp(value, "1") == 0) return false;
  return true;
}

bool is_linked_statically(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof part));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part) || part.p_type == PT_INTERP) return false;
  }
  return true;
}

std::string debian_package(const std::string& recorder) {
  return recorder == "threads" ? "" : recorder == "mpich" ? "libmpich-dev" : "libopenmpi-dev";
}

}  // namespace waitstate::record
