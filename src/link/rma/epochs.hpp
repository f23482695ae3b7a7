// Access epochs (MPI_Win_start … complete) and the exposure epochs (MPI_Win_post … wait) that they access. For each
// pair of an origin and a target of a window the n-th access epoch that names the target belongs to the n-th exposure
// epoch that names the origin. Halves are taken in the order of their processes' own progress (ReadProgress), each as
// soon as no half of the other side can come before it: so how far the two have been read changes nothing. If a half
// finds most_waiting of the other side or more, these are given up by so many at a time, the oldest first, and it is
// matched with the one behind them; they are given up as soon as it is certain that the next half would find them.
//
// An access epoch is over when it is complete and all its posts are known or given up, an exposure epoch when it is
// complete and all its origins' epochs are; then it is delivered, or counted if it lacks one of them. An epoch that its
// process does not close before it opens the next one is counted at once, for that reason alone. Its halves stay in
// their queues, so that later ones find their own partners.
//
// Memory: epochs that are open or lack a partner, and halves that are read before the other side has come so far. Cost:
// constant per partner and operation.
#pragma once

#include <vector>

#include "link/listener.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/groups.hpp"
#include "link/rma/read_progress.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class RmaEpochs {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  /// Operations of an access epoch that are kept; an epoch with more is given up.
  static constexpr std::size_t most_operations = std::size_t{1} << 20;

  RmaEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
            const ReadProgress& reading, RmaGroups& groups);

  /// The number of the epoch that is opened. `t`: the time of the record that shows it.
  std::uint32_t start(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t);
  std::uint32_t post(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t);
  /// Closes an access or exposure epoch; its number is of no use afterwards.
  void complete(std::uint32_t access, std::uint32_t call);
  void wait(std::uint32_t exposure, std::uint32_t call);
  /// Gives up an open epoch, which will not be closed.
  void give_up_access(std::uint32_t access);
  void give_up_exposure(std::uint32_t exposure);
  /// An operation in an open access epoch. False if its target is not in the epoch's group.
  bool access(std::uint32_t access, const RmaStart& start);
  /// The process has been read on, or has ended.
  void read(ProcessId process);
  /// Counts what is not complete and lets it go.
  void finish();

 private:
  struct Target {
    LocationId location;
    std::uint32_t exposure = none,
                  slot = 0;     ///< the partner that is to be told, and this epoch's place among its origins
    std::uint32_t post = none;  ///< held
    std::uint32_t half = none;  ///< in the queue, while it waits
  };
  struct AccessOperation {
    std::uint32_t call = none, target = 0;
  };
  struct Access {
    LocationId origin;
    RmaWinId win;
    GroupId group;
    std::uint32_t start = none, complete = none;
    std::uint32_t open = 0;  ///< targets whose post is not known
    bool lacks = false;      ///< a post
    bool lost = false;       ///< counted, but its process has not closed it
    std::vector<Target> targets;
    std::vector<AccessOperation> operations;
    RmaAccesses accesses;
  };
  struct Origin {
    LocationId location;
    std::uint32_t access = none, slot = 0;        ///< the partner that has not told yet, and its target that this is
    std::uint32_t start = none, complete = none;  ///< held
    std::uint32_t half = none;
    RmaAccesses::Entry accessed;  ///< its call is held; none: nothing
  };
  struct Exposure {
    LocationId target;
    RmaWinId win;
    std::uint32_t post = none, wait = none;
    std::uint32_t open = 0;  ///< origins that are not complete
    bool lacks = false;      ///< an origin's epoch
    std::vector<Origin> origins;
  };
  struct UnmatchedHalf {                   ///< a half of a pair that waits for the other one
    std::uint32_t epoch = none, slot = 0;  ///< none: the epoch has been given up
    std::uint32_t post = none;             ///< post of an exposure that has been given up; held
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

  std::uint32_t add_half(RmaWinId win, LocationId origin, LocationId target, Side side, UnmatchedHalf half);
  void go_on(const PairKey& key);
  Side next_side(const Queue& queue) const;
  bool may_take(const PairKey& key, const Queue& queue, Side side) const;
  void take(Queue& queue, Side side);
  bool give_up_oldest(const PairKey& key, Queue& queue, Side side);
  void release_oldest(Queue& queue, Side side);
  void append(HalfList& list, std::uint32_t half);
  std::uint32_t pop(HalfList& list);
  void forget_half(std::uint32_t id, Side side);
  void match(const UnmatchedHalf& access, const UnmatchedHalf& exposure);
  static ProcessId process_of(const PairKey& key, Side side) {
    return ProcessId{static_cast<std::size_t>(side == access_side ? key.who >> 32 : key.who & 0xffffffffu)};
  }
  void lack_post(std::uint32_t access);
  void lack_origin(std::uint32_t exposure, std::uint32_t origin);
  void connect(std::uint32_t access, std::uint32_t target, std::uint32_t exposure, std::uint32_t origin);
  void know_post(std::uint32_t access, std::uint32_t target, std::uint32_t post);
  void pass_on(Access& access, Target& target);
  void end_if_over(std::uint32_t access);
  void end_exposure_if_over(std::uint32_t exposure);
  void deliver(const Access& access);
  void deliver(const Exposure& exposure);
  void lose_access(std::uint32_t access, const char* what);
  void report(LocationId l, std::uint32_t call, const char* what);
  void tell_of_missing_part(std::uint32_t call);
  void clear(Access& access);
  void clear(Exposure& exposure);
  void drop_call(std::uint32_t call) {
    if (call != none) calls_.release(call);
  }

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener& listener_;
  const ReadProgress& reading_;
  RmaGroups& groups_;
  util::FlatMap<PairKey, Queue> queues_;
  std::vector<std::vector<PairKey>> to_be_read_;  ///< by process: pairs that go on when it has been read on
  util::Pool<UnmatchedHalf> halves_;
  util::Pool<Access> accesses_;
  util::Pool<Exposure> exposures_;
  std::vector<RmaAccessTarget> targets_view_;  ///< scratch of deliveries
  std::vector<RmaEpochOperation> operations_view_;
  std::vector<RmaExposureOrigin> origins_view_;
};

}  // namespace waitstate::link
