// Brings batches of records from one worker to another, each a thread of this process or of another peer. Between two
// workers they arrive in the order in which they were posted; between others there is no order, and nothing needs one.
//
// Cost: a lock a batch. Memory: batches that have been posted and not been taken. Who has posted many stops reading
// until they have been taken, but goes on taking. Taking never waits, and who takes makes room; so nobody can get
// stuck.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "link/exchange/batch.hpp"
#include "link/exchange/homes.hpp"
#include "link/exchange/remote.hpp"

namespace waitstate::link {

class Exchange {
 public:
  /// With a seed, what has been posted is delayed at random, for tests: by how much depends on it.
  explicit Exchange(std::size_t workers, std::uint64_t seed = 0)
      : Exchange(workers, seed, {0, static_cast<WorkerId>(workers)}) {}
  /// `own`: the workers that are threads of this process; connect() says how to reach the others.
  Exchange(std::size_t workers, std::uint64_t seed, OwnWorkers own);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() { *lives_ = false; }
  void connect(Remote& remote) { remote_ = &remote; }
  /// A batch of a worker of another peer has come.
  void arrived(WorkerId from, WorkerId to, Batch batch);

  std::size_t workers() const { return inboxes_.size(); }
  void post(WorkerId from, WorkerId to, Batch batch);
  /// The batches that have been posted to the worker, by the worker that posted them, each in its order.
  std::vector<std::vector<Batch>> take(WorkerId worker);

  /// False if so much of what the worker has posted has not been taken that it should not read on.
  bool has_room(WorkerId worker) const { return state_[worker].posted <= most_posted; }

  // How far the workers have read, in the time of their processes.
  void publish(WorkerId worker, Ticks progress);
  Ticks least_progress() const;
  Ticks least_own_progress() const;  ///< counts only the workers of this process

  /// Waits until something has been posted to the worker, or others are farther than they were, have made room for it,
  /// or have stopped; but not longer than a tenth of a second.
  void wait(WorkerId worker, Ticks least_progress_seen);

  /// With other peers: how many events the workers of this one have read, and how many those of all others, as far as
  /// is known here.
  void count(std::uint64_t events) {
    if (remote_ != nullptr) remote_->count(events);
  }
  std::uint64_t events_of_others() const { return remote_ == nullptr ? 0 : remote_->events(); }

  /// Everybody stops at the next opportunity.
  void stop();
  bool stopped() const { return stopped_; }

 private:
  struct Inbox {
    explicit Inbox(std::size_t workers) : batches(workers) {}
    std::mutex mutex;
    std::condition_variable arrived;
    std::vector<std::vector<Batch>> batches;
    std::atomic<bool> any = false;
    bool woken = false;      ///< somebody is farther, or has made room
    std::minstd_rand delay;  ///< only with a seed
  };
  static constexpr std::size_t most_posted = 32;  ///< batches
  void take_some(Inbox& inbox, std::vector<std::vector<Batch>>& taken) const;
  void wake(Inbox& inbox);

  const bool delays_;
  const OwnWorkers own_;
  Remote* remote_ = nullptr;                                          ///< null if there are no other peers
  const std::shared_ptr<bool> lives_ = std::make_shared<bool>(true);  ///< for what may be called later
  std::vector<std::unique_ptr<Inbox>> inboxes_;
  struct alignas(64) State {
    std::atomic<Ticks> progress = -1;
    std::atomic<std::size_t> posted = 0;  ///< batches of the worker that have not been taken
  };
  std::vector<State> state_;
  std::atomic<std::size_t> waiting_ = 0;  ///< workers that wait
  std::atomic<bool> stopped_ = false;
};

}  // namespace waitstate::link
