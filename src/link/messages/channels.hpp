// Matches sends with receives: first in, first out per communicator, sending process, receiving process and tag.
//
// A half that comes to a channel is matched with the half of the other kind that waits longest there, or waits itself,
// so a channel's queue has halves of one kind only. A half is a record and the call that it belongs to: which location
// it comes from does not matter to the other side.
//
// Of receives of one channel, the one that completes first has the message that was sent first. MPI gives that to the
// one that was posted first, which is another one where a program waits for them in another order (MPI_Waitany); but
// where one that was posted earlier receives from, a trace tells only when it completes, which may be at the end of the
// run.
//
// Cost: a hash look-up per half, however long a queue is. Memory: halves that are not matched, of which sends behind
// the front of long queues are spilled where there are many; and an entry per channel, empty ones are thrown out when
// the table is full.
#pragma once

#include <cstdint>
#include <vector>

#include "link/merge_feed.hpp"
#include "link/messages/messages.hpp"
#include "link/messages/messages_in_flight.hpp"
#include "link/messages/requests.hpp"
#include "link/messages/spilled_sends.hpp"
#include "link/processes.hpp"
#include "replay/chunk/records.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"

namespace waitstate::link {

class Channels {
 public:
  struct ChannelKey {
    std::uint64_t what = 0, who = 0;
    bool operator==(const ChannelKey&) const = default;
    std::uint64_t hash() const { return util::mixed(what, who); }
  };
  /// A message that a half belongs to, and whether it has both now.
  struct Half {
    MessageRef message;
    bool matched;
  };

  /// `in_flight` may be null, if nobody wants to know; so may `feed`, without a merge.
  Channels(const Processes& processes, Calls& calls, Messages& messages, SpilledSends& spilled,
           MessagesInFlight* in_flight, MergeFeed* feed)
      : processes_(processes),
        calls_(calls),
        messages_(messages),
        spilled_(spilled),
        in_flight_(in_flight),
        feed_(feed) {}

  /// A send or a receive of the location, whose `peer` is known. `post`: where the receive was posted.
  Half send(LocationId sender, const replay::CommRecord& r, CallRef call);
  Half receive(LocationId receiver, const replay::CommRecord& r, CallRef call, const PostedReceive& post);
  /// Takes out a receive whose send is known not to come.
  void remove_receive(MessageRef message);

  /// Spills what stands behind the front of long queues.
  void spill();
  /// Calls spilled(Send) or waiting(MessageRef) for each send that waits, and forgets them all.
  template <class Spilled, class Waiting>
  void take_sends(Spilled&& spilled, Waiting&& waiting);

  // To look at a channel before it is used: see MessagePrefetch.
  ChannelKey key(LocationId sender, LocationId receiver, CommId comm, std::uint32_t tag) const {
    return {std::uint64_t{comm.value} << 32 | tag,
            std::uint64_t{processes_.of(sender).value} << 32 | processes_.of(receiver).value};
  }
  void prefetch(const ChannelKey& key) const { channels_.prefetch(key); }
  /// The message that waits longest; none if it is spilled, too.
  MessageRef front(const ChannelKey& key) {
    const Channel* const channel = channels_.find(key);
    return channel != nullptr && channel->head.is_message() ? channel->head.message() : Messages::none;
  }

 private:
  struct Channel {
    QueueEntry head, tail;
    bool of_receives = false;
  };

  Half match(const ChannelKey& key, const replay::CommRecord& r, bool receive);
  QueueEntry spill(Channel& channel, QueueEntry before, const std::vector<MessageRef>& row);
  void bring_back(Channel& channel);

  const Processes& processes_;
  Calls& calls_;
  Messages& messages_;
  SpilledSends& spilled_;
  MessagesInFlight* const in_flight_;
  MergeFeed* const feed_;
  util::FlatMap<ChannelKey, Channel> channels_;
};

template <class Spilled, class Waiting>
void Channels::take_sends(Spilled&& spilled, Waiting&& waiting) {
  channels_.for_each([&](const ChannelKey&, Channel& channel) {
    if (channel.of_receives) return;
    for (QueueEntry e = channel.head, next; e.exists(); e = next) {
      next = messages_.next(e);
      if (e.is_message())
        waiting(e.message());
      else
        for (const SpilledSends::Send& s : spilled_.take(e)) spilled(s);
    }
    channel.head = {};
  });
}

}  // namespace waitstate::link
