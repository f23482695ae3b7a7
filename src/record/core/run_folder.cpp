#include "record/core/run_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "record/core/recorder.hpp"
#include "record/core/settings.hpp"
#include "record/launch/reasons.hpp"
#include "record/parts/parts.hpp"

namespace waitstate::record {
namespace {

namespace fs = std::filesystem;

std::string problem_with(const std::string& folder, int error) {
  return "cannot make the folder " + folder + ": " + std::strerror(error) +
         (error == EEXIST ? "; name another one with -o" : "");
}

// One program alone can make the parts of a folder.
std::string make_parts(const std::string& folder, bool exists) {
  const std::string parts = folder + "/parts";
  if ((exists || mkdir(folder.c_str(), 0777) == 0) && mkdir(parts.c_str(), 0777) == 0) return {};
  return problem_with(exists ? parts : folder, errno);
}

bool is_used(const std::string& folder) {
  return access((folder + "/parts").c_str(), F_OK) == 0 || access((folder + "/traces.otf2").c_str(), F_OK) == 0;
}

bool is_made_by_record(const std::string& folder) {
  return settings().folder_is_made && folder == settings().folder && access(folder.c_str(), F_OK) == 0;
}

// The processes that one launcher has started together; empty: it is not known.
std::string name_of_job() {
  const auto get = [](const char* name) { return std::getenv(name); };
  if (const char* const name = get("PMIX_NAMESPACE")) return name;
  const char *const job = get("SLURM_JOB_ID"), *const step = get("SLURM_STEP_ID");
  if (job != nullptr && step != nullptr) return std::string(job) + "." + step;
  const char* const launcher = get(launcher_variable);
  return launcher == nullptr ? "" : launcher;
}

// FOLDER/parts with its file appears at once, so that nobody finds the one without the other. False, with errno, if it
// is there already, or cannot be made.
bool make_parts_of_job(const std::string& folder, const std::string& job) {
  std::string next = folder + "/next-XXXXXX";
  if (mkdtemp(next.data()) == nullptr) return false;
  const std::string file = next + "/" + job_file;
  const mode_t mask = umask(0);
  umask(mask);
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  const bool written = fd >= 0 && ::write(fd, job.data(), job.size()) == static_cast<ssize_t>(job.size());
  if (fd >= 0) ::close(fd);
  if (written && ::chmod(next.c_str(), 0777 & ~mask) == 0 && ::rename(next.c_str(), (folder + "/parts").c_str()) == 0)
    return true;
  const int error = errno;
  ::unlink(file.c_str());
  ::rmdir(next.c_str());
  errno = error == ENOTEMPTY ? EEXIST : error;
  return false;
}

// Where the job has no name, it is enough that one of its processes lives.
bool is_of_job(const std::string& folder, const std::string& job, std::uint64_t rank) {
  const fs::path parts = folder + "/parts";
  std::error_code error;
  if (fs::exists(parts / (std::to_string(rank) + ".def"), error) || fs::exists(folder + "/traces.otf2", error))
    return false;
  std::ifstream file(parts / job_file);
  if (!file || std::string(std::istreambuf_iterator<char>(file), {}) != job) return false;
  if (!job.empty()) return true;
  bool any = false;
  for (fs::directory_iterator entry(parts, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() != ".def") continue;
    if (writer_of(entry->path())) return true;
    any = true;
  }
  return !any;
}

}  // namespace

std::string folder_of_run() {
  if (!settings().folder.empty()) return settings().folder;
  // Other processes of the run may be elsewhere.
  std::error_code error;
  const std::string name = default_folder(program_name(), std::time(nullptr));
  const fs::path whole = fs::absolute(name, error);
  return error ? name : whole.string();
}

std::string make_folder(std::string& folder) {
  if (!is_made_by_record(folder)) return make_parts(folder, false);
  const std::string of_run = folder;
  std::string problem;
  if (!is_used(folder) && (problem = make_parts(folder, true)).empty()) return {};
  for (int i = 2; is_used(folder) && i < 10000; ++i) {
    folder = of_run + std::string(further_program) + std::to_string(i);
    problem = make_parts(folder, false);
    if (problem.empty()) break;
  }
  return problem;
}

std::string join_folder(std::string& folder, std::uint64_t rank) {
  const std::string of_run = folder, job = name_of_job();
  const bool made = is_made_by_record(folder);
  for (int i = 1; i < 10000; ++i) {
    if (i > 1) folder = of_run + std::string(further_program) + std::to_string(i);
    if ((i > 1 || !made) && mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) return problem_with(folder, errno);
    if (!is_used(folder) && make_parts_of_job(folder, job)) return {};
    if (!is_used(folder) && errno != EEXIST) return problem_with(folder + "/parts", errno);
    if (is_of_job(folder, job, rank)) return {};
    if (!made) return problem_with(folder, EEXIST);
  }
  return problem_with(folder, EEXIST);
}

}  // namespace waitstate::record
