// The order in which the replay on an ideal machine reads what linking has found.
#include "causes/ideal/announcements.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "support/records.hpp"

namespace waitstate::causes {
namespace {

Definitions definitions_of_two() {
  Definitions d = support::processes_with_a_window(2);
  d.regions.emplace_back().name = "MPI_Win_lock";
  return d;
}

Call call(std::size_t location, Time enter, Time exit) {
  Call c;
  c.location = LocationId{location};
  c.region = RegionId{std::size_t{0}};
  c.enter = enter;
  c.exit = exit;
  return c;
}

struct Heard final : AnnouncementListener {
  std::vector<CollectiveKind> operations;
  std::vector<Time> calls;
  void operation(const IdealNeeds& needs, std::span<const IdealMember>) override { operations.push_back(needs.kind); }
  void epoch(const IdealCall&, Time, const IdealCall&, std::span<const IdealCall>) override {}
  void passive(const IdealCall& c, bool, std::span<const IdealEpochs::Release>) override { calls.push_back(c.enter); }
};

void note_operation(Announcements& announcements, CollectiveKind kind, CommId comm, Time begin) {
  const std::array<Call, 2> calls{call(0, begin, begin + 5), call(1, begin, begin + 5)};
  std::vector<CollectiveMember> members;
  for (const Call& c : calls) members.push_back({&c, c.enter, c.exit, 0, 0});
  Collective c;
  c.kind = kind;
  c.comm = comm;
  c.members = members;
  announcements.note(c);
}

// All processes stand in MPI_Init until it is told: if it came last, as linking tells it, all others would be in memory
// before.
TEST(Announcements, BeginWithInitWhateverWasToldBefore) {
  const Definitions definitions = definitions_of_two();
  Announcements announcements(definitions, 1 << 20);
  for (Time t = 100; t < 2000; t += 10)
    note_operation(announcements, CollectiveKind::barrier, CommId{std::size_t{0}}, t);
  note_operation(announcements, CollectiveKind::init, CommId::none(), 10);
  announcements.all_read();
  Announcements::Reader reader(announcements, 0, 1);
  Heard heard;
  EXPECT_TRUE(reader.read_on(heard));
  ASSERT_FALSE(heard.operations.empty());
  EXPECT_EQ(heard.operations.front(), CollectiveKind::init);
  EXPECT_LT(heard.operations.size(), 100u);
  while (reader.read_on(heard)) {
  }
  EXPECT_EQ(heard.operations.size(), 191u);
}

// A worker knows of some calls when it has read on itself, and of others when it has their answers: each in the order
// of exits.
TEST(Announcements, BringCallsUnderLocksIntoTheOrderOfTheirExits) {
  const Definitions definitions = definitions_of_two();
  Announcements announcements(definitions, 1 << 20), of_another(definitions, 1 << 20);
  const auto note = [&](Announcements& to, Time enter) {
    const Call c = call(0, enter, enter + 5);
    to.note(RmaPassiveCall{c, RmaWinId{std::size_t{0}}, Paradigm::mpi, nullptr, 0, true, {}});
  };
  for (const Time enter : {20, 60, 30, 80, 40, 90}) note(announcements, enter);
  for (const Time enter : {10, 70, 50}) note(of_another, enter);
  announcements.join(of_another);
  announcements.all_read();
  Announcements::Reader reader(announcements, 0, 2);
  Heard heard;
  while (reader.read_on(heard)) {
  }
  EXPECT_EQ(heard.calls, (std::vector<Time>{10, 20, 30, 40, 50, 60, 70, 80, 90}));
}

}  // namespace
}  // namespace waitstate::causes
