// Whether code that lies beside the program may be loaded: the program may have been copied to a place where others can
// put files.
#pragma once

#include <filesystem>

namespace waitstate::util {

/// The part of `file`, itself or its folder, that others may have put there: one that all may write, or that belongs
/// neither to root nor to this user nor to the owner of the program. Empty if there is none. A part that cannot be read
/// counts as one.
std::filesystem::path part_of_others(const std::filesystem::path& file);

}  // namespace waitstate::util
