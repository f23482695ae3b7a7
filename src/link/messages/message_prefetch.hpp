// Asks for the memory that records to come will need.
//
// With many messages in flight, a message's other half is long out of the processor's caches when it is matched, and
// each step on the way to it - channel, message, call - would wait for the memory. So the steps are taken in advance
// for the records to come, each some records after the one before; for the first ones of a chunk before anything is
// linked. What is asked for in vain, as an earlier record has matched it, does no harm. Cost: a second hash look-up per
// record; so it is not used while everything stays in the caches.
#pragma once

#include <array>

#include "link/messages/channels.hpp"
#include "link/messages/message_delivery.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/prefetch.hpp"

namespace waitstate::link {

class MessagePrefetch {
 public:
  /// `in_flight` may be null.
  MessagePrefetch(const Processes& processes, const Calls& calls, const Messages& messages, Channels& channels,
                  const MessageDelivery& delivery, const MessagesInFlight* in_flight)
      : processes_(processes),
        calls_(calls),
        messages_(messages),
        channels_(channels),
        delivery_(delivery),
        in_flight_(in_flight) {}

  /// The chunk's record of that number is linked next.
  void before(const replay::Chunk& chunk, std::size_t record) {
    constexpr std::size_t to_channel = 24, to_message = 16, to_call = 8;
    if (record == 0) {
      for (std::size_t i = 0; i < to_channel; ++i) channel_of(chunk, i);
      for (std::size_t i = 0; i < to_message; ++i) message_of(chunk, i);
      for (std::size_t i = 0; i < to_call; ++i) calls_of(chunk, i);
    }
    channel_of(chunk, record + to_channel);
    message_of(chunk, record + to_message);
    calls_of(chunk, record + to_call);
  }

 private:
  static constexpr std::uint32_t none = Messages::none;
  struct Step {
    Channels::ChannelKey key;
    MessageRef message = none;
    bool partner = false, sends = false;
  };

  void channel_of(const replay::Chunk& chunk, std::size_t record) {
    if (record >= chunk.records.size()) return;
    const replay::CommRecord& r = chunk.records[record];
    Step& s = steps_[record % steps_.size()];
    s.sends = r.type == EventType::send || r.type == EventType::isend;
    s.partner = r.peer.valid() && (s.sends || r.type == EventType::recv || r.type == EventType::irecv);
    if (!s.partner) return;
    s.key = channels_.key(s.sends ? chunk.location : r.peer, s.sends ? r.peer : chunk.location, r.comm, r.tag);
    channels_.prefetch(s.key);
    if (s.sends && in_flight_ != nullptr) in_flight_->prefetch(processes_.of(r.peer));
  }
  void message_of(const replay::Chunk& chunk, std::size_t record) {
    Step& s = steps_[record % steps_.size()];
    if (record >= chunk.records.size() || !s.partner) return;
    s.message = channels_.front(s.key);
    if (s.message != none) util::prefetch(&messages_[s.message], sizeof(MessageState));
    if (s.sends && in_flight_ != nullptr) in_flight_->prefetch_end(processes_.of(chunk.records[record].peer));
  }
  void calls_of(const replay::Chunk& chunk, std::size_t record) {
    const Step& s = steps_[record % steps_.size()];
    if (record >= chunk.records.size() || !s.partner || s.message == none) return;
    const MessageState& m = messages_[s.message];
    const CallRef calls[] = {m.send_call, m.send_done_call, m.recv_call, m.recv_post};
    for (std::size_t i = 0; i < std::size(calls); ++i)
      if (calls[i] != none && (i % 2 == 0 || calls[i] != calls[i - 1])) calls_.prefetch(calls[i]);
    delivery_.prefetch(m);
  }

  const Processes& processes_;
  const Calls& calls_;
  const Messages& messages_;
  Channels& channels_;
  const MessageDelivery& delivery_;
  const MessagesInFlight* const in_flight_;
  std::array<Step, 32> steps_;  ///< steps for the records to come, by their number
};

}  // namespace waitstate::link
