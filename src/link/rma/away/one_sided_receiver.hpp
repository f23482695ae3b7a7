// Takes what another worker sends of one-sided communication that meets here, and calls the functions that the records
// stand for.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "link/rma/away/one_sided_records.hpp"
#include "link/rma/epochs.hpp"
#include "link/rma/passive_target.hpp"
#include "link/rma/window_collectives.hpp"

namespace waitstate::link {

/// The parts that are at this worker; the others are null.
struct OneSidedParts {
  PassiveTarget* passive = nullptr;
  RmaEpochs* epochs = nullptr;
  WindowCollectives* windows = nullptr;
};

class OneSidedReceiver {
 public:
  OneSidedReceiver(Calls& calls, const OneSidedParts& parts) : calls_(calls), parts_(parts) {}

  void take(const OneSidedCall& r) { adopted_.push_back(calls_.adopt(r.call)); }
  void take(const PassiveStep& r);
  void take(const PollCall& r);
  void take(const PollRecord& r);
  void take(const MpiEnter& r) { mpi_enters_.push_back(r.call); }
  void take(const MpiExit& r) { mpi_exits_.push_back(r.time); }
  void take(const EpochStep& r);
  void take(const EpochAccess& r);
  void take(const WindowAccess& r);
  void take(const WindowMember& r);
  /// MPI calls of the chunk that ends, until end_chunk().
  const std::vector<Call>& mpi_enters() const { return mpi_enters_; }
  const std::vector<Time>& mpi_exits() const { return mpi_exits_; }
  void end_chunk();

 private:
  Calls& calls_;
  const OneSidedParts parts_;
  std::vector<CallRef> adopted_;  ///< calls of the chunk
  std::vector<Call> mpi_enters_;
  std::vector<Time> mpi_exits_;
  Poll poll_;                          ///< the next one, while its calls come
  RmaAccesses accesses_;               ///< accesses of the next member, while they come
  std::vector<std::uint32_t> epochs_;  ///< by slot
};

}  // namespace waitstate::link
