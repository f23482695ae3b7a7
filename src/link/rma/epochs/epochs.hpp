// Access and exposure epochs of a worker's processes (MPI_Win_start … complete, MPI_Win_post … wait), and the way
// between them and those of other workers.
#pragma once

#include <utility>
#include <vector>

#include "link/rma/epochs/epochs_door.hpp"

namespace waitstate::link {

struct RmaEpochs {
  /// `port`: null if there is only one worker; else `senders` are by worker, null for the own one.
  RmaEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
            const ReadProgress& reading, RmaGroups& groups, const Port* port = nullptr,
            std::vector<OneSidedSender*> senders = {})
      : accesses(definitions, diagnostics, calls, listener, reading, groups, door,
                 port == nullptr ? 1 : port->workers()),
        exposures(definitions, diagnostics, calls, listener, reading, groups, door),
        door(accesses, exposures, port, std::move(senders)) {}
  RmaEpochs(const RmaEpochs&) = delete;
  RmaEpochs& operator=(const RmaEpochs&) = delete;

  void finish() {
    accesses.settle();
    exposures.finish();
    accesses.finish();
  }

  AccessEpochs accesses;
  ExposureEpochs exposures;
  EpochsDoor door;
};

}  // namespace waitstate::link
