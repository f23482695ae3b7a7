// The way of a worker's records to PassiveTarget, of which each worker has one. What changes memory, or waits for that,
// goes to the home of the process whose memory it is. A call that needs one target, and releases of locks on it, go to
// the home of the target, which knows what the target was doing. A call that needs several targets, or all, goes to the
// first worker, which is told of all releases; the homes of the targets say what these were doing (AskingCalls).
// SHMEM's locks, which belong to no target, are all at the first worker.
//
// A call is told once, when all its records are known: which targets it needs, decides where it goes, and there may be
// other calls within it. And the search for polls is here, which needs own records only.
//
// Memory: the uses of a call of each location, and of those that it lies in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "link/calls.hpp"
#include "link/exchange/port.hpp"
#include "link/rma/away/asking_calls.hpp"
#include "link/rma/away/one_sided_records.hpp"
#include "link/rma/away/one_sided_sender.hpp"
#include "link/rma/passive_progress.hpp"
#include "link/rma/passive_target.hpp"
#include "link/rma/polls/window_reads.hpp"
#include "util/paged_table.hpp"

namespace waitstate::link {

class PassiveDoor final : public WayToAskingCalls {
 public:
  /// The worker to which calls with several targets go.
  static constexpr WorkerId meeting = 0;

  /// `here`: null if nobody wants to know. `port`: null if there is only one worker; else `senders` are by worker, null
  /// for the own one.
  PassiveDoor(const Definitions& definitions, Calls& calls, Listener& listener, PassiveTarget* here, Port* port,
              std::vector<OneSidedSender*> senders, bool wants_polls);

  /// True if the window is MPI's.
  bool of_mpi(RmaWinId win) const { return of_mpi_[win.index()]; }

  // As PassiveTarget has them.
  void uses(LocationId l, CallRef call, const RmaLockRef& lock, bool progress);
  void released(LocationId l, Time t, CallRef call, const RmaLockRef& lock) {
    if (port_ == nullptr) return here_->released(l, t, call, lock);
    release(l, t, call, lock);
  }
  void released_own(LocationId l, Time t, CallRef call) {
    if (UsedLocks* const u = used_[l.index()].innermost(); u != nullptr && u->call == call)
      u->own_releases.push_back(t);
  }
  void written(LocationId l, CallRef call, RmaWinId win, LocationId target) {
    if (const WorkerId to = home(target); to == worker_)
      here_->written(l, call, win, target);
    else
      post_memory(to, Action::written, l, call, win, target, 0);
  }
  void notifies(LocationId l, CallRef call, RmaWinId win, LocationId target) {
    if (const WorkerId to = home(target); to == worker_)
      here_->notifies(l, call, win, target);
    else
      post_memory(to, Action::notifies, l, call, win, target, 0);
  }
  void waits_for_change(LocationId l, CallRef call, RmaWinId win, LocationId origin) {
    here_->waits_for_change(l, call, win, origin);
  }
  void write_started(LocationId l, CallRef call, RmaWinId win, LocationId target) {
    if (!reads_) return;
    if (const WorkerId to = home(target); to == worker_)
      here_->write_started(l, call, win, target);
    else
      post_memory(to, Action::write_started, l, call, win, target, 0);
  }
  void write_completed(LocationId l, CallRef call, RmaWinId win, LocationId target, Time t) {
    if (!reads_) return;
    if (const WorkerId to = home(target); to == worker_)
      here_->write_completed(l, call, win, target, t);
    else
      post_memory(to, Action::write_completed, l, call, win, target, t);
  }

  // As WindowReads has them.
  bool reads(LocationId l, CallRef call, RmaWinId win, LocationId target, std::uint64_t bytes, Time start) {
    return reads_ && reads_->reads(l, call, win, target, bytes, start);
  }
  void assists_polls(LocationId l, CallRef call) {
    if (reads_) reads_->assists(l, call);
  }
  void breaks_polls(LocationId l) {
    if (reads_) reads_->breaks(l);
  }
  void read_completed(LocationId l, CallRef started, CallRef completed, Time t) {
    if (Poll* const poll = reads_ ? reads_->completed(l, started, completed) : nullptr; poll != nullptr)
      polled(l, completed, t, *poll);
  }

  /// Records of the location before `bound` only have been taken so far, and the calls of the others were entered at
  /// `open` or later; ~0: all have.
  void hold_back(LocationId l, Time bound, Time open);
  /// A chunk of the location has been read, and its records taken, but for those that are held back: as PassiveTarget
  /// and PassiveProgress have it. The worker's senders end their chunks afterwards.
  void end_chunk(LocationId l, std::span<const Call> enters, std::span<const Time> exits, Time up_to, Time open_since,
                 bool at_end);
  // Calls that ask several workers:
  void found(LocationId caller, std::uint32_t asking, const LockReleases::Release& latest, bool all_known) override;
  /// The first worker has found what a call of this worker's waited for.
  void released(std::uint32_t asking, CallRef released, Time release_time, bool all_known);
  void asked(WorkerId by, const GapQuestion& question);
  AskingCalls& asking_calls() { return asking_; }

  /// Tells all workers how far this one is, if that is due. The records of the chunk have been sent.
  void tell_progress();
  void finish() {
    if (reads_) reads_->finish();
  }

 private:
  using Action = PassiveStep::Action;

  struct Use {
    RmaLockRef lock;
    bool progress = false;
  };
  /// The locks that a call uses.
  struct UsedLocks {
    CallRef call = CallState::none;  ///< held
    std::vector<Use> uses;
    std::vector<Time> own_releases;
  };
  /// The calls of a location that have not been told: the latest one, and those that it lies in.
  struct UsingCalls {
    std::vector<UsedLocks> calls;  ///< their memory is used again
    std::size_t depth = 0;
    UsedLocks* innermost() { return depth == 0 ? nullptr : &calls[depth - 1]; }
  };
  static constexpr std::size_t most_untold = 64;  ///< calls of a location; of more, the outermost one is told

  WorkerId home(LocationId l) const { return port_ == nullptr || !l.valid() ? worker_ : port_->homes().of(l); }
  bool of_one_target(const RmaLockRef& lock) const { return of_mpi(lock.win) && lock.target.valid(); }
  WorkerId place(const std::vector<Use>& uses) const;
  UsedLocks& untold(LocationId l, CallRef call);
  bool is_over(CallRef of, CallRef before) const;
  void tell_from(LocationId l, std::size_t first);
  void release(LocationId l, Time t, CallRef call, const RmaLockRef& lock);
  void tell(LocationId l, UsedLocks& used);
  void polled(LocationId l, CallRef completed, Time t, Poll& poll);
  std::uint32_t ask(LocationId l, const UsedLocks& used, WorkerId place);
  void post_lock(WorkerId to, Action action, LocationId l, CallRef call, const RmaLockRef& lock, bool progress, Time t,
                 std::uint32_t asking = no_one) {
    OneSidedSender& sender = *senders_[to];
    const std::uint32_t number = sender.call(call);
    sender.post(PassiveStep{action, progress, l, number, asking, {}, lock, t});
  }
  void post_memory(WorkerId to, Action action, LocationId l, CallRef call, RmaWinId win, LocationId other, Time t) {
    OneSidedSender& sender = *senders_[to];
    const std::uint32_t number = sender.call(call);
    RmaLockRef of_window;
    of_window.win = win;
    sender.post(PassiveStep{action, false, l, number, no_one, other, of_window, t});
  }

  static constexpr std::uint32_t no_one = ~std::uint32_t{0};

  const Definitions& definitions_;
  Calls& calls_;
  PassiveTarget* const here_;
  Port* const port_;
  const WorkerId worker_;
  const std::vector<OneSidedSender*> senders_;
  std::vector<bool> of_mpi_;           ///< by window
  util::PagedTable<UsingCalls> used_;  ///< by location
  PassiveProgress progress_;
  AskingCalls asking_;
  std::vector<ProcessId> targets_;  ///< scratch of ask()
  std::optional<WindowReads> reads_;
};

}  // namespace waitstate::link
