// What each pattern costs: whole analyses of one trace without any pattern, with one pattern alone (and those that it
// needs), and with all. One thread, so that nothing hides behind decoding. The counter `of reading` is the time on top
// of an analysis without patterns, as a share of that analysis (which decodes, replays and links); the trace is
// $WAITSTATE_BENCH_TRACE, traces/halo if that is not set.
//
//   build/bench/tests/patterns
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>

#include "waitstate/analysis.hpp"
#include "waitstate/registry.hpp"

namespace {

using namespace waitstate;

std::string trace() {
  const char* const chosen = std::getenv("WAITSTATE_BENCH_TRACE");
  return chosen != nullptr ? chosen : WAITSTATE_TRACES "/halo";
}

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double run(const std::vector<PatternHandle>& patterns) {
  AnalysisOptions options;
  options.threads = 1;
  options.built_in = false;
  options.patterns = patterns;
  const double begin = processor_seconds();
  benchmark::DoNotOptimize(analyze(trace(), options).messages);
  return processor_seconds() - begin;
}

// Both runs alternate, so that other load on the machine hits both alike; the best of each is compared.
void measure(benchmark::State& state, const std::vector<std::string>& ids, bool none) {
  double without = std::numeric_limits<double>::max(), with = without;
  for (auto _ : state) {
    without = std::min(without, run({}));
    // Handles are made anew: patterns may keep what they found in an earlier run.
    const double seconds = run(none ? std::vector<PatternHandle>{} : PatternRegistry().chosen(ids, {}));
    state.SetIterationTime(seconds);
    with = std::min(with, seconds);
  }
  state.counters["of reading"] = (with - without) / without;
}

}  // namespace

int main(int argc, char** argv) {
  const auto add = [](const std::string& name, std::vector<std::string> ids, bool none) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [ids = std::move(ids), none](benchmark::State& s) { measure(s, ids, none); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(10);
  };
  add("without patterns", {}, true);
  const PatternRegistry registry;
  for (const PatternRegistry::Entry& e : registry.entries()) add(e.handle.id(), {e.handle.id()}, false);
  add("all patterns", {}, false);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
