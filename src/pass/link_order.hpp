// Which location's chunk is linked next, and what becomes of a chunk that cannot be linked yet.
//
// The order depends on what has been linked already and on nothing else: so it is the same for any number of threads.
// Locations have their turn by Rounds; one that waits for others too much is left alone. If everybody waits, the one
// that is least far is read on: who waits in vain is known only when who should have sent has ended.
//
// A chunk of a worker thread whose team has not been forked yet is deferred until another location's chunk has told:
// one a location, but where threads wait for each other in a circle, as in damaged traces. These are read on, so that
// what is found does not depend on where chunks end; when nobody can tell any more, a fork is given up.
//
// Cost: a look at the locations that wait, a chunk. Memory: deferred chunks; with more than `most_deferred` events in
// them, what waits is given up.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "pass/rounds.hpp"
#include "replay/chunk/chunk.hpp"

namespace waitstate::pass {

/// Linking: a link::Linker, or what has its functions scan(), may_process(), awaited_fork(), give_up_fork(), at_end(),
/// and waits_for_others().
template <class Linking>
class LinkOrder {
 public:
  using ChunkOwner = std::unique_ptr<replay::Chunk>;

  /// Events that may be deferred in circles.
  static constexpr std::size_t most_deferred = std::size_t{1} << 20;

  /// `process` links a chunk that has been scanned and may be processed, and says how far `rounds` are. Others may look
  /// at `rounds` under the lock.
  LinkOrder(Linking& linking, Rounds& rounds, std::mutex& mutex, std::function<void(ChunkOwner)> process)
      : linking_(linking), rounds_(rounds), mutex_(mutex), process_(std::move(process)) {}

  /// Takes the next chunk of the location whose turn it is: processes it and what waited for it, or defers it.
  void take(ChunkOwner chunk) {
    const LocationId l = chunk->location;
    if (linking_.scan(*chunk) && !deferred_.contains(l)) {
      process_(std::move(chunk));
    } else {
      deferred_events_ += chunk->event_count;
      deferred_[l].push_back(std::move(chunk));
    }
    process_deferred();
  }

  /// The location whose chunk is taken next; none if everything has been processed.
  LocationId next() {
    for (;;) {
      const LocationId l = next_readable();
      if (l.valid() || deferred_.empty()) return l;
      const auto [stuck, tells_more] = find_stuck();
      if (tells_more) return stuck;
      linking_.give_up_fork(stuck);
      process_deferred();
    }
  }

 private:
  struct Stuck {
    LocationId location;
    bool tells_more = false;  ///< it can be read on, and may tell what others wait for; else a fork is given up
  };

  /// Processes chunks whose forks have been scanned meanwhile.
  void process_deferred() {
    for (auto it = deferred_.begin(); it != deferred_.end();) {
      if (!linking_.may_process(it->first)) {
        ++it;
        continue;
      }
      for (ChunkOwner& chunk : it->second) {
        deferred_events_ -= chunk->event_count;
        process_(std::move(chunk));
      }
      it = deferred_.erase(it);
    }
  }

  /// A location that may be read on; none if all that is left is deferred.
  LocationId next_readable() {
    const auto may_be_read = [&](LocationId l) {
      return !linking_.at_end(l) && !linking_.waits_for_others(l) && !deferred_.contains(l);
    };
    {
      const std::lock_guard lock(mutex_);
      if (const LocationId l = rounds_.next(may_be_read); l.valid()) return l;
    }
    // Everybody waits for somebody: a send is missing or far off, or it is behind what is deferred.
    const auto& all = rounds_.by_progress();
    const auto first =
        std::find_if(all.begin(), all.end(), [&](const Rounds::Entry& e) { return !deferred_.contains(e.second); });
    return first == all.end() ? LocationId::none() : first->second;
  }

  /// All that is left waits for each other. Who is waited for is read on; what it does not tell to its end is not in
  /// the trace and given up, of who waits for nobody that waits first: the others' forks may be behind what is deferred
  /// there.
  Stuck find_stuck() {
    LocationId stuck = deferred_.begin()->first;
    for (std::size_t hops = 0; hops < deferred_.size(); ++hops) {
      const auto awaited = deferred_.find(linking_.awaited_fork(stuck));
      if (awaited == deferred_.end()) break;
      stuck = awaited->first;
      if (!awaited->second.back()->last && deferred_events_ < most_deferred) return {stuck, true};
    }
    return {stuck, false};
  }

  Linking& linking_;
  Rounds& rounds_;
  std::mutex& mutex_;
  const std::function<void(ChunkOwner)> process_;
  std::map<LocationId, std::deque<ChunkOwner>> deferred_;  ///< scanned, in the order of their locations' events
  std::size_t deferred_events_ = 0;
};

}  // namespace waitstate::pass
