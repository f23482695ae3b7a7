// The cost of each pattern: whole analyses of one trace without any pattern, with one pattern alone (and those that it
// needs), and with all; and the cost of event callbacks that ask for nothing, for the region stack, for the message
// queue, or keep the queue without asking: compare with `recv_callback` and `enter_callback`. One thread, so that
// nothing hides behind decoding. The counter `of reading` is the time beyond that of an analysis without patterns, as a
// share of that analysis (which decodes, replays and links); the trace is $WAITSTATE_BENCH_TRACE, or traces/halo if
// that is not set.
//
//   build/bench/tests/patterns
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"

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

/// At every receive, asks for the messages on their way to the same target, if it is to.
class AtReceives : public Pattern {
 public:
  AtReceives(bool keeps, bool asks) : keeps_(keeps), asks_(asks) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "at_receives", .unit = Unit::occurrences}}, .needs_queue = keeps_};
  }
  void recv_callback(const Event& recv, Context& c) override {
    if (asks_) benchmark::DoNotOptimize(c.trace().queue({}, recv.loc));
  }

 private:
  const bool keeps_, asks_;
};

/// At every enter, asks for the open regions, if it is to.
class AtEnters : public Pattern {
 public:
  explicit AtEnters(bool asks) : asks_(asks) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "at_enters", .unit = Unit::occurrences}}, .needs_stack = asks_};
  }
  void enter_callback(const Event& enter, Context& c) override {
    if (asks_) benchmark::DoNotOptimize(c.trace().stack(enter.loc));
  }

 private:
  const bool asks_;
};

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
using Make = std::function<std::vector<PatternHandle>()>;
void measure(benchmark::State& state, const Make& patterns) {
  double without = std::numeric_limits<double>::max(), with = without;
  for (auto _ : state) {
    without = std::min(without, run({}));
    const double seconds = run(patterns());
    state.SetIterationTime(seconds);
    with = std::min(with, seconds);
  }
  state.counters["of reading"] = (with - without) / without;
}

}  // namespace

int main(int argc, char** argv) {
  // Handles are made anew each time, because patterns may keep results of an earlier run.
  const auto add = [](const std::string& name, const Make& patterns) {
    benchmark::RegisterBenchmark(name.c_str(), [patterns](benchmark::State& s) { measure(s, patterns); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(10);
  };
  const auto chosen = [](const std::vector<std::string>& ids) {
    return [ids] { return PatternRegistry().chosen(ids, {}); };
  };
  add("without patterns", [] { return std::vector<PatternHandle>{}; });
  const PatternRegistry registry;
  for (const PatternRegistry::Entry& e : registry.entries()) add(e.handle.id(), chosen({e.handle.id()}));
  add("all patterns", chosen({}));
  const auto one = []<class P, class... A>(std::type_identity<P>, A... a) {
    return [=] { return std::vector<PatternHandle>{make_pattern<P>(a...)}; };
  };
  const std::type_identity<AtReceives> at_receives;
  const std::type_identity<AtEnters> at_enters;
  add("recv_callback", one(at_receives, false, false));
  add("recv_callback, queue kept", one(at_receives, true, false));
  add("recv_callback, queue asked for", one(at_receives, true, true));
  add("enter_callback", one(at_enters, false));
  add("enter_callback, stack asked for", one(at_enters, true));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
