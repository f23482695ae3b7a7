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

#include "link/listener.hpp"
#include "util/flat_map.hpp"
#include "waitstate/rma.hpp"

namespace waitstate::access {

class EpochStore final : public link::Listener {
 public:
  explicit EpochStore(RmaModel model) : model_(model) {}

  /// After the last callback, once: brings all into order.
  void finish();
  std::span<const OneSided> all() const { return all_; }
  std::size_t memory() const { return copied_ + all_.capacity() * sizeof(OneSided); }

  MessageInterests message_interests() const override {
    return {.receives = false, .sends = false, .watermarks = false};
  }
  RmaInterests rma_interests() const override {
    return {.operations = true, .epochs = true, .passive = false, .model = model_};
  }
  void rma_operation(const RmaOperation& o) override;
  void rma_collective(const RmaCollective& r) override;
  void rma_access_epoch(const RmaAccessEpoch& e) override;
  void rma_exposure_epoch(const RmaExposureEpoch& e) override;
  void rma_lock_epoch(const RmaLockEpoch& e) override;

 private:
  struct CallKey {
    LocationId location;
    CallPathId callpath;
    Time enter = 0, exit = 0;
    bool operator==(const CallKey&) const = default;
    std::uint64_t hash() const;
  };

  const Call& keep(const Call& call);
  template <class T, class Copy>
  std::span<const T> keep(std::span<const T> originals, Copy&& copy);
  RmaAccess keep(RmaAccess access);

  const RmaModel model_;
  std::pmr::monotonic_buffer_resource arena_;
  std::size_t copied_ = 0;  ///< bytes of the arena in use
  util::FlatMap<CallKey, const Call*> calls_;
  std::vector<OneSided> all_;
};

}  // namespace waitstate::access
