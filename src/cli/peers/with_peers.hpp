// Runs a command together with the other processes that a launcher of MPI has started: `mpirun -n 4 waitstate analyze`.
#pragma once

#include <functional>

#include "peers/peers.hpp"

namespace waitstate::cli {

/// Runs `body` and returns its exit code, like with_errors_reported(). If a launcher of MPI has started several such
/// processes, all run it, but only the first says anything: results, progress, and the first failure of any. Returns
/// when all have come there.
int with_peers(const std::function<int()>& body);

/// To be called when a process has failed that the others cannot hear, and would never stop waiting for: by the parent
/// of one that has crashed in with_peers(), see guarded(). The launchers of MPIs end them when this process ends with
/// an error, but that of MPICH only once MPI has started, and srun only if it is told to: so this asks the launcher, or
/// ends the step.
void end_peers_of_failed();

/// stdout and stderr, which go nowhere between hide() and show().
class HiddenStreams {
 public:
  void hide();
  void show();  ///< also if they are not hidden

 private:
  int out_ = -1, err_ = -1;  ///< where they went before
};

/// Until they_are_right(), a process that is not the first of several says nothing about the words of its command line:
/// the first one does. For commands that run with peers. Who finds them wrong says so by with_peers(): a launcher may
/// end all processes as soon as one of them has failed, before the first has spoken.
class WordsOfOne {
 public:
  WordsOfOne(int argc, char** argv);
  WordsOfOne(const WordsOfOne&) = delete;
  WordsOfOne& operator=(const WordsOfOne&) = delete;
  void they_are_right() { hidden_.show(); }
  /// True if a launcher has started several processes with these words.
  bool of_several() const { return of_several_; }

 private:
  bool of_several_ = false;
  HiddenStreams hidden_;
};

/// The peers of this process, while with_peers() runs; null if it has none.
peers::Peers* current_peers();
/// True in a peer that only helps another one: it has no result.
bool only_helps();

}  // namespace waitstate::cli
