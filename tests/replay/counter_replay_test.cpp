#include "replay/counters/counter_replay.hpp"

#include <bit>
#include <initializer_list>

#include "parts.hpp"

namespace waitstate::replay {
namespace {

Definitions with_counter() {
  Definitions d = one_location();
  d.metric_members.resize(1);
  d.metric_members[0].mode = static_cast<std::uint8_t>(0x0);  // differences from the start, at points
  d.metric_members[0].value_type = ValueType::uint64;
  d.metrics.resize(1);
  d.metrics[0].members = {MetricMemberId{0}};
  return d;
}

TEST(CounterReplay, ValuesGoToTheCallPathAndTheSegment) {
  Parts p({.counters = true}, with_counter());
  const auto value = [](std::uint64_t v) { return std::vector<Value>{{ValueType::uint64, v}}; };
  p.enter(0, work);
  p.counters.record(MetricId{0}, value(100));
  p.counters.record(MetricId{0}, value(130));
  p.activity().segment.number = 3;
  p.counters.record(MetricId{0}, value(135));
  std::vector<PathCounter> of_segment;
  EXPECT_EQ(p.counters.take_segment(of_segment), 2u);
  const std::vector<PathCounter> rest = p.counters.take_rest();
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0].callpath, of_segment[0].callpath);
  EXPECT_EQ(static_cast<std::int64_t>(rest[0].sum.whole), 30);
  EXPECT_EQ(static_cast<std::int64_t>(of_segment[0].sum.whole), 5);
  // The values count if it turns out to be a level.
  EXPECT_FALSE(rest[0].as_level);
  EXPECT_TRUE(rest[1].as_level);
  EXPECT_EQ(static_cast<std::int64_t>(rest[1].sum.whole), 230);
  EXPECT_EQ(static_cast<std::int64_t>(of_segment[1].sum.whole), 135);
}

std::vector<Value> whole(std::uint64_t v) { return {{ValueType::uint64, v}}; }

TEST(CounterReplay, WhatARecordJustAfterAnExitCountedBelongsToTheCallThatWasLeft) {
  Parts p({.counters = true}, with_counter());
  EXPECT_TRUE(p.counters.wants_exits());
  const std::uint32_t outer = p.enter(0, work);
  ++p.context.counts[static_cast<std::size_t>(EventType::enter)];
  p.counters.record(MetricId{0}, whole(1));
  const std::uint32_t inner = p.enter(10, work);
  ++p.context.counts[static_cast<std::size_t>(EventType::enter)];
  p.counters.record(MetricId{0}, whole(3));
  p.exit(30);
  ++p.context.counts[static_cast<std::size_t>(EventType::exit)];
  p.counters.left(inner);
  p.counters.record(MetricId{0}, whole(10));
  p.advance(31);
  p.counters.record(MetricId{0}, whole(100));
  const std::vector<PathCounter> sums = p.counters.take_rest();
  const auto of = [&](std::uint32_t callpath) {
    for (const PathCounter& c : sums)
      if (c.callpath == callpath && !c.as_level) return static_cast<std::int64_t>(c.sum.whole);
    return std::int64_t{0};
  };
  EXPECT_EQ(of(outer), 2 + 90);
  EXPECT_EQ(of(inner), 7);
}

TEST(CounterMoves, ALevelFallsByWhatItRises) {
  const auto moves = [](std::initializer_list<double> values) {
    CounterMoves m;
    const double* last = nullptr;
    for (const double& v : values) {
      if (last != nullptr)
        m.add({ValueType::double_, std::bit_cast<std::uint64_t>(*last)},
              {ValueType::double_, std::bit_cast<std::uint64_t>(v)});
      last = &v;
    }
    return m;
  };
  EXPECT_FALSE(moves({1, 2, 3}).level());
  EXPECT_FALSE(moves({5, 5}).level());
  EXPECT_TRUE(moves({5, 4}).level());
  EXPECT_TRUE(moves({0, 100, 99}).level());            // 1 of 100
  EXPECT_FALSE(moves({0, 101, 100}).level());          // less than a hundredth
  EXPECT_FALSE(moves({0, 100, 49}).level());           // to less than half, once
  EXPECT_TRUE(moves({0, 100, 50}).level());            // to half
  EXPECT_TRUE(moves({9, 0, 9, 0}).level());            // twice, of one rise
  EXPECT_FALSE(moves({0, 9, 0, 7, 0, 1, 2}).level());  // twice, of four rises
  EXPECT_TRUE(moves({0, 9, 0, 7, 0, 9}).level());      // twice, of three
  EXPECT_TRUE(moves({1, -1}).level());                 // below zero
  CounterMoves both = moves({0, 1000});
  both.add(moves({9, 4, 8, 4.5}));
  EXPECT_FALSE(both.level()) << "one restart, and 3.5 of 1004 the other way";
  EXPECT_EQ(both.rises, 2u);
  EXPECT_EQ(both.restarts, 1u);
}

TEST(CounterReplay, NothingIsCountedUnlessAskedFor) {
  Parts p({}, with_counter());
  const std::vector<Value> values{{ValueType::uint64, 1}};
  p.counters.record(MetricId{0}, values);
  p.counters.record(MetricId{0}, values);
  EXPECT_TRUE(p.counters.take_rest().empty());
  EXPECT_TRUE(p.chunk.call_paths.empty());
}

}  // namespace
}  // namespace waitstate::replay
