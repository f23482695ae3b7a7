// Messages on an ideal machine: a receive needs its send, and nobody needs a receive. State: 40 bytes a message in
// flight.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"

namespace waitstate::causes {

class IdealMessages {
 public:
  explicit IdealMessages(IdealClocks& clocks) : clocks_(clocks) {}

  /// A location comes to the send, or to the receive: the message's number. `send`: the name of the send's step.
  std::uint32_t half(std::uint64_t send) {
    std::uint32_t& open = in_flight_.find_or_insert({send});
    if (open != 0) {
      const std::uint32_t m = open - 1;
      in_flight_.erase({send});
      return m;
    }
    const std::uint32_t m = take_unused(messages_, free_);
    open = m + 1;
    return m;
  }

  /// The message has been sent then, by a location of another part if `is_letter`.
  void sent(std::uint64_t send, const IdealTime& at, bool is_letter) {
    InFlight& m = messages_[half(send)];
    m.sent = at, m.is_sent = true, m.is_letter = is_letter;
    if (m.waiting.valid()) clocks_.wake(m.waiting);
  }
  /// The step.
  bool receives(LocationId l, const IdealStep& step) {
    InFlight& m = messages_[step.number];
    if (!m.is_sent) {
      m.waiting = l;
      return false;
    }
    clocks_.wait(l, m.sent, step.callpath);
    received_letters_ += m.is_letter;
    free_.push_back(step.number);
    return true;
  }
  /// A receive goes on without its send.
  void give_up(const IdealStep& step) { messages_[step.number].waiting = LocationId::none(); }
  /// Messages from other parts that have been received since they were taken last.
  std::int64_t received_letters() const { return received_letters_; }
  std::int64_t take_received_letters() { return std::exchange(received_letters_, 0); }

 private:
  struct InFlight {
    IdealTime sent{};
    bool is_sent = false, is_letter = false;
    LocationId waiting;
  };
  struct SendName {
    std::uint64_t name = 0;
    bool operator==(const SendName&) const = default;
    std::uint64_t hash() const { return util::mixed(name); }
  };

  IdealClocks& clocks_;
  util::FlatMap<SendName, std::uint32_t> in_flight_;  ///< number plus one, of messages of which one half has come
  std::vector<InFlight> messages_;
  std::vector<std::uint32_t> free_;
  std::int64_t received_letters_ = 0;
};

}  // namespace waitstate::causes
