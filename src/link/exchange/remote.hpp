// The exchange's way to workers of other peers: batches and progress as messages, and one numbering of call paths for
// all.
//
// Peer 0 numbers call paths. Another peer asks it for each one that is new to it, and learns all others that there are
// then; so with programs in which all processes do the same, most paths are known before they are asked for.
//
// Whoever takes what has been posted to it looks for messages first. There is no thread for that, so nobody spins, and
// MPI is called by one thread at a time.
//
// Cost: a message a batch; a round trip a call path that is new to all. Memory: a batch that has been received and not
// been taken, of which there are a few for each worker.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "link/exchange/batch.hpp"
#include "link/exchange/homes.hpp"
#include "peers/peers.hpp"
#include "waitstate/trace/call_tree.hpp"

namespace waitstate::link {

/// Leaves a call that waits for another peer, when the exchange has been stopped.
struct ExchangeStopped {};

/// This peer, as the messages of others see it.
class RemoteListener {
 public:
  virtual ~RemoteListener() = default;
  /// A batch has come from a worker of another peer, for one of this peer.
  virtual void arrived(WorkerId from, WorkerId to, Batch batch) = 0;
  /// At peer 0: the call paths from number `known` on, after `path` has been added, if there is one.
  virtual std::vector<CallPath> answer(const std::optional<CallPath>& path, std::size_t known) = 0;
  /// How far the workers of this peer have read.
  virtual Ticks least_own_progress() const = 0;
  virtual bool stopped() const = 0;
};

class Remote {
 public:
  Remote(peers::Peers& peers, std::size_t workers, RemoteListener& listener);
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;
  ~Remote() { *lives_ = false; }

  /// Sends a batch to a worker of another peer; `taken` is called when it has been received there.
  void send(WorkerId from, WorkerId to, const Batch& batch, std::function<void()> taken);
  /// Handles all messages that have come, unless another thread does so at this moment. Throws peers::PeerFailed.
  void poll();
  /// How far the workers of all other peers have read, as far as is known here.
  Ticks least_progress() const { return others_least_; }
  /// How many events the workers of all other peers have read, as far as is known here.
  std::uint64_t events() const { return others_events_; }
  /// Takes note of how many the workers of this peer have read; that goes to peer 0.
  void count(std::uint64_t events) { own_events_ = events; }

  /// True if peer 0 is another one, which numbers call paths.
  bool asks() const { return peers_.rank() != 0; }
  /// The paths from number `known` on, at least up to that of `path`, if there is one, or `size`. Waits for the answer,
  /// and handles messages until then.
  std::vector<CallPath> ask(std::size_t known, const std::optional<CallPath>& path);

 private:
  /// How far a peer has read.
  struct Progress {
    Ticks least = -1;
    std::uint64_t events = 0;
    friend bool operator==(const Progress&, const Progress&) = default;
  };
  void handle(const peers::Peers::Received& message);
  void take_batch(std::span<const std::byte> bytes);
  void tell_progress();
  void tell(int to, const Progress& progress);

  peers::Peers& peers_;
  const std::size_t workers_;
  RemoteListener& listener_;
  std::mutex polling_;
  std::atomic<Ticks> others_least_ = -1;
  std::atomic<std::uint64_t> others_events_ = 0, own_events_ = 0;
  std::vector<Progress> of_peers_;          ///< by peer, what they have told; at peer 0 only
  std::vector<Progress> told_;              ///< by peer, what they have been told
  std::vector<std::atomic<bool>> telling_;  ///< by peer: what they have been told has not been taken
  const std::shared_ptr<bool> lives_ = std::make_shared<bool>(true);  ///< for what may be called later
  std::mutex answer_mutex_;
  std::optional<std::vector<CallPath>> answer_;
};

}  // namespace waitstate::link
