// The events of one-sided transfers that no recorder writes: the starts and ends of transfers, at the process that the
// data comes from and at the one that it goes to. They are derived from the records of operations and their completions
// while the stream is put together, and are events of their own in it:
//
//   put   put_1ts at the origin, right behind the record of the put          put_1te at the target, with startptr
//   get   get_1to at the origin, right behind the record of the get
//         get_1ts at the target at the same time, with originptr → get_1to   get_1te at the origin, with startptr
//
// A transfer ends shortly before the exit of a call: in the basic model the call that starts it, in the extended model
// the call in which it becomes complete by the rules of MPI. That is a call of the origin (see rma.hpp, which decides
// it in the same way, from the same records); but a put between fences, or in an access epoch, is complete at its
// target only when the target's own fence, or its wait, is complete: it ends before the exit of that call, so that a
// process that continues after a fence does not find data that comes later in the stream. If the target has left that
// call before the put was started (clocks disagree), the put ends with the origin's call; if the target does not reach
// it before the origin has also completed its next epoch, the put ends with that epoch. An atomic operation is a put of
// the data that it sends and a get of the data that it receives. Source: Hermanns, Mohr and Wolf, Euro-Par 2005,
// section 3 and figures 1 and 2.
//
// Incomplete transfers wait per process and window, in the order of the stream; they bound the memory, and there are at
// most `most_waiting` for each process and window. An operation that is never completed has no end. Links always point
// back: starts are placed with the records of their operations, and ends only after them. Cost: nothing if these events
// are not wanted.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "link/rma/group_sync.hpp"
#include "link/rma/groups.hpp"
#include "link/rma/pending_operations.hpp"
#include "merge/event_store.hpp"
#include "waitstate/pattern/rma.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::merge {

class Transfers {
 public:
  /// Puts an event into the stream and returns its position; record and links are set, enterptr is not.
  using PlaceEvent = std::function<Position(const EventStore::Input&)>;

  Transfers(const Definitions& definitions, const CallTree& call_tree, EventStore& store, RmaModel model, bool pin,
            PlaceEvent place)
      : definitions_(definitions),
        call_tree_(call_tree),
        store_(store),
        model_(model),
        pin_(pin),
        place_(std::move(place)),
        groups_(definitions) {}

  /// A one-sided record that has been put into the stream.
  void after(const Event& e);
  /// An exit that is about to be put into the stream, of the call entered at `enter`.
  void before_exit(LocationId l, Position enter, Time t);

 private:
  static constexpr std::size_t most_waiting = std::size_t{1} << 20;

  /// One direction of an operation. It is removed when it has ended and neither its origin nor its target waits for it.
  struct Transfer {
    bool put = false;
    LocationId origin, target;
    RmaWinId win;
    std::uint64_t match = 0, bytes = 0;
    Position origin_pos = no_position, start_pos = no_position;
    bool pending = false;   ///< its origin has not completed it
    bool incoming = false;  ///< its target's synchronisation will end it
    bool due = false, ended = false;
  };
  struct Lock {
    LocationId target;  ///< none: all
    std::uint64_t number = 0;
    bool acquired = false;
    Position enter = no_position;  ///< enter of the call that asked for it
  };
  /// A put that ends with a call of its target: the window's collective, or the closing of the exposure to the origin,
  /// of that number.
  struct Incoming {
    std::uint32_t transfer = 0;
    Position start = no_position;  ///< shows whether the number stands for another transfer by now
    ProcessId origin;              ///< none: a collective
    std::uint64_t number = 0;
  };
  /// A put that its origin has completed, but not its target.
  struct Awaited {
    std::uint32_t transfer = 0;
    Position start = no_position;
    std::uint64_t epoch = 0;
  };
  using ExitKey = std::pair<std::uint32_t, Position>;  ///< location, enter of the call
  struct WindowState {
    std::vector<Lock> locks;
    link::PendingOperations<std::uint32_t>::Window pending;
    std::uint64_t collectives = 0;  ///< window collectives that the process has been part of
    GroupId access;                 ///< group of the open access epoch
    link::GroupSync group_syncs;
    std::vector<Incoming> incoming;
    ExitKey last_collective, last_exposure;  ///< the calls that closed what was closed last
    std::size_t purge_at = 1024;             ///< number of entries of `incoming` at which useless ones are removed
    std::vector<Awaited> awaited;
    std::uint64_t epochs = 0;  ///< number of fences and access epochs that the process has completed
  };
  using WindowKey = std::pair<std::uint32_t, std::uint32_t>;                ///< window, process
  using PairKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< window, origin, target

  WindowState& window(ProcessId process, RmaWinId win) { return windows_[{win.value, process.value}]; }
  ProcessId process(LocationId l) const { return definitions_[l].process; }
  bool basic(RmaWinId win) const {
    return model_ == RmaModel::basic || (model_ == RmaModel::automatic && !definitions_.is_of_mpi(win));
  }
  MpiFunction function(const Event& e) const;
  bool in_call(const Event& e) const;
  void close_with(const Event& e, ExitKey& call);

  void start(const Event& e, bool put, std::uint64_t bytes, std::uint64_t match);
  bool is_incoming(const Incoming& i) const {
    return transfers_[i.transfer].incoming && transfers_[i.transfer].start_pos == i.start;
  }
  void expect(WindowState& origin, const Transfer& t, std::uint32_t id);
  void collective(const Event& e, RmaWinId win);
  void group_sync(const Event& e, RmaWinId win);
  void open_access(const Event& e, WindowState& w, RmaWinId win, GroupId group);
  void close_exposure(const Event& e, WindowState& w, RmaWinId win, GroupId group);
  void ask_for_lock(const Event& e, WindowState& w);
  void try_lock(const Event& e, WindowState& w);
  void release_lock(const Event& e, WindowState& w);
  void finish_matching(const Event& e, WindowState& w, RmaWinId win);
  template <class Which>
  void finish_rest(const Event& e, WindowState& w, bool locked, Which&& which);
  template <class Which>
  void finish_incoming(const Event& e, WindowState& w, Which&& which);
  void finish(std::uint32_t transfer, const Event& e);
  void end_epoch(const Event& e, WindowState& w);
  void forget(std::uint32_t transfer);
  void end_with(std::uint32_t transfer, const Event& e);
  void emit_end(std::uint32_t transfer, Time t);
  void release(std::uint32_t transfer);
  Position emit(EventType type, const Transfer& transfer, LocationId l, Time t);

  const Definitions& definitions_;
  const CallTree& call_tree_;
  EventStore& store_;
  const RmaModel model_;
  const bool pin_;
  const PlaceEvent place_;
  link::RmaGroups groups_;
  std::map<WindowKey, WindowState> windows_;
  std::map<PairKey, std::uint64_t> accesses_, exposures_;  ///< opened, closed
  std::map<ExitKey, std::vector<std::uint32_t>> due_;      ///< transfers that end before that exit
  link::PendingOperations<std::uint32_t> pending_;
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint8_t> record_;  ///< scratch of emit()
};

}  // namespace waitstate::merge
