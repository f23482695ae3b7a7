// Folders of links that last as long as an archive is read (LibraryReader). The name of a folder contains the process
// that created it, so that its parent can remove the folder if a signal ends the process; the next process that creates
// one removes it if the parent was killed too.
//
// A temporary folder is shared with others. Only what this user has made is removed: a folder whose name has exactly
// our form and which holds nothing but links of our names.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

namespace waitstate::util {

/// A new, empty folder below the system's temporary one, removed with its links at the end.
class TemporaryFolder {
 public:
  /// Throws std::filesystem::filesystem_error.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Makes a link `traces` followed by `rest`. Throws std::filesystem::filesystem_error.
  void link(std::string_view rest, const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  int fd_ = -1;  ///< holds a lock: the folder is in use
};

/// Removes the folders that process `maker` created and this user owns. Links in them are removed, their targets are
/// not.
void remove_temporary_folders(pid_t maker) noexcept;

}  // namespace waitstate::util
