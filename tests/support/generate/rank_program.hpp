// The work of a location: its whole program, iteration after iteration, through a LocationWriter.
//
// An iteration is a block of nested user regions (their number makes up the chosen share of message records) and one
// exchange by pattern. Every pattern sends before it waits, so a partner's send time is a formula of its begin of
// communication (see schedule.hpp).
#pragma once

#include "location_writer.hpp"
#include "schedule.hpp"

namespace generate {

/// Events of one exchange, of a rank that is not a master.
struct ExchangeSize {
  std::uint64_t events, records;
};
ExchangeSize exchange_size(Pattern pattern);
/// User events (a multiple of two) that an iteration of that pattern gets for the asked share.
std::uint64_t user_events(const Options& options, Pattern pattern);
/// The largest number of user events of an iteration.
std::uint64_t user_events_at_most(const Options& options);
/// Iterations that come closest to the asked number of events.
std::uint64_t iterations(const Options& options);

/// Writes the first thread of `rank`.
void run_rank(LocationWriter& out, const Options& options, const Schedule& schedule, std::uint64_t rank,
              std::uint64_t iterations);
/// Writes a further thread of a process: user regions only.
void run_worker_thread(LocationWriter& out, const Options& options, const Schedule& schedule, std::uint64_t iterations);

}  // namespace generate
