// The library that `waitstate record` puts into every process of a run. It knows no MPI. Before the first instruction
// of a program, and of its other libraries, it looks at what the loader has loaded; if that can be recorded, it
// preloads the right recorder and executes the program once more: the same file, arguments, process and
// descriptors. So neither the command nor the launcher is asked which MPI a program has. In the program that has been
// executed anew the environment is put back, so that programs which it starts itself are looked at like any other.
//
// A program without anything to record simply continues. An MPI that is loaded later, as by Python, is not there yet: a
// process of a launcher whose variables tell which MPI that will be gets its recorder, which does nothing without it.
//
// Linked with -z initfirst: constructors of other libraries have not opened or started anything yet. The C library is
// not initialized either, so the environment is what the loader was given, and memory is on the stack or mapped.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "record/launch/reasons.hpp"
#include "record/preload/loaded.hpp"

extern char** environ;

namespace waitstate::record::preload {
namespace {

constexpr const char* mark_name = "WAITSTATE_RECORD_STARTED";
constexpr std::size_t longest_path = 1024;

char** variables = nullptr;
char program[256] = "the program";
bool decided = true;  // a recorder is loaded, or the reason why not is noted, or there is nothing to decide

char** entry_of(const char* name) {
  const std::size_t length = std::strlen(name);
  for (char** at = variables; at != nullptr && *at != nullptr; ++at)
    if (std::strncmp(*at, name, length) == 0 && (*at)[length] == '=') return at;
  return nullptr;
}

const char* value_of(const char* name) {
  char** const entry = entry_of(name);
  return entry == nullptr ? nullptr : *entry + std::strlen(name) + 1;
}

void remove_variable(const char* name) {
  char** at = entry_of(name);
  for (; at != nullptr && *at != nullptr; ++at) *at = at[1];
}

bool is(const char* text, const char* value) { return text != nullptr && std::strcmp(text, value) == 0; }

__attribute__((format(printf, 2, 3))) void tell(Reason kind, const char* form, ...) {
  char text[longest_path + 512];
  std::va_list words;
  va_start(words, form);
  std::vsnprintf(text, sizeof text, form, words);
  va_end(words);
  tell_reason(value_of, kind, text);
  decided = true;
}

// --- the second time ------------------------------------------------------------------------------------------------

// The mark "PID LENGTH NAME": the process, how much stands before the former LD_PRELOAD, and the name of the process.
// True in the program that has been executed anew, which gets its environment and its name back.
bool is_started() {
  const char* const mark = value_of(mark_name);
  if (mark == nullptr) return false;
  char* rest = nullptr;
  const bool own = std::strtol(mark, &rest, 10) == getpid();
  if (own) {
    const std::size_t before = std::strtoul(rest, &rest, 10);
    if (*rest == ' ') prctl(PR_SET_NAME, rest + 1);
    if (char** const preload = entry_of("LD_PRELOAD"); preload != nullptr && before <= std::strlen(*preload)) {
      char* const value = *preload + std::strlen("LD_PRELOAD=");
      std::memmove(value, value + before, std::strlen(value + before) + 1);
    }
  }
  remove_variable(mark_name);
  return own;
}

// --- launchers ------------------------------------------------------------------------------------------------------

// The processes that a launcher starts are those with its number and its time; see run_folder.hpp.
void name_launcher() {
  static char value[96];
  char** const entry = entry_of(launcher_variable);
  if (entry == nullptr || (std::strncmp(program, "mpiexec", 7) != 0 && std::strncmp(program, "mpirun", 6) != 0)) return;
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  std::snprintf(value, sizeof value, "%s=%d.%lld.%ld", launcher_variable, static_cast<int>(getpid()),
                static_cast<long long>(time.tv_sec), time.tv_nsec);
  *entry = value;
}

// --- executing anew -------------------------------------------------------------------------------------------------

// Memory that is never freed: another program replaces this one.
char* memory(std::size_t size) {
  void* const place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<char*>(place);
}

// The arguments as the kernel has them: with the loader's own, where that was called by name. Null with errno.
char** arguments() {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  char* text = nullptr;
  std::size_t length = 0, room = std::size_t{1} << 16;
  ssize_t n = 0;
  do {
    char* const larger = memory(room *= 2);
    if (larger == nullptr) break;
    if (length != 0) std::memcpy(larger, text, length);
    text = larger;
    while (length < room && (n = read(file, text + length, room - length)) > 0) length += static_cast<std::size_t>(n);
  } while (n > 0);
  close(file);
  std::size_t count = 0;
  for (std::size_t i = 0; i < length; ++i) count += text[i] == '\0' ? 1 : 0;
  char** const all = reinterpret_cast<char**>(memory((count + 1) * sizeof(char*)));
  if (text == nullptr || all == nullptr || n < 0) return nullptr;
  count = 0;
  for (char* word = text; word < text + length; word += std::strlen(word) + 1) all[count++] = word;
  return all;
}

// The name by which the program was executed, if that still is its file: the process is called by it.
const char* file_of_program() {
  const auto* const name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  struct stat a {
  }, b{};
  const bool same = name != nullptr && stat(name, &a) == 0 && stat("/proc/self/exe", &b) == 0 && a.st_dev == b.st_dev &&
                    a.st_ino == b.st_ino;
  return same ? name : "/proc/self/exe";
}

// The environment with `library`, what goes with it, and the mark. `behind`: a further library, or null. Null with
// errno.
char** environment_with(const char* library, const char* behind) {
  const char *const also = value_of("WAITSTATE_RECORD_ALSO"), *const former = value_of("LD_PRELOAD");
  std::size_t count = 0;
  while (variables[count] != nullptr) ++count;
  const std::size_t size = std::strlen(library) + (behind == nullptr ? 0 : std::strlen(behind)) +
                           (also == nullptr ? 0 : std::strlen(also)) + (former == nullptr ? 0 : std::strlen(former)) +
                           256;
  char* text = memory(size);
  char** const all = reinterpret_cast<char**>(memory((count + 3) * sizeof(char*)));
  if (text == nullptr || all == nullptr) return nullptr;
  char name[17] = "";
  prctl(PR_GET_NAME, name);
  std::memcpy(all, variables, count * sizeof(char*));
  char** const entry = entry_of("LD_PRELOAD");
  all[entry == nullptr ? count++ : static_cast<std::size_t>(entry - variables)] = text;
  const bool more = also != nullptr && *also != '\0';
  const int preload = std::snprintf(text, size, "LD_PRELOAD=%s%s%s%s%s:", library, behind != nullptr ? ":" : "",
                                    behind != nullptr ? behind : "", more ? ":" : "", more ? also : "");
  const int in_front = preload - 11;
  text += preload + std::snprintf(text + preload, size, "%s", former == nullptr ? "" : former) + 1;
  all[count] = text;
  std::snprintf(text, 128, "%s=%d %d %s", mark_name, static_cast<int>(getpid()), in_front, name);
  return all;
}

void execute_with(const char* library, const char* behind = nullptr) {
  char** const words = arguments();
  if (words == nullptr)
    return tell(Reason::not_recordable, "%s cannot be executed anew with the recorder: /proc/self/cmdline: %s", program,
                std::strerror(errno));
  if (char** const environment = environment_with(library, behind)) execve(file_of_program(), words, environment);
  tell(Reason::not_recordable, "%s cannot be executed anew with the recorder: %s", program, std::strerror(errno));
}

// --- the choice -----------------------------------------------------------------------------------------------------

// Beside this library. False if this waitstate was built without it.
bool recorder_file(const char* name, char* file) {
  Dl_info own{};
  if (dladdr(reinterpret_cast<void*>(&recorder_file), &own) == 0) return false;
  const char* const slash = std::strrchr(own.dli_fname, '/');
  if (slash == nullptr) return false;
  std::snprintf(file, longest_path, "%.*s/libwaitstate-record-%s.so", static_cast<int>(slash - own.dli_fname),
                own.dli_fname, name);
  return access(file, R_OK) == 0;
}

bool is_recorded(const char* group) {
  const char* const groups = value_of("WAITSTATE_RECORD_GROUPS");
  return groups == nullptr || std::strstr(groups, group) != nullptr;
}

void record_with(const char* name, const char* package) {
  char file[longest_path];
  if (recorder_file(name, file)) return execute_with(file);
  tell(Reason::not_recordable,
       "%s uses an MPI whose recorder (%s) this waitstate was built without: install %s and "
       "build it again",
       program, name, package);
}

const char* openmpi_package = "libopenmpi-dev";
const char* mpich_package = "libmpich-dev";

void record_openmpi() { record_with(has_later_functions(Mpi::openmpi) ? "openmpi-later" : "openmpi", openmpi_package); }
void record_mpich() { record_with(has_later_functions(Mpi::mpich) ? "mpich-later" : "mpich", mpich_package); }

void record_mpi(const Loaded& l, const char* wanted) {
  if (l.is_emulated)
    return tell(Reason::not_recordable, "%s runs under valgrind, where it cannot be executed anew", program);
  const Mpi forced = is(wanted, "openmpi") ? Mpi::openmpi : is(wanted, "mpich") ? Mpi::mpich : Mpi::none;
  // A recorder for other handles would truncate these: no option overrides what is known for certain.
  if ((l.mpi == Mpi::openmpi || l.mpi == Mpi::mpich) && forced != Mpi::none && forced != l.mpi)
    return tell(Reason::not_recordable, "the MPI of %s is %s and not %s, which --mpi names", program,
                l.mpi == Mpi::openmpi ? "Open MPI" : "compatible with MPICH",
                forced == Mpi::openmpi ? "Open MPI" : "MPICH");
  if (forced == Mpi::none && l.has_shmem) return record_with("shmem", openmpi_package);
  switch (l.mpi == Mpi::unknown && forced != Mpi::none ? forced : l.mpi) {
    case Mpi::openmpi:
      return record_openmpi();
    case Mpi::mpich:
      return record_mpich();
    case Mpi::abi:
      return tell(
          Reason::not_recordable,
          "%s was built for the common ABI of MPI 5 (%s), for which there is no recorder yet: build it for Open "
          "MPI or MPICH",
          program, l.mpi_file);
    case Mpi::linked_statically:
      return tell(Reason::not_recordable, "%s has its MPI in itself: link it with the MPI's shared library", program);
    case Mpi::unknown:
      return tell(Reason::not_recordable, "%s uses an MPI that is neither Open MPI nor compatible with MPICH: %s",
                  program, l.mpi_file[0] == '\0' ? "its library is not known" : l.mpi_file);
    case Mpi::none:
      return;
  }
}

// An MPI may be loaded later, as by Python. A launcher's variables say which.
void await_mpi(const char* wanted) {
  // PMI_RANK alone is Slurm's as well, which starts programs of any MPI.
  const char* const name = wanted != nullptr                             ? wanted
                           : value_of("OMPI_COMM_WORLD_RANK") != nullptr ? "openmpi"
                           : value_of("MPI_LOCALRANKID") != nullptr      ? "mpich"
                                                                         : nullptr;
  char file[longest_path], lookup[longest_path];
  if (name != nullptr && recorder_file(name, file))
    execute_with(file, recorder_file("lookup", lookup) ? lookup : nullptr);
}

bool has_threads_to_record(const Loaded& l) {
  const char* const also = value_of("WAITSTATE_RECORD_ALSO");
  if (l.is_launcher) return false;
  if (is_recorded("openmp") &&
      (l.has_libomp || (l.has_libgomp && also != nullptr && std::strstr(also, "libomp") != nullptr)))
    return true;
  return (is_recorded("user") && l.has_regions) || (is_recorded("pthread") && l.makes_threads);
}

void choose() {
  const Loaded l = look();
  if (l.has_recorder) {
    decided = true;
    return;
  }
  const char* const mpi = value_of("WAITSTATE_RECORD_MPI");
  const bool without = is(mpi, "none");
  const char* const wanted = without ? nullptr : mpi;
  if (!without && (l.mpi != Mpi::none || l.has_shmem)) return record_mpi(l, wanted);
  if (!without && (wanted != nullptr || rank_variable(value_of) != nullptr)) return await_mpi(wanted);
  if (has_threads_to_record(l)) return record_with("threads", "");
  if (is_recorded("openmp") && l.has_libgomp)
    tell(Reason::not_initialized,
         "%s uses GCC's OpenMP runtime, which tells nothing: --openmp libomp runs it on LLVM's", program);
}

__attribute__((constructor)) void start(int, char** words, char** environment) {
  variables = environment;
  if (getauxval(AT_SECURE) != 0 || environment == nullptr) return;
  // `record` tries whether this library can be loaded; then it is not there for the process.
  const char* const preload = value_of("LD_PRELOAD");
  if (preload == nullptr || std::strstr(preload, "libwaitstate-record-launch.so") == nullptr) return;
  if (words != nullptr && words[0] != nullptr) {
    const char* const slash = std::strrchr(words[0], '/');
    std::snprintf(program, sizeof program, "%s", slash == nullptr ? words[0] : slash + 1);
  }
  if (is_started()) return;
  name_launcher();
  decided = false;
  choose();
}

// An MPI that came later, and that nobody awaited.
__attribute__((destructor)) void end() {
  char file[longest_path] = "";
  if (decided || variables == nullptr || !has_mpi_of_its_own(file, sizeof file)) return;
  variables = environ;
  tell(Reason::not_initialized,
       "%s loaded its MPI (%s) when it ran already: name it with --mpi openmpi or --mpi mpich, or start the program "
       "with "
       "the MPI's launcher",
       program, file);
}

}  // namespace
}  // namespace waitstate::record::preload
