// What linking tells whoever analyses: the compound events.
#pragma once

#include "waitstate/collective.hpp"
#include "waitstate/message.hpp"

namespace waitstate::trace {

/// Receives the compound events, from one thread at a time.
class LinkListener {
 public:
  virtual ~LinkListener() = default;
  virtual void completed_receives(const CompletedReceives& receives) = 0;
  virtual void completed_sends(const CompletedSends& sends) = 0;
  /// `watcher`: as given to Linker::watch_overtaking.
  virtual void overtaken(const Overtaken& overtaken, std::uint32_t watcher) = 0;
  virtual void collective(const Collective& collective) = 0;
  virtual void completed_collectives(const CompletedCollectives& completed) = 0;
  /// A non-blocking collective has completed, by whatever call: what `started` moved.
  virtual void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                                      std::uint64_t bytes_received) = 0;
};

}  // namespace waitstate::trace
