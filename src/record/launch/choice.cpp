#include "record/launch/choice.hpp"

#include <elf.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace waitstate::record {

namespace {

namespace fs = std::filesystem;

bool is_executable(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && access(path.c_str(), X_OK) == 0;
}

// The loader that a program asks for; empty if it is none for this machine, or needs no loader.
std::string loader_of(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return {};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof part));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return {};
    if (part.p_type != PT_INTERP || part.p_filesz == 0 || part.p_filesz > 4096) continue;
    std::string name(part.p_filesz - 1, '\0');
    file.seekg(static_cast<std::streamoff>(part.p_offset));
    return file.read(name.data(), static_cast<std::streamsize>(name.size())) ? name : std::string();
  }
  return {};
}

std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> some{};
  if (failed == 0)
    for (ssize_t n = 0; (n = read(ends[0], some.data(), some.size())) > 0;)
      text.append(some.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  if (failed == 0) waitpid(child, nullptr, 0);
  return text;
}

bool any_begins(const std::vector<std::string>& names, std::string_view with) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return n.starts_with(with); });
}

// By the libraries of a program; false if they do not tell.
bool by_libraries(const std::string& program, Choice& choice) {
  const std::vector<std::string> needed = needed_libraries(program);
  choice.decided = true;
  if (any_begins(needed, "liboshmem.so"))
    choice.library = Library::shmem;
  else if (any_begins(needed, "libmpich.so") || any_begins(needed, "libmpichfort.so"))
    choice.library = Library::mpich;
  else if (any_begins(needed, "libmpi.so.40") || any_begins(needed, "libmpi_mpifh.so"))
    choice.library = Library::openmpi;
  else
    choice.decided = false;
  return choice.decided;
}

bool is_launcher(const std::string& name) {
  static constexpr const char* known[] = {"mpirun",          "mpiexec",      "orterun",      "oshrun",
                                          "prterun",         "prun",         "shmemrun",     "srun",
                                          "mpiexec.hydra",   "aprun",        "jsrun",        "mpirun.openmpi",
                                          "mpiexec.openmpi", "mpirun.mpich", "mpiexec.mpich"};
  return std::any_of(std::begin(known), std::end(known), [&](const char* k) { return name == k; });
}

bool by_launcher(const std::string& path, Choice& choice) {
  std::error_code error;
  const std::string real = fs::canonical(path, error).filename().string();
  choice.decided = true;
  if (real == "orterun" || real == "prterun" || real == "prte")
    choice.library = fs::path(path).filename() == "oshrun" ? Library::shmem : Library::openmpi;
  else if (real == "mpiexec.hydra")
    choice.library = Library::mpich;
  else
    choice.decided = false;
  return choice.decided;
}

bool by_environment(Choice& choice) {
  choice.decided = true;
  if (std::getenv("OMPI_COMM_WORLD_RANK") != nullptr)
    choice.library = Library::openmpi;
  else if (std::getenv("PMI_RANK") != nullptr)
    choice.library = Library::mpich;
  else
    choice.decided = false;
  return choice.decided;
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

std::vector<std::string> needed_libraries(const std::string& program) {
  std::vector<std::string> names;
  const std::string loader = loader_of(program);
  if (loader.empty()) return names;
  // "libmpi.so.40 => /lib/libmpi.so.40 (0x...)" a line
  std::string listed = output_of({loader, "--list", program.find('/') == std::string::npos ? "./" + program : program});
  for (std::string_view rest = listed; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    while (!line.empty() && (line.front() == '\t' || line.front() == ' ')) line.remove_prefix(1);
    const std::string_view word = line.substr(0, line.find(' '));
    names.emplace_back(word.substr(word.rfind('/') == std::string_view::npos ? 0 : word.rfind('/') + 1));
  }
  return names;
}

bool is_launched() {
  return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr ||
         std::getenv("PMIX_RANK") != nullptr || std::getenv("SLURM_PROCID") != nullptr;
}

Choice choose(const std::vector<std::string>& command) {
  Choice choice;
  const std::string first = find_executable(command.front());
  choice.launched = is_launcher(fs::path(command.front()).filename().string());
  if (!choice.launched) {
    choice.program = first;
    if (by_libraries(first, choice) || by_environment(choice)) return choice;
    choice.decided = true;  // threads
    return choice;
  }
  // The program is the first word behind the launcher's options that can be executed: their values are numbers and
  // names.
  for (std::size_t i = 1; i < command.size() && choice.program.empty(); ++i)
    if (command[i].front() != '-') choice.program = find_executable(command[i]);
  if (choice.program.empty() || !by_libraries(choice.program, choice)) by_launcher(first, choice);
  return choice;
}

const char* name(Library library) {
  switch (library) {
    case Library::openmpi:
      return "openmpi";
    case Library::mpich:
      return "mpich";
    case Library::shmem:
      return "shmem";
    case Library::threads:
      return "threads";
  }
  return "";
}

const char* debian_package(Library library) {
  return library == Library::mpich ? "libmpich-dev" : library == Library::threads ? "" : "libopenmpi-dev";
}

}  // namespace waitstate::record
