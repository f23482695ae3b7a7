#include "link/messages/messages_in_flight.hpp"

#include <algorithm>

namespace waitstate::link {

// The number of a message may have been given to another one: then that is looked at instead, if it is to this process
// and as old, and rightly so.
bool MessagesInFlight::undelivered(const Sent& sent, ProcessId receiver) const {
  if (sent.what.is_run()) [[unlikely]] {
    const SpilledRun& run = messages_.run(sent.what.run());
    return run.count != 0 && run.first_time == sent.time && processes_.of(run.receiver) == receiver;
  }
  const MessageState& m = messages_[sent.what.message()];
  return m.has_send && m.send_time == sent.time && !m.delivered && processes_.of(m.receiver) == receiver;
}

// Before which time no message can have been sent that is on its way, received and not yet delivered, or still to be
// read.
void MessagesInFlight::tell(ProcessId receiver) {
  Incoming& incoming = incoming_[receiver.index()];
  Time bound = watermark_;
  constexpr std::ptrdiff_t ahead = 8;
  const Sent* const end = incoming.sent.data() + incoming.sent.size();
  std::erase_if(incoming.sent, [&](const Sent& sent) {
    if (end - &sent > ahead && (&sent)[ahead].what.is_message())
      util::prefetch(&messages_[(&sent)[ahead].what.message()], sizeof(MessageState));
    if (!undelivered(sent, receiver)) return true;
    bound = std::min(bound, sent.time);
    return false;
  });
  incoming.limit = std::max(fewest, incoming.sent.size() * 2);
  listener_.watermark(receiver, bound);
}

}  // namespace waitstate::link
