// The message queue against a set of sends, with so little room in memory that most of it is spilled.
#include "merge/message_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace waitstate::merge {
namespace {

class QueueAndSet {
 public:
  QueueAndSet(std::size_t locations, std::size_t most) : locations_(locations), queue_(locations, most) {}

  void send(std::size_t source, std::size_t target) {
    sends_[next_] = {source, target};
    queue_.sent(next_, LocationId{source}, location(target));
    next_ += 1 + next_ % 3;
  }
  /// The n-th oldest.
  void receive(std::size_t n) {
    const auto send = std::next(sends_.begin(), static_cast<std::ptrdiff_t>(n));
    queue_.received(send->first, location(send->second.second));
    sends_.erase(send);
  }
  void compare() const {
    EXPECT_EQ(queue_.sends({}, {}), expected({}, {}));
    for (std::size_t l = 0; l <= locations_; ++l) {
      EXPECT_EQ(queue_.sends({}, location(l)), expected({}, l)) << "to " << l;
      EXPECT_EQ(queue_.sends(LocationId{l}, {}), expected(l, {})) << "from " << l;
      EXPECT_EQ(queue_.sends(LocationId{0}, location(l)), expected(0, l)) << "from 0 to " << l;
    }
    EXPECT_EQ(queue_.sends({}, LocationId{locations_ + 7}), std::vector<Position>{});
  }
  std::size_t size() const { return sends_.size(); }
  const MessageQueue& queue() const { return queue_; }

 private:
  /// A number beyond the last one stands for none.
  LocationId location(std::size_t l) const { return l < locations_ ? LocationId{l} : LocationId::none(); }
  std::vector<Position> expected(std::optional<std::size_t> source, std::optional<std::size_t> target) const {
    std::vector<Position> result;
    for (const auto& [position, ends] : sends_)
      if (ends.first == source.value_or(ends.first) && ends.second == target.value_or(ends.second))
        result.push_back(position);
    return result;
  }

  const std::size_t locations_;
  MessageQueue queue_;
  std::map<Position, std::pair<std::size_t, std::size_t>> sends_;  ///< by position: source, target
  Position next_ = 0;
};

TEST(MessageQueue, IsTheSetOfSendsThatHaveNotBeenReceived) {
  for (const std::size_t most : {std::size_t{1}, std::size_t{2000}, MessageQueue::most_in_memory}) {
    QueueAndSet both(5, most);
    std::mt19937 random(static_cast<unsigned>(most));
    const auto below = [&](std::size_t n) { return random() % n; };
    bool spilled = false;
    for (const std::size_t grows : {true, false, true, false}) {
      for (int round = 0; round < 9000; ++round) {
        if (grows ? below(4) != 0 : below(4) == 0) both.send(below(5), below(9) < 6 ? 2 : below(6));
        // Mostly the oldest, at times anywhere.
        else if (both.size() != 0)
          both.receive(below(3) == 0 ? below(both.size()) : 0);
        if (round % 1000 == 0) both.compare();
        spilled = spilled || both.queue().spilled() != 0;
      }
      both.compare();
    }
    while (both.size() != 0) both.receive(below(both.size()));
    both.compare();
    EXPECT_EQ(both.queue().spilled(), 0u);
    EXPECT_EQ(spilled, most < MessageQueue::most_in_memory) << most;
  }
}

// One message in three hundred is never received, as in traces that lack receives: the rest is not spread over many
// runs.
TEST(MessageQueue, OfManyRunsWithLittleInThemFewAreLeft) {
  QueueAndSet both(2, 1000);
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 300; ++i) both.send(0, 1);
    for (int i = 0; i < 299; ++i) both.receive(static_cast<std::size_t>(round));
  }
  both.compare();
  EXPECT_EQ(both.size(), 200u);
  EXPECT_LE(both.queue().runs(LocationId{1}), 4u);
}

// Without a scratch file everything stays in memory.
TEST(MessageQueue, WithoutAFolderItStaysInMemory) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/no/such/folder", 1);
  QueueAndSet both(2, 100);
  for (int i = 0; i < 3000; ++i) both.send(0, 1);
  EXPECT_EQ(both.queue().spilled(), 0u);
  for (int i = 0; i < 1000; ++i) both.receive(500);
  both.compare();
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace waitstate::merge
