// Every kind of line is written as its example says, comes back as it was, and is refused when it is damaged.
#include "record/parts/line_kinds.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace waitstate::record {
namespace {

const std::string hostile = "a\tb\nc\\d\\t";
const std::string hostile_written = "a\\tb\\nc\\\\d\\\\t";
constexpr std::uint64_t greatest = ~std::uint64_t{0};

/// Gives `check` a line of each kind, and its text.
template <class Check>
void each_kind(Check check) {
  check(FormatLine{}, "waitstate-record\t1");
  check(ProcessLine{1, 4, "host", "boot/0", hostile, 4711, "mpi", 1048576},
        "process\t1\t4\thost\tboot/0\t" + hostile_written + "\t4711\tmpi\t1048576");
  check(DateLine{7, greatest}, "date\t7\t18446744073709551615");
  check(LocationLine{2, hostile, LocationKind::thread}, "location\t2\t" + hostile_written);
  check(ClockOfLine{3, 17, -768, 35}, "clock_of\t3\t17\t-768\t35");
  check(EventsLine{3, 1904, 5, 6}, "events\t3\t1904\t5\t6");
  check(StringLine{4294967295u, hostile}, "string\t4294967295\t" + hostile_written);
  check(RegionLine{1, hostile, 4, 255}, "region\t1\t" + hostile_written + "\t4\t255");
  check(CommLine{2, "W.0/0", hostile, 0, 4, 1, {0, 1, 2, 3}},
        "comm\t2\tW.0/0\t" + hostile_written + "\t0\t4\t1\t0,1,2,3");
  check(InterLine{3, "W.1/0", hostile, 2, {0, 1}, {2}}, "inter\t3\tW.1/0\t" + hostile_written + "\t2\t0,1\t2");
  check(MeetsLine{3, -7, "W.0/0", 0, 2, 1}, "meets\t3\t-7\tW.0/0\t0\t2\t1");
  check(AliasLine{4, "W.p0", hostile, 0}, "alias\t4\tW.p0\t" + hostile_written + "\t0");
  check(TeamLine{5, 3, {0, 2}}, "team\t5\t3\t0,2");
  check(GroupLine{1, {7}}, "group\t1\t7");
  check(WinLine{1, "W.w0", hostile, 2}, "win\t1\tW.w0\t" + hostile_written + "\t2");
  check(CartLine{2, {4, 2}, {1, 0}, {3, 1}, 7}, "cart\t2\t4,2\t1,0\t3,1\t7");
  check(SourcesLine{2, {1, 3}}, "sources\t2\t1,3");
  check(MetricLine{1, "length", "#", hostile, 3, 5, ObjectKind::wins, 2},
        "metric\t1\tlength\t#\t" + hostile_written + "\t3\t5\twins\t2");
  check(SampledLine{1, 3}, "sampled\t1\t3");
  check(CvarLine{"limit", hostile}, "cvar\tlimit\t" + hostile_written);
  check(NameLine{ObjectKind::win, 2, hostile}, "name\twin\t2\t" + hostile_written);
  check(ClockLine{7, std::numeric_limits<std::int64_t>::min(), 35}, "clock\t7\t-9223372036854775808\t35");
  check(PropertyLine{hostile, ""}, "property\t" + hostile_written + "\t");
  check(LeftOutLine{"pthread,io"}, "left_out\tpthread,io");
  check(LeftOutCalledLine{"io"}, "left_out_called\tio");
  check(UnrecordedLine{UnrecordedKind::collective, 2, 0, 0, greatest},
        "unrecorded\tcollective\t2\t0\t0\t18446744073709551615");
  check(WaitsLine{1, 76, 4, "receive", 2, 3, -1}, "waits\t1\t76\t4\treceive\t2\t3\t-1");
  check(EndLine{}, "end");
  check(EndedLine{76}, "ended\t76");
}

template <class Line>
bool is_same(const Line& a, const Line& b) {
  return std::apply([&](const auto... member) { return ((a.*member == b.*member) && ...); }, Line::fields);
}

template <class... Kinds>
std::set<std::string_view> words_of(std::type_identity<std::variant<std::monostate, Kinds...>>) {
  return {FormatLine::word, ProcessLine::word, Kinds::word...};
}

template <class Value>
struct NumberOf {};
template <std::integral Number>
struct NumberOf<Number> {
  using Type = Number;
};
template <>
struct NumberOf<Numbers> {
  using Type = std::uint64_t;
};
template <std::integral Number>
struct NumberOf<std::optional<Number>> {
  using Type = Number;
};

/// Texts that no field of this type has.
template <class Value>
std::vector<std::string> wrong_texts(const Value&) {
  if constexpr (std::same_as<Value, ObjectKind>) {
    return {"x", "0", "comm "};
  } else if constexpr (std::same_as<Value, UnrecordedKind>) {
    return {"x", "0", "send ", ""};
  } else if constexpr (requires { typename NumberOf<Value>::Type; }) {
    using Number = typename NumberOf<Value>::Type;
    std::vector<std::string> texts{"x", "1x", " 1", "+1", "--1", "1;2", "18446744073709551616"};
    if (const auto most = static_cast<std::uint64_t>(std::numeric_limits<Number>::max()); most != greatest)
      texts.push_back(std::to_string(most + 1));
    if (std::unsigned_integral<Number>) texts.emplace_back("-1");
    if (std::integral<Value>) texts.emplace_back();
    if (!std::same_as<Value, Numbers>) texts.emplace_back("1,2");
    if (std::same_as<Value, Numbers>) texts.emplace_back("1,,2");
    return texts;
  } else {
    return {};
  }
}

TEST(LineKinds, EachIsWrittenAsItsTextAndComesBack) {
  std::set<std::string_view> words;
  each_kind([&]<class Line>(const Line& line, const std::string& text) {
    EXPECT_TRUE(words.insert(Line::word).second) << text << ": two kinds have this word";
    EXPECT_EQ(line_of(line), text);
    const std::optional<Line> back = read_line<Line>(fields_of(text));
    ASSERT_TRUE(back.has_value()) << text;
    EXPECT_TRUE(is_same(*back, line)) << text;
  });
  EXPECT_EQ(words, words_of(std::type_identity<AnyLine>{})) << "a kind is not tested, or cannot be in a part";
}

TEST(LineKinds, AFieldTooManyOrTooFewIsRefused) {
  each_kind([]<class Line>(const Line&, const std::string& text) {
    std::vector<std::string> fields = fields_of(text);
    fields.emplace_back("1");
    EXPECT_FALSE(read_line<Line>(fields)) << text << " and a field";
    fields.resize(fields.size() - 2);
    EXPECT_FALSE(read_line<Line>(fields)) << text << " without its last field";
  });
}

TEST(LineKinds, AnotherWordIsRefused) {
  EXPECT_FALSE(read_line<EndLine>({"ended"}));
  EXPECT_FALSE(read_line<ClockLine>({"date", "1", "2", "3"}));
}

TEST(LineKinds, AFieldOfAnotherTypeIsRefused) {
  std::size_t refused = 0;
  each_kind([&]<class Line>(const Line& line, const std::string& text) {
    std::size_t place = 0;
    const auto damage = [&](const auto member) {
      ++place;
      for (const std::string& wrong : wrong_texts(line.*member)) {
        std::vector<std::string> fields = fields_of(text);
        if (place >= fields.size()) continue;  // the field of a thread that is not written
        fields[place] = wrong;
        EXPECT_FALSE(read_line<Line>(fields)) << text << " with '" << wrong << "' as field " << place;
        ++refused;
      }
    };
    std::apply([&](const auto... member) { (damage(member), ...); }, Line::fields);
  });
  EXPECT_GT(refused, 400u);
}

TEST(LineKinds, NumbersThatAreMissingAreEmptyFields) {
  const CommLine comm{.number = 1, .identity = "S", .name = "self", .parent = {}, .size = 1, .rank = 0, .members = {}};
  EXPECT_EQ(line_of(comm), "comm\t1\tS\tself\t\t1\t0\t");
  const auto back = read_line<CommLine>(fields_of(line_of(comm)));
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(is_same(*back, comm));
  const MetricLine metric{.number = 0, .name = "n", .unit = "#", .description = "", .mode = 0, .type = 8};
  EXPECT_EQ(line_of(metric), "metric\t0\tn\t#\t\t0\t8\t\t");
  const auto metric_back = read_line<MetricLine>(fields_of(line_of(metric)));
  ASSERT_TRUE(metric_back.has_value());
  EXPECT_TRUE(is_same(*metric_back, metric));
}

TEST(LineKinds, AStreamHasAFieldThatAThreadHasNot) {
  const LocationLine stream{.number = 3, .name = "MPI_T", .kind = LocationKind::metric};
  EXPECT_EQ(line_of(stream), "location\t3\tMPI_T\tmetric");
  const auto back = read_line<LocationLine>(fields_of(line_of(stream)));
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(is_same(*back, stream));
  EXPECT_FALSE(read_line<LocationLine>({"location", "3", "MPI_T", "other"}));
  EXPECT_FALSE(read_line<LocationLine>({"location", "3", "MPI_T", "metric", ""}));
}

}  // namespace
}  // namespace waitstate::record
