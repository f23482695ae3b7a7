// The looks back over a trace that has been read end when their caller asks for it.
#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <vector>

#include "causes/ideal/replay.hpp"
#include "causes/path/path_walk.hpp"
#include "causes/recorded.hpp"
#include "causes/sweep/sweep.hpp"
#include "support/records.hpp"
#include "waitstate/error.hpp"

namespace waitstate::causes {
namespace {

constexpr std::size_t in_memory = std::size_t{1} << 20;

struct Stop : testing::Test {
  Definitions definitions = support::processes_with_a_window(4);
  CallTree calls;
  Recorded recorded{definitions, calls, {}, in_memory};
  std::stop_source source;
  util::StopCheck check{source.get_token(), {}};

  Stop() { recorded.stop = &check; }

  PointId add(Recorded& to, std::size_t location, Time enter) {
    Point p;
    p.location = LocationId{location};
    p.enter = p.record = enter;
    return to.add(p);
  }
};

TEST_F(Stop, EndsTheSweep) {
  for (std::size_t l = 0; l < 4; ++l) add(recorded, l, 10 + l);
  recorded.finish();
  EXPECT_NO_THROW(judge_all_waits(History(recorded), 1, 1));
  source.request_stop();
  for (const std::size_t parts : {1, 3}) EXPECT_THROW(judge_all_waits(History(recorded), parts, 3), Stopped) << parts;
}

TEST_F(Stop, EndsTheWalkAlongThePath) {
  recorded.first_to_end = add(recorded, 0, 10);
  recorded.finish();
  EXPECT_NO_THROW(find_path(recorded));
  source.request_stop();
  EXPECT_THROW(find_path(recorded), Stopped);
}

TEST_F(Stop, EndsTheJoinOfWorkers) {
  for (const bool stops : {false, true}) {
    if (stops) source.request_stop();
    const link::Homes homes(definitions, 2);
    std::vector<std::unique_ptr<Recorded>> workers;
    std::vector<Recorded*> all;
    for (link::WorkerId w = 0; w < 2; ++w) {
      workers.push_back(std::make_unique<Recorded>(definitions, calls, WantedCauses{}, in_memory, &homes, w));
      workers.back()->stop = &check;
      all.push_back(workers.back().get());
    }
    add(*all[0], homes.locations(1).front().index(), 10);
    if (stops)
      EXPECT_THROW(all[0]->join(all, homes, 2), Stopped);
    else
      EXPECT_NO_THROW(all[0]->join(all, homes, 2));
  }
}

TEST_F(Stop, EndsTheIdealMachine) {
  for (const bool stops : {false, true}) {
    if (stops) source.request_stop();
    StepLog steps(definitions.locations.size(), in_memory);
    Announcements announcements(definitions, in_memory);
    replay::StepRecord begin;
    begin.kind = replay::StepRecord::Kind::begin;
    steps.add(LocationId{std::size_t{0}}, std::span(&begin, 1));
    IdealReplay replay(definitions, steps, announcements, check);
    if (stops)
      EXPECT_THROW(replay.run(1, false), Stopped);
    else
      EXPECT_NO_THROW(replay.run(1, false));
  }
}

}  // namespace
}  // namespace waitstate::causes
