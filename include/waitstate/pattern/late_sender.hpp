// The Late Sender wait of one message, and the events that the point-to-point patterns publish for other patterns.
#pragma once

#include <algorithm>

#include "waitstate/pattern/message.hpp"

namespace waitstate {

/// min(E(send), L(recv)) - E(recv) in ticks, 0 if the send was in time or the receive completed in a call that does not
/// wait (MPI_Test…). Source: Scalasca 2.6; Wolf and Mohr 2001, figure 1, with the wait clamped to the receiving call.
inline Ticks late_sender_ticks(const Message& m) {
  if (is_test(m.recv->function)) return 0;
  const Time until = std::min(m.send->enter, m.recv->exit);
  return until > m.recv->enter ? static_cast<Ticks>(until - m.recv->enter) : 0;
}

/// Published by mpi_latesender for every Late Sender instance: the wait of the message's receiver. The engine passes
/// the ticks on with the sends of the same call (CompletedSends::receive_wait).
struct LateSender {
  const Message& message;
  const Wait& wait;
};

/// Published by mpi_latereceiver for every Late Receiver instance: the wait of the message's sender.
struct LateReceiver {
  const Message& message;
  const Wait& wait;
  const Call& call;  ///< the call that waited
};

}  // namespace waitstate
