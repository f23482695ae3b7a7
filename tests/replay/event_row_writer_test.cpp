#include "replay/event_row_writer.hpp"

#include <gtest/gtest.h>

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::replay {
namespace {

TEST(EventRowWriter, AnEnterIsARowAlone) {
  EventRows rows;
  EventRowWriter writer;
  writer.add(rows, EventType::enter, 7, 3);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows.rows[0].time, 7u);
  EXPECT_EQ(rows.rows[0].arg, 3u);
  EXPECT_EQ(rows.rows[0].type, EventType::enter);
  EXPECT_TRUE(rows.bytes.empty());
}

TEST(EventRowWriter, AnAttributeListGoesWithTheNextEventOnly) {
  EventRows rows;
  EventRowWriter writer;
  const std::vector<ListedAttribute> list{{AttributeId{4}, {ValueType::uint64, 99}}};
  writer.attribute_list(list);
  writer.add(rows, EventType::enter, 7, 3);
  writer.add(rows, EventType::exit, 8, 3);
  EXPECT_TRUE(has_list(rows.rows[0].type));
  EXPECT_FALSE(has_list(rows.rows[1].type));
  const std::uint8_t* in = rows.bytes.data() + rows.rows[0].arg;
  EXPECT_EQ(read_number(in, 4), 3u);
  EXPECT_EQ(read_number(in, 4), 1u);
  EXPECT_EQ(read_number(in, 4), 4u);
  EXPECT_EQ(read_value(in), list[0].value);
  EXPECT_EQ(in, rows.bytes.data() + rows.bytes.size());
}

TEST(EventRowWriter, AttributesOfOtherEventsAreReadBack) {
  EventRows rows;
  EventRowWriter writer;
  const std::uint64_t send[] = {5, 6, 0, 1000};
  writer.add(rows, EventType::send, 9, send, {}, 0, true);
  EXPECT_TRUE(rows.rows[0].linked);
  const std::uint8_t* in = rows.bytes.data() + rows.rows[0].arg;
  Event event;
  event.type = EventType::send;
  read_record(in, false, event);
  for (std::size_t i = 0; i < std::size(send); ++i) EXPECT_EQ(event.attributes[i], send[i]);

  const std::uint64_t program[] = {2};
  writer.add(rows, EventType::program_begin, 10, program, {}, 42, false);
  EXPECT_FALSE(rows.rows[1].linked);
  in = rows.bytes.data() + rows.rows[1].arg;
  EXPECT_EQ(read_number(in, 4), 42u) << "the call path that it enters comes first";
}

}  // namespace
}  // namespace waitstate::replay
