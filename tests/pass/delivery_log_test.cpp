// All that linking delivers must reach the listener unchanged and in order, although all that it referred to is gone by
// then.
#include "pass/delivery_log.hpp"

#include <gtest/gtest.h>

#include <string>

namespace waitstate::pass {
namespace {

Call call_at(Time enter, std::size_t location = 0) {
  Call c;
  c.location = LocationId{location};
  c.enter = enter;
  c.exit = enter + 5;
  return c;
}

/// Writes down what it hears, and how many call paths it could see then.
struct Hear : link::Listener {
  explicit Hear(const CallTree& t) : tree(t) {}
  const CallTree& tree;
  std::string heard;
  void say(const std::string& text) { heard += text + " (" + std::to_string(tree.size()) + ")\n"; }
  static std::string at(const Call* c) {
    return c == nullptr ? "-" : std::to_string(c->location.value) + "@" + std::to_string(c->enter);
  }
  static std::string text(std::span<const Message> messages) {
    std::string s;
    for (const Message& m : messages)
      s += " " + std::to_string(m.tag) + ":" + at(m.send) + "," + at(m.recv_post) + "," + at(m.recv);
    return s;
  }

  void completed_receives(const CompletedReceives& r) override {
    say("receives " + std::to_string(r.call_number) + (r.sends_follow ? "+ " : " ") + at(&r.call) + text(r.messages));
  }
  void completed_sends(const CompletedSends& s) override {
    say("sends " + std::to_string(s.call_number) + " " + at(&s.call) + text(s.messages));
  }
  void watermark(ProcessId p, Time t) override { say("bound " + std::to_string(p.value) + " " + std::to_string(t)); }
  void collective(const Collective& c) override {
    std::string s = "collective";
    for (const CollectiveMember& m : c.members) s += " " + at(m.call) + "-" + std::to_string(m.end);
    for (std::uint32_t n : c.neighbours) s += " n" + std::to_string(n);
    for (std::uint32_t n : c.neighbour_begin) s += " b" + std::to_string(n);
    say(s);
  }
  void completed_collectives(const CompletedCollectives& c) override {
    std::string s = "completed " + at(&c.call);
    for (const CollectiveCompletion& one : c.completions) s += " " + at(one.started) + "," + at(one.awaited);
    say(s);
  }
  void nonblocking_collective(const Call& c, CollectiveOp, std::uint64_t sent, std::uint64_t received) override {
    say("nonblocking " + at(&c) + " " + std::to_string(sent) + " " + std::to_string(received));
  }
  void team_barrier(const TeamBarrier& b) override {
    std::string s = "barrier";
    for (std::size_t i = 0; i < b.members.size(); ++i)
      s += " " + at(b.members[i]) + "=" + std::to_string(b.in_tasks(i, 0, 1000));
    say(s);
  }
  void unused_threads(const UnusedThreads& u) override {
    std::string s = "unused " + std::to_string(u.begin);
    for (LocationId l : u.team) s += " " + std::to_string(l.value);
    say(s);
  }
  void rma_access_epoch(const RmaAccessEpoch& e) override {
    std::string s = "access " + at(&e.start) + " " + at(&e.complete);
    for (const RmaAccessTarget& t : e.targets) s += " " + at(&t.post) + "," + at(t.access.last);
    for (const RmaEpochOperation& o : e.operations) s += " " + at(&o.call) + ">" + std::to_string(o.target);
    say(s);
  }
  void rma_passive_call(const RmaPassiveCall& p) override {
    std::string s = "passive " + at(&p.call) + " " + at(p.released);
    for (const RmaProgressGap& g : p.gaps) s += " " + std::to_string(g.begin) + "-" + at(&g.next);
    say(s);
  }
  void counter(CallPathId path, const replay::PathCounter& c) override {
    say("counter " + std::to_string(path.value) + " " + std::to_string(c.sum.samples));
  }
};

/// Delivers everything, from memory that does not outlive it.
void deliver(link::Listener& to, CallTree& tree) {
  Call a = call_at(10), b = call_at(20, 1), c = call_at(30, 1);
  Message one, two;
  one.tag = 1, one.send = &a, one.recv_post = one.recv = &c;
  two.tag = 2, two.send = &a, two.recv_post = &b, two.recv = &c;
  std::vector<Message> messages{one, two};
  tree.find_or_add({{}, RegionId{std::size_t{7}}, {}});
  to.completed_receives({c, messages, 3, true});
  to.watermark(ProcessId{std::size_t{1}}, 12);
  to.completed_sends({a, messages, 0, 4});
  std::vector<CollectiveMember> members{{&a, 1, 2, 0, 0}, {&b, 3, 4, 0, 0}};
  std::vector<std::uint32_t> neighbours{1, 0}, begins{0, 1, 2};
  Collective collective;
  collective.members = members;
  collective.neighbours = neighbours;
  collective.neighbour_begin = begins;
  to.collective(collective);
  std::vector<CollectiveCompletion> completions(1);
  completions[0].started = &a;
  to.completed_collectives({c, completions});
  to.nonblocking_collective(b, {}, 8, 9);
  std::vector<const Call*> threads{&a, &b};
  std::vector<TimeSpan> spans{{11, 13}, {14, 15}};
  std::vector<std::span<const TimeSpan>> tasks{{}, spans};
  to.team_barrier({{}, threads, tasks});
  std::vector<LocationId> team{LocationId{0}, LocationId{1}};
  to.unused_threads({LocationId{0}, 5, 6, {}, true, team});
  std::vector<RmaAccessTarget> targets{{LocationId{1}, b, {}}};
  targets[0].access.last = &c;
  std::vector<RmaEpochOperation> operations{{c, 0}};
  to.rma_access_epoch({{}, a, b, targets, operations});
  std::vector<RmaProgressGap> gaps{{1, 2, b}};
  to.rma_passive_call({a, {}, {}, &c, 0, true, gaps});
  replay::PathCounter counter;
  counter.sum.samples = 5;
  to.counter(CallPathId{0}, counter);
  a = b = c = Call{};
  std::fill(messages.begin(), messages.end(), Message{});
  std::fill(members.begin(), members.end(), CollectiveMember{});
  std::fill(neighbours.begin(), neighbours.end(), 77u);
  std::fill(spans.begin(), spans.end(), TimeSpan{});
  std::fill(threads.begin(), threads.end(), nullptr);
  std::fill(team.begin(), team.end(), LocationId{9});
  std::fill(completions.begin(), completions.end(), CollectiveCompletion{});
}

TEST(DeliveryLog, PlaysWhatWasDelivered) {
  CallTree direct_tree, tree, shown;
  Hear direct(direct_tree), dispatched(shown);
  deliver(direct, direct_tree);
  DeliveryLog log(dispatched, tree, shown, 4);
  deliver(log, tree);
  EXPECT_TRUE(dispatched.heard.empty());
  EXPECT_EQ(shown.size(), 0u);
  log.dispatch_rest();
  EXPECT_EQ(dispatched.heard, direct.heard);
  EXPECT_NE(direct.heard.find("receives 3+ 1@30 1:0@10,1@30,1@30 2:0@10,1@20,1@30 (1)\n"), std::string::npos)
      << direct.heard;
  dispatched.heard.clear();
  deliver(log, tree);  // from now on at once
  EXPECT_EQ(dispatched.heard, direct.heard);
}

// Many blocks, and deliveries larger than a block, by way of what Pass does.
TEST(DeliveryLog, PassesOnBlocksAndUsesThemAgain) {
  CallTree tree, shown;
  Hear direct(shown), dispatched(shown);
  DeliveryLog log(dispatched, tree, shown, 4);
  std::size_t blocks = 0;
  for (std::size_t round = 0; round < 200; ++round) {
    const std::size_t n = round % 10 == 9 ? 5000 : 50;
    std::vector<Call> calls;
    for (std::size_t i = 0; i < n; ++i) calls.push_back(call_at(100 * round + i, i));
    std::vector<CollectiveMember> members;
    for (const Call& c : calls) members.push_back({&c, c.enter, c.exit, 0, 0});
    Collective collective;
    collective.members = members;
    tree.find_or_add({{}, RegionId{round}, {}});
    log.collective(collective);
    log.publish();
    while (log.waiting()) {
      ++blocks;
      std::unique_ptr<DeliveryLog::Block> block = log.take();
      log.dispatch(*block);
      log.give_back(std::move(block));
    }
    direct.collective(collective);
  }
  log.dispatch_rest();
  EXPECT_GE(blocks, 20u);
  EXPECT_EQ(shown.size(), 200u);
  // The numbers of call paths seen differ, as the direct one sees them at once.
  const auto without_counts = [](const std::string& text) {
    std::string s;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(')
        while (text[i] != ')') ++i;
      else
        s += text[i];
    }
    return s;
  };
  EXPECT_EQ(without_counts(dispatched.heard), without_counts(direct.heard));
}

}  // namespace
}  // namespace waitstate::pass
