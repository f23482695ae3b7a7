// The parts of a recorded run become an OTF2 archive: at the end of a run by one process, or later by `waitstate
// recover`.
//
// Event files stay as they are and are moved; what their numbers mean is written beside them: global definitions, and a
// mapping table with clock offsets for each location. The anchor comes last, so a folder with an anchor is complete,
// and all that can be left to do is to remove the parts.
#pragma once

#include <string>
#include <vector>

#include "record/archive/merge.hpp"

namespace waitstate::record {

struct Recovered {
  bool nothing_to_do = false;  ///< the archive is complete
  std::string problem;         ///< why it cannot be done; else empty
  std::string program;         ///< name of the program, as the first process has it
  std::uint64_t processes = 0, events = 0;
  std::uint64_t dropped = 0;           ///< events that the MPI library told nothing of but their number
  std::uint64_t late = 0;              ///< number of its events that are not at their time
  std::uint64_t errors = 0;            ///< number of MPI calls that returned an error
  bool silent_openmp = false;          ///< GCC's OpenMP runtime was there, of which nothing is recorded
  bool running = false;                ///< the problem is that processes of the run live
  std::vector<std::uint64_t> missing;  ///< ranks that left nothing
  std::vector<std::uint64_t> cut;      ///< ranks that did not come to their end
  std::vector<std::uint64_t> lost;     ///< ranks that recorded events of which the file is gone
};

/// The outcome of a run, as a sentence.
std::string sentence(const std::string& folder, const Recovered& recovered);

/// Completes what an ended run left in FOLDER: writes FOLDER/traces.* from FOLDER/parts and then removes the parts. If
/// something goes wrong, the parts stay. It may be interrupted at any time and repeated; of two at once, one is
/// refused, and so is that of a run that still goes on. `ended`: when the run came to its end, by the clock of this
/// machine, for processes that could not tell it themselves; 0: not known.
Recovered recover(const std::string& folder, std::uint64_t ended = 0);

}  // namespace waitstate::record
