// Virtual time: when every rank does what, as a pure function of (seed, rank, iteration).
//
// A receiver must know when its partner sent without simulating the partner's past. So iterations are bulk synchronous:
// iteration k begins at begin(k) on every rank, whatever happened before, and is long enough for the slowest rank
// (LocationWriter would see time run backwards otherwise, and fails). Within it a rank computes for a time drawn from a
// hash, possibly plus the late ticks, and communicates; sends never wait, so that their times follow from
// communicate(rank, k) alone. Where a whole communicator meets, the maximum must be known without asking N ranks: one
// rank, drawn per iteration, always takes the longest possible time.
//
// Times are ideal; clock(location, t) is what that location's clock shows.
#pragma once

#include <cstdint>

#include "options.hpp"

namespace generate {

/// Fixed durations in ticks (nanoseconds).
inline constexpr std::uint64_t step = 40;           // between two user events
inline constexpr std::uint64_t gap = 20;            // between two calls
inline constexpr std::uint64_t before_record = 30;  // from a call's enter to its record
inline constexpr std::uint64_t after_record = 30;   // from the last record to the exit
inline constexpr std::uint64_t latency = 200;       // from a send record to the earliest receive record
inline constexpr std::uint64_t jitter = 2000;       // compute times differ by up to this
inline constexpr std::uint64_t call_ticks = gap + before_record + after_record;  // a call that does not wait
inline constexpr std::uint64_t tags_per_iteration = 4;
// Pattern rma: before the meeting, which is a fence, come locks, and then epochs in which the target must make
// progress.
inline constexpr std::uint64_t rma_locks_ticks = 6000, rma_progress_ticks = 4000;

class Schedule {
 public:
  Schedule(const Options& options, std::uint64_t user_events_at_most)
      : options_(options),
        compute_(step * (user_events_at_most + 2)),
        meeting_(compute_ + jitter + options.late_ticks + calls_at_most() * call_ticks + 4 * latency + jitter +
                 (options.pattern == Pattern::rma ? rma_locks_ticks + rma_progress_ticks : 0)),
        period_(meeting_ + jitter + 8 * call_ticks) {}

  std::uint64_t begin(std::uint64_t iteration) const { return start_ + iteration * period_; }

  /// When the rank begins to communicate.
  std::uint64_t communicate(std::uint64_t rank, std::uint64_t k) const {
    const std::uint64_t h = hash(rank, k);
    const bool late = static_cast<double>(h >> 11) * 0x1p-53 < options_.late_share;
    return begin(k) + compute_ + (h & 0x7ff) % jitter + (late ? options_.late_ticks : 0);
  }
  /// By then every rank has begun to communicate.
  std::uint64_t all_communicate(std::uint64_t k) const { return begin(k) + compute_ + jitter + options_.late_ticks; }
  /// How long a worker computes between its task and its result.
  std::uint64_t work(std::uint64_t rank, std::uint64_t k) const { return 100 + hash(rank, ~k) % jitter; }

  /// When the rank enters the collective operation of the iteration, and when that ends everywhere.
  std::uint64_t meet(std::uint64_t rank, std::uint64_t k) const {
    const bool slowest = rank == hash(~std::uint64_t{0}, k) % options_.ranks();
    return begin(k) + meeting_ + (slowest ? jitter : hash(rank, k ^ 0x5555) % jitter);
  }
  std::uint64_t meeting_end(std::uint64_t k) const { return begin(k) + meeting_ + jitter + latency; }

  /// When the slowest rank enters it.
  std::uint64_t last_meets(std::uint64_t k) const { return begin(k) + meeting_ + jitter; }

  std::uint64_t rma_locks(std::uint64_t k) const { return begin(k) + meeting_ - rma_locks_ticks - rma_progress_ticks; }
  std::uint64_t rma_progress(std::uint64_t k) const { return begin(k) + meeting_ - rma_progress_ticks; }
  /// A number below `below` for a group of ranks in an iteration, another one for each `what`; and if they are late.
  std::uint64_t choose(std::uint64_t group, std::uint64_t k, std::uint64_t what, std::uint64_t below) const {
    return (hash(group, k * 8 + what) >> 9) % below;
  }
  bool late(std::uint64_t group, std::uint64_t k, std::uint64_t what) const {
    return static_cast<double>(hash(group, k * 8 + what) >> 11) * 0x1p-53 < options_.late_share;
  }

  /// Bytes of the message with that number from `sender`; about one in sixteen is empty.
  std::uint64_t length(std::uint64_t sender, std::uint64_t k, std::uint64_t number) const {
    const std::uint64_t h = hash(sender, k * 8 + number) >> 7;
    return h % 16 == 0 ? 0 : 8 << (h / 16 % 10);
  }
  /// Pattern random: everyone sends to the rank that is this much higher.
  std::uint64_t distance(std::uint64_t k) const { return 1 + hash(~std::uint64_t{1}, k) % (options_.ranks() - 1); }

  /// A number below `below`, another one for each iteration and `below`.
  std::uint64_t draw(std::uint64_t k, std::uint64_t below) const { return hash(~std::uint64_t{3} - k, below) % below; }

  std::uint64_t clock(std::uint64_t rank, std::uint64_t time) const {
    const std::uint64_t h = hash(rank, ~std::uint64_t{2});
    std::uint64_t shown = time;
    if (options_.clock_error) shown += h % (2 * options_.clock_error + 1);  // start_ keeps the sum above 0
    if (options_.clock_drift) shown += (time - origin) / 1'000'000 * ((h >> 40) % (options_.clock_drift + 1));
    return shown - options_.clock_error;
  }

  std::uint64_t program_begin() const { return origin + options_.clock_error; }

 private:
  static constexpr std::uint64_t origin = 1'000'000;

  std::uint64_t calls_at_most() const {
    if (options_.pattern == Pattern::inflight) return 2 * options_.in_flight + 16;
    return options_.pattern == Pattern::master ? 3 * options_.ranks() + 16 : 16 + 3 * tags_per_iteration;
  }
  std::uint64_t hash(std::uint64_t a, std::uint64_t b) const {
    std::uint64_t x = options_.seed * 0x9e3779b97f4a7c15 + a * 0xbf58476d1ce4e5b9 + b * 0x94d049bb133111eb;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  const Options options_;
  const std::uint64_t compute_, meeting_, period_;
  const std::uint64_t start_ = program_begin() + 100'000;
};

}  // namespace generate
