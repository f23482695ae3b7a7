// What calls waited for their receives (LateSender, ReceiveWait), kept until their sends are delivered: a call that
// completes both was not waiting for its sends meanwhile. Cost: one hash lookup a call that completes both.
#pragma once

#include <cstdint>

#include "util/flat_map.hpp"
#include "waitstate/pattern/message.hpp"

namespace waitstate::analysis {

class ReceiveWaits {
 public:
  /// While the receives of a call are delivered: what it waited for them.
  void set(Ticks ticks) { now_ = ticks; }

  void begin() { now_ = 0; }
  /// The receives have been delivered. To be called only if the sends of the call will be asked for.
  void keep(const CompletedReceives& r) {
    if (r.sends_follow && now_ != 0) kept_.find_or_insert({r.call_number}) = now_;
  }
  /// What the call waited; forgotten here.
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
    std::uint64_t hash() const { return number * 0x9e3779b97f4a7c15u; }
  };
  util::FlatMap<CallNumber, Ticks> kept_;
  Ticks now_ = 0;  ///< of the call whose receives are being delivered
};

}  // namespace waitstate::analysis
