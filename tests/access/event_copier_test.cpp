// A copy must lead nowhere into the original, and a call that an event names
// several times is copied once.
#include "access/event_copier.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

#include "waitstate/pattern/compound_events.hpp"

namespace waitstate::access {
namespace {

struct Store {
  std::deque<Call> calls;
  std::vector<std::unique_ptr<std::byte[]>> memory;
  void* allocate(std::size_t bytes) { return memory.emplace_back(new std::byte[bytes]).get(); }
  const Call& keep(const Call& call) { return calls.emplace_back(call); }
};

Call master_call_at(Time enter) {
  Call c;
  c.enter = enter;
  return c;
}

TEST(EventCopier, ACallThatIsNamedSeveralTimesIsCopiedOnce) {
  Store store;
  const Call sends = master_call_at(1), posts = master_call_at(2), waits = master_call_at(3);
  Message blocking, nonblocking;
  blocking.send = &sends, blocking.recv_post = blocking.recv = &waits;
  nonblocking.send = &sends, nonblocking.recv_post = &posts, nonblocking.recv = &waits;
  const std::vector<Message> messages{blocking, nonblocking};
  const CompletedReceives copy = EventCopier(store).copy(CompletedReceives{waits, messages, 7, true});
  EXPECT_EQ(store.calls.size(), 3u);
  EXPECT_EQ(&copy.call, &store.calls.front());
  EXPECT_EQ(copy.call_number, 7u);
  EXPECT_TRUE(copy.sends_follow);
  ASSERT_EQ(copy.messages.size(), 2u);
  EXPECT_NE(copy.messages.data(), messages.data());
  EXPECT_EQ(copy.messages[0].recv, &copy.call);
  EXPECT_EQ(copy.messages[0].recv_post, &copy.call);
  EXPECT_EQ(copy.messages[1].send, copy.messages[0].send);
  EXPECT_EQ(copy.messages[1].recv_post->enter, 2u);
}

TEST(EventCopier, ListsOfListsAreCopiedAndWhatIsNotThereStaysAway) {
  Store store;
  const Call a = master_call_at(1), b = master_call_at(2);
  const std::vector<const Call*> threads{&a, &b};
  std::vector<TimeSpan> spans{{11, 13}, {14, 15}};
  const std::vector<std::span<const TimeSpan>> tasks{{}, spans};
  const TeamBarrier copy = EventCopier(store).copy(TeamBarrier{RegionClass::omp_ibarrier, threads, tasks});
  spans.assign(2, {});
  EXPECT_EQ(copy.region_class, RegionClass::omp_ibarrier);
  EXPECT_EQ(copy.members[1]->enter, 2u);
  EXPECT_NE(copy.members[1], &b);
  EXPECT_EQ(copy.in_tasks(0, 0, 100), 0);
  EXPECT_EQ(copy.in_tasks(1, 0, 100), 3);
  EXPECT_EQ(EventCopier(store).copy(RmaWaitChange{a, {}, nullptr}).changed, nullptr);
}

TEST(EventCopier, AnEventWithinAnEventIsCopiedToo) {
  Store store;
  const Call a = master_call_at(1), b = master_call_at(2);
  std::vector<CollectiveMember> members{{&a, 5, 6, 0, 0}, {&b, 7, 8, 0, 0}};
  Collective collective;
  collective.members = members;
  std::vector<RmaAccess> accesses(1);
  accesses[0].puts = 3, accesses[0].last = &b;
  const RmaCollective copy =
      EventCopier(store).copy(RmaCollective{RmaCollectiveKind::fence, {}, {}, collective, accesses});
  members.clear(), accesses.clear();
  EXPECT_NE(&copy.collective, &collective);
  EXPECT_EQ(copy.kind, RmaCollectiveKind::fence);
  EXPECT_EQ(copy.collective.members[1].begin, 7u);
  EXPECT_EQ(copy.accesses[0].puts, 3u);
  EXPECT_EQ(copy.accesses[0].last, copy.collective.members[1].call);
  EXPECT_EQ(store.calls.size(), 2u);
}

}  // namespace
}  // namespace waitstate::access
