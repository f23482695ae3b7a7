// Several workers: an analysis that fails or is stopped in one of them ends in all, as with one.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate {
namespace {

constexpr const char* traced = WAITSTATE_TRACES "/halo";

AnalysisOptions with_threads(unsigned threads) {
  AnalysisOptions options;
  options.threads = threads;
  options.built_in = false;
  return options;
}

/// Counts the receives of each location in parts; fails at the n-th of one location.
class Receives : public Pattern {
 public:
  static constexpr bool in_parts = true;

  explicit Receives(std::uint32_t fails_on = LocationId::none_value) : fails_on_(fails_on) {}
  PatternInfo info() const override {
    return {.metrics = {{.id = "receives", .unit = Unit::occurrences, .title = "Receives", .summary = "Receives."}}};
  }
  void init(Context&) override { calls_ = here_ = 0; }
  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    ++calls_;
    if (r.call.location.value == fails_on_ && ++here_ == 1000) throw std::runtime_error("the thousandth receive");
    c.add({r.call}, static_cast<std::int64_t>(r.messages.size()));
  }
  void merge(Pattern& other) override { calls_ += static_cast<Receives&>(other).calls_; }
  void wrapup(Context&) override { all_calls = calls_; }

  static std::uint64_t all_calls;  // only wrapup() writes it, which one object gets

 private:
  const std::uint32_t fails_on_;
  std::uint64_t calls_ = 0, here_ = 0;
};
std::uint64_t Receives::all_calls = 0;

TEST(Workers, patterns_in_parts_are_merged) {
  std::uint64_t calls = 0;
  std::int64_t messages = 0;
  for (const unsigned threads : {1, 2, 3, 8, 100}) {
    AnalysisOptions options = with_threads(threads);
    options.patterns.push_back(make_pattern<Receives>());
    const AnalysisResult r = analyze(traced, options);
    std::int64_t sum = 0;
    for (const SeverityRow& row : r.table())
      if (r.metrics[row.metric].id == "receives") sum += row.value;
    EXPECT_EQ(sum, static_cast<std::int64_t>(r.messages)) << threads;
    if (threads == 1) calls = Receives::all_calls, messages = sum;
    EXPECT_EQ(Receives::all_calls, calls) << threads;
    EXPECT_EQ(sum, messages) << threads;
  }
  EXPECT_GT(calls, 1000u);
}

TEST(Workers, a_pattern_that_fails_ends_all) {
  std::string expected;
  for (const unsigned threads : {1, 2, 4, 8}) {
    AnalysisOptions options = with_threads(threads);
    options.patterns.push_back(make_pattern<Receives>(5u));
    try {
      analyze(traced, options);
      ADD_FAILURE() << "with " << threads << " threads nothing was thrown";
    } catch (const PatternError& e) {
      if (threads == 1) expected = e.what();
      EXPECT_EQ(std::string(e.what()), expected) << threads;
      EXPECT_NE(expected.find("the thousandth receive"), std::string::npos);
    }
  }
}

TEST(Workers, who_shows_the_progress_can_stop_all) {
  struct Stopped {};
  for (const unsigned threads : {2, 8}) {
    AnalysisOptions options = with_threads(threads);
    options.built_in = true;
    const std::thread::id caller = std::this_thread::get_id();
    std::uint64_t seen = 0;
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_GE(done, seen);
      seen = done;
      if (done > 100'000) throw Stopped{};
    };
    EXPECT_THROW(analyze(traced, options), Stopped) << threads;
    EXPECT_LT(seen, 1'200'000u);
  }
}

TEST(Workers, a_stop_that_is_requested_ends_all) {
  for (const unsigned threads : {1, 2, 8}) {
    std::stop_source source;
    AnalysisOptions options = with_threads(threads);
    options.built_in = true;
    options.stop = source.get_token();
    std::uint64_t seen = 0;
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      seen = done;
      if (done > 100'000) std::thread([&] { source.request_stop(); }).join();
    };
    EXPECT_THROW(analyze(traced, options), Stopped) << threads;
    EXPECT_LT(seen, 1'200'000u);
  }
  AnalysisOptions options = with_threads(2);
  options.built_in = true;
  options.stop = std::stop_source().get_token();
  EXPECT_GT(analyze(traced, options).messages, 0u);
}

// Also when all has been read: causes take as long as reading does.
TEST(Workers, the_search_for_causes_can_be_stopped) {
  struct Enough {};
  PatternRegistry registry;
  const std::uint64_t events = analyze(traced, with_threads(2)).events();
  for (const char* const pattern : {"critical_path", "delay", "mpi_ideal_wait"})
    for (const bool throws : {false, true}) {
      std::stop_source source;
      AnalysisOptions options = with_threads(throws ? 1 : 8);
      options.patterns = registry.chosen({pattern}, {});
      options.stop = source.get_token();
      int shown = 0;
      options.progress = [&](std::uint64_t done, std::uint64_t) {
        if (done != events || ++shown < 4) return;  // some may come from reading
        if (throws) throw Enough();
        source.request_stop();
      };
      if (throws)
        EXPECT_THROW(analyze(traced, options), Enough) << pattern;
      else
        EXPECT_THROW(analyze(traced, options), Stopped) << pattern;
    }
}

TEST(Workers, progress_counts_the_events_of_all) {
  AnalysisOptions options = with_threads(4);
  std::uint64_t last = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t) { last = done; };
  options.built_in = true;
  EXPECT_EQ(last, 0u);
  const AnalysisResult r = analyze(traced, options);
  EXPECT_EQ(last, r.events());
}

}  // namespace
}  // namespace waitstate
