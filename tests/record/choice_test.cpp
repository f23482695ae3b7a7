// Which recorder goes with a program: by programs and launchers made by hand, whose loader says what they need.
#include "record/launch/choice.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

/// A folder with programs, in which no launcher has started this process.
struct ProgramFolder : support::TemporaryFolder {
  std::string executable(const std::string& name, const std::string& content = "#!/bin/sh\n") const {
    std::string path = file(name, content);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  /// A program of this machine, which the file `loader` would load, and which says that it needs these libraries.
  std::string program(const std::string& name, const std::vector<std::string>& libraries) const {
    std::string listing = "#!/bin/sh\n[ \"$1\" = --list ] || exit 1\n";
    for (const std::string& library : libraries)
      listing += "echo '\t" + library + " => /usr/lib/" + library + " (0x1234)'\n";
    const std::string loader = executable(name + ".loader", listing);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    Elf64_Phdr parts[2] = {};
    parts[0].p_type = PT_LOAD;
    parts[0].p_filesz = sizeof header;
    parts[1].p_type = PT_INTERP;
    parts[1].p_offset = sizeof header + sizeof parts;
    parts[1].p_filesz = loader.size() + 1;
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char*>(parts), sizeof parts);
    bytes.append(loader.c_str(), loader.size() + 1);
    return executable(name, bytes);
  }

  Variable openmpi{"OMPI_COMM_WORLD_RANK", nullptr}, mpich{"PMI_RANK", nullptr}, pmix{"PMIX_RANK", nullptr},
      slurm{"SLURM_PROCID", nullptr};
};

std::string chosen(const std::vector<std::string>& command) {
  const Choice choice = choose(command);
  return std::string(choice.launched ? "launched " : "") + (choice.decided ? name(choice.library) : "undecided");
}

TEST(NeededLibraries, AreWhatTheLoaderOfAProgramLists) {
  const ProgramFolder folder;
  EXPECT_EQ(needed_libraries(folder.program("app", {"libmpi.so.40", "libc.so.6"})),
            (std::vector<std::string>{"libmpi.so.40", "libc.so.6"}));
}

TEST(NeededLibraries, AreNoneOfAScriptOrOfABrokenProgram) {
  const ProgramFolder folder;
  EXPECT_TRUE(needed_libraries(folder.executable("script")).empty());
  EXPECT_TRUE(needed_libraries("/does/not/exist").empty());
  const std::string program = folder.program("app", {"libmpi.so.40"});
  const std::string bytes = support::TemporaryFolder::read(program);
  for (const std::size_t length : {std::size_t{10}, sizeof(Elf64_Ehdr), bytes.size() - 5})
    EXPECT_TRUE(needed_libraries(folder.executable("cut", bytes.substr(0, length))).empty()) << length;
  fs::remove(program + ".loader");
  EXPECT_TRUE(needed_libraries(program).empty()) << "its loader is missing";
}

TEST(Choose, AProgramTellsByTheLibrariesThatItNeeds) {
  const ProgramFolder folder;
  const auto with = [&](const std::string& library) {
    return chosen({folder.program("app", {"libm.so.6", library, "libc.so.6"})});
  };
  EXPECT_EQ(with("libmpi.so.40"), "openmpi");
  EXPECT_EQ(with("libmpi_mpifh.so.40"), "openmpi");
  EXPECT_EQ(with("libmpich.so.12"), "mpich");
  EXPECT_EQ(with("libmpichfort.so.12"), "mpich");
  EXPECT_EQ(with("liboshmem.so.40"), "shmem");
  EXPECT_EQ(with("libgomp.so.1"), "threads");
  EXPECT_EQ(chosen({folder.program("both", {"libmpi.so.40", "liboshmem.so.40"})}), "shmem")
      << "a program of OpenSHMEM needs the library of MPI too";
}

TEST(Choose, TheProgramBehindALauncherTells) {
  const ProgramFolder folder;
  const std::string launcher = folder.executable("mpirun");
  const std::string app = folder.program("app", {"libmpich.so.12"});
  EXPECT_EQ(chosen({launcher, "-n", "4", app, "input"}), "launched mpich");
  const Choice choice = choose({launcher, "-n", "4", app});
  EXPECT_EQ(choice.program, app);
  EXPECT_EQ(choose({launcher, "-n", "4", "/does/not/exist"}).program, "");
}

TEST(Choose, ALauncherTellsByWhatItIsIfTheProgramDoesNot) {
  const ProgramFolder folder;
  const std::string script = folder.executable("script");
  const auto behind = [&](const std::string& name, const std::string& real) {
    fs::remove(folder / name);
    folder.executable(real);
    if (name != real) fs::create_symlink(folder / real, folder / name);
    return chosen({(folder / name).string(), script});
  };
  EXPECT_EQ(behind("mpirun", "orterun"), "launched openmpi");
  EXPECT_EQ(behind("oshrun", "orterun"), "launched shmem");
  EXPECT_EQ(behind("mpiexec", "prte"), "launched openmpi");
  EXPECT_EQ(behind("mpiexec", "mpiexec.hydra"), "launched mpich");
  EXPECT_EQ(behind("srun", "srun"), "launched undecided") << "it starts programs of any library";
}

TEST(Choose, TheEnvironmentTellsOfAProcessThatHasBeenLaunched) {
  const ProgramFolder folder;
  const std::string script = folder.executable("script");
  EXPECT_EQ(chosen({script}), "threads");
  EXPECT_FALSE(is_launched());
  {
    const Variable rank("OMPI_COMM_WORLD_RANK", "0");
    EXPECT_EQ(chosen({script}), "openmpi");
    EXPECT_EQ(chosen({folder.program("app", {"libmpich.so.12"})}), "mpich") << "what the program needs counts more";
    EXPECT_TRUE(is_launched());
  }
  const Variable rank("PMI_RANK", "0");
  EXPECT_EQ(chosen({script}), "mpich");
  EXPECT_TRUE(is_launched());
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

TEST(Library, HasANameAndAPackage) {
  EXPECT_STREQ(name(Library::shmem), "shmem");
  EXPECT_STREQ(debian_package(Library::mpich), "libmpich-dev");
  EXPECT_STREQ(debian_package(Library::openmpi), "libopenmpi-dev");
  EXPECT_STREQ(debian_package(Library::shmem), "libopenmpi-dev");
  EXPECT_STREQ(debian_package(Library::threads), "");
}

}  // namespace
}  // namespace waitstate::record
