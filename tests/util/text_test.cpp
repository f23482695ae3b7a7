// Names in the form in which they are shown.
#include "util/text.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace waitstate::util {
namespace {

TEST(Text, WhatControlsATerminalIsReplaced) {
  EXPECT_EQ(printable("MPI_Send"), "MPI_Send");
  EXPECT_EQ(printable("größer → 数"), "größer → 数");
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a\x1b[2Jb\tc\nd\x7f"), "a?[2Jb?c?d?");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
}

TEST(Text, SoIsWhatIsNoUtf8AndC1) {
  EXPECT_EQ(printable("a\x9b"
                      "31m"),
            "a?31m")
      << "as a byte";
  EXPECT_EQ(printable("a\xc2\x9b"
                      "31m"),
            "a?31m")
      << "as a character";
  EXPECT_EQ(printable("\xff\xfe"), "??");
  EXPECT_EQ(printable("a\xe2\x80"), "a?") << "cut off";
  EXPECT_EQ(printable("a\xe2\x80z\xf0\x9f\x98\xf0\x80"), "a?z???") << "cut off in the middle; no second byte";
  EXPECT_EQ(printable("a\xef\xbf\xbd"), "a?") << "replaced already";
  EXPECT_EQ(printable("\xc0\xaf"), "??") << "longer than need be";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "half a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "beyond the last character";
}

TEST(Text, SoIsWhatTurnsTheDirectionOrBeginsALine) {
  EXPECT_EQ(printable("a\u202eb\u2066c\u200fd\u061ce\u2028f\u2029"), "a?b?c?d?e?f?");
  EXPECT_EQ(printable("\u05e9\u05dc\u05d5\u05dd"), "\u05e9\u05dc\u05d5\u05dd") << "letters from right to left stay";
}

TEST(Text, AWholeOutputKeepsItsLinesAndColours) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b[1mc\x1b[0m\x1b[33m\x1b[31;1m\n"), "a\n\tb\x1b[1mc\x1b[0m\x1b[33m\x1b[31;1m\n");
  EXPECT_EQ(printable_lines("\x1b[8mhidden\x1b[2J\x1b]0;title\x07\r\xc2\x9b"), "?[8mhidden?[2J?]0;title???");
}

TEST(Text, JsonKeepsAllAsEscapes) {
  EXPECT_EQ(printable_json("{\n\"a\": \"\xc2\x9b\x7f\u202eä\ufffd\"\n}"),
            "{\n\"a\": \"\\u009b\\u007f\\u202eä\ufffd\"\n}");
}

}  // namespace
}  // namespace waitstate::util
