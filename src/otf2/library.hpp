// The OTF2 library, opened on an archive, and its error messages.
//
// OTF2_Reader_Open accepts only anchors named *.otf2, and looks for the other files under the anchor's name. An anchor
// that was renamed is opened under the name that the other files have, in a temporary folder of symbolic links that
// lives as long as the reader, because the library opens files late.
//
// The library reports errors through one callback for the whole process, and prints them if nobody registers one. Our
// callback keeps the message for the thread that caused it; nothing is printed.
#pragma once

#include <otf2/otf2.h>

#include <filesystem>
#include <optional>
#include <string>

#include "util/temporary_folder.hpp"

namespace waitstate::otf2 {

/// An OTF2_Reader for serial use: each thread needs its own.
class LibraryReader {
 public:
  /// Opens the archive of this anchor file, which must have passed read_anchor. Throws TraceError with the library's
  /// reason.
  explicit LibraryReader(const std::filesystem::path& anchor);
  LibraryReader(const LibraryReader&) = delete;
  LibraryReader& operator=(const LibraryReader&) = delete;
  ~LibraryReader();

  OTF2_Reader* get() const { return reader_; }

 private:
  void make_links(const std::filesystem::path& anchor, const std::filesystem::path& base);

  OTF2_Reader* reader_ = nullptr;
  std::optional<util::TemporaryFolder> links_;  // if the anchor has another name than the library expects
};

/// The library's first complaint on this thread since the last call, in a few words: the first one is the cause, later
/// ones are its consequences. Empty if there was none. Clears it.
std::string last_library_message();

/// The path of an archive's other files without their suffix. It is the anchor's path without one suffix or, if the
/// anchor was renamed, without as many suffixes as it takes to find the definitions.
std::filesystem::path archive_base(const std::filesystem::path& anchor);

}  // namespace waitstate::otf2
