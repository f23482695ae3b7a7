// A part of the timeline while it is answered for: what has been found of it, and how that becomes an answer. The form
// of an answer is described in src/serve/README.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "serve/timeline/class_bins.hpp"
#include "serve/timeline/counters.hpp"
#include "serve/timeline/pyramid.hpp"
#include "serve/timeline/rows.hpp"
#include "serve/timeline/transfer_file.hpp"
#include "serve/timeline/wait_file.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::serve {

struct TimelineView {
  Time from, to, width;  ///< absolute
  std::size_t bins;
  std::span<const TimelineRow> rows;
  std::vector<std::vector<ClassTicks>> sums;  ///< by row and bin: ticks of all its locations
  Pyramid::Counts about;
  std::size_t locations = 0;
  bool from_events = false;  ///< bins are exact

  struct Call {
    Time enter, exit;
    std::uint32_t row;
    RegionId region;
    std::uint32_t depth;
  };
  std::vector<Call> calls;
  std::uint64_t calls_left_out = 0, sends = 0;
  bool has_calls = false;

  std::vector<std::vector<std::uint64_t>> waiting;  ///< by row and bin: ticks; empty if no run is shown
  std::vector<WaitRecord> waits;                    ///< their location is a row
  std::uint64_t waits_left_out = 0;

  struct Arrow {
    Time begin, end;
    std::uint32_t from, to, bytes;  ///< rows
    TransferKind kind;
  };
  std::vector<Arrow> arrows;
  bool wants_transfers = false;  ///< few enough to be drawn, but not known

  /// The counter that is shown: its values by row, and bins that may be wider than those of classes.
  struct ShownCounter {
    std::size_t counter = 0, bins = 0;
    Time width = 1;
    std::string name{};
    std::vector<std::vector<CounterValues>> values{};  ///< by row and bin
    bool is_exact = false;                             ///< from events
  };
  std::vector<ShownCounter> counter;  ///< one, or none

  /// The row of a location; the number of rows if it has none.
  std::size_t row_of(std::size_t location) const;
};

/// The facts of an answer that are not about the view alone.
struct TimelineFrame {
  std::size_t first_row, total_rows;
  const Pyramid& pyramid;
  const Definitions& definitions;
  const std::vector<std::uint8_t>& classes;  ///< by region
  const std::vector<std::string>& metrics;   ///< ids, by number of a metric
  std::string messages_wait_for, messages_note;
};

std::string encoded(const TimelineView& view, const TimelineFrame& frame);

/// The bytes as a zlib stream.
std::string deflated(const std::string& bytes);

}  // namespace waitstate::serve
