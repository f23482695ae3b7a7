// A part of some locations' time, looked at again once the trace has been read: the regions that they were in, their
// sends and receives, and the one-sided transfers that they started. Begins at a mark of the EventIndex.
//
// Only enters and exits make regions here: what recorders leave out is what the analysis has counted as damage, and an
// exit of what is not open is passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pass/event_index.hpp"
#include "pass/trace_input.hpp"
#include "waitstate/pattern/rma.hpp"

namespace waitstate::pass {

/// The time to look at, and what is found in it.
struct Look {
  /// At most so many events of the time are looked at.
  static constexpr std::size_t most_events = 16384;

  LocationId location;
  Time from = 0, to = 0;  ///< [from, to)

  struct Region {
    RegionId region;
    Time enter = 0, exit = 0;  ///< cut at from and to
    std::uint32_t depth = 0;
  };
  struct MessageEnd {
    LocationId partner;
    Time time = 0;
    std::uint64_t bytes = 0;
    std::uint32_t tag = 0;
    CommId comm;
  };
  struct Transfer {
    LocationId target;
    RmaOperationKind kind{};
    Time started = 0;
    std::optional<Time> completed{};  ///< its last completion record in this time
    std::uint64_t bytes = 0;
    RmaWinId window;
    std::uint64_t match = 0;
  };
  std::vector<Region> regions{};                ///< in the order of their enters, outer ones first
  std::vector<MessageEnd> sends{}, receives{};  ///< in the order of their records
  std::vector<Transfer> transfers{};            ///< in the order of their starts
  bool whole = false;                           ///< false: there are too many events

  template <class Archive>
  void travel(Archive& archive) {
    archive(location, from, to, regions, sends, receives, transfers, whole);
  }
};

/// Looks at all of them, in any order.
void look_again(TraceInput& input, const EventIndex& index, std::vector<Look>& looks);

}  // namespace waitstate::pass
