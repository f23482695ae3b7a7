// The current folder, which code of plug-ins may change: as long as one of these lives it may, then it is as before.
// What the user named relative to it - the trace, outputs, further plug-ins - is found and written where the user
// meant.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace waitstate::cli {

class WorkingFolder {
 public:
  WorkingFolder() : folder_(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~WorkingFolder() {
    if (folder_ < 0) return;  // it is gone, or must not be looked into
    (void)!::fchdir(folder_);
    ::close(folder_);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  int folder_;
};

}  // namespace waitstate::cli
