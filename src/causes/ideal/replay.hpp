// The run again on an ideal machine, on which messages take no time: who would wait there, for others that are late.
// When the trace has been read, this goes through the steps of all locations (step_log.hpp).
//
// Each location has an ideal clock (clocks.hpp), which runs with the recorded time outside of MPI. Its steps are those
// of messages (messages.hpp), collective operations (operations.hpp), and epochs and locks of one-sided communication
// (one_sided.hpp). What linking has found tells who needs whom in these (announcements.hpp). What stands at a step that
// needs others goes on when they have come so far; when all stand, those go on of which nobody has told what they need,
// and if there are none, all do. Definition: the text of the pattern mpi_ideal_wait.
//
// The result depends on no order, and so not on who has read what: a location goes on as soon as what it needs is
// known, and what that is does not change. There are two exceptions. If one thread of a process opens an epoch or asks
// for a lock and another one goes on with it, the threads are taken as they come, near the order of time. And if more
// than 65,536 locks were released of which nobody has said that he waited for them, the first ones are forgotten.
//
// Cost: a step a message, or part of an operation. State: messages in flight (40 bytes each), operations and epochs
// that are open (100 bytes a member), the last 65,536 locks that were released (200 bytes each).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "causes/ideal/announcements.hpp"
#include "causes/ideal/clocks.hpp"
#include "causes/ideal/messages.hpp"
#include "causes/ideal/one_sided.hpp"
#include "causes/ideal/operations.hpp"
#include "causes/ideal/step_log.hpp"
#include "waitstate/pattern/causes.hpp"

namespace waitstate::causes {

class IdealReplay final : private AnnouncementReader {
 public:
  /// Replays what has been read; `announcements` are used up.
  IdealReplay(const Definitions& definitions, const StepLog& log, Announcements& announcements);
  IdealReplay(const IdealReplay&) = delete;
  IdealReplay& operator=(const IdealReplay&) = delete;

  void run();
  // After run().
  /// The waits, by call path and location, in no particular order.
  void each_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const;
  IdealLosses losses() const;

 private:
  /// Records by which all locations together may be ahead of the one that is least far.
  static constexpr std::size_t most_ahead = std::size_t{1} << 16;
  /// Parts of operations, and gates, that are announced before their locations come to them; more only if all stand.
  static constexpr std::size_t most_announced_ahead = std::size_t{1} << 14;
  using Record = replay::StepRecord;
  using PartKey = IdealOperations::PartKey;

  void operation(const IdealNeeds& needs, std::span<const IdealMember> members) override;
  void epoch(const IdealCall& stands_at, Time until, const IdealCall& own,
             std::span<const IdealCall> partners) override;
  void passive(const IdealCall& call, bool is_gate, std::span<const IdealEpochs::Release> releases) override;

  void go_on(LocationId l);
  bool do_steps(LocationId l);
  void come_to(LocationId l, const Record& r);
  void come_to_operation(LocationId l, const Record& r);
  void come_to_world(LocationId l, const Record& r);
  void leave_world(LocationId l, const Record& r);
  bool synchronises(const Record& r) const;
  void push(LocationId l, IdealStep::Kind kind, std::uint32_t number, const Record& r) {
    clocks_.push(l, {kind, number, CallPathId{r.callpath}});
  }
  bool does(LocationId l, const IdealStep& step);
  bool is_unknown(const IdealStep& step) const;
  bool give_up(bool only_unknown);

  const Definitions& definitions_;
  const StepLog& log_;
  Announcements& announcements_;
  std::vector<StepLog::Reader> readers_;  ///< by location
  IdealClocks clocks_;
  IdealMessages messages_{clocks_};
  IdealOperations operations_{clocks_};
  IdealOneSided one_sided_;
  struct WorldCall {
    LocationId location{};  ///< none: it has not come
    Time enter = 0;
  };
  std::vector<WorldCall> world_calls_;  ///< by process, twice: MPI_Init, MPI_Finalize
  std::size_t world_size_;
  const std::size_t at_once_;  ///< records of a location before the others are looked at
  std::int64_t without_request_ = 0, lost_parts_ = 0, lost_epochs_ = 0, in_circles_ = 0;  ///< as IdealLosses has them
};

}  // namespace waitstate::causes
