// Access epochs (MPI_Win_start … complete) and the exposure epochs (MPI_Win_post … wait) that they access. For each
// pair of an origin and a target of a window the n-th access epoch that names the target belongs to the n-th exposure
// epoch that names the origin; whichever half is read first waits in the pair's queue.
//
// An access epoch is delivered when it is complete and all its posts are known, an exposure epoch when it is complete
// and all its origins' epochs are; then they are forgotten. What cannot become complete any more is counted and given
// up: an epoch that its process does not close before it opens the next one, the oldest halves of a queue whose other
// side never comes (ReadProgress), an exposure with an origin whose epoch was given up. The half of such an epoch stays
// in its queues, so that later ones find their own partners.
//
// Memory: epochs that are open or lack a partner. Cost: constant per partner and operation.
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

  /// The number of the epoch that is opened.
  std::uint32_t start(LocationId l, RmaWinId win, GroupId group, std::uint32_t call);
  std::uint32_t post(LocationId l, RmaWinId win, GroupId group, std::uint32_t call);
  /// Closes an access or exposure epoch; its number is of no use afterwards.
  void complete(std::uint32_t access, std::uint32_t call);
  void wait(std::uint32_t exposure, std::uint32_t call);
  /// Gives up an open epoch, which will not be closed.
  void give_up_access(std::uint32_t access);
  void give_up_exposure(std::uint32_t exposure);
  /// An operation in an open access epoch. False if its target is not in the epoch's group.
  bool access(std::uint32_t access, const RmaStart& start);
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
    bool lost = false;       ///< given up, but its process has not closed it
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
    bool lost = false;
    std::vector<Origin> origins;
  };
  struct UnmatchedHalf {                   ///< a half of a pair that waits for the other one
    std::uint32_t epoch = none, slot = 0;  ///< none: the epoch has been given up
    std::uint32_t post = none;             ///< post of an exposure that has been given up; held
    std::uint32_t next = none;
  };
  struct PairKey {
    std::uint32_t win = 0;
    std::uint64_t who = 0;  ///< origin and target process
    bool operator==(const PairKey&) const = default;
    std::uint64_t hash() const { return util::mixed(who, win); }
  };
  struct Queue {
    bool of_accesses = false;
    std::uint32_t head = none, tail = none;
    std::uint32_t length = 0;
    std::uint32_t marked = 0;  ///< so many at the head are given up when the other side has been read beyond `mark`
    Time mark = 0;
  };

  bool match(RmaWinId win, LocationId origin, LocationId target, bool is_access, UnmatchedHalf& half,
             std::uint32_t& waits, Time at);
  void release_oldest(Queue& queue);
  UnmatchedHalf pop(Queue& queue);
  void connect(std::uint32_t access, std::uint32_t target, std::uint32_t exposure, std::uint32_t origin);
  void know_post(std::uint32_t access, std::uint32_t target, std::uint32_t post);
  void pass_on(Access& access, Target& target);
  void deliver_if_ready(std::uint32_t access);
  void deliver_exposure_if_ready(std::uint32_t exposure);
  void lose_access(std::uint32_t access, const char* what);
  void lose_exposure(std::uint32_t exposure, const char* what);
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
  util::Pool<UnmatchedHalf> halves_;
  util::Pool<Access> accesses_;
  util::Pool<Exposure> exposures_;
  std::vector<RmaAccessTarget> targets_view_;  ///< scratch of deliveries
  std::vector<RmaEpochOperation> operations_view_;
  std::vector<RmaExposureOrigin> origins_view_;
};

}  // namespace waitstate::link
