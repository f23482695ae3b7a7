#include "replay/counter_replay.hpp"

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
  EXPECT_EQ(p.counters.take_segment(of_segment), 1u);
  const std::vector<PathCounter> rest = p.counters.take_rest();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].callpath, of_segment[0].callpath);
  EXPECT_EQ(static_cast<std::int64_t>(rest[0].sum.whole), 30);
  EXPECT_EQ(static_cast<std::int64_t>(of_segment[0].sum.whole), 5);
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
