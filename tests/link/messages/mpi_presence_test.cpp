// When a process was inside of MPI, from calls of its threads that come in pieces.
#include "link/messages/mpi_presence.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

struct PresenceOfAProcess {
  explicit PresenceOfAProcess(std::size_t kept = MpiPresence::most_kept) : presence(processes, kept) {}
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

TEST(MpiPresence, BeyondWhatIsKeptTheOldestCallsBecomeOne) {
  PresenceOfAProcess p(0);  // as few as possible
  std::vector<Time> enters, exits;
  for (Time t = 0; t < 10 * (MpiPresence::most_kept_of_each + 1); t += 10) enters.push_back(t), exits.push_back(t + 5);
  p.read(0, enters, exits);
  EXPECT_EQ(p.inside(7), 7u) << "between the first two, it seems to have been inside";
  EXPECT_EQ(p.inside(17), 20u);
}

}  // namespace
}  // namespace waitstate::link
