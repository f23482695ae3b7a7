// Lines of a part, groups of functions by name, and lists of nodes that are used again.
#include "record/parts/lines.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "record/core/groups.hpp"
#include "record/core/node_lists.hpp"

namespace waitstate::record {
namespace {

using Texts = std::vector<std::string>;

TEST(RecordLines, FieldsComeBackAsTheyWere) {
  const Texts hostile{"", "\t", "\n", "\\", "\\t", "\\n", "\\\\", "a\tb\nc\\d", "trailing\\"};
  std::string line = "word";
  for (const std::string& text : hostile) {
    line += '\t';
    std::string field;
    append_field(field, text);
    line += field;
  }
  EXPECT_EQ(line.find('\n'), std::string::npos);
  Texts expected{"word"};
  expected.insert(expected.end(), hostile.begin(), hostile.end());
  EXPECT_EQ(fields_of(line), expected);
}

TEST(RecordLines, NumbersAreWrittenWithTheirSign) {
  EXPECT_EQ(line_of("word", -1, std::uint32_t{4294967295u}, ~std::uint64_t{0}, std::int64_t{-5}),
            "word\t-1\t4294967295\t18446744073709551615\t-5");
}

TEST(RecordLines, ALineThatIsCutOffInAnEscapeIsStillRead) {
  EXPECT_EQ(fields_of("word\ttext\\"), (Texts{"word", "text\\"}));
  EXPECT_EQ(fields_of(""), Texts{""});
  EXPECT_EQ(fields_of("\t"), (Texts{"", ""}));
}

TEST(RecordLines, ListsHaveCommasBetweenTheirNumbers) {
  EXPECT_EQ(list_of({}), "");
  EXPECT_EQ(list_of({7}), "7");
  EXPECT_EQ(list_of({0, 12, 3}), "0,12,3");
}

TEST(RecordGroups, NamesAreBitsOfOneNumber) {
  EXPECT_EQ(groups_of(""), 0u);
  EXPECT_EQ(groups_of("p2p"), group::p2p);
  EXPECT_EQ(groups_of("p2p,io,coll"), group::p2p | group::io | group::coll);
  EXPECT_EQ(groups_of("all"), all_groups());
  EXPECT_EQ(groups_of("p2p,all"), all_groups());
}

TEST(RecordGroups, TheFirstUnknownNameIsTold) {
  std::string unknown;
  EXPECT_EQ(groups_of("p2p,noise,io,more", &unknown), group::p2p | group::io);
  EXPECT_EQ(unknown, "noise");
  std::string none;
  EXPECT_EQ(groups_of("p2p,io", &none), group::p2p | group::io);
  EXPECT_EQ(none, "");
}

TEST(RecordGroups, EachHasItsOwnNameAndBit) {
  std::set<std::string_view> names;
  Groups bits = 0;
  for (const NamedGroup& g : named_groups) {
    EXPECT_TRUE(names.insert(g.name).second) << g.name;
    EXPECT_EQ(bits & g.bit, 0u) << g.name;
    bits |= g.bit;
  }
  EXPECT_EQ(bits, all_groups());
  EXPECT_EQ(default_groups() & group::mgmt, group::mgmt);
  EXPECT_EQ(default_groups() & (group::pthread | group::io | group::other), 0u) << "these are recorded if asked for";
}

TEST(NodeLists, ANodeThatIsTakenOutIsUsedAgain) {
  NodeLists<int> lists;
  NodeLists<int>::Node* const one = lists.take(1);
  NodeLists<int>::Node* const two = lists.take(2);
  EXPECT_NE(one, two);
  one->value = 10;
  two->value = 20;
  two->next = one;
  lists.lists[3] = two;  // two before one
  lists.remove(&two->next);
  EXPECT_EQ(lists.lists[3], two);
  EXPECT_EQ(two->next, nullptr);
  NodeLists<int>::Node* const again = lists.take(5);
  EXPECT_EQ(again, one);
  EXPECT_EQ(again->key, 5u);
  EXPECT_EQ(again->next, nullptr);
  lists.remove(&lists.lists[3]);
  EXPECT_EQ(lists.lists[3], nullptr);
  EXPECT_EQ(lists.take(6), two);
  delete one;
  delete two;
}

}  // namespace
}  // namespace waitstate::record
