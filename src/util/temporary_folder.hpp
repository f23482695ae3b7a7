// Folders of links that last as long as an archive is read (LibraryReader). The name of a folder contains the process
// that created it, so that its parent can remove the folder if a signal ends the process; the next process that creates
// one removes it if the parent was killed too.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace waitstate::util {

/// Creates a new, empty folder below the system's temporary one. Throws std::filesystem::filesystem_error.
std::filesystem::path make_temporary_folder();
/// Removes the folders that process `maker` created and this user owns. Links in them are removed, their targets are
/// not.
void remove_temporary_folders(pid_t maker) noexcept;

}  // namespace waitstate::util
