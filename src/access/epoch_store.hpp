// Keeps the epochs and operations of one-sided communication for EventTrace::epochs(): listens to linking, and copies
// what the views of its callbacks show.
//
// All copies lie in one arena that only grows; a call that belongs to several of them - a fence completes many
// operations - is copied once while its table lasts, which is until finish(). Cost: a hash lookup a call, and the bytes
// of the copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "access/event_copier.hpp"
#include "link/listener.hpp"
#include "util/flat_map.hpp"
#include "waitstate/pattern/rma.hpp"

namespace waitstate::access {

class EpochStore final : public link::Listener {
 public:
  explicit EpochStore(RmaModel model) : model_(model) {}

  /// After the last callback, once: brings all into order.
  void finish();
  std::span<const OneSided> all() const { return all_; }
  std::size_t memory() const { return copied_ + all_.capacity() * sizeof(OneSided); }

  link::Wanted wanted() const override {
    return {.interests = interest_rma_operation | interest_rma_collective | interest_rma_access_epoch |
                         interest_rma_exposure_epoch | interest_rma_lock_epoch,
            .rma_model = model_};
  }
  void rma_operation(const RmaOperation& o) override { add(o); }
  void rma_collective(const RmaCollective& r) override { add(r); }
  void rma_access_epoch(const RmaAccessEpoch& e) override { add(e); }
  void rma_exposure_epoch(const RmaExposureEpoch& e) override { add(e); }
  void rma_lock_epoch(const RmaLockEpoch& e) override { add(e); }

 private:
  friend EventCopier<EpochStore>;

  struct CallKey {
    LocationId location;
    CallPathId callpath;
    Time enter = 0, exit = 0;
    bool operator==(const CallKey&) const = default;
    std::uint64_t hash() const;
  };

  const Call& keep(const Call& call);
  void* allocate(std::size_t bytes) {
    copied_ += bytes;
    return arena_.allocate(bytes);
  }
  template <class E>
  void add(const E& event) {
    all_.emplace_back(EventCopier(*this).copy(event));
  }

  const RmaModel model_;
  std::pmr::monotonic_buffer_resource arena_;
  std::size_t copied_ = 0;  ///< bytes of the arena in use
  util::FlatMap<CallKey, const Call*> calls_;
  std::vector<OneSided> all_;
};

}  // namespace waitstate::access
