// The replay on an ideal machine in several parts: messages and operations between them.
#include "causes/ideal/replay.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "support/records.hpp"

namespace waitstate::causes {
namespace {

using replay::StepRecord;

constexpr std::size_t in_memory = std::size_t{1} << 20;
constexpr std::uint32_t path = 1;

StepRecord step(StepRecord::Kind kind, Time time, Ticks outside) {
  StepRecord s;
  s.kind = kind, s.time = time, s.outside = outside, s.callpath = path;
  return s;
}

// Location 0 works until 100 and sends; location 1 receives at 10, so it waits for 90. Then it works for 40 more, and
// both meet in a barrier, at 140 on the ideal machine: location 0 comes to it at 105 and waits for 35.
TEST(IdealReplay, LocationsOfSeveralPartsWaitForEachOther) {
  const Definitions definitions = support::processes_of_one_location(2);
  std::vector<StepLog> logs;
  for (int i = 0; i < 2; ++i) logs.emplace_back(2, in_memory);
  const auto barrier = [](Time time, Ticks outside) {
    StepRecord s = step(StepRecord::Kind::operation, time, outside);
    s.on = 0, s.op = CollectiveOp::barrier, s.number = 0;
    return s;
  };
  StepRecord send = step(StepRecord::Kind::send, 100, 100);
  send.other = 1;
  StepRecord receive = step(StepRecord::Kind::receive, 102, 10);
  receive.other = StepRecord::name(LocationId{std::size_t{0}}, 1);
  logs[0].add(LocationId{std::size_t{0}}, std::array{step(StepRecord::Kind::begin, 0, 0), send, barrier(160, 105)});
  logs[1].add(LocationId{std::size_t{1}}, std::array{step(StepRecord::Kind::begin, 0, 0), receive, barrier(160, 50)});
  logs[0].join(logs[1], {LocationId{std::size_t{1}}});

  Call calls[2];
  std::vector<CollectiveMember> members;
  for (std::size_t l = 0; l < 2; ++l) {
    calls[l].location = LocationId{l};
    calls[l].callpath = CallPathId{path};
    calls[l].enter = 110, calls[l].exit = 160;
    members.push_back({&calls[l], 110, 160, 0, 0});
  }
  Collective c;
  c.kind = CollectiveKind::barrier;
  c.comm = CommId{std::size_t{0}};
  c.members = members;
  Announcements announcements(definitions, in_memory), of_another(definitions, in_memory);
  of_another.number_next(0);
  of_another.note(c);
  announcements.join(of_another);

  const util::StopCheck& never = util::StopCheck::never();
  ASSERT_EQ(IdealRun(definitions, logs[0], announcements, never).most_parts(2, true), 2u);
  IdealReplay replay(definitions, logs[0], announcements, never);
  replay.run(2, true);
  std::map<std::uint32_t, Ticks> waits;
  replay.each_wait([&](CallPathId callpath, LocationId l, Ticks ticks) {
    EXPECT_EQ(callpath, CallPathId{path});
    waits[l.value] += ticks;
  });
  EXPECT_EQ(waits, (std::map<std::uint32_t, Ticks>{{0, 35}, {1, 90}}));
}

}  // namespace
}  // namespace waitstate::causes
