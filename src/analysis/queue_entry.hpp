// What is kept of each message until the message queues are looked at (queue_log.hpp).
#pragma once

#include <cstdint>

#include "waitstate/pattern/message.hpp"

namespace waitstate::analysis {

/// A message, or what there is of it.
struct QueueEntry {
  static constexpr Time never = ~Time{0};

  Time posted = never, sent = never;  ///< `never` is at the end of the run
  std::uint32_t process = 0;          ///< whose queues these are
  CommId comm;
  std::uint32_t sender = 0;  ///< process; nothing is said of that of a receive that never completed
  CallPathId path;           ///< at which the receive was posted; none: nothing is charged to it
  LocationId location;

  Time entered() const { return posted < sent ? posted : sent; }
  Time left() const { return posted < sent ? sent : posted; }
};
static_assert(sizeof(QueueEntry) == 40);

}  // namespace waitstate::analysis
