// Messages that are kept for pictures: all up to a limit, then a part of them that does not depend on how they come.
#include "analysis/metrics/message_book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace waitstate::analysis {
namespace {

constexpr std::size_t limit = 64;

/// A book of messages that were sent at these times.
MessageBook book_of(const std::vector<Time>& times) {
  MessageBook book(limit);
  const Call call{};
  for (const Time time : times) {
    Message m;
    m.sender = LocationId{1}, m.receiver = LocationId{0};
    m.send_time = time, m.recv_time = time + 5;
    m.bytes = 8;
    const std::vector<Message> all{m};
    book.add(CompletedReceives{call, all});
  }
  return book;
}
std::vector<Time> sent(const MessageBook& book) {
  std::vector<Time> times;
  for (const WaitContext::Message& m : book.messages()) times.push_back(m.sent);
  return times;
}
std::vector<Time> numbers(Time from, Time to) {
  std::vector<Time> all;
  for (Time n = from; n < to; ++n) all.push_back(n);
  return all;
}

// Their clock is coarse: but for their lengths, the two have nothing that tells them apart.
TEST(MessageBook, gives_messages_of_one_time_in_one_order) {
  const Call call{};
  for (const bool longer_first : {false, true}) {
    MessageBook book(limit);
    for (const bool is_first : {true, false}) {
      Message m;
      m.sender = LocationId{1}, m.receiver = LocationId{0};
      m.bytes = is_first == longer_first ? 9 : 8;
      const std::vector<Message> all{m};
      book.add(CompletedReceives{call, all});
    }
    ASSERT_EQ(book.messages().size(), 2u);
    EXPECT_EQ(book.messages()[0].bytes, 8u) << longer_first;
  }
}

TEST(MessageBook, keeps_all_up_to_its_limit) {
  const MessageBook book = book_of(numbers(0, limit));
  EXPECT_TRUE(book.is_complete());
  EXPECT_EQ(sent(book), numbers(0, limit));
}

TEST(MessageBook, keeps_a_part_that_does_not_depend_on_order_and_parts) {
  std::vector<Time> all = numbers(0, 1000);
  const MessageBook forward = book_of(all);
  EXPECT_FALSE(forward.is_complete());
  EXPECT_LE(sent(forward).size(), limit);
  EXPECT_GT(sent(forward).size(), limit / 8);
  std::reverse(all.begin(), all.end());
  EXPECT_EQ(sent(book_of(all)), sent(forward));
  MessageBook parts = book_of(numbers(0, 50));
  parts.merge(book_of(numbers(50, 1000)));
  EXPECT_EQ(sent(parts), sent(forward));
}

}  // namespace
}  // namespace waitstate::analysis
