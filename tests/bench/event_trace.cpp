// Figures of EventTrace on one trace: time to load, bytes an event, and the cost of event(), stack() and queue() at
// positions spread over the whole trace.
//
// usage: event_trace TRACE [THREADS]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "waitstate/error.hpp"
#include "waitstate/event_trace.hpp"

namespace {
double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: event_trace TRACE [THREADS]\n"), 2;
  try {
    waitstate::EventTraceOptions options;
    if (argc > 2) options.threads = static_cast<unsigned>(std::atoi(argv[2]));
    auto start = std::chrono::steady_clock::now();
    const waitstate::EventTrace trace(argv[1], options);
    const double load = seconds_since(start);
    const auto n = trace.size();
    if (n == 0) return std::fprintf(stderr, "event_trace: the trace has no events\n"), 1;
    std::printf("events %llu  load %.4f s  %.2f bytes/event\n", static_cast<unsigned long long>(n), load,
                static_cast<double>(trace.memory()) / static_cast<double>(n));

    std::uint64_t sum = 0;  // keeps the calls from being optimised away
    start = std::chrono::steady_clock::now();
    for (waitstate::Position p = 0; p < n; ++p) sum += trace.event(p * 7919 % n).time;
    std::printf("event(pos) %.0f ns", seconds_since(start) / static_cast<double>(n) * 1e9);
    const waitstate::Position step = n / 2000 + 1;
    std::uint64_t calls = 0;
    start = std::chrono::steady_clock::now();
    for (waitstate::Position p = 0; p < n; p += step, ++calls)
      sum += trace.stack(waitstate::LocationId{p % trace.location_count()}, p).size();
    std::printf("  stack(loc, pos) %.2f us", seconds_since(start) / static_cast<double>(calls) * 1e6);
    start = std::chrono::steady_clock::now();
    for (waitstate::Position p = 0; p < n; p += step) sum += trace.queue(p).size();
    std::printf("  queue(pos) %.2f us  (%llu)\n", seconds_since(start) / static_cast<double>(calls) * 1e6,
                static_cast<unsigned long long>(sum % 10));
  } catch (const waitstate::Error& e) {
    return std::fprintf(stderr, "event_trace: %s\n", e.what()), 3;
  }
}
