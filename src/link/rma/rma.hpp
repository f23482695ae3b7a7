// One-sided communication: takes the records of each process in their order and gives them to who can tell what they
// mean to others: collectives on windows (WindowCollectives), access and exposure epochs (RmaEpochs), locks and
// progress (PassiveTarget); and to who says when an operation is complete (Operations). What one process alone can tell
// is done here: which epoch an operation belongs to, and lock epochs.
//
// An operation belongs to the lock that the process holds on its target (or on all), else to the access epoch that
// names the target, else to the epoch between two collectives on the window. An RmaTryLock is an attempt that failed
// and takes back the request of its call.
//
// With several workers, each does that for its own processes. What concerns processes of several workers goes as
// records to where it meets: of a lock to the home of the target (away/passive_door.hpp), of an access and an exposure
// epoch to the home of the origin (epochs/epochs_door.hpp), of a collective to a worker that the window has
// (away/windows_door.hpp).
//
// Cost: a hash lookup per record; nothing at all in traces without windows, and only what somebody wants is done.
// Memory: open epochs, and of operations in them one entry a target; every single operation only of access epochs, of
// locks, or where operations are wanted, until it is complete.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/process_order.hpp"
#include "link/processes.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/away/one_sided_receiver.hpp"
#include "link/rma/away/passive_door.hpp"
#include "link/rma/away/windows_door.hpp"
#include "link/rma/epochs/epochs.hpp"
#include "link/rma/group_sync.hpp"
#include "link/rma/groups.hpp"
#include "link/rma/held_lock.hpp"
#include "link/rma/one_sided_chunk.hpp"
#include "link/rma/operations.hpp"
#include "link/rma/passive_target.hpp"
#include "link/rma/read_progress.hpp"
#include "link/rma/window_collectives.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class Rma {
 public:
  /// `port`: null if there is only one worker.
  Rma(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener, Port* port);

  /// The chunks of the worker's locations, each in its order.
  void process(const OneSidedChunk& chunk);
  // Records of another worker:
  void posted(WorkerId, const OneSidedBegin& r) { begin_chunk(r); }
  template <class Record>
  requires requires(OneSidedReceiver to, const Record& r) { to.take(r); }
  void posted(WorkerId from, const Record& r) {
    of_others_[from].take(r);
    if constexpr (std::is_same_v<Record, ExposureRecord>) end_answers();
  }
  void posted(WorkerId from, const PassivePromise& r) {
    passive_here_->promised(from, r.promise);
    end_answers();
  }
  void posted(WorkerId from, const OneSidedEnd& r);
  void end_process(ProcessId process);
  /// With several workers: all processes have been read, so this answers what can be answered. More answers follow, in
  /// so many stages as these say.
  void settle();
  unsigned stages_of_answers() const { return wanted_.passive() ? 2 : 0; }
  void finish();

  /// After finish(), ascending.
  const std::vector<HeldLock>& held_locks() const { return held_; }

 private:
  static constexpr std::uint32_t none = CallState::none;
  /// Locks of a process on a window; of more the oldest are taken as never released.
  static constexpr std::size_t most_locks = std::size_t{1} << 14;

  using Senders = std::vector<OneSidedSender*>;
  struct Lock {
    LocationId target;  ///< none: all
    std::uint64_t number = 0;
    LockType type{};
    bool acquired = false;      ///< by a record of its own
    std::uint32_t call = none;  ///< held
    RmaAccesses accesses;
  };
  /// The state of a process on a window.
  struct WindowState {
    RmaAccesses accesses;                          ///< since the last collective, outside of all other epochs
    std::uint32_t access = none, exposure = none;  ///< locks that are open
    GroupSync group_syncs;                         ///< its calls are held
    std::vector<Lock> locks;
    Operations::Pending pending;
  };
  struct WindowKey {
    std::uint32_t win = 0, process = 0;
    bool operator==(const WindowKey&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(win, process)); }
  };
  // One record after the other is of the same process and, mostly, window.
  WindowState& window(LocationId l, RmaWinId win) {
    const WindowKey key{win.value, definitions_[l].process.value};
    if (latest_ != nullptr && key == latest_key_) return *latest_;
    latest_key_ = key;
    return *(latest_ = &windows_.find_or_insert(key));
  }
  template <class Which>
  std::size_t complete_rest(WindowState& w, LocationId l, const replay::RmaRecord& r, CallRef call, bool locked,
                            Which&& which) {
    return operations_.complete_rest(w.pending, l, r, call, locked, which);
  }
  OneSidedSender* sender(Port& port, WorkerId to);
  PassiveTarget* passive_place(const Port* port);
  Senders senders(Port* port);
  std::vector<WindowsDoor::Way> ways_to_collectives(Port* port);
  void end_answers();
  void begin_chunk(const OneSidedBegin& r);
  void end_chunk(const OneSidedEnd& r);
  void process_records(const OneSidedChunk& chunk, ProcessId process);
  void record_in_time_order(ProcessId process);
  void record(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void collective(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void group_sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void group_sync_of_unknown_function(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void start_access(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t);
  void post_exposure(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t);
  void ask_for_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void try_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void release_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void forget_lock(WindowState& w, std::vector<Lock>::iterator lock);
  void sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void unassigned(LocationId l, const replay::RmaRecord& r);
  void assist_polls(LocationId l, const replay::RmaRecord& r, CallRef call);
  bool may_be_polled(LocationId l, RmaWinId win, const RmaStart& s, Time t, bool locked);
  void start(LocationId l, const replay::RmaRecord& r, CallRef call);
  bool assign_to_lock(WindowState& w, LocationId l, RmaWinId win, Operations::StartedOperation& operation);
  void assign_to_epoch(WindowState& w, LocationId l, RmaWinId win, const RmaStart& start, Time t);

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener& listener_;
  const Wanted wanted_;
  const WorkerId worker_;
  Processes processes_;  ///< how far each has been processed here, and what others have told
  ReadProgress reading_;
  RmaGroups groups_;
  ProcessOrder<replay::RmaRecord> order_;              ///< only for processes with several threads; the calls are held
  util::FlatMap<WindowKey, WindowState> windows_;      ///< looked into by window() alone
  WindowKey latest_key_;                               ///< the window that window() was asked for
  WindowState* latest_ = nullptr;                      ///< null: look it up
  std::optional<WindowCollectives> collectives_here_;  ///< if any window's are here, and wanted
  std::optional<RmaEpochs> epochs_;                    ///< if wanted
  std::optional<PassiveTarget> passive_here_;          ///< if wanted
  std::vector<std::unique_ptr<OneSidedSender>> senders_;  ///< by worker; null if nothing goes there
  std::vector<OneSidedReceiver> of_others_;               ///< by worker
  WindowsDoor collectives_;
  PassiveDoor passive_;
  Operations operations_;
  std::vector<RmaAccess> accesses_view_;  ///< scratch of release_lock()
  std::vector<HeldLock> held_;
};

}  // namespace waitstate::link
