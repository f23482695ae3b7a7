// When a process was inside of MPI, from calls of its threads that come in pieces.
#include "link/messages/mpi_presence.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

struct PresenceOfAProcess {
  explicit PresenceOfAProcess(std::size_t in_memory = MpiPresence::bytes_in_memory) : presence(processes, in_memory) {}
  static Definitions two_threads() {
    Definitions d = support::processes_of_one_location(2);
    d.locations[1].process = ProcessId{0};
    return d;
  }
  void read(std::size_t thread, const std::vector<Time>& enters, const std::vector<Time>& exits) {
    std::vector<replay::CallRecord> calls(enters.size());
    for (std::size_t i = 0; i < enters.size(); ++i) calls[i].enter = enters[i];
    presence.read(LocationId{thread}, calls, exits);
  }
  Time inside(Time t, Time at_most = 1000) const { return presence.first_inside(ProcessId{0}, t, at_most); }

  Processes processes{two_threads()};
  MpiPresence presence;
};

TEST(MpiPresence, InACallItIsInsideAtOnceElseWithTheNextOne) {
  PresenceOfAProcess p;
  p.read(0, {10, 40}, {20, 50});
  EXPECT_EQ(p.inside(5), 10u);
  EXPECT_EQ(p.inside(10), 10u);
  EXPECT_EQ(p.inside(15), 15u);
  EXPECT_EQ(p.inside(20), 40u) << "it has left";
  EXPECT_EQ(p.inside(30), 40u);
  EXPECT_EQ(p.inside(60), 1000u) << "nothing later is known";
  EXPECT_EQ(p.inside(30, 35), 35u) << "the bound is earlier";
  EXPECT_EQ(p.inside(15, 12), 12u);
}

TEST(MpiPresence, ACallThatHasNotBeenLeftGoesOn) {
  PresenceOfAProcess p;
  p.read(0, {10}, {});
  EXPECT_EQ(p.inside(500), 500u);
  p.read(0, {}, {20});
  EXPECT_EQ(p.inside(500), 1000u);
}

TEST(MpiPresence, AnyThreadOfTheProcessCounts) {
  PresenceOfAProcess p;
  p.read(0, {100}, {110});
  p.read(1, {30}, {40});
  EXPECT_EQ(p.inside(35), 35u);
  EXPECT_EQ(p.inside(20), 30u);
  EXPECT_EQ(p.inside(50), 100u);
}

TEST(MpiPresence, HoweverManyCallsThereAreEachIsKnown) {
  PresenceOfAProcess p(0);  // as few as possible in memory
  constexpr Time calls = 10000;
  for (Time first = 0; first < calls; first += 100) {
    std::vector<Time> enters, exits;
    for (Time i = first; i < first + 100; ++i) enters.push_back(20 * i), exits.push_back(20 * i + 5);
    p.read(0, enters, exits);
    p.read(1, {20 * first + 7}, {20 * first + 8});
  }
  for (Time i = 0; i + 1 < calls; i += 37) {
    EXPECT_EQ(p.inside(20 * i + 3, ~Time{0}), 20 * i + 3);
    EXPECT_EQ(p.inside(20 * i + 9, ~Time{0}), 20 * (i + 1));
  }
  EXPECT_EQ(p.inside(6, ~Time{0}), 7u);
}

}  // namespace
}  // namespace waitstate::link
