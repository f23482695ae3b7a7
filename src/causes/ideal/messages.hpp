// Messages on an ideal machine: a receive needs its send, and nobody needs a receive. State: 32 bytes a message in
// flight.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "causes/ideal/clocks.hpp"

namespace waitstate::causes {

class IdealMessages {
 public:
  explicit IdealMessages(IdealClocks& clocks) : clocks_(clocks) {}

  void clear() { in_flight_.clear(), messages_.clear(), free_.clear(); }

  /// The records; the message's number, which is `nothing` if there is no send.
  std::uint32_t sent(waitstate::Position send) {
    const std::uint32_t m = take_unused(messages_, free_);
    in_flight_[send] = m;
    return m;
  }
  std::uint32_t received(waitstate::Position send) {
    const auto found = in_flight_.find(send);
    if (found == in_flight_.end()) return IdealClocks::nothing;
    const std::uint32_t m = found->second;
    in_flight_.erase(found);
    return m;
  }

  /// The steps.
  void sends(LocationId l, std::uint32_t number) {
    InFlight& m = messages_[number];
    m.sent = clocks_.now(l), m.is_sent = true;
    if (m.waiting.valid()) clocks_.wake(m.waiting);
  }
  bool receives(LocationId l, const IdealStep& step) {
    InFlight& m = messages_[step.number];
    if (!m.is_sent) {
      m.waiting = l;
      return false;
    }
    clocks_.wait(l, m.sent, step.callpath);
    free_.push_back(step.number);
    return true;
  }

 private:
  struct InFlight {
    IdealTime sent{};
    bool is_sent = false;
    LocationId waiting;
  };

  IdealClocks& clocks_;
  std::unordered_map<waitstate::Position, std::uint32_t> in_flight_;  ///< by send
  std::vector<InFlight> messages_;
  std::vector<std::uint32_t> free_;
};

}  // namespace waitstate::causes
