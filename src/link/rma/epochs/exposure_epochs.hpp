// Exposure epochs (MPI_Win_post … wait) of a worker's processes. Each part, one for each origin, is told to the home of
// the origin, which has the access epochs (AccessEpochs), and gets one answer: what the origin did there, or that it
// has no access epoch for it. An exposure epoch is over when it is complete and all its parts have their answers; then
// it is delivered, or counted if one has no access epoch. One that its process does not close before it opens the next
// one is counted at once, for that reason alone.
//
// Memory: epochs that are open or wait for answers. Cost: constant per part.
#pragma once

#include <vector>

#include "link/listener.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/epochs/exposure_part.hpp"
#include "link/rma/groups.hpp"
#include "link/rma/read_progress.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class ExposureEpochs {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;

  ExposureEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
                 const ReadProgress& reading, RmaGroups& groups, WayToAccesses& accesses);

  /// The number of the epoch that is opened. `t`: the time of the record that shows it.
  std::uint32_t post(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t);
  /// Closes an epoch; its number is of no use afterwards.
  void wait(std::uint32_t exposure, std::uint32_t call);
  /// Gives up an open epoch, which will not be closed.
  void give_up(std::uint32_t exposure);

  // The answer to a part:
  /// Its access epoch is complete. `accessed`: what it did there, null if nothing.
  void completed(std::uint32_t slot, std::uint32_t start, std::uint32_t complete, const RmaAccesses::Entry* accessed);
  /// It has none.
  void lost(std::uint32_t slot);

  /// Counts what is not complete and lets it go.
  void finish();

 private:
  struct Origin {
    LocationId location;
    std::uint32_t slot = none;                    ///< its part, as long as that has no answer
    std::uint32_t start = none, complete = none;  ///< held
    RmaAccesses::Entry accessed;                  ///< its call is held; none: nothing
  };
  struct Epoch {
    LocationId target;
    RmaWinId win;
    std::uint32_t post = none, wait = none;
    std::uint32_t open = 0;  ///< origins without an answer
    bool lacks = false;      ///< an origin's epoch
    std::vector<Origin> origins;
  };
  struct Part {
    std::uint32_t epoch = none, origin = 0;  ///< none: it has been given up
  };

  Part answered(std::uint32_t slot);
  void end_if_over(std::uint32_t exposure);
  void deliver(const Epoch& epoch);
  void report(const Epoch& epoch, const char* what);
  void clear(Epoch& epoch);
  void drop_call(std::uint32_t call) {
    if (call != none) calls_.release(call);
  }

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener& listener_;
  const ReadProgress& reading_;
  RmaGroups& groups_;
  WayToAccesses& accesses_;
  util::Pool<Epoch> epochs_;
  util::Pool<Part> parts_;                       ///< by slot: those without an answer
  std::vector<RmaExposureOrigin> origins_view_;  ///< scratch of deliver()
};

}  // namespace waitstate::link
