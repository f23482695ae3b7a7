// The events of one-sided transfers that no recorder writes: where a transfer starts and ends, at the process that the
// data comes from and at the one that it goes to. They are derived from the records of operations and their completions
// while the one stream is put together, and stand in it as events of their own:
//
//   put   put_1ts at the origin, right behind the record of the put          put_1te at the target, with startptr
//   get   get_1to at the origin, right behind the record of the get
//         get_1ts at the target at the same time, with originptr → get_1to   get_1te at the origin, with startptr
//
// A transfer ends shortly before the exit of a call: by the basic model of the call that starts it, by the extended
// model of the call in which it becomes complete (see rma.hpp, which decides that in the same way, from the same
// records). An atomic operation is a put of what it sends and a get of what it receives. Source: Hermanns, Mohr and
// Wolf, Euro-Par 2005, section 3 and figures 1 and 2.
//
// What is not complete waits per process and window, in the order of the stream; it is what bounds the memory. An
// operation that is never completed has no end. Cost: nothing if nobody asks for these events.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "trace/event_store.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/rma.hpp"

namespace waitstate::trace {

class Transfers {
 public:
  /// Puts an event into the stream and returns its position; record and links are set, enterptr is not.
  using Place = std::function<Position(const EventStore::Input&)>;

  Transfers(const Definitions& definitions, const CallTree& call_tree, EventStore& store, RmaModel model, bool pin,
            Place place)
      : definitions_(definitions),
        call_tree_(call_tree),
        store_(store),
        model_(model),
        pin_(pin),
        place_(std::move(place)) {}

  /// A one-sided record that has been put into the stream.
  void after(const Event& e);
  /// An exit that is about to be put there, of the call entered at `enter`.
  void before_exit(LocationId l, Position enter, Time t);

 private:
  /// One direction of an operation.
  struct Transfer {
    bool put = false;
    LocationId origin, target;
    RmaWinId win;
    std::uint64_t match = 0, bytes = 0;
    Position own_enter = no_position;  ///< of the call that started it
    Position origin_pos = no_position, start_pos = no_position;
    bool locked = false;
  };
  struct Lock {
    LocationId target;  ///< none: all
    std::uint64_t number = 0;
  };
  struct WindowState {
    std::vector<Lock> locks;
    std::map<std::uint64_t, std::vector<std::uint32_t>> pending;  ///< by matching id
  };
  using WindowKey = std::pair<std::uint32_t, std::uint32_t>;  ///< window, process
  using ExitKey = std::pair<std::uint32_t, Position>;         ///< location, enter of the call

  WindowState& window(const Event& e, RmaWinId win) { return windows_[{win.value, definitions_[e.loc].process.value}]; }
  bool of_mpi(RmaWinId win) const;
  bool basic(RmaWinId win) const {
    return model_ == RmaModel::basic || (model_ == RmaModel::automatic && !of_mpi(win));
  }
  void start(const Event& e, bool put, std::uint64_t bytes, std::uint64_t match);
  void finish_matching(const Event& e);
  template <class Which>
  void finish_rest(const Event& e, RmaWinId win, Which&& which);
  void finish(std::uint32_t transfer, const Event& e);
  Position emit(EventType type, const Transfer& transfer, LocationId l, Time t);
  void emit_end(std::uint32_t transfer, Time t);

  const Definitions& definitions_;
  const CallTree& call_tree_;
  EventStore& store_;
  const RmaModel model_;
  const bool pin_;
  const Place place_;
  std::map<WindowKey, WindowState> windows_;
  std::map<ExitKey, std::vector<std::uint32_t>> due_;  ///< transfers that end before that exit
  std::vector<Transfer> transfers_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint8_t> record_;  ///< scratch of emit()
};

}  // namespace waitstate::trace
