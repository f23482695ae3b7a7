// A system that gives no more threads, because a user or a container may only have a certain number: the existing
// threads do the work.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <tuple>
#include <vector>

#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace {
std::atomic<int> threads_allowed{1 << 20}, threads_refused{0};
}

// In place of the C library's, for this program.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
  if (threads_allowed.fetch_sub(1) <= 0) {
    ++threads_refused;
    return EAGAIN;
  }
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, start, argument);
}

namespace waitstate {
namespace {

constexpr const char* refused_trace = WAITSTATE_TRACES "/halo";

struct RefusedThreads : testing::TestWithParam<int> {
  RefusedThreads() {
    threads_refused = 0;
    threads_allowed = GetParam();
  }
  ~RefusedThreads() override { threads_allowed = 1 << 20; }
};

TEST_P(RefusedThreads, leave_the_work_to_the_others) {
  AnalysisOptions options;
  options.threads = 4;
  options.built_in = false;
  PatternRegistry registry;
  registry.set("delay.parts", "4");
  options.patterns = registry.chosen({"all", "critical_path", "delay"}, {});
  const AnalysisResult few = analyze(refused_trace, options);
  EXPECT_GT(threads_refused, 0);
  options.threads = 1;
  registry.set("delay.parts", "1");
  options.patterns = registry.chosen({"all", "critical_path", "delay"}, {});
  const AnalysisResult one = analyze(refused_trace, options);
  const auto rows = [](const AnalysisResult& r) {
    std::vector<std::tuple<MetricIndex, CallPathId, LocationId, std::int64_t>> all;
    for (const SeverityRow& row : r.table()) all.emplace_back(row.metric, row.callpath, row.location, row.value);
    return all;
  };
  EXPECT_EQ(rows(few), rows(one));
  const std::vector<SeverityRow> table = one.table();
  EXPECT_TRUE(std::any_of(table.begin(), table.end(),
                          [&](const SeverityRow& row) { return one.metrics[row.metric].id == "delay_latesender"; }));
  EXPECT_EQ(few.messages, one.messages);
}

// Workers need a thread each: without, one does all.
TEST_P(RefusedThreads, leave_the_work_of_workers_to_one) {
  AnalysisOptions options;
  options.threads = 4;
  const AnalysisResult few = analyze(refused_trace, options);
  EXPECT_GT(threads_refused, 0);
  options.threads = 1;
  const AnalysisResult one = analyze(refused_trace, options);
  EXPECT_EQ(few.messages, one.messages);
  EXPECT_GT(few.messages, 0u);
  const std::vector<SeverityRow> a = few.table(), b = one.table();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(std::tie(a[i].metric, a[i].callpath, a[i].location, a[i].value),
              std::tie(b[i].metric, b[i].callpath, b[i].location, b[i].value));
  }
}

TEST_P(RefusedThreads, an_event_trace_is_read_by_the_others) {
  EventTraceOptions options;
  options.threads = 4;
  const EventTrace trace(refused_trace, options);
  EXPECT_GT(threads_refused, 0);
  EXPECT_GT(trace.size(), 1000u);
}

INSTANTIATE_TEST_SUITE_P(allowed, RefusedThreads, testing::Values(0, 1, 2));

}  // namespace
}  // namespace waitstate
