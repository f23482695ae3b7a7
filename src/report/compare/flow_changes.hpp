// Changes from one run to another in the times of waits, and in the data that processes sent to each other, if both
// reports have them. Runs are not equally long, so each is cut into the same number of equal parts of its time from the
// first event to the last.
//
// Processes correspond by number, and communicators by name. Cost: a look at each bin of time and each pair.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "report/compare/sides.hpp"
#include "report/format/layout.hpp"

namespace waitstate::report {

struct FlowChanges {
  static constexpr std::size_t parts = 10, most_pairs = 100;

  /// Waits of one metric, without those below it, by part of the run: seconds.
  struct Course {
    std::string metric;
    std::vector<Sides> parts;
    double size() const;
  };
  struct Number {
    std::string_view id;
    Sides value;
  };
  /// Messages that one process, or block of processes, sent to another.
  struct Pair {
    std::uint32_t sender = 0, receiver = 0;
    Sides messages, bytes;
  };
  struct Sizes {
    std::uint64_t from = 0, to = 0;
    Sides messages;
  };
  struct Operations {
    std::string communicator, operation;
    Sides operations, bytes_sent, seconds, wait_seconds;
  };

  std::vector<Course> courses{};  ///< the largest change first
  std::vector<Number> sent{};     ///< sums over all: messages, bytes, puts …; empty: not known for both runs
  bool has_pairs = false;         ///< both are of processes, or of blocks of the same size
  std::uint64_t processes_per_block = 1;
  std::vector<Pair> pairs{};  ///< pairs that changed, the largest change of bytes first
  std::vector<Sizes> sizes{};
  std::vector<Operations> collectives{};  ///< the largest change of time first
};

/// `only`: ids of the metrics that are compared; empty: all, and communication.
FlowChanges flow_changes(const ComparedRun& before, const ComparedRun& after, const std::vector<std::string>& only);

/// The text, with at most `top` rows in each table; "" if there is nothing to say. Begins with an empty line.
std::string flow_text(const FlowChanges& f, std::size_t top, const Style& style);
/// Adds the members series and communication, as far as they exist.
void add_flow(const FlowChanges& f, nlohmann::ordered_json& json);

}  // namespace waitstate::report
