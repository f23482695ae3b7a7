// The run again on an ideal machine, on which messages take no time: who would wait there, for others that are late.
//
// Each location has an ideal clock (clocks.hpp), which runs with the recorded time outside of MPI. Events of the one
// stream become steps of their locations: messages (messages.hpp), collective operations (operations.hpp), and epochs
// and locks of one-sided communication (one_sided.hpp). Compound events tell who needs whom in these. What stands at a
// step that needs others goes on when they have come so far. Definition: the text of the pattern mpi_ideal_wait.
//
// Cost: a step a message, or part of an operation. State: messages in flight (32 bytes each), operations and epochs
// that are open (100 bytes a member), what their members did since (24 bytes a step), the last 65,536 locks that were
// released (200 bytes each).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/ideal/messages.hpp"
#include "causes/ideal/one_sided.hpp"
#include "causes/ideal/operations.hpp"
#include "waitstate/pattern/causes.hpp"
#include "waitstate/pattern/compound_events.hpp"
#include "waitstate/trace/call_tree.hpp"

namespace waitstate::causes {

class IdealReplay {
 public:
  /// The events that it has to be told.
  static constexpr Interests interests =
      Interests{interest_any_event} | interest_collective | interest_other_collective | interest_rma_collective |
      interest_rma_access_epoch | interest_rma_exposure_epoch | interest_rma_passive_call;

  /// `events`: of the one stream; looked at while events are told.
  IdealReplay(const Definitions& definitions, const CallTree& call_tree, const merge::EventStore& events);
  IdealReplay(const IdealReplay&) = delete;
  IdealReplay& operator=(const IdealReplay&) = delete;

  /// The next event of the one stream.
  void event(const Event& e);

  void note(const Collective& c);
  void note(const OtherCollective& c);
  void note(const RmaCollective& r);
  void note(const RmaAccessEpoch& e);
  void note(const RmaExposureEpoch& e);
  void note(const RmaPassiveCall& r);

  /// After the last event: whoever stands goes on without.
  void finish() { clocks_.finish(*this); }
  /// After finish(): the waits, by call path and location, in no particular order.
  void each_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const;
  IdealLosses losses() const;

 private:
  friend IdealClocks;
  enum class RegionKind : std::uint8_t { outside, mpi, world };  ///< world: MPI_Init and MPI_Finalize

  void enter(const Event& e);
  void exit(const Event& e);
  void other(const Event& e, IdealClocks::LocationClock& place);

  // IdealClocks asks for these.
  bool does(LocationId l, const IdealStep& step);
  bool is_unknown(const IdealStep& step) const;
  void give_up(const IdealStep& step);

  RegionKind kind_of(RegionId region) const {
    return region.index() < kinds_.size() ? kinds_[region.index()] : RegionKind::outside;
  }
  void push(const Event& e, IdealStep::Kind kind, std::uint32_t number) {
    clocks_.push(e.loc, {kind, number, e.callpath}, *this);
  }
  IdealOneSided::PushStep pushing(const Event& e) {
    return [this, &e](IdealStep::Kind kind, std::uint32_t number) { push(e, kind, number); };
  }
  void announce(const IdealNeeds& needs, std::uint64_t on_what);
  CommId synchronises(const Event& e) const;
  void complete_nonblocking(const Event& e);
  void enter_world_call(const Event& e);
  void leave_world_call(const Event& e);

  /// True if a process has entered MPI_Init, MPI_Finalize.
  struct WorldCalls {
    bool init = false, finalize = false;
  };

  const Definitions& definitions_;
  const CallTree& call_tree_;
  std::vector<RegionKind> kinds_;        ///< by region
  std::vector<WorldCalls> world_calls_;  ///< by process
  std::size_t world_size_ = 0;           ///< processes
  IdealClocks clocks_;
  IdealMessages messages_{clocks_};
  IdealOperations operations_{clocks_};
  IdealOneSided one_sided_;
  std::vector<IdealMember> members_;  ///< members of the operation that is announced
  std::int64_t without_request_ = 0, without_neighbours_ = 0;
};

}  // namespace waitstate::causes
