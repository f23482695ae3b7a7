// The run again on an ideal machine, on which messages take no time: who would wait there, for others that are late.
// When the trace has been read, this goes through the steps of all locations (step_log.hpp), in parts, each on a thread
// of its own (part.hpp): a part has the locations of some of the workers that read the trace.
//
// Each location has an ideal clock (clocks.hpp), which runs with the recorded time outside of MPI. Its steps are those
// of messages (messages.hpp), collective operations (memberships.hpp, meetings.hpp), and epochs and locks of one-sided
// communication (one_sided.hpp). What linking has found tells who needs whom in these (announcements.hpp). What stands
// at a step that needs others goes on when they have come so far; when all stand, those go on of which nobody has told
// what they need, and if there are none, all do. Definition: the text of the pattern mpi_ideal_wait.
//
// The result depends on no order, and so not on the number of parts: a location goes on as soon as what it needs is
// known, and what that is does not change. There are two exceptions, and so one part does all if there are windows. If
// one thread of a process opens an epoch or asks for a lock and another one goes on with it, the threads are taken as
// they come, near the order of time. And if more than 65,536 locks were released of which nobody has said that he
// waited for them, the first ones are forgotten.
//
// Cost: a step a message, or part of an operation. State: 128 bytes a location, messages in flight (40 bytes each),
// operations and epochs that are open (100 bytes a member), the last 65,536 locks that were released (200 bytes each).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "causes/ideal/announcements.hpp"
#include "causes/ideal/part.hpp"
#include "causes/ideal/step_log.hpp"
#include "waitstate/pattern/causes.hpp"

namespace waitstate::causes {

class IdealReplay {
 public:
  /// Replays what has been read; `announcements` are used up.
  IdealReplay(const Definitions& definitions, const StepLog& log, Announcements& announcements,
              const util::StopCheck& stop);
  ~IdealReplay();
  IdealReplay(const IdealReplay&) = delete;
  IdealReplay& operator=(const IdealReplay&) = delete;

  /// By at most so many threads, and no more than there are workers that have read, or, unless it `always_divides`,
  /// than are worth it. Throws Stopped.
  void run(std::size_t threads, bool always_divides);
  // After run().
  /// The waits, by call path and location, in no particular order.
  void each_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const;
  IdealLosses losses() const;

 private:
  void divide(std::size_t parts);
  bool all_stand();
  bool give_up(bool only_unknown);

  Announcements& announcements_;
  IdealRun run_;
  std::vector<std::unique_ptr<IdealPart>> parts_;
};

}  // namespace waitstate::causes
