#include "cli/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "record/archive/archive.hpp"
#include "record/core/clock.hpp"
#include "record/launch/reasons.hpp"
#include "record/parts/parts.hpp"
#include "record/parts/tail.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_names = 10000;

// Name number i for a wanted one: "app.trace", "app-2.trace", and so on.
std::string numbered(const fs::path& wanted, int i) {
  if (i == 1) return wanted.string();
  return (wanted.parent_path() / wanted.stem()).string() + "-" + std::to_string(i) + wanted.extension().string();
}

void check_room(const std::string& folder) {
  const std::string file = folder + "/room";
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const int error = fd < 0 ? errno : posix_fallocate(fd, 0, record::chunk_bytes + record::tail_page);
  if (fd >= 0) ::close(fd);
  unlink(file.c_str());
  if (error != 0 && error != EOPNOTSUPP && error != EINVAL)
    throw UsageError(fmt::format("cannot write a MiB in {}: {}", folder, std::strerror(error)));
}

bool has_records(const std::string& folder) {
  std::error_code error;
  return fs::is_directory(fs::path(folder) / "parts", error) || fs::exists(fs::path(folder) / "traces.otf2", error);
}

// A launcher that was killed does not wait for its processes.
record::Recovered completed(const std::string& folder) {
  record::Recovered r = record::recover(folder, record::now());
  for (int i = 0; i < 40 && r.running; ++i) {
    poll(nullptr, 0, 50);
    r = record::recover(folder, record::now());
  }
  return r;
}

void print(const std::string& folder, const record::Recovered& r) {
  fmt::print(stderr, "waitstate record: {}\n", record::sentence(folder, r));
}

}  // namespace

RunFolder::RunFolder(const std::string& name) : is_named_(!name.empty()), begin_(std::time(nullptr)) {
  const fs::path wanted = fs::absolute(is_named_ ? name : record::default_folder("waitstate", begin_));
  int made = -1;
  for (int i = 1; made != 0 && i < (is_named_ ? 2 : most_names); ++i) {
    path_ = numbered(wanted, i);
    made = mkdir(path_.c_str(), 0777);
    if (made != 0 && errno != EEXIST) break;
  }
  if (made != 0 && errno == EEXIST)
    throw UsageError(fmt::format("{} exists already: name a new folder with -o", path_));
  if (made != 0) {
    const std::string why = errno == ENOENT ? wanted.parent_path().string() + " does not exist" : std::strerror(errno);
    throw UsageError(fmt::format("cannot make the folder {}: {}", path_, why));
  }
  try {
    check_room(path_);
  } catch (...) {
    remove();
    throw;
  }
}

void RunFolder::remove() const { rmdir(path_.c_str()); }

// Worlds that the program has started lie beside the folder, and keep its name before theirs.
void RunFolder::rename_to(const std::string& program) {
  if (is_named_ || program.empty()) return;
  const fs::path wanted = fs::path(path_).parent_path() / record::default_folder(program, begin_);
  for (int i = 1; i < most_names; ++i) {
    const std::string name = numbered(wanted, i);
    // Where the file system knows no such renaming, mkdir() finds out whether the name is free.
    int done = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE);
    if (done != 0 && errno == EINVAL && (done = mkdir(name.c_str(), 0777)) == 0)
      done = std::rename(path_.c_str(), name.c_str());
    if (done != 0 && errno == EEXIST) continue;
    if (done != 0) return;
    std::string child;
    for (int n = 1; fs::exists(child = fmt::format("{}{}{}", path_, record::started_world, n)); ++n)
      if (std::rename(child.c_str(), fmt::format("{}{}{}", name, record::started_world, n).c_str()) != 0) break;
    path_ = name;
    return;
  }
}

RunFolder::Outcome RunFolder::complete() {
  unlink((path_ + record::reasons_file).c_str());
  if (!has_records(path_)) {
    remove();
    return Outcome::nothing_recorded;
  }
  const record::Recovered first = completed(path_);
  if (!first.running) rename_to(first.program);
  print(path_, first);
  for (const std::string_view kind : {record::further_program, record::started_world}) {
    std::string folder;
    for (int i = 2 - (kind == record::started_world ? 1 : 0);
         has_records(folder = fmt::format("{}{}{}", path_, kind, i)); ++i)
      print(folder, completed(folder));
  }
  return first.problem.empty() ? Outcome::complete : Outcome::incomplete;
}

std::string RunFolder::reason() const {
  std::ifstream file(path_ + record::reasons_file);
  std::string line, best;
  while (std::getline(file, line))
    if (line.size() > 2 && (best.empty() || line[0] > best[0])) best = line;
  return best.empty() ? best : util::printable(best.substr(2));
}

}  // namespace waitstate::cli
