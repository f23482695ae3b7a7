// The time that calls waited for their receives (LateSender, ReceiveWait), kept until their sends are delivered: a call
// that completes both was not waiting for its sends meanwhile. Cost: one hash look-up a call that completes both.
#pragma once

#include <cstdint>

#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "waitstate/pattern/message.hpp"

namespace waitstate::analysis {

class ReceiveWaits {
 public:
  /// Sets the time that the call waited whose receives are being delivered.
  void set(Ticks ticks) { now_ = ticks; }

  void begin() { now_ = 0; }
  /// Says that the receives have been delivered. Keeps the time only if the sends of the call will follow.
  void keep(const CompletedReceives& r) {
    if (r.sends_follow && now_ != 0) kept_.find_or_insert({r.call_number}) = now_;
  }
  /// Returns and removes the time that the call waited.
  Ticks take(const CompletedSends& s) {
    if (kept_.size() == 0) return 0;
    Ticks* const found = kept_.find({s.call_number});
    if (found == nullptr) return 0;
    const Ticks ticks = *found;
    kept_.erase(*found);
    return ticks;
  }

 private:
  struct CallNumber {
    std::uint32_t number = 0;
    bool operator==(const CallNumber&) const = default;
    std::uint64_t hash() const { return util::spread(number); }
  };
  util::FlatMap<CallNumber, Ticks> kept_;
  Ticks now_ = 0;  ///< wait of the call whose receives are being delivered
};

}  // namespace waitstate::analysis
