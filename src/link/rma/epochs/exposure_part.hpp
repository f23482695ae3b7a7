// The parts of exposure epochs, and the ways between them and access epochs: EpochsDoor has both.
#pragma once

#include <cstdint>

#include "link/exchange/homes.hpp"
#include "link/rma/accesses.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

/// The part of an exposure epoch that one origin has to access.
struct ExposurePart {
  /// Number among the parts of the worker that has the epoch; no other part has it until this one has its answer.
  std::uint32_t slot = 0;
  std::uint32_t post = 0;  ///< call
  RmaWinId win;
  LocationId origin, target;
  Time at = 0;  ///< progress of the target when it posted
};

/// The way to the access epochs of a part's origin.
class WayToAccesses {
 public:
  virtual ~WayToAccesses() = default;
  virtual void exposed(const ExposurePart& part) = 0;
  /// The exposure epoch will not be closed.
  virtual void give_up_exposure(LocationId origin, std::uint32_t slot) = 0;
};

/// The way back to the worker that has the exposure epoch.
class WayToExposures {
 public:
  virtual ~WayToExposures() = default;
  /// The access epoch is complete. `accessed`: what it did there, null if nothing.
  virtual void completed(WorkerId to, std::uint32_t slot, std::uint32_t start, std::uint32_t complete,
                         const RmaAccesses::Entry* accessed) = 0;
  /// The part has no access epoch.
  virtual void lost(WorkerId to, std::uint32_t slot) = 0;
};

}  // namespace waitstate::link
