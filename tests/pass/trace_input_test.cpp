// One trace, whatever it is written in: what is known of it before it is read, and the small questions about it.
#include "pass/trace_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

#include "pass/trace_probe.hpp"
#include "support/case_file.hpp"
#include "waitstate/error.hpp"

namespace waitstate::pass {
namespace {

const std::filesystem::path recorded_trace = std::filesystem::path(WAITSTATE_TRACES) / "p2p";

TEST(TraceInput, ANotationFileIsToldByItsFirstBytes) {
  const support::TraceFile trace("# a comment\n0 0 enter main\n");
  EXPECT_TRUE(is_notation(trace.path()));
  EXPECT_FALSE(is_notation(recorded_trace / "traces.otf2"));
  EXPECT_FALSE(is_notation(recorded_trace)) << "a folder";
  EXPECT_FALSE(is_notation("/does/not/exist"));
}

TEST(TraceInput, AnArchiveIsNamedByItsAnchor) {
  const TraceInput input(recorded_trace);
  EXPECT_EQ(input.path(), (recorded_trace / "traces.otf2").string());
  EXPECT_FALSE(input.definitions().locations.empty());
  std::uint64_t announced = 0;
  for (const Location& l : input.definitions().locations) announced += l.announced_events;
  EXPECT_GT(announced, 0u);
  EXPECT_EQ(input.announced_events(), announced);
}

TEST(TraceInput, TheEventsOfANotationFileAreCounted) {
  const support::TraceFile trace("location 0 events=1000\nlocation 1\n0 0 enter main\n0 5 exit\n1 3 enter main\n");
  const TraceInput input(trace.path());
  EXPECT_EQ(input.announced_events(), 3u) << "what a definition says of a text may be wrong";
  EXPECT_EQ(input.path(), trace.path().string());
}

TEST(TraceInput, LocationsWithoutEventsAndThoseOfDevicesAreNoted) {
  const support::TraceFile trace(R"(
process 0 name="Rank 0"
location 0 process=0
location 1 process=0
location 2 process=0 type=accelerator_stream
location 3 process=0 type=metric
0 0 enter main
2 0 enter kernel
3 0 enter main
)");
  const TraceInput input(trace.path());
  const DiagnosticEntry& empty = input.diagnostics()[DiagnosticId::empty_location];
  ASSERT_EQ(empty.count, 1u);
  EXPECT_EQ(empty.places.at(0).location, LocationId{1});
  const DiagnosticEntry& devices = input.diagnostics()[DiagnosticId::device_location];
  ASSERT_EQ(devices.count, 2u);
  EXPECT_EQ(devices.places.at(0).text, "accelerator_stream");
  EXPECT_EQ(devices.places.at(1).text, "metric");
}

TEST(TraceInput, WhatCannotBeReadIsAnErrorOfTheTrace) {
  EXPECT_THROW(TraceInput("/does/not/exist.otf2"), TraceError);
  const support::TraceFile trace("0 0 enter main\n0 5 no_such_event\n");
  EXPECT_THROW(TraceInput{trace.path()}, TraceError);
}

TEST(TraceStart, IsTheTimeOfTheEarliestEventOfAllLocations) {
  const support::TraceFile trace("clock resolution=1000\n0 70 enter main\n1 50 enter main\n1 90 exit\n");
  const TraceStart start = trace_start(trace.path());
  EXPECT_EQ(start.first, 50u);
  EXPECT_EQ(start.resolution, 1000u);
}

TEST(TraceStart, IsZeroWithoutEvents) {
  const support::TraceFile trace("process 0 name=\"Rank 0\"\nlocation 0 process=0\n");
  EXPECT_EQ(trace_start(trace.path()).first, 0u);
}

TEST(TraceStart, OfAnArchiveIsTheSameAsThatOfAllItsEvents) {
  struct Earliest {
    Time first = ~Time{0};
    void enter(Time t, RegionId) { first = std::min(first, t); }
    void exit(Time t, RegionId) { first = std::min(first, t); }
    void event(EventType, Time t, const std::uint64_t*, std::span<const Value>) { first = std::min(first, t); }
    void attribute_list(std::span<const ListedAttribute>) {}
  };
  TraceInput input(recorded_trace);
  std::vector<LocationId> locations;
  for (std::size_t l = 0; l < input.definitions().locations.size(); ++l) locations.emplace_back(l);
  Earliest earliest;
  const auto readers = input.readers<Earliest>(locations, false, 4);
  for (const LocationId l : locations)
    while (readers->read(l, earliest, 1000) != 0) {
    }
  EXPECT_EQ(trace_start(recorded_trace).first, earliest.first);
}

TEST(LeavesOutLists, OfATextNeverAndOfAnArchiveIfItHasAny) {
  const support::TraceFile trace("attribute 0 name=a type=uint64\n0 0 enter main @0=uint64:1\n");
  EXPECT_FALSE(leaves_out_lists(trace.path()));
  EXPECT_TRUE(leaves_out_lists(std::filesystem::path(WAITSTATE_TRACES) / "hybrid"));
  EXPECT_FALSE(leaves_out_lists(std::filesystem::path(WAITSTATE_TRACES) / "eztrace_late"));
}

}  // namespace
}  // namespace waitstate::pass
