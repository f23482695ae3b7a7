// Access epochs (MPI_Win_start … complete) of a worker's processes, and their search for the exposure epochs
// (MPI_Win_post … wait: ExposureEpochs) that they access. For each pair of an origin and a target of a window the n-th
// access epoch that names the target belongs to the n-th exposure epoch that names the origin; they meet here, at the
// home of the origin. Halves are taken in the order of their processes' own progress (ReadProgress), each as soon as no
// half of the other side can come before it: so how far the two have been read changes nothing. If a half finds
// most_waiting of the other side or more, these are given up by so many at a time, the oldest first, and it is matched
// with the one behind them; they are given up as soon as it is certain that the next half would find them.
//
// An access epoch is over when it is complete and all its posts are known or given up; then it is delivered, or counted
// if it lacks one of them. Each part of an exposure epoch has one answer: what the access epoch did, once that is
// complete, or that there is none. An epoch that its process does not close before it opens the next one is counted at
// once, for that reason alone. Its halves stay in their queues, so that later ones find their own partners.
//
// Memory: epochs that are open or lack a partner, and halves that are read before the other side has come so far. Cost:
// constant per partner and operation.
#pragma once

#include <vector>

#include "link/exchange/homes.hpp"
#include "link/listener.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/epochs/exposure_part.hpp"
#include "link/rma/groups.hpp"
#include "link/rma/read_progress.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class AccessEpochs {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  /// Operations of an access epoch that are kept; an epoch with more is given up.
  static constexpr std::size_t most_operations = std::size_t{1} << 20;

  AccessEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
               const ReadProgress& reading, RmaGroups& groups, WayToExposures& exposures, std::size_t workers);

  /// The number of the epoch that is opened. `t`: the time of the record that shows it.
  std::uint32_t start(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t);
  /// An operation in an open epoch. False if its target is not in the epoch's group.
  bool access(std::uint32_t access, const RmaStart& start);
  /// Closes an epoch; its number is of no use afterwards.
  void complete(std::uint32_t access, std::uint32_t call);
  /// Gives up an open epoch, which will not be closed.
  void give_up(std::uint32_t access);
  /// An exposure epoch of a worker, this one or another, waits for an origin of this one's.
  void exposed(WorkerId from, const ExposurePart& part);
  /// That exposure epoch will not be closed.
  void exposure_given_up(WorkerId from, std::uint32_t slot);
  /// The process has been read on, or has ended.
  void read(ProcessId process);
  /// All processes have been read: matches what can be matched.
  void settle();
  /// Counts what is not complete and lets it go.
  void finish();

 private:
  struct Target {
    LocationId location;
    WorkerId worker = 0;        ///< home of the exposure epoch
    std::uint32_t slot = none;  ///< its part that has no answer yet
    std::uint32_t post = none;  ///< held
    std::uint32_t half = none;  ///< in the queue, while it waits
  };
  struct Operation {
    std::uint32_t call = none, target = 0;
  };
  struct Epoch {
    LocationId origin;
    RmaWinId win;
    GroupId group;
    std::uint32_t start = none, complete = none;
    std::uint32_t open = 0;  ///< targets whose post is not known
    bool lacks = false;      ///< a post
    bool lost = false;       ///< counted, but its process has not closed it
    std::vector<Target> targets;
    std::vector<Operation> operations;
    RmaAccesses accesses;
  };
  struct UnmatchedHalf {  ///< a half of a pair that waits for the other one
    // One of an access epoch:
    std::uint32_t epoch = none;  ///< none: it has been given up
    std::uint32_t target = 0;
    // One of an exposure epoch:
    std::uint32_t slot = none;  ///< its part; none: it has been given up
    WorkerId worker = 0;        ///< its home
    std::uint32_t post = none;  ///< held

    std::uint32_t next = none;
    Time at = 0;  ///< progress of its process
  };
  struct HalfList {
    std::uint32_t head = none, tail = none, length = 0;
  };
  enum Side : std::uint8_t { access_side, exposure_side };
  struct PairKey {
    std::uint32_t win = 0;
    std::uint64_t who = 0;  ///< origin and target process
    bool operator==(const PairKey&) const = default;
    std::uint64_t hash() const { return util::mixed(who, win); }
  };
  /// The halves of a pair.
  struct Queue {
    HalfList read[2];     ///< by side: halves before which the other side may still bring some
    HalfList waiting[2];  ///< by side, of which at most one has any: halves that wait for one of the other side
    bool marked = false;
    Time mark = 0;        ///< if marked: that of the half that is the last of the most_waiting oldest ones
    bool listed = false;  ///< in the list of a process that is to be read on
    bool used() const {
      return read[0].head != none || read[1].head != none || waiting[0].head != none || waiting[1].head != none ||
             listed;
    }
  };
  /// Where the part of an exposure epoch is; both none: it has its answer.
  struct Place {
    std::uint32_t half = none;
    std::uint32_t epoch = none, target = 0;
  };

  PairKey key(RmaWinId win, LocationId origin, LocationId target) const;
  std::uint32_t add_half(const PairKey& key, Side side, const UnmatchedHalf& half);
  void go_on(const PairKey& key);
  Side next_side(const Queue& queue) const;
  bool may_take(const PairKey& key, const Queue& queue, Side side) const;
  void take(Queue& queue, Side side);
  bool give_up_oldest(const PairKey& key, Queue& queue, Side side);
  void release_oldest(Queue& queue, Side side);
  void append(HalfList& list, std::uint32_t half);
  std::uint32_t pop(HalfList& list);
  UnmatchedHalf forget_half(std::uint32_t id, Side side);
  void match(const UnmatchedHalf& access, const UnmatchedHalf& exposure);
  static ProcessId process_of(const PairKey& key, Side side) {
    return ProcessId{static_cast<std::size_t>(side == access_side ? key.who >> 32 : key.who & 0xffffffffu)};
  }
  Place& place(WorkerId worker, std::uint32_t slot);
  void lack_post(std::uint32_t access);
  void know_post(std::uint32_t access, std::uint32_t target, std::uint32_t post);
  void answer(Epoch& epoch, Target& target);
  void answer_lost(WorkerId worker, std::uint32_t slot);
  void end_if_over(std::uint32_t access);
  void deliver(const Epoch& epoch);
  void lose(std::uint32_t access, const char* what);
  void report(const Epoch& epoch, const char* what);
  void clear(Epoch& epoch);
  void drop_call(std::uint32_t call) {
    if (call != none) calls_.release(call);
  }

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener& listener_;
  const ReadProgress& reading_;
  RmaGroups& groups_;
  WayToExposures& exposures_;
  util::FlatMap<PairKey, Queue> queues_;
  std::vector<std::vector<PairKey>> to_be_read_;  ///< by process: pairs that go on when it has been read on
  util::Pool<UnmatchedHalf> halves_;
  util::Pool<Epoch> epochs_;
  std::vector<std::vector<Place>> places_;     ///< by worker and slot
  std::vector<RmaAccessTarget> targets_view_;  ///< scratch of deliver()
  std::vector<RmaEpochOperation> operations_view_;
};

}  // namespace waitstate::link
