// Command line of generate_trace: a table of options, each with the field that it sets.
#include "options.hpp"

#include <array>
#include <charconv>
#include <stdexcept>
#include <vector>

namespace generate {
namespace {

constexpr std::array<std::string_view, 9> pattern_names{"halo",       "ring",     "random", "master", "tags",
                                                        "collective", "inflight", "mixed",  "rma"};
constexpr std::array<std::string_view, 3> order_names{"fifo", "reverse", "random"};

template <class Number>
Number number(std::string_view option, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument(std::string(option) + ": expected a number, found '" + std::string(text) + "'");
  return value;
}

Pattern pattern(std::string_view text) {
  for (std::size_t i = 0; i < pattern_names.size(); ++i)
    if (pattern_names[i] == text) return static_cast<Pattern>(i);
  throw std::invalid_argument("--pattern: unknown pattern '" + std::string(text) +
                              "', expected halo, ring, random, master, tags, collective, inflight, mixed or rma");
}

Order order(std::string_view text) {
  for (std::size_t i = 0; i < order_names.size(); ++i)
    if (order_names[i] == text) return static_cast<Order>(i);
  throw std::invalid_argument("--order: unknown order '" + std::string(text) + "', expected fifo, reverse or random");
}

void set(Options& o, std::string_view option, std::string_view value) {
  if (option == "--locations")
    o.locations = number<std::uint64_t>(option, value);
  else if (option == "--threads-per-process")
    o.threads_per_process = number<std::uint64_t>(option, value);
  else if (option == "--events")
    o.events = number<std::uint64_t>(option, value);
  else if (option == "--pattern")
    o.pattern = pattern(value);
  else if (option == "--messages")
    o.message_share = number<double>(option, value);
  else if (option == "--depth")
    o.depth = number<std::uint64_t>(option, value);
  else if (option == "--clock-error")
    o.clock_error = number<std::uint64_t>(option, value);
  else if (option == "--clock-drift")
    o.clock_drift = number<std::uint64_t>(option, value);
  else if (option == "--late-sender")
    o.late_share = number<double>(option, value);
  else if (option == "--late-ticks")
    o.late_ticks = number<std::uint64_t>(option, value);
  else if (option == "--order")
    o.order = order(value);
  else if (option == "--in-flight")
    o.in_flight = number<std::uint64_t>(option, value);
  else if (option == "--chunk")
    o.chunk = number<std::uint64_t>(option, value);
  else if (option == "--seed")
    o.seed = number<std::uint64_t>(option, value);
  else
    throw std::invalid_argument("unknown option '" + std::string(option) + "', see --help");
}

void require(bool condition, const char* sentence) {
  if (!condition) throw std::invalid_argument(sentence);
}

}  // namespace

std::string_view name(Pattern p) { return pattern_names[static_cast<std::size_t>(p)]; }

std::string_view usage() {
  return "usage: generate_trace [options] OUTPUT_DIR\n"
         "Writes OUTPUT_DIR/traces.otf2 and OUTPUT_DIR/expected.csv; OUTPUT_DIR must not hold an archive yet.\n"
         "  --locations N            locations in all (8)\n"
         "  --threads-per-process T  locations of a process (1); only the first one communicates\n"
         "  --events TOTAL           events in all, approximately (1000000)\n"
         "  --pattern P              halo, ring, random, master, tags, collective, inflight, mixed or rma (halo)\n"
         "  --in-flight MESSAGES     inflight: sent by all others before rank 0 receives the first of them (1000)\n"
         "  --order ORDER            inflight: fifo (one tag), reverse or random (a tag a message) (fifo)\n"
         "  --messages SHARE         share of events that are send or receive records (0.25), rma: records of "
         "windows,\n"
         "                           as far as the pattern can\n"
         "  --depth D                call depth of the user regions below main (4)\n"
         "  --late-sender SHARE      share of iterations in which a rank communicates late (0.1)\n"
         "  --late-ticks TICKS       by how much (5000 ns)\n"
         "  --clock-error TICKS      clocks are off by a constant of at most that much (0)\n"
         "  --clock-drift PPM        clocks run fast by at most that much (0)\n"
         "  --chunk BYTES            OTF2 event chunk, 262144 to 16777216 (1048576)\n"
         "  --seed S                 (1)\n";
}

Options parse(int argc, char** argv) {
  Options o;
  std::vector<std::string_view> rest;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("--")) {
      rest.push_back(argument);
    } else {
      if (i + 1 == argc) throw std::invalid_argument(std::string(argument) + ": expected a value behind it");
      set(o, argument, argv[++i]);
    }
  }
  require(rest.size() == 1, "expected exactly one output directory, see --help");
  o.output = rest.front();
  require(o.threads_per_process >= 1 && o.locations >= 1 && o.locations % o.threads_per_process == 0,
          "--locations must be a positive multiple of --threads-per-process");
  require(o.locations <= 10'000'000, "--locations must not exceed 10000000");
  require(o.ranks() >= 2 || o.pattern == Pattern::collective, "this pattern needs at least two processes");
  require(o.pattern != Pattern::rma || (o.clock_error == 0 && o.clock_drift == 0),
          "pattern rma needs clocks that agree: its fences would wait for the clock that is furthest ahead");
  require(o.in_flight >= 1 && o.in_flight <= 100'000'000, "--in-flight must be from 1 to 100000000");
  require(o.message_share > 0 && o.message_share <= 1, "--messages must be above 0 and not above 1");
  require(o.late_share >= 0 && o.late_share <= 1, "--late-sender must be from 0 to 1");
  require(o.depth >= 1 && o.depth <= 1000, "--depth must be from 1 to 1000");
  require(o.chunk >= 256 * 1024 && o.chunk <= 16 * 1024 * 1024, "--chunk must be from 262144 to 16777216");
  require(o.clock_error <= 1'000'000'000'000 && o.clock_drift <= 1000, "--clock-error or --clock-drift is too large");
  return o;
}

}  // namespace generate
