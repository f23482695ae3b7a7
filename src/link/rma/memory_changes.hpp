// The last change of the memory that a process waited for: by window and the process whose memory it is, any process's
// operation or one process's notification. Cost: a hash look-up each. Memory: one call per such pair.
#pragma once

#include <cstdint>

#include "link/calls.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

class MemoryChanges {
 public:
  /// The memory that was changed, and, of a notification, its sender.
  struct ChangedMemory {
    static constexpr std::uint32_t any = 0xffffffffu;

    RmaWinId win;
    ProcessId target;            ///< process whose memory it is
    std::uint32_t origin = any;  ///< the process that sends a notification
    bool operator==(const ChangedMemory&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(win.value, target.value), std::uint64_t{origin} + 1); }
  };

  explicit MemoryChanges(Calls& calls) : calls_(calls) {}

  /// In the order of time.
  void changed(const ChangedMemory& memory, CallRef call) {
    CallRef& last = last_.find_or_insert(memory).call;
    calls_.keep(call);
    if (last != CallState::none) calls_.release(last);
    last = call;
  }
  /// The call that changed it last, if it overlaps with the one that waited; null otherwise.
  const Call* during(const Call& waited, const ChangedMemory& memory) {
    const Last* const last = last_.find(memory);
    if (last == nullptr) return nullptr;
    const Call& change = calls_[last->call].call;
    return change.enter < waited.exit && change.exit > waited.enter ? &change : nullptr;
  }

 private:
  struct Last {
    CallRef call = CallState::none;  ///< held
  };
  Calls& calls_;
  util::FlatMap<ChangedMemory, Last> last_;
};

}  // namespace waitstate::link
