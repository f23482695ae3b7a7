// Answers about the timeline of a whole run: shares of classes in bins of time from the pyramid, or, where that is too
// coarse, from the events themselves; and single calls where there are few. src/serve/README.md has the form of an
// answer. It takes a tenth of a second at most, since it reads no more than some hundred thousand events.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pass/second_look.hpp"
#include "pass/trace_input.hpp"
#include "serve/timeline/pyramid.hpp"
#include "serve/timeline/rows.hpp"
#include "serve/timeline/wait_file.hpp"

namespace waitstate::serve {

/// A part of the timeline that somebody wants to see.
struct TimelineQuestion {
  Time from = 0, to = ~Time{0};  ///< ticks since the first event
  std::size_t first = 0, rows = 64, bins = 1024;
  std::string level{};

  static constexpr std::size_t most_rows = 512, most_bins = 4096, most_cells = 196'608;
};

class Timeline {
 public:
  /// `input` and `pyramid` must outlive it.
  Timeline(pass::TraceInput& input, const Pyramid& pyramid);

  /// `waits`: those of the run that is shown too; null if none is. Throws UsageError if the question makes no sense.
  std::string answer(const TimelineQuestion& question, const WaitFile* waits);

 private:
  struct View;
  void fill_bins(View& view);
  void read_bins(View& view);
  void read_calls(View& view);
  void find_waits(View& view, const WaitFile& waits) const;

  pass::TraceInput& input_;
  const Pyramid& pyramid_;
  const TimelineRows rows_;
  const std::vector<std::uint8_t> classes_;
};

/// The bytes as a zlib stream.
std::string deflated(const std::string& bytes);

}  // namespace waitstate::serve
