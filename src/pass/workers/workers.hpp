// Several workers, each a thread, that read a trace together: each decodes, replays and links its own processes, and
// calls patterns of its own for them. What is between processes of several workers goes through the exchange.
//
//   worker 0 (the calling thread)   Pass ─► Linker ─► listener        Port ◄─┐
//   worker 1                        Pass ─► Linker ─► listener        Port ◄─┼─ Exchange
//   ...                                                                      ┘
//
// When all have read everything, the first linker gets what the others have, and finishes for all. The results are
// those of one worker: nothing depends on how far each location has been read.
//
// With several peers each has a block of the workers. Call paths have the same numbers everywhere, and what the workers
// of other peers have found comes to peer 0 before it finishes for all.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "link/exchange/exchange.hpp"
#include "link/exchange/homes.hpp"
#include "link/exchange/port.hpp"
#include "link/exchange/remote.hpp"
#include "link/exchange/shared_call_tree.hpp"
#include "link/linker.hpp"
#include "pass/pass.hpp"
#include "peers/archive.hpp"
#include "peers/peers.hpp"

namespace waitstate::pass {

/// One worker's listener, and the call tree that it looks at.
struct WorkerSide {
  link::Listener* listener = nullptr;
  CallTree* call_tree = nullptr;
};

/// The system cannot start as many threads as there are workers.
struct NoThreads {};

class Workers : private link::RemoteListener {
 public:
  /// `sides`: one for each worker of this peer. `call_tree` gets all call paths. `peers`: null if there are no others.
  /// With a seed, records are delayed at random.
  Workers(TraceInput& input, const link::Homes& homes, CallTree& call_tree, const std::vector<WorkerSide>& sides,
          const link::CancelledSends& cancelled, const PassOptions& options, peers::Peers* peers, std::uint64_t seed);

  /// Reads the whole trace: this peer's part. Rethrows what the first failing worker's listener throws; throws
  /// NoThreads before anybody has been told anything.
  void run();
  /// After run(): what the workers of this peer have found goes to peer 0, which takes that of each other one.
  void give(peers::ArchiveWriter& archive);
  void take(peers::ArchiveReader& archive);

  /// The passes and linkers of this peer's workers.
  const std::vector<std::unique_ptr<Pass>>& passes() const { return passes_; }
  const std::vector<std::unique_ptr<link::Linker>>& linkers() const { return linkers_; }
  /// After run(): adds what linking found.
  void collect(Diagnostics& diagnostics) const;
  /// Tells the first listener what is known only now; call it when what the others have been told has been added to it.
  void finish();

 private:
  void work(std::size_t own);
  void arrived(link::WorkerId from, link::WorkerId to, link::Batch batch) override {
    exchange_.arrived(from, to, std::move(batch));
  }
  std::vector<CallPath> answer(const std::optional<CallPath>& path, std::size_t known) override {
    return shared_.answer(path, known);
  }
  Ticks least_own_progress() const override { return exchange_.least_own_progress(); }
  bool stopped() const override { return exchange_.stopped(); }

  TraceInput& input_;
  const link::OwnWorkers own_;
  std::optional<link::Remote> remote_;  ///< if there are other peers
  link::Exchange exchange_;
  link::SharedCallTree shared_;
  CallTree& call_tree_;
  // By worker of this peer:
  const std::vector<WorkerSide> sides_;
  std::deque<Diagnostics> diagnostics_;
  std::deque<link::Port> ports_;
  std::vector<std::unique_ptr<link::Linker>> linkers_;
  std::vector<std::unique_ptr<Pass>> passes_;
  std::vector<std::exception_ptr> failures_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace waitstate::pass
