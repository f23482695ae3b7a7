// Loss-free in both directions: every event type with the ends of its attributes' ranges, every field of every
// definition, and whole made-up documents.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "notation/support.hpp"

namespace waitstate::notation {
namespace {

// Writes definitions and events, reads them back, and says how the result differs; "" if it does not.
std::string difference_after_round_trip(const Definitions& d, const std::vector<Event>& written) {
  const EventWriter writer(d);
  std::string text;
  write_definitions(text, d);
  for (const Event& e : written) writer.append(text, e);
  Document document = Document::parse(text);
  const Definitions& r = document.definitions();
  if (const std::string difference = first_difference(d, r); !difference.empty()) return difference + " of\n" + text;
  std::vector<std::vector<Event>> by_location(d.locations.size());
  for (const Event& e : written) by_location[e.loc.index()].push_back(e);
  for (std::size_t i = 0; i < by_location.size(); ++i)
    if (!same(d, by_location[i], r, events(document, LocationId{i})))
      return "location " + std::to_string(i) + " of\n" + text;

  document.rewind();
  std::string again;
  write_definitions(again, r);
  if (!text.starts_with(again)) return "definition lines of\n" + text + "which become\n" + again;
  return "";
}

class EveryEventType : public testing::TestWithParam<int> {};

TEST_P(EveryEventType, SurvivesWritingAndReading) {
  const EventType type{static_cast<std::uint8_t>(GetParam())};
  const Source source = fixed_source();
  Definitions d = made_up_definitions(
      source, [] { return 3; }, false);
  Maker maker(d, source);
  std::vector<Event> written;
  for (std::size_t i = 0; i < 200; ++i) written.push_back(maker.event(type, LocationId{i % 3}));
  EXPECT_EQ(difference_after_round_trip(d, written), "");
}
INSTANTIATE_TEST_SUITE_P(Notation, EveryEventType, testing::Range(0, static_cast<int>(event_type_count)),
                         [](const auto& type) {
                           return std::string(event_types[static_cast<std::size_t>(type.param)].name);
                         });

TEST(RoundTrip, AttributesReachTheEndsOfTheirRanges) {
  const Definitions d = Document::parse("0 0 enter main\n1 0 enter main\n1 0 send dest=0").definitions();
  constexpr std::uint64_t max32 = 0xffffffff, max64 = ~std::uint64_t{0};
  Event send;
  send.loc = LocationId{1};
  send.type = EventType::isend;
  send.time = max64;
  send.attributes = {max32, max32, max32, max64, max64};
  Event seek;
  seek.loc = LocationId{0};
  seek.type = EventType::program_end;
  seek.attributes = {std::uint64_t{1} << 63};
  Event end;
  end.loc = LocationId{0};
  end.type = EventType::rma_collective_end;
  end.attributes = {255, max32, max32, root_this_group, max64, 0};
  EXPECT_EQ(difference_after_round_trip(d, {send, seek, end}), "");
  std::string out;
  for (const Event& e : {send, seek, end}) EventWriter(d).append(out, e);
  EXPECT_EQ(
      out,
      R"(1 18446744073709551615 isend dest=none tag=4294967295 com=none len=18446744073709551615 request=18446744073709551615
0 0 program_end status=-9223372036854775808
0 0 rma_collective_end op=255 level=0xffffffff win=none root=this_group sent=18446744073709551615 received=0
)");
}

// As a damaged archive has them.
TEST(RoundTrip, ListedAttributesThatAreNotDefined) {
  const Definitions d = Document::parse("0 0 enter main").definitions();
  Event enter;
  enter.loc = LocationId{0};
  enter.type = EventType::enter;
  enter.attributes = {0};
  enter.list = {{AttributeId::none(), {ValueType::uint64, 18205}}, {AttributeId::none(), {ValueType::none, 0}}};
  EXPECT_EQ(difference_after_round_trip(d, {enter}), "");
  std::string out;
  EventWriter(d).append(out, enter);
  EXPECT_EQ(out, "0 0 enter main @none=uint64:18205 @none=none\n");
}

TEST(RoundTrip, EveryFieldOfEveryDefinition) {
  const Source source = fixed_source();
  for (int i = 0; i < 50; ++i) {
    const Definitions d = made_up_definitions(
        source, [] { return 2; }, true);
    ASSERT_EQ(difference_after_round_trip(d, {}), "");
  }
}

// The table-driven test above would pass if a table were in neither direction: count what is written.
TEST(RoundTrip, EveryTableAndFieldIsWritten) {
  const Definitions d = made_up_definitions(
      fixed_source(), [] { return 1; }, true);
  const std::string text = to_notation(d);
  Definitions::for_each_table(d, [&](std::string_view keyword, const auto& table) {
    const std::size_t line = ("\n" + text).find("\n" + std::string(keyword) + " 0 ");
    ASSERT_NE(line, std::string::npos) << keyword << " in\n" << text;
    const std::string written = text.substr(line, text.find('\n', line) - line);
    for_each_field(table[0], [&](std::string_view field, const auto&) {
      EXPECT_NE(written.find(" " + std::string(field) + "="), std::string::npos) << field << " in " << written;
    });
  });
}

TEST(RoundTrip, EmptyDefinitions) { EXPECT_EQ(to_notation(Definitions{}), "clock resolution=1000000000\n"); }

TEST(RoundTrip, LocationsWithoutProcesses) {
  Definitions d;
  d.locations.resize(2);
  d.locations[1].ref = 1;
  EXPECT_EQ(to_notation(d), R"(clock resolution=1000000000
location 0 process=none
location 1 process=none
)");
  EXPECT_EQ(difference_after_round_trip(d, {}), "");
}

RC_GTEST_PROP(RoundTrip, WriteAndParseIsTheIdentity, ()) {
  const Source source = [](std::uint64_t n) { return *rc::gen::inRange<std::uint64_t>(0, n); };
  Definitions d = made_up_definitions(
      source, [&] { return source(3); }, false);
  Maker maker(d, source);
  std::vector<Event> written;
  if (!d.locations.empty())
    for (std::uint64_t n = source(12); n > 0; --n) {
      const LocationId location{source(d.locations.size())};
      written.push_back(maker.event(static_cast<EventType>(source(event_type_count)), location));
    }
  d.finish();
  const std::string difference = difference_after_round_trip(d, written);
  if (!difference.empty()) RC_FAIL(difference);
}

// Whatever bytes: a document or a TraceError, never anything else.
RC_GTEST_PROP(RoundTrip, GarbageIsAnErrorOrADocument, ()) {
  const std::string base = R"(location 0 name="a\x41" properties=(x=uint64:5,"y"=double:0x1p+0)
comm 0 name=w members=(0)
0 110 send dest=0 tag=7 com=0 len=8 @0=string:"x"
0 120 metric metric=none values=(int8:-3)
)";
  std::string text = base;
  for (int n = *rc::gen::inRange(1, 6); n > 0; --n) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    if (*rc::gen::arbitrary<bool>())
      text[at] = *rc::gen::arbitrary<char>();
    else
      text.erase(at, *rc::gen::inRange<std::size_t>(1, 9));
    if (text.empty()) text = "#";
  }
  error_of(text);
}

}  // namespace
}  // namespace waitstate::notation
