// Receives of messages that a probe has found: their records name the probe's record by a number, and neither sender,
// tag nor communicator (OTF2 3.1).
//
//   probe src=0 tag=2 com=0 message=77
//   mrecv message=77 len=16               as recv src=0 tag=2 com=0 len=16
//   imrecv_request message=78 request=5   as irecv_request request=5
//   imrecv request=5 len=32               as irecv with what probe 78 says, request=5
//
// Here they become ordinary receives, so that nobody else needs to know of them. If another thread of the process has
// made the probe, the partner is none, and linking finds it by the number. Memory: what has been found and not
// received.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::replay {

class MatchedReceives {
 public:
  /// Number of a message that its probe does not give, because no matched receive is to come.
  static constexpr std::uint64_t no_message = ~std::uint64_t{0};

  struct Receive {
    EventType type{};
    std::array<std::uint64_t, 5> attributes{};
    std::uint64_t message = no_message;
  };

  static constexpr bool concerns(EventType type) {
    return type == EventType::mrecv || type == EventType::imrecv_request || type == EventType::imrecv;
  }

  /// The attributes of a probe.
  void found(const std::uint64_t* a) {
    if (a[3] != no_message) found_[a[3]] = {a[0], a[1], a[2]};
  }

  /// The ordinary event that such a record, with its attributes, stands for.
  Receive receive(EventType type, const std::uint64_t* a) {
    if (type == EventType::imrecv_request) {
      started_[a[1]] = {a[0], take(a[0])};
      return {EventType::irecv_request, {a[1]}, a[0]};
    }
    if (type == EventType::mrecv) {
      const Found f = take(a[0]);
      return {EventType::recv, {f.sender, f.tag, f.comm, a[1]}, a[0]};
    }
    Started started;
    if (const auto s = started_.find(a[0]); s != started_.end()) {
      started = s->second;
      started_.erase(s);
    }
    const Found& f = started.what;
    return {EventType::irecv, {f.sender, f.tag, f.comm, a[1], a[0]}, started.message};
  }

 private:
  struct Found {
    std::uint64_t sender = LocationId::none_value, tag = 0, comm = CommId::none_value;
  };
  struct Started {
    std::uint64_t message = no_message;
    Found what;
  };

  Found take(std::uint64_t message) {
    const auto f = found_.find(message);
    if (f == found_.end()) return {};
    const Found found = f->second;
    found_.erase(f);
    return found;
  }

  std::unordered_map<std::uint64_t, Found> found_;      ///< by the message's number
  std::unordered_map<std::uint64_t, Started> started_;  ///< by request
};

}  // namespace waitstate::replay
