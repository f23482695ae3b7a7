// The archive that the parts of a run become: its definitions, and events that are read by its numbers and its clock.
#include "record/archive/archive.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "otf2/archive.hpp"
#include "otf2/events/event_reader.hpp"
#include "record/run_folder.hpp"

namespace waitstate::record {
namespace {

using Rows = std::vector<std::string>;

/// Events of one location as text, by the names of what they refer to.
struct EventRows {
  const Definitions& definitions;
  Rows rows{};

  void enter(Time t, RegionId r) { rows.push_back(fmt::format("{} enter {}", t, definitions[r].name)); }
  void exit(Time t, RegionId r) { rows.push_back(fmt::format("{} exit {}", t, definitions[r].name)); }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value>) {
    if (type == EventType::send || type == EventType::recv)
      rows.push_back(fmt::format("{} {} location {} in {}", t, name(type), attributes[0],
                                 definitions[CommId{static_cast<std::size_t>(attributes[2])}].name));
    else
      rows.push_back(fmt::format("{} {}", t, name(type)));
  }
  void attribute_list(std::span<const ListedAttribute>) {}
};

Rows events_of(const otf2::Archive& archive, std::size_t location) {
  EventRows sink{archive.definitions()};
  const std::vector<LocationId> one{LocationId{location}};
  otf2::EventReader<EventRows> reader(archive, one, false);
  reader.read(one[0], sink, 1000);
  return sink.rows;
}

/// Name and text of each property.
Rows texts(const Definitions& d, const std::vector<Property>& properties) {
  Rows rows;
  for (const Property& p : properties) rows.push_back(p.name + "=" + d.strings[p.value.bits]);
  return rows;
}

template <class Definition>
Rows names(const std::vector<Definition>& table) {
  Rows rows;
  for (const Definition& d : table) rows.push_back(d.name);
  return rows;
}

/// The two processes number their regions and communicators differently.
void leave_two_processes(const RunFolder& run) {
  const auto half = [](int number, int rank) {
    return line_of("comm", number, "W.0/0", "pair", "0", 2, rank, rank == 0 ? "0,1" : "");
  };
  run.part(0, 2,
           {line_of("location", 0, "Master thread"), "region\t0\tmain\t1\t1", "region\t1\tMPI_Send\t4\t28",
            world_line(0, 2), half(1, 0), line_of("events", 0, 5, 100, 190), "end"});
  run.part(
      1, 2,
      {line_of("location", 0, "Master thread"), "region\t0\tMPI_Recv\t4\t28", "region\t1\tmain\t1\t1",
       line_of("comm", 7, "W.0/0", "pair", "0", 2, 1, ""), line_of("comm", 0, "W", "", "", 2, 1, ""),
       line_of("clock", 1100, -1000, 5), line_of("clock", 1200, -1000, 5), line_of("events", 0, 5, 1100, 1200), "end"});
  run.events(0, [](OTF2_EvtWriter* w) {
    OTF2_EvtWriter_Enter(w, nullptr, 100, 0);
    OTF2_EvtWriter_Enter(w, nullptr, 110, 1);
    OTF2_EvtWriter_MpiSend(w, nullptr, 115, 1, 1, 0, 8);
    OTF2_EvtWriter_Leave(w, nullptr, 120, 1);
    OTF2_EvtWriter_Leave(w, nullptr, 190, 0);
  });
  run.events(1, [](OTF2_EvtWriter* w) {
    OTF2_EvtWriter_Enter(w, nullptr, 1100, 1);
    OTF2_EvtWriter_Enter(w, nullptr, 1110, 0);
    OTF2_EvtWriter_MpiRecv(w, nullptr, 1125, 0, 7, 0, 8);
    OTF2_EvtWriter_Leave(w, nullptr, 1130, 0);
    OTF2_EvtWriter_Leave(w, nullptr, 1200, 1);
  });
}

TEST(RecordedArchive, EventsAreReadByTheNumbersAndTheClockOfTheRun) {
  const RunFolder run;
  leave_two_processes(run);
  const Recovered recovered = recover(run.name());
  EXPECT_EQ(recovered.problem, "");
  const otf2::Archive archive(run.path());
  EXPECT_EQ(events_of(archive, 0), (Rows{"100 enter main", "110 enter MPI_Send", "115 send location 1 in pair",
                                         "120 exit MPI_Send", "190 exit main"}));
  EXPECT_EQ(events_of(archive, 1), (Rows{"100 enter main", "110 enter MPI_Recv", "125 recv location 0 in pair",
                                         "130 exit MPI_Recv", "200 exit main"}));
  EXPECT_EQ(archive.definitions().clock.offset, 100u);
  EXPECT_EQ(archive.definitions().clock.length, 100) << "of events by the clock of rank 0";
  EXPECT_EQ(archive.definitions().clock.resolution, 1'000'000'000u);
}

TEST(RecordedArchive, TheOutcomeIsCounted) {
  const RunFolder run;
  leave_two_processes(run);
  const Recovered r = recover(run.name());
  EXPECT_EQ(r.processes, 2u);
  EXPECT_EQ(r.events, 10u);
  EXPECT_TRUE(r.missing.empty());
  EXPECT_TRUE(r.cut.empty());
  EXPECT_EQ(sentence("here", r), "2 processes, 10 events in here");
}

TEST(RecordedArchive, PartsAreGoneAndTheArchiveIsComplete) {
  const RunFolder run;
  leave_two_processes(run);
  EXPECT_FALSE(recover(run.name()).nothing_to_do);
  Rows left = run.names();
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (Rows{"traces", "traces.def", "traces.otf2"}));
  const Recovered again = recover(run.name());
  EXPECT_TRUE(again.nothing_to_do);
  EXPECT_EQ(sentence("here", again), "here is complete: there is nothing to recover");
}

TEST(RecordedArchive, ProcessesStandOnTheirNodesWithTheirThreads) {
  const RunFolder run;
  run.part(0, 3, {line_of("location", 0, "Master thread"), line_of("location", 2, "Thread 2")});
  RunFolder::write(run.path() / "parts/1.def",
                   line_of(FormatLine{}) + "\n" +
                       line_of("process", 1, 3, "other", "boot", "app", "1", "mpi", 1048576) + "\n" +
                       line_of("location", 0, "Master thread") + "\nend\n");
  const Recovered r = recover(run.name());
  EXPECT_EQ(r.problem, "");
  EXPECT_EQ(r.processes, 2u);
  EXPECT_EQ(r.cut, std::vector<std::uint64_t>{0});
  EXPECT_EQ(r.missing, std::vector<std::uint64_t>{2});
  const otf2::Archive archive(run.path());
  const Definitions& d = archive.definitions();
  EXPECT_EQ(names(d.system_tree), (Rows{"machine", "host", "other", "unknown"}));
  EXPECT_EQ(names(d.processes), (Rows{"MPI Rank 0", "MPI Rank 1", "MPI Rank 2"}));
  EXPECT_EQ(d.system_tree[d.processes[1].parent.index()].name, "other");
  Rows threads;
  for (const Location& l : d.locations) threads.push_back(fmt::format("{} of process {}", l.name, l.process.value));
  EXPECT_EQ(threads, (Rows{"Master thread of process 0", "Thread 2 of process 0", "Master thread of process 1",
                           "Master thread of process 2"}));
  for (std::size_t l = 0; l < d.locations.size(); ++l) EXPECT_EQ(events_of(archive, l), Rows{}) << l;
}

TEST(RecordedArchive, CommunicatorsWindowsAndTopologiesAreThoseOfTheLines) {
  const RunFolder run;
  for (const int rank : {0, 1}) {
    const std::string own = std::to_string(rank);
    run.part(rank, 2,
             {world_line(rank, 2), line_of("comm", 1, "S", "MPI_COMM_SELF", "", 1, 0, own),
              line_of("comm", 2, "W.0/0", "", "0", 2, rank, "0,1"),
              line_of("inter", 3, "I0.0/0-1", "both", "0", "0", "1"), line_of("win", 0, "W.w0", "MPI_Win_allocate", 2),
              line_of("cart", 2, "2,1", "1,0", own + ",0", rank), line_of("sources", 2, "1"),
              line_of("name", "comm", 2, "halo"), line_of("name", "win", 0, "halo window"), "end"});
  }
  EXPECT_EQ(recover(run.name()).problem, "");
  const otf2::Archive archive(run.path());
  const Definitions& d = archive.definitions();
  EXPECT_EQ(names(d.comms), (Rows{"MPI_COMM_WORLD", "MPI_COMM_SELF", "halo", "both"}));
  EXPECT_TRUE(d.comms[1].self);
  EXPECT_EQ(d.comms[2].parent, CommId{0});
  EXPECT_FALSE(d.comms[0].parent.valid());
  EXPECT_EQ(d.comms[2].members, (std::vector<LocationId>{LocationId{0}, LocationId{1}}));
  EXPECT_TRUE(d.comms[3].inter());
  EXPECT_EQ(d.comms[3].members, std::vector<LocationId>{LocationId{0}});
  EXPECT_EQ(d.comms[3].members_b, std::vector<LocationId>{LocationId{1}});
  EXPECT_EQ(d.comms[0].flags, 0u);
  EXPECT_EQ(d.comms[2].flags, 1u) << "the trace has records of its creation";
  ASSERT_EQ(d.rma_wins.size(), 1u);
  EXPECT_EQ(d.rma_wins[0].name, "halo window");
  EXPECT_EQ(d.rma_wins[0].comm, CommId{2});
  ASSERT_EQ(d.cart_topologies.size(), 1u);
  EXPECT_EQ(d.cart_topologies[0].comm, CommId{2});
  EXPECT_EQ(d.cart_topologies[0].coordinates, (std::vector<std::uint64_t>{0, 0, 0, 1, 1, 0}));
  ASSERT_EQ(d.cart_dimensions.size(), 2u);
  EXPECT_EQ(d.cart_dimensions[0].size, 2u);
  EXPECT_EQ(d.cart_dimensions[0].periodicity, CartPeriodicity::true_);
  EXPECT_EQ(d.cart_dimensions[1].periodicity, CartPeriodicity::false_);
  EXPECT_EQ(texts(d, d.processes[1].properties), Rows{"WAITSTATE::SOURCES::2=1"});
}

TEST(RecordedArchive, RegionsAndParadigmsAreThoseOfTheLines) {
  const RunFolder run;
  run.part(0, 1,
           {line_of("location", 0, "Master thread"), "region\t0\tmain\t1\t1", "region\t1\tMPI_Barrier\t4\t17",
            line_of("team", 0, 3, "0"), line_of("region", 2, "pthread_mutex_lock", 7, 1), "end"});
  EXPECT_EQ(recover(run.name()).problem, "");
  const otf2::Archive archive(run.path());
  const Definitions& d = archive.definitions();
  ASSERT_EQ(names(d.regions), (Rows{"main", "MPI_Barrier", "pthread_mutex_lock"}));
  EXPECT_EQ(d.regions[0].role, RegionRole::function);
  EXPECT_EQ(d.regions[1].paradigm, Paradigm::mpi);
  EXPECT_EQ(names(d.paradigms), (Rows{"MPI", "OpenMP", "POSIX threads"}));
}

TEST(RecordedArchive, MetricsAreClassesAndSampledOnesHaveInstances) {
  const RunFolder run;
  run.part(0, 1,
           {line_of("location", 0, "Master thread"), line_of("location", 1, "MPI_T", "metric"), world_line(0, 1),
            line_of("metric", 0, "sent", "#", "messages sent", 1, 5, "", ""),
            line_of("metric", 1, "queue", "bytes", "length", 3, 5, "comm", 0), line_of("sampled", 1, 1), "end"});
  EXPECT_EQ(recover(run.name()).problem, "");
  const otf2::Archive archive(run.path());
  const Definitions& d = archive.definitions();
  EXPECT_EQ(names(d.metric_members), (Rows{"sent", "queue [MPI_COMM_WORLD]"}));
  EXPECT_EQ(d.metric_members[1].unit, "bytes");
  EXPECT_EQ(d.metric_members[1].description, "length");
  EXPECT_EQ(d.metric_members[1].mode, 3u);
  ASSERT_EQ(d.metrics.size(), 3u);
  EXPECT_EQ(d.metrics[0].occurrence, MetricOccurrence::synchronous);
  EXPECT_EQ(d.metrics[1].occurrence, MetricOccurrence::asynchronous);
  EXPECT_EQ(d.metrics[2].metric_class, MetricId{1});
  EXPECT_EQ(d.locations.at(d.metrics[2].recorder.index()).name, "MPI_T");
  EXPECT_EQ(d.locations.at(d.metrics[2].recorder.index()).type, LocationType::metric);
}

TEST(RecordedArchive, SettingsThatAllShareBelongToTheRunUnlessTheFormatRefusesTheirNames) {
  const RunFolder run;
  for (const int rank : {0, 1})
    run.part(rank, 2,
             {"cvar\tEAGER\t4096", "cvar\teager_limit\t1", "cvar\teager-limit\t2",
              rank == 0 ? "cvar\tOWN\t7" : "property\tNOTE\ta text", "end"});
  EXPECT_EQ(recover(run.name()).problem, "");
  const otf2::Archive archive(run.path());
  const Definitions& d = archive.definitions();
  Rows of_run;
  for (const auto& [name_of_property, text] : d.recorder.properties) of_run.push_back(name_of_property + "=" + text);
  std::sort(of_run.begin(), of_run.end());
  EXPECT_EQ(of_run, (Rows{"WAITSTATE::CVAR::EAGER=4096", "WAITSTATE::CVAR::EAGER_LIMIT=1"}))
      << "the format writes such names in capitals";
  EXPECT_EQ(texts(d, d.processes[0].properties), (Rows{"WAITSTATE::CVAR::OWN=7", "WAITSTATE::CVAR::eager-limit=2"}));
  EXPECT_EQ(texts(d, d.processes[1].properties), (Rows{"NOTE=a text", "WAITSTATE::CVAR::eager-limit=2"}));
}

TEST(RecordedArchive, GroupsThatWereLeftOutArePropertiesOfTheRun) {
  const RunFolder run;
  run.part(0, 1, {"left_out\tpthread,io", "left_out_called\tio", "end"});
  EXPECT_EQ(recover(run.name()).problem, "");
  const otf2::Archive archive(run.path());
  Rows of_run;
  for (const auto& [name, text] : archive.definitions().recorder.properties) of_run.push_back(name + "=" + text);
  std::sort(of_run.begin(), of_run.end());
  EXPECT_EQ(of_run, (Rows{"WAITSTATE::LEFT_OUT=io,pthread", "WAITSTATE::LEFT_OUT_CALLED=io"}));
}

TEST(RecordedArchive, WhatACallOfAnEndedRunWaitsForIsAPropertyOfItsThread) {
  const RunFolder run;
  run.part(0, 2,
           {line_of("location", 0, "Master thread"), line_of("events", 0, 0, 0, 0), world_line(0, 2),
            line_of("region", 0, "MPI_Recv", 4, 28), line_of("waits", 0, 77, 0, "receive", 0, 1, -1)});
  run.part(1, 2, {world_line(1, 2), "end"});
  const Recovered r = recover(run.name());
  EXPECT_EQ(sentence("here", r), "2 processes, 0 events in here; ended before its end: 0");
  const otf2::Archive archive(run.path());
  EXPECT_EQ(texts(archive.definitions(), archive.definitions().locations[0].properties),
            Rows{"WAITSTATE::WAITS.0=77 MPI_Recv receive comm=0 peer=1 tag=-1"});
}

TEST(RecordedArchive, AStreamWithAClockOfItsOwnIsConvertedThroughThatOfItsProcess) {
  const RunFolder run;
  run.part(0, 1,
           {line_of("location", 0, "Master thread"), line_of("location", 1, "MPI_T", "metric"),
            line_of("clock", 1000, 100, 0), line_of("clock", 2000, 300, 0), line_of("clock_of", 1, 50, 1450, 0),
            line_of("events", 1, 1, 50, 60), "end"});
  EXPECT_EQ(recover(run.name()).problem, "");
  const otf2::Archive archive(run.path());
  // Its 50 is the process's 1500, to which 200 are added: half of the way from 100 to 300.
  EXPECT_EQ(archive.definitions().clock.offset, 1700u);
  EXPECT_EQ(archive.definitions().clock.length, 10);
}

}  // namespace
}  // namespace waitstate::record
