// Takes what another worker sends of one-sided communication that meets here, and calls the functions that the records
// stand for.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "link/rma/away/one_sided_records.hpp"
#include "link/rma/away/passive_door.hpp"
#include "link/rma/epochs/epochs.hpp"
#include "link/rma/passive_target.hpp"
#include "link/rma/window_collectives.hpp"

namespace waitstate::link {

/// The parts that are at this worker; the others are null.
struct OneSidedParts {
  PassiveTarget* passive = nullptr;
  PassiveDoor* passive_door = nullptr;
  RmaEpochs* epochs = nullptr;
  WindowCollectives* windows = nullptr;
};

class OneSidedReceiver {
 public:
  OneSidedReceiver(Calls& calls, WorkerId from, const OneSidedParts& parts)
      : calls_(calls), from_(from), parts_(parts) {}

  void take(const OneSidedCall& r) { adopted_.push_back(calls_.adopt(r.call)); }
  void take(const PassiveStep& r);
  void take(const PollCall& r);
  void take(const PollRecord& r);
  void take(const FoundRelease& r);
  void take(const GapQuestion& r) const { parts_.passive_door->asked(from_, r); }
  void take(const GapAnswer& r) const { parts_.passive_door->asking_calls().gap(r.asking, r.begin, r.end, r.next); }
  void take(const GapsEnd& r) const { parts_.passive_door->asking_calls().answered(r.asking); }
  void take(const ExposureRecord& r);
  void take(const GivenUpExposure& r) const { parts_.epochs->accesses.exposure_given_up(from_, r.slot); }
  void take(const CompletedAccess& r);
  void take(const LostAccess& r) const { parts_.epochs->exposures.lost(r.slot); }
  void take(const WindowAccess& r);
  void take(const WindowMember& r);
  void take(const OneSidedCallsEnd&) { end_calls(); }
  void end_calls();

 private:
  Calls& calls_;
  const WorkerId from_;
  const OneSidedParts parts_;
  std::vector<CallRef> adopted_;  ///< calls of the chunk, or of an answer
  Poll poll_;                     ///< the next one, while its calls come
  RmaAccesses accesses_;          ///< accesses of the next member, while they come
};

}  // namespace waitstate::link
