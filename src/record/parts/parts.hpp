// The folder FOLDER/parts of a run: who still writes in it, who completes it, and its removal.
//
// A process holds a lock on its lines (RANK.def) until it ends, however it ends, and the kernel tells others who that
// is. File systems without locks tell nothing; a run is then taken for ended.
#pragma once

#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace waitstate::record {

/// The name of a run's folder where the user gives none: PROGRAM.DATE-TIME.trace.
std::string default_folder(const std::string& program, std::time_t begin);

/// Locks the lines of this process, an open file, until it closes any descriptor of that file or ends.
void lock_lines(int file);

/// The process that writes these lines; 0 if it is one of another machine or container. Nothing if nobody does.
std::optional<long> writer_of(const std::filesystem::path& lines);

/// While it lives, nobody else has one of the same folder.
class RunLock {
 public:
  explicit RunLock(const std::string& folder);
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  ~RunLock();

  /// Somebody else has it.
  bool is_taken() const { return taken_; }

 private:
  int fd_ = -1;
  bool taken_ = false;
};

/// True for the anchor of an archive that a recorder wrote.
bool is_anchor_of_recorder(const std::filesystem::path& anchor);

/// Behind the folder of a run and before a number: the folder of a further program of the same run, from 2 on.
inline constexpr std::string_view further_program = "/program-";

/// The file in FOLDER/parts that says to which job the processes belong, where each of them begins by itself.
inline constexpr const char* job_file = "job";

/// Behind the folder of a run and before a number: the folder of a world that its program has started, from 1 on.
inline constexpr std::string_view started_world = ".child-";

/// Removes FOLDER/parts, of which only files and folders with names that a recorder gives. What else is there stays.
void remove_parts(const std::string& folder);
/// Removes FOLDER/parts/archive in the same way.
void remove_prepared(const std::string& folder);

}  // namespace waitstate::record
