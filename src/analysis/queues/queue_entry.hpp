// The entries that are kept for each message until message queues are computed (queue_log.hpp).
#pragma once

#include <cstdint>

#include "waitstate/pattern/message.hpp"

namespace waitstate::analysis {

/// A message, or one half of it.
struct QueueEntry {
  static constexpr Time never = ~Time{0};

  Time posted = never, sent = never;  ///< `never` sorts at the end of the run
  std::uint32_t process = 0;          ///< the process whose queues these are
  CommId comm;
  std::uint32_t sender = 0;  ///< the sending process; unspecified for a receive that never completed
  CallPathId path;           ///< the call path at which the receive was posted; none if nothing is charged to it
  LocationId location;
  std::uint32_t order = 0;  ///< the place among receives that were posted by the same call

  Time entered() const { return posted < sent ? posted : sent; }
  Time left() const { return posted < sent ? sent : posted; }
};
static_assert(sizeof(QueueEntry) == 40);

}  // namespace waitstate::analysis
