// Answers about the timeline of a whole run: shares of classes in bins of time from the pyramid, or, where that is too
// coarse, from the events themselves; single calls and messages where there are few; the values of a counter.
// src/serve/README.md has the form of an answer. It takes a tenth of a second at most, since it reads no more than some
// hundred thousand events.
#pragma once

#include <string>
#include <vector>

#include "pass/second_look.hpp"
#include "pass/trace_input.hpp"
#include "serve/timeline/pyramid.hpp"
#include "serve/timeline/rows.hpp"
#include "serve/timeline/transfer_file.hpp"
#include "serve/timeline/view.hpp"
#include "serve/timeline/wait_file.hpp"

namespace waitstate::serve {

/// A part of the timeline that somebody wants to see.
struct TimelineQuestion {
  Time from = 0, to = ~Time{0};  ///< ticks since the first event
  std::size_t first = 0, rows = 64, bins = 1024;
  std::string level{};
  std::string counter{};  ///< name; "": none is shown
  /// An answer that wants the file of transfers says how far that is, or why there is none.
  std::string messages_wait_for{}, messages_note{};

  static constexpr std::size_t most_rows = 512, most_bins = 4096, most_cells = 131'072;
};

/// Files that have been made of the trace; null if they are not there.
struct TimelineFiles {
  const WaitFile* waits = nullptr;  ///< waits of the run that is shown too
  const TransferFile* transfers = nullptr;
};

class Timeline {
 public:
  /// `input` and `pyramid` must outlive it.
  Timeline(pass::TraceInput& input, const Pyramid& pyramid);

  /// Throws UsageError if the question makes no sense.
  std::string answer(const TimelineQuestion& question, const TimelineFiles& files);
  /// True if the last answer left messages out only because their file is not there.
  bool wants_transfers() const { return wants_transfers_; }

 private:
  TimelineView view_of(const TimelineQuestion& question) const;
  void choose_counter(TimelineView& view, const std::string& name) const;
  void fill_bins(TimelineView& view);
  void read_bins(TimelineView& view, bool classes, bool counter);
  void read_calls(TimelineView& view);
  void find_waits(TimelineView& view, const WaitFile& waits) const;
  void find_transfers(TimelineView& view, const TimelineFiles& files) const;

  pass::TraceInput& input_;
  const Pyramid& pyramid_;
  const TimelineRows rows_;
  const std::vector<std::uint8_t> classes_;
  bool wants_transfers_ = false;
};

}  // namespace waitstate::serve
