// When processes were inside of MPI: only then does a library without a thread of its own take messages from the
// network, so a message cannot have come into a queue before.
//
// Keeps the outermost MPI calls of each location; beyond 16 MiB of them those that were not looked at for long go
// into a scratch file (util/spill/spilled_vector.hpp). Cost: 16 bytes a call, and a search in them a message that was
// sent before its receive was posted. Memory: 16 MiB, and 4 bytes for 64 calls.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "link/processes.hpp"
#include "replay/chunk/records.hpp"
#include "util/spill/spilled_vector.hpp"

namespace waitstate::link {

class MpiPresence {
 public:
  static constexpr std::size_t bytes_in_memory = std::size_t{16} << 20;

  explicit MpiPresence(const Processes& processes, std::size_t in_memory = bytes_in_memory)
      : processes_(processes), locations_(processes.locations()), calls_(in_memory) {}

  /// The location's next calls: enters, and exits of those and of earlier ones.
  void read(LocationId l, std::span<const replay::CallRecord> enters, std::span<const Time> exits) {
    LocationCalls& of = locations_[l.index()];
    for (const replay::CallRecord& c : enters) {
      if (of.size % per_chunk == 0) of.chunks.push_back(chunks_++);
      calls_.set(place(of, of.size++), {c.enter, ~Time{0}});
    }
    for (const Time t : exits)
      if (of.left < of.size) calls_.change(place(of, of.left++), [&](Inside& c) { c.exit = t; });
  }

  /// The first time from `t` on at which the process was inside; `at_most` if that is earlier.
  Time first_inside(ProcessId process, Time t, Time at_most) const {
    for (const LocationId l : processes_.threads(process)) {
      const LocationCalls& of = locations_[l.index()];
      const std::uint32_t after = first_after(of, t);
      if (after != 0 && calls_[place(of, after - 1)].exit > t) return std::min(t, at_most);
      if (after != of.size) at_most = std::min(at_most, calls_[place(of, after)].enter);
    }
    return at_most;
  }

 private:
  static constexpr std::uint32_t per_chunk = 64;
  struct Inside {
    Time enter, exit;  ///< the exit is ~0 while it is not known
  };
  struct LocationCalls {
    std::vector<std::uint32_t> chunks;  ///< places of chunks of calls, in the order of time
    std::uint32_t size = 0;
    std::uint32_t left = 0;  ///< number of calls that have an exit
  };

  static std::size_t place(const LocationCalls& of, std::uint32_t call) {
    return std::size_t{of.chunks[call / per_chunk]} * per_chunk + call % per_chunk;
  }
  /// The first of the calls that was entered after `t`.
  std::uint32_t first_after(const LocationCalls& of, Time t) const {
    std::uint32_t first = 0;
    for (std::uint32_t count = of.size; count > 0;) {
      const std::uint32_t half = count / 2;
      if (calls_[place(of, first + half)].enter <= t)
        first += half + 1, count -= half + 1;
      else
        count = half;
    }
    return first;
  }

  const Processes& processes_;
  std::vector<LocationCalls> locations_;
  util::SpilledVector<Inside> calls_;
  std::uint32_t chunks_ = 0;
};

}  // namespace waitstate::link
