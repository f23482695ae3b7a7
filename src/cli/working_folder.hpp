// Restores the current folder, which plug-ins may change: when an object of this class dies, the folder is as before.
// Paths that the user gave relative to it - the trace, outputs, further plug-ins - are then found where the user meant.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace waitstate::cli {

class WorkingFolder {
 public:
  WorkingFolder() : folder_(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~WorkingFolder() {
    if (folder_ < 0) return;  // it has been removed, or cannot be opened
    (void)!::fchdir(folder_);
    ::close(folder_);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  int folder_;
};

}  // namespace waitstate::cli
