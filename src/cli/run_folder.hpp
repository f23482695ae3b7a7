// The folder of a recorded run, from before the program starts until its traces are complete.
#pragma once

#include <ctime>
#include <string>

namespace waitstate::cli {

class RunFolder {
 public:
  /// Makes the folder, before anything starts: nobody else has it then, and what is wrong with it is said. `name`: its
  /// name; empty: it is named after the program that is recorded, which is known when it has run.
  /// Throws UsageError if it cannot be made, or if the disk has not the room that one process needs to begin.
  explicit RunFolder(const std::string& name);

  const std::string& path() const { return path_; }

  /// Removes the folder of a run that has not begun.
  void remove() const;

  enum class Outcome : unsigned char { nothing_recorded, incomplete, complete };

  /// The run has ended: completes the traces of all its programs, gives the folder its name, and prints a line for
  /// each. If nothing was recorded, the folder is gone then.
  Outcome complete();

  /// Why nothing was recorded, as the processes told; empty if none told. Only before complete().
  std::string reason() const;

 private:
  void rename_to(const std::string& program);

  std::string path_;
  bool is_named_;
  std::time_t begin_;
};

}  // namespace waitstate::cli
