// Commands before they run, with programs and launchers made by hand; and the reasons that processes leave.
#include "record/launch/command.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "record/launch/reasons.hpp"
#include "record/parts/parts.hpp"
#include "support/temporary_folder.hpp"

namespace waitstate::record {
namespace {

namespace fs = std::filesystem;

/// Sets a variable of the environment, or takes it away, as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }
  const char* name_;
  std::optional<std::string> before_;
};

struct ProgramFolder : support::TemporaryFolder {
  std::string executable(const std::string& name, const std::string& content = "#!/bin/sh\n") const {
    std::string path = file(name, content);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  /// A program of this machine, with a loader or without.
  std::string program(const std::string& name, bool with_loader) const {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    Elf64_Phdr parts[2] = {};
    parts[0].p_type = PT_LOAD;
    parts[1].p_type = with_loader ? PT_INTERP : PT_NOTE;
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char*>(parts), sizeof parts);
    return executable(name, bytes);
  }
};

TEST(LauncherOfMpi, IsKnownByItsFile) {
  const ProgramFolder folder;
  const auto behind = [&](const std::string& name, const std::string& real) {
    fs::remove(folder / name);
    folder.executable(real);
    if (name != real) fs::create_symlink(folder / real, folder / name);
    return mpi_of_launcher((folder / name).string());
  };
  EXPECT_EQ(behind("mpirun", "orterun"), "openmpi");
  EXPECT_EQ(behind("mpiexec", "prte"), "openmpi");
  EXPECT_EQ(behind("mpiexec", "mpiexec.hydra"), "mpich");
  EXPECT_EQ(behind("srun", "srun"), "") << "it starts programs of any library";
  EXPECT_EQ(mpi_of_launcher("/does/not/exist"), "");
}

TEST(OneOfMany, IsAProcessWithARankOfSeveral) {
  const Variable openmpi("OMPI_COMM_WORLD_RANK", nullptr), size("OMPI_COMM_WORLD_SIZE", nullptr),
      mpich("PMI_RANK", nullptr), pmix("PMIX_RANK", nullptr), step("SLURM_STEP_NUM_TASKS", nullptr),
      slurm("SLURM_PROCID", "0");
  EXPECT_FALSE(is_one_of_many()) << "a batch script has a number, and is no task of a step";
  {
    const Variable tasks("SLURM_STEP_NUM_TASKS", "4");
    EXPECT_TRUE(is_one_of_many());
  }
  {
    const Variable tasks("SLURM_STEP_NUM_TASKS", "1");
    EXPECT_FALSE(is_one_of_many()) << "a shell in which programs are started";
  }
  const Variable rank("OMPI_COMM_WORLD_RANK", "0");
  EXPECT_TRUE(is_one_of_many());
  const Variable one("OMPI_COMM_WORLD_SIZE", "1");
  EXPECT_FALSE(is_one_of_many());
}

TEST(LinkedStatically, IsAProgramWithoutALoader) {
  const ProgramFolder folder;
  EXPECT_TRUE(is_linked_statically(folder.program("static", false)));
  const std::string program = folder.program("dynamic", true);
  EXPECT_FALSE(is_linked_statically(program));
  EXPECT_FALSE(is_linked_statically(folder.executable("script")));
  EXPECT_FALSE(is_linked_statically("/does/not/exist"));
  const std::string bytes = support::TemporaryFolder::read(program);
  for (const std::size_t length : {std::size_t{10}, sizeof(Elf64_Ehdr), bytes.size() - 5})
    EXPECT_FALSE(is_linked_statically(folder.executable("cut", bytes.substr(0, length)))) << length;
}

TEST(FindExecutable, LooksIntoTheFoldersOfThePathInTheirOrder) {
  const ProgramFolder first, second;
  const std::string path = first.path().string() + ":" + second.path().string();
  const Variable folders("PATH", path.c_str());
  const std::string only = second.executable("only_second");
  EXPECT_EQ(find_executable("only_second"), only);
  second.executable("both");
  const std::string both = first.executable("both");
  EXPECT_EQ(find_executable("both"), both);
  first.file("only_second", "not executable");
  EXPECT_EQ(find_executable("only_second"), only);
  fs::create_directory(first / "folder");
  EXPECT_EQ(find_executable("folder"), "");
  EXPECT_EQ(find_executable("nowhere"), "");
}

TEST(FindExecutable, ANameWithASlashIsAPath) {
  const ProgramFolder folder;
  const std::string program = folder.executable("program");
  EXPECT_EQ(find_executable(program), program);
  EXPECT_EQ(find_executable((folder / "missing").string()), "");
}

TEST(DebianPackage, BelongsToARecorder) {
  EXPECT_EQ(debian_package("mpich"), "libmpich-dev");
  EXPECT_EQ(debian_package("openmpi"), "libopenmpi-dev");
  EXPECT_EQ(debian_package("shmem"), "libopenmpi-dev");
  EXPECT_EQ(debian_package("threads"), "");
}

TEST(Reasons, AreLeftInTheFolderOfARunByTheFirstRank) {
  const support::TemporaryFolder folder;
  std::map<std::string, std::string> variables = {{"WAITSTATE_RECORD_FOLDER", folder.path().string()},
                                                  {"WAITSTATE_RECORD_FOLDER_IS_MADE", "1"}};
  const auto get = [&](const char* name) {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  };
  tell_reason(get, Reason::not_initialized, "first");
  variables["PMI_RANK"] = "1";
  tell_reason(get, Reason::not_recordable, "of another rank");
  variables["PMI_RANK"] = "0";
  tell_reason(get, Reason::not_recordable, "second");
  EXPECT_EQ(support::TemporaryFolder::read(folder.path().string() + reasons_file), "0 first\n1 second\n");
}

TEST(DefaultFolder, IsNamedAfterTheProgramAndTheTime) {
  const Variable zone("TZ", "UTC");
  ::tzset();
  EXPECT_EQ(default_folder("app", 1764288000), "app.20251128-000000.trace");
}

}  // namespace
}  // namespace waitstate::record
