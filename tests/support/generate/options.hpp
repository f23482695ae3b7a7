// The options of generate_trace, checked and complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace generate {

enum class Pattern : std::uint8_t { halo, ring, random, master, tags, collective, inflight, mixed, rma };
std::string_view name(Pattern pattern);
/// How pattern inflight receives: as sent, the last one first, or shuffled.
enum class Order : std::uint8_t { fifo, reverse, random };

struct Options {
  std::uint64_t locations = 8;
  std::uint64_t threads_per_process = 1;
  std::uint64_t events = 1'000'000;  ///< aimed at, over all locations
  Pattern pattern = Pattern::halo;
  double message_share = 0.25;      ///< share of events that are send or receive records (collective: begin or end)
  std::uint64_t depth = 4;          ///< depth of the user regions below main
  std::uint64_t clock_error = 0;    ///< ticks: clocks are off by a constant in [-clock_error, clock_error]
  std::uint64_t clock_drift = 0;    ///< parts per million: clocks run fast by a rate in [0, clock_drift]
  double late_share = 0.1;          ///< share of (rank, iteration) that begin to communicate late
  std::uint64_t late_ticks = 5000;  ///< delay of the late rank
  Order order = Order::fifo;
  std::uint64_t in_flight = 1000;  ///< pattern inflight: messages that are sent before the first is received
  std::uint64_t chunk = 1 << 20;   ///< bytes of an OTF2 event chunk
  std::uint64_t seed = 1;
  std::string output;

  std::uint64_t ranks() const { return locations / threads_per_process; }
};

/// Options of the command line. Throws std::invalid_argument with a sentence for the user.
Options parse(int argc, char** argv);
/// Text of --help.
std::string_view usage();

}  // namespace generate
