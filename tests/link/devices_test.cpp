// Which activities of streams a call waited for, and when that is known.
#include "link/devices.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/heard_events.hpp"

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;
constexpr LocationId host{0}, other_host{1}, first_stream{2}, second_stream{3};
constexpr CallPathId no_path{};

/// A process with two threads and two streams.
struct ProcessWithStreams {
  static Definitions define() {
    Definitions d;
    d.processes.resize(1);
    for (const LocationType type : {LocationType::cpu_thread, LocationType::cpu_thread,
                                    LocationType::accelerator_stream, LocationType::accelerator_stream}) {
      d.locations.emplace_back().process = ProcessId{0};
      d.locations.back().type = type;
    }
    d.finish();
    return d;
  }
  void call(Time enter, Time exit, LocationId thread = host) {
    Call c;
    c.location = thread;
    c.enter = enter;
    c.exit = exit;
    devices.call(c);
  }
  /// All has been read before that time.
  Rows read_up_to(Time until) {
    for (const LocationId l : {host, other_host, first_stream, second_stream}) devices.read_up_to(l, until, false);
    return heard.take();
  }

  Definitions definitions = define();
  support::HeardEvents heard;
  Devices devices{definitions, heard};
};

TEST(Devices, ACallWaitsForTheActivitiesThatEndInItOneBehindTheOther) {
  ProcessWithStreams p;
  p.call(10, 50);
  p.devices.activities(first_stream, {{5, 20, no_path, false}, {40, 45, no_path, false}});
  p.devices.activities(second_stream, {{20, 30, no_path, true}});
  EXPECT_EQ(p.read_up_to(100), Rows{"device 0@10 10-20 2 20-30 copy 3 30-45 2"})
      << "the time between two activities belongs to the later one";
}

TEST(Devices, AnActivityThatWasOverBeforeOrEndsLaterIsNotWaitedFor) {
  ProcessWithStreams p;
  p.call(10, 50);
  p.devices.activities(first_stream, {{2, 10, no_path, false}, {12, 51, no_path, false}});
  EXPECT_EQ(p.read_up_to(100), Rows{});
}

TEST(Devices, AnActivityBesideALaterOneIsNotWaitedForByItself) {
  ProcessWithStreams p;
  p.call(10, 50);
  p.devices.activities(first_stream, {{5, 40, no_path, false}});
  p.devices.activities(second_stream, {{8, 30, no_path, false}});
  EXPECT_EQ(p.read_up_to(100), Rows{"device 0@10 10-40 2"});
}

TEST(Devices, OfTwoThatEndTogetherTheFirstStreamCounts) {
  ProcessWithStreams p;
  p.call(10, 50);
  for (const LocationId stream : {second_stream, first_stream}) p.devices.activities(stream, {{5, 40, no_path, false}});
  EXPECT_EQ(p.read_up_to(100), Rows{"device 0@10 10-40 2"});
}

TEST(Devices, ACallWaitsUntilAllStreamsHaveBeenReadBeyondItsExit) {
  ProcessWithStreams p;
  p.call(10, 50);
  p.devices.activities(first_stream, {{5, 40, no_path, false}});
  p.devices.read_up_to(host, 100, false);
  p.devices.read_up_to(first_stream, 100, false);
  p.devices.read_up_to(second_stream, 50, false);
  EXPECT_EQ(p.heard.take(), Rows{}) << "an activity that ends at 50 may still come";
  p.devices.read_up_to(second_stream, 51, false);
  EXPECT_EQ(p.heard.take(), Rows{"device 0@10 10-40 2"});
}

TEST(Devices, AStreamThatHasEndedKeepsNobodyWaiting) {
  ProcessWithStreams p;
  p.call(10, 50);
  p.devices.activities(first_stream, {{5, 40, no_path, false}});
  p.devices.read_up_to(host, 60, false);
  p.devices.read_up_to(first_stream, 45, true);
  EXPECT_EQ(p.heard.take(), Rows{});
  p.devices.read_up_to(second_stream, 0, true);
  EXPECT_EQ(p.heard.take(), Rows{"device 0@10 10-40 2"});
}

TEST(Devices, WhatAStreamDidIsKeptForThreadsThatAreBehind) {
  ProcessWithStreams p;
  p.devices.activities(first_stream, {{5, 40, no_path, false}});
  p.devices.read_up_to(host, 1000, false);
  for (const LocationId stream : {first_stream, second_stream}) p.devices.read_up_to(stream, 1000, false);
  p.call(10, 50, other_host);
  p.devices.read_up_to(other_host, 1000, false);
  EXPECT_EQ(p.heard.take(), Rows{"device 1@10 10-40 2"});
  p.call(10, 50, other_host);  // by a clock that ran backwards
  EXPECT_EQ(p.read_up_to(2000), Rows{}) << "what is before all threads is forgotten";
}

TEST(Devices, ThereAreNoneWithoutAStreamOfAProcess) {
  ProcessWithStreams p;
  EXPECT_TRUE(Devices::any(p.definitions));
  Definitions without = p.definitions;
  without.locations.resize(2);
  EXPECT_FALSE(Devices::any(without));
}

TEST(Devices, AStreamBelongsToTheProcessThatCreatedItsGroup) {
  Definitions d = ProcessWithStreams::define();
  d.processes.resize(3);
  d.processes[2].type = LocationGroupType::accelerator;
  d.processes[2].creator = ProcessId{1};
  d.locations[0].process = ProcessId{1};
  for (const std::size_t l : {2, 3}) d.locations[l].process = ProcessId{2};
  d.finish();
  support::HeardEvents heard;
  Devices devices(d, heard);
  devices.activities(first_stream, {{5, 40, no_path, false}});
  for (const LocationId thread : {host, other_host}) {
    Call c;
    c.location = thread;
    c.enter = 10;
    c.exit = 50;
    devices.call(c);
  }
  for (const LocationId l : {host, other_host, first_stream, second_stream}) devices.read_up_to(l, 100, false);
  EXPECT_EQ(heard.take(), Rows{"device 0@10 10-40 2"});
}

}  // namespace
}  // namespace waitstate::link
