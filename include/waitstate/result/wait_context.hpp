// What happened around the most severe waits: the regions that those were in who took part, and the messages and
// one-sided transfers between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waitstate/pattern/rma.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

struct WaitContext {
  static constexpr std::size_t max_contexts = 40, max_locations = 16, max_intervals = 400, max_messages = 200,
                               max_transfers = 200;
  static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< SevereInstance::context: not kept

  /// A region instance, as far as it lies in the context's time.
  struct Interval {
    LocationId location;
    RegionId region;
    Time enter = 0, exit = 0;
    std::uint32_t depth = 0;  ///< number of regions around it
    friend bool operator==(const Interval&, const Interval&) = default;
  };
  /// Matched by its order, of which only those are here that it leaves no doubt about.
  struct Message {
    LocationId sender, receiver;
    Time sent = 0, received = 0;
    std::uint64_t bytes = 0;
    std::uint32_t tag = 0;
    CommId comm;
    friend bool operator==(const Message&, const Message&) = default;
  };

  /// A one-sided transfer that was started in this time.
  struct Transfer {
    static constexpr Time unknown = ~Time{0};
    LocationId origin, target;
    RmaOperationKind kind{};
    Time started = 0;
    Time completed = unknown;  ///< by its last completion record in this time; `unknown`: it has none
    std::uint64_t bytes = 0;   ///< of an atomic operation: what was sent
    friend bool operator==(const Transfer&, const Transfer&) = default;
  };

  Time from = 0, to = 0;                ///< [from, to), in ticks
  std::vector<LocationId> locations{};  ///< the culprit first, then who waited, the longest first
  std::vector<Interval> regions{};      ///< by location, enter and depth; at most max_intervals of a location
  Ticks shortest = 0;                   ///< shorter instances are left out, because there are too many; 0: none are
  std::vector<Message> messages{};      ///< between the locations, sent and received in this time; at most max_messages
  std::uint64_t messages_left_out = 0;  ///< sent or received then, but more, or not known to be one message
  std::vector<Transfer> transfers{};    ///< between the locations, by start, origin; at most max_transfers
  std::uint64_t transfers_left_out = 0;
  friend bool operator==(const WaitContext&, const WaitContext&) = default;
};

}  // namespace waitstate
