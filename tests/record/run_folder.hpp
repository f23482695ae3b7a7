// A folder as a recorded run leaves it, made by hand: the lines of its processes and the event files of their threads.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "record/parts/line_kinds.hpp"
#include "support/temporary_folder.hpp"

namespace waitstate::record {

/// The lines of one process, as one text: the two that each begins with, and these.
inline std::string lines_of_process(int rank, int size, const std::vector<std::string>& lines,
                                    const std::string& paradigm = "mpi") {
  std::string text = line_of(FormatLine{}) + "\n" +
                     line_of("process", rank, size, "host", "boot", "app", "1", paradigm, 1048576) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The communicator of all processes, with all its members.
inline std::string world_line(int rank, int size) {
  std::string members;
  for (int i = 0; i < size; ++i) members += (i == 0 ? "" : ",") + std::to_string(i);
  return line_of("comm", 0, "W", "MPI_COMM_WORLD", "", size, rank, members);
}

class RunFolder : public support::TemporaryFolder {
 public:
  RunFolder() { std::filesystem::create_directories(path() / "parts"); }

  std::string name() const { return path().string(); }
  void part(int rank, int size, const std::vector<std::string>& lines, const std::string& paradigm = "mpi") const {
    write(path() / "parts" / (std::to_string(rank) + ".def"), lines_of_process(rank, size, lines, paradigm));
  }
  /// The event file of thread 0 of a process. `fill` gets its OTF2_EvtWriter.
  template <class Fill>
  void events(int rank, Fill&& fill) const {
    const std::string folder = (path() / "parts" / std::to_string(rank)).string();
    OTF2_Archive* const archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1048576, 1048576,
                                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    static const OTF2_FlushCallbacks flush = {flush_always, nullptr};
    OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive, 0);
    fill(writer);
    OTF2_Archive_CloseEvtWriter(archive, writer);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_Close(archive);
  }
  /// True if there is something of that name in the folder.
  bool has(const std::string& name) const { return std::filesystem::exists(path() / name); }

 private:
  static OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
};

}  // namespace waitstate::record
