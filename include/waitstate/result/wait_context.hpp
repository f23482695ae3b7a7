// The events around the most severe waits: the regions that the participants were in, and the messages and one-sided
// transfers between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "waitstate/pattern/rma.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

struct WaitContext {
  static constexpr std::size_t max_contexts = 40, max_locations = 16, max_intervals = 400, max_messages = 200,
                               max_transfers = 200;
  static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< for SevereInstance::context: not kept

  /// The part of a region instance that lies in the context's time.
  struct Interval {
    LocationId location;
    RegionId region;
    Time enter = 0, exit = 0;
    std::uint32_t depth = 0;  ///< number of regions around it
    friend bool operator==(const Interval&, const Interval&) = default;
  };
  /// A message; only those are listed of which both halves are known for certain.
  struct Message {
    LocationId sender, receiver;
    Time sent = 0, received = 0;
    std::uint64_t bytes = 0;
    std::uint32_t tag = 0;
    CommId comm;
    friend bool operator==(const Message&, const Message&) = default;
    /// In the order of sends; it leaves nothing open but which of two equal ones comes first.
    friend bool operator<(const Message& a, const Message& b) {
      return std::tie(a.sent, a.sender, a.received, a.receiver, a.comm, a.tag, a.bytes) <
             std::tie(b.sent, b.sender, b.received, b.receiver, b.comm, b.tag, b.bytes);
    }
  };

  /// A one-sided transfer that was started in this time.
  struct Transfer {
    static constexpr Time unknown = ~Time{0};
    LocationId origin, target;
    RmaOperationKind kind{};
    Time started = 0;
    Time completed = unknown;  ///< time of its last completion record in this time; `unknown` if it has none
    std::uint64_t bytes = 0;   ///< for an atomic operation, the bytes sent
    friend bool operator==(const Transfer&, const Transfer&) = default;
  };

  Time from = 0, to = 0;                ///< [from, to), in ticks
  std::vector<LocationId> locations{};  ///< the culprit first, then the locations that waited, the longest first
  std::vector<Interval> regions{};      ///< by location, enter and depth; at most max_intervals for a location
  Ticks shortest = 0;                   ///< shorter instances are left out, because there are too many; 0: all are
                                        ///< listed
  std::vector<Message> messages{};      ///< between the locations, in this time or ending a wait in it; max_messages
  std::uint64_t messages_left_out = 0;  ///< messages sent or received in this time that exceed the limit, or whose
                                        ///< match is not certain
  std::vector<Transfer> transfers{};    ///< between the locations, by start, origin; at most max_transfers
  std::uint64_t transfers_left_out = 0;
  friend bool operator==(const WaitContext&, const WaitContext&) = default;
};

}  // namespace waitstate
