// Figures of EventTrace on one trace: time to load, bytes an event, and the cost of event(), stack() and queue() at
// random positions. Medians are over batches of calls, so that they do not measure the reading of the clock; the 99th
// percentile is over single calls, and includes the clock (about 20 ns). The least possible cost of event() at random
// positions is that of memory that is in no cache: `memory` is one read of a byte at a random place of as much memory
// as the trace takes, where each place is known only when the byte before has been read.
//
// usage: event_trace [--load] TRACE [THREADS]
// prints one figure a line, `name value`; with --load only the first three.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "waitstate/error.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace {

using namespace waitstate;
using Timer = std::chrono::steady_clock;

double nanoseconds_since(Timer::time_point t) {
  return std::chrono::duration<double, std::nano>(Timer::now() - t).count();
}

std::uint64_t sum = 0;  // keeps the calls from being optimised away

/// The same sequence of numbers in every run (splitmix64).
struct Random {
  std::uint64_t state = 1;
  std::uint64_t below(std::uint64_t n) {
    std::uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return (x ^ (x >> 31)) % n;
  }
};

double quantile(std::vector<double>& values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

/// Calls `call(position, number)` at random positions of `n`, `batches` times `batch`, and as often one by one.
template <class Call>
void measure(const char* name, Position n, std::size_t batches, std::size_t batch, Call&& call) {
  Random random;
  std::vector<Position> positions(batch);
  std::vector<double> medians, singles;
  for (std::size_t b = 0; b < batches; ++b) {
    for (Position& p : positions) p = random.below(n);
    const auto start = Timer::now();
    for (const Position p : positions) sum += call(p);
    medians.push_back(nanoseconds_since(start) / static_cast<double>(batch));
    for (std::size_t i = 0; i < batch; ++i) {
      const Position p = random.below(n);
      const auto one = Timer::now();
      sum += call(p);
      singles.push_back(nanoseconds_since(one));
    }
  }
  std::printf("%s_median_ns %.0f\n%s_p99_ns %.0f\n", name, quantile(medians, 0.5), name, quantile(singles, 0.99));
}

}  // namespace

int main(int argc, char** argv) {
  const bool load_only = argc > 1 && std::string_view(argv[1]) == "--load";
  argv += load_only;
  argc -= load_only;
  if (argc < 2) return std::fprintf(stderr, "usage: event_trace [--load] TRACE [THREADS]\n"), 2;
  try {
    EventTraceOptions options;
    if (argc > 2) options.threads = static_cast<unsigned>(std::atoi(argv[2]));
    const auto start = Timer::now();
    const EventTrace trace(argv[1], options);
    const double load = nanoseconds_since(start) * 1e-9;
    const Position n = trace.size();
    if (n == 0) return std::fprintf(stderr, "event_trace: the trace has no events\n"), 1;
    std::printf("events %llu\nload_seconds %.4f\nbytes_an_event %.2f\n", static_cast<unsigned long long>(n), load,
                static_cast<double>(trace.memory()) / static_cast<double>(n));
    if (load_only) return 0;
    std::vector<std::uint8_t> memory(trace.memory(), 1);
    measure("memory", memory.size() - 1, 500, 1000, [&](Position p) { return memory[p + (sum & 1)]; });
    memory = {};
    measure("event", n, 500, 1000, [&](Position p) { return trace.event(p).time; });
    measure("stack", n, 100, 20,
            [&](Position p) { return trace.stack(LocationId{p % trace.location_count()}, p).size(); });
    measure("queue", n, 100, 20, [&](Position p) { return trace.queue(p).size(); });
    std::printf("check %llu\n", static_cast<unsigned long long>(sum));
  } catch (const Error& e) {
    return std::fprintf(stderr, "event_trace: %s\n", e.what()), 3;
  }
}
