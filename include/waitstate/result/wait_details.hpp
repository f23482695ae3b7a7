// Data about waits beyond their sums, if it is asked for (Keep::details): what the most severe ones waited
// for, and the distribution of durations.
#pragma once

#include <cstdint>
#include <string_view>

#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

/// The event that a wait waited for. Members that a kind does not have, or that are unknown, are none: all ones, -1 for
/// the tag.
struct WaitCause {
  enum class Kind : std::uint8_t {
    message,     ///< point to point
    collective,  ///< an operation of a communicator or window
    transfer,    ///< one-sided communication
    lock,        ///< a lock of threads or of a window
    team,        ///< a barrier of threads
    task,        ///< tasks of a team
    device,      ///< an accelerator
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr CollectiveOp no_operation = static_cast<CollectiveOp>(255);

  Kind kind{};
  Time sent = none;      ///< message: time of the send event, in ticks
  Time received = none;  ///< message: time of the receive event (for a non-blocking receive, its completion), in ticks
  std::uint64_t bytes = none;
  std::int64_t tag = -1;
  CommId comm{};  ///< communicator of the message or operation
  CollectiveOp operation = no_operation;
  /// Enter and exit of the culprit's call or region that ended the wait, or that was late; in ticks.
  Time culprit_enter = none, culprit_exit = none;
  friend bool operator==(const WaitCause&, const WaitCause&) = default;
};
namespace detail {
template <>
struct EnumNames<WaitCause::Kind> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"message", "collective", "transfer", "lock", "team", "task", "device"};
};
}  // namespace detail

/// Waits whose durations lie in [from, to), in ticks. There are four such classes between a power of two and the next.
struct DurationClass {
  std::uint64_t from = 0, to = 0;
  std::uint64_t count = 0;
  Ticks ticks = 0;  ///< sum of the waits
  friend bool operator==(const DurationClass&, const DurationClass&) = default;
};

}  // namespace waitstate
