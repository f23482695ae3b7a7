// Folders of links that last as long as an archive is read (LibraryReader). Their names tell the process that made
// them, so that its parent can remove them if a signal ends it; and the next process that makes one, if that was killed
// too.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace waitstate::util {

/// A new, empty folder below the system's temporary one. Throws std::filesystem::filesystem_error.
std::filesystem::path make_temporary_folder();
/// Removes those that process `maker` made and this user owns; of links in them, not what they point to.
void remove_temporary_folders(pid_t maker) noexcept;

}  // namespace waitstate::util
