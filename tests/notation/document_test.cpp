// Reading events, what may be left out, and telling a notation file from others.
#include "notation/document.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "notation/support.hpp"
#include "support/temporary_folder.hpp"

namespace waitstate::notation {
namespace {

TEST(Document, ReadsTheExampleOfTheDesign) {
  Document document = Document::parse(R"(
# location time type attributes
0    0 enter main
0  100 enter MPI_Send
0  110 send dest=1 tag=7 com=0 len=8
0  130 exit
)");
  const Definitions& d = document.definitions();
  EXPECT_EQ(to_notation(d), R"(clock resolution=1000000000
process 0 name="Rank 0" type=process
process 1 name="Rank 1" type=process
location 0 name="Rank 0" process=0
location 1 name="Rank 1" process=1
region 0 name=main
region 1 name=MPI_Send
group 0 type=comm_locations paradigm=mpi members=(0,1)
group 1 type=comm_group paradigm=mpi members=(0,1)
comm 0 name=MPI_COMM_WORLD group=1
)");
  EXPECT_EQ(d.regions[1].mpi_function, MpiFunction::send);
  EXPECT_EQ(d.processes[1].rank, 1);
  EXPECT_EQ(d.comms[0].members, (std::vector{LocationId{0}, LocationId{1}}));
  EXPECT_EQ(event_lines(document), R"(0 0 enter main
0 100 enter MPI_Send
0 110 send dest=1 tag=7 com=0 len=8
0 130 exit
)");
  EXPECT_EQ(document.event_count(LocationId{0}), 4u);
  EXPECT_EQ(document.event_count(LocationId{1}), 0u);
  EXPECT_EQ(document.event_count(LocationId{7}), 0u);
}

TEST(Document, AttributesLeftOut) {
  EXPECT_EQ(
      event_lines("0 1 send dest=1\n0 2 recv src=1\n0 3 collective_end op=barrier\n0 4 io_create_handle handle=none "
                  "mode=read_only\n0 5 buffer_flush\n0 6 exit\n0 7 enter none\n0 8 parameter_int parameter=none"),
      R"(0 1 send dest=1 tag=0 com=0 len=0
0 2 recv src=1 tag=0 com=0 len=0
0 3 collective_end op=barrier com=0 root=none sent=0 received=0
0 4 io_create_handle handle=none mode=read_only creation=0x0 flags=0x0
0 5 buffer_flush stop=0
0 6 exit
0 7 enter none
0 8 parameter_int parameter=none value=0
)");
}

TEST(Document, OrderMattersOnlyWithinALocation) {
  EXPECT_EQ(event_lines("1 5 enter b\n0 9 exit a\n1 3 exit b\n0 1 enter a\nregion 0 name=a"), R"(0 9 exit a
0 1 enter a
1 5 enter b
1 3 exit b
)");
}

TEST(Document, WritingsOfTheSame) {
  const std::string lines = event_lines(R"(  # blanks, comments and order are free
	0	110   send len=0x8 com=0 tag=7 dest=1   # like this
0 120 exit region=main # as a named attribute
0 130 exit main
0 140 program_begin "/apps/p2p" args=( "2" , a )
0 150 program_begin program=/apps/p2p args=("2",a)
0 160 program_begin a.out
0 170 program_begin program
)"
                                        "\r\n0 190 exit main\r\n");
  EXPECT_EQ(lines, R"(0 110 send dest=1 tag=7 com=0 len=8
0 120 exit main
0 130 exit main
0 140 program_begin program=/apps/p2p args=("2",a)
0 150 program_begin program=/apps/p2p args=("2",a)
0 160 program_begin program=a.out
0 170 program_begin program=program
0 190 exit main
)");
}

TEST(Document, RegionsOfOneNameGoByIndex) {
  const char* text = R"(region 0 name=foo file=a.c
region 1 name=foo file=b.c
region 2 name="none"
0 1 enter #1
0 2 enter "none"
0 3 exit none
0 4 enter new
)";
  Document document = Document::parse(text);
  EXPECT_EQ(document.definitions().regions.size(), 4u);
  EXPECT_EQ(event_lines(document), "0 1 enter #1\n0 2 enter \"none\"\n0 3 exit\n0 4 enter new\n");
}

TEST(Document, TailsAndLists) {
  const std::string lines = R"(0 1 metric metric=0 values=(uint64:1,double:0x1p+0,int64:-3,string:none,string:"none")
0 2 enter main @0=uint64:18205 @0=location:none
0 3 exit @0=none
)";
  EXPECT_EQ(event_lines("attribute 0 name=x type=uint64\nmetric 0\n" + lines), lines);
  EXPECT_EQ(event_lines("0 1 metric metric=none values=(double:1.5,double:-inf,double:nan,27:5,none:5)"),
            "0 1 metric metric=none values=(double:0x1.8p+0,double:-inf,double:nan,27:5,none:5)\n");
}

TEST(Document, ReadsInPartsAndAgain) {
  Document document =
      Document::parse("0 1 enter a\n0 2 metric metric=none values=(uint8:1)\n0 3 exit a @0=uint8:2\nattribute 0");
  Collector collector{LocationId{0}, {}, {}};
  EXPECT_FALSE(document.at_end(LocationId{0}));
  EXPECT_EQ(document.read(LocationId{0}, collector, 2), 2u);
  EXPECT_FALSE(document.at_end(LocationId{0}));
  EXPECT_EQ(document.read(LocationId{0}, collector, 2), 1u);
  EXPECT_TRUE(document.at_end(LocationId{0}));
  EXPECT_EQ(document.read(LocationId{0}, collector, 2), 0u);
  EXPECT_EQ(document.read(LocationId{1}, collector, 2), 0u);
  EXPECT_TRUE(document.at_end(LocationId{1}));
  ASSERT_EQ(collector.events.size(), 3u);
  EXPECT_EQ(collector.events[1].tail, (std::vector{Value{ValueType::uint8, 1}}));
  EXPECT_EQ(collector.events[2].list, (std::vector{ListedAttribute{AttributeId{0}, {ValueType::uint8, 2}}}));
  document.rewind();
  EXPECT_EQ(events(document, LocationId{0}).size(), 3u);
}

TEST(Document, LocationsAreReadAtTheSameTime) {
  std::string text;
  for (int i = 0; i < 4000; ++i)
    text += std::to_string(i % 4) + " " + std::to_string(i) + " enter r" + std::to_string(i % 10) + "\n";
  Document document = Document::parse(text);
  std::vector<Collector> collectors(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      while (document.read(LocationId{i}, collectors[i], 7) > 0) continue;
    });
  for (std::thread& t : threads) t.join();
  for (const Collector& c : collectors) EXPECT_EQ(c.events.size(), 1000u);
}

TEST(Document, ProcessesWithThreads) {
  const Definitions d = Document::parse(R"(process 0 name=a type=process
process 1 name=b type=process
location 0 process=0
location 1 process=0
location 2 process=1
comm 0 name=MPI_COMM_WORLD members=all
comm 1 name=reversed members=(2,0)
comm 2 name=team paradigm=openmp members=(0,1)
comm 3 name=MPI_COMM_SELF members=self
comm 4 name=inter members=(0) members_b=(2)
)")
                            .definitions();
  EXPECT_EQ(d.comms[0].members, (std::vector{LocationId{0}, LocationId{2}}));
  EXPECT_EQ(d.comms[1].members, (std::vector{LocationId{2}, LocationId{0}}));
  EXPECT_EQ(d.comms[2].members, (std::vector{LocationId{0}, LocationId{1}}));
  EXPECT_EQ(d.comms[2].paradigm, Paradigm::openmp);
  EXPECT_TRUE(d.comms[3].self);
  EXPECT_TRUE(d.comms[4].inter());
  EXPECT_EQ(d.locate(CommId{4}, 0, LocationId{0}), LocationId{2});
  EXPECT_EQ(d.locate(CommId{4}, 0, LocationId{2}), LocationId{0});
  EXPECT_EQ(d.processes[1].rank, 1);
}

TEST(Document, WorldIsMadeFromProcesses) {
  const Definitions d = Document::parse(R"(process 0
process 1
process 2
location 0 process=1
location 1 process=1
location 2 type=accelerator_stream process=0
location 3 process=0
0 1 send dest=3
)")
                            .definitions();
  EXPECT_EQ(d.comms[0].members, (std::vector{LocationId{3}, LocationId{0}}));
}

TEST(Document, ProcessesFromLocationsAndLocationsFromProcesses) {
  const Definitions a = Document::parse("location 0 name=x\nlocation 1 name=y process=none").definitions();
  EXPECT_EQ(a.processes.size(), 1u);
  EXPECT_EQ(a.locations[0].process, ProcessId{0});
  EXPECT_EQ(a.locations[1].process, ProcessId::none());
  const Definitions b = Document::parse("process 0 name=x\nprocess 1 name=y\n2 0 enter main").definitions();
  ASSERT_EQ(b.locations.size(), 3u);
  EXPECT_EQ(b.processes[1].name, "y");
  EXPECT_EQ(b.processes[2].name, "Rank 2");
  EXPECT_EQ(b.locations[2].process, ProcessId{2});
}

TEST(Document, ReferencesFromDefinitionsImplyLocationsAndWorld) {
  const Definitions d = Document::parse("rma_win 0 name=w comm=0\nmetric 0 recorder=3").definitions();
  EXPECT_EQ(d.locations.size(), 4u);
  EXPECT_EQ(d.comms.at(0).name, "MPI_COMM_WORLD");
  EXPECT_EQ(Document::parse("comm 0 members=(0,2)").definitions().locations.size(), 3u);
  EXPECT_TRUE(Document::parse("0 1 enter main").definitions().comms.empty());
}

TEST(Document, RefIsTheIndexUnlessGiven) {
  const Definitions d = Document::parse("region 0 name=a\nregion 1 ref=40\n").definitions();
  EXPECT_EQ(d.regions[0].ref, 0u);
  EXPECT_EQ(d.regions[1].ref, 40u);
  EXPECT_EQ(Document::parse("1 0 enter main").definitions().locations[1].ref, 1u);
}

TEST(Document, ClockAndRecorder) {
  const std::string text = R"(clock resolution=1000 offset=5 length=500 realtime=7
recorder creator="Score-P 8.4" machine=Linux trace_id=18446744073709551615 properties=("SCOREP::X"="1")
)";
  EXPECT_EQ(
      to_notation(Document::parse("recorder creator=\"Score-P 8.4\" machine=Linux trace_id=18446744073709551615 "
                                  "properties=(SCOREP::X=\"1\")\nclock realtime=7 resolution=1000 offset=5 length=500")
                      .definitions()),
      R"(clock resolution=1000 offset=5 length=500 realtime=7
recorder creator="Score-P 8.4" machine=Linux trace_id=18446744073709551615 properties=(SCOREP::X="1")
)");
  EXPECT_EQ(Document::parse(text).definitions().recorder.properties.at(0).first, "SCOREP::X");
}

TEST(Document, ReadsFiles) {
  const support::TemporaryFolder folder;
  const std::filesystem::path path = folder / "document_test.txt";
  std::ofstream(path) << "0 1 enter main\n0 x\n";
  try {
    Document::read(path);
    FAIL();
  } catch (const TraceError& e) {
    EXPECT_EQ(std::string(e.what()), path.string() + ":2: expected a number for the time, found \"x\"\n  0 x\n    ^");
    EXPECT_EQ(e.path(), path.string() + ":2");
  }
  std::ofstream(path) << "0 1 enter main\n";
  EXPECT_EQ(Document::read(path).event_count(LocationId{0}), 1u);
  std::filesystem::remove(path);
  for (const auto& [unreadable, why] :
       {std::pair(path, "No such file or directory"), {path.parent_path(), "Is a directory"}}) {
    try {
      Document::read(unreadable);
      FAIL() << unreadable;
    } catch (const TraceError& e) {
      EXPECT_EQ(std::string(e.what()), unreadable.string() + ": cannot be read: " + why);
    }
  }
}

TEST(Document, LooksLike) {
  for (const char* yes : {"0 1 enter main", "\n\n# comment\n  12 5 exit\n", "region 0 name=x", "clock resolution=5\n",
                          "\r\n0 1 exit", "# é\ncomm 0", "recorder", "0 1 sned"})
    EXPECT_TRUE(Document::looks_like(yes)) << yes;
  for (const char* no : {"", "\n", "# only a comment", "hello world", "[clock]", "1,2,3", "regions 0",
                         "#!/bin/sh\necho", "{}", "0 1 enter \x01", "0 1 \x7f", "ANCHORFILE"})
    EXPECT_FALSE(Document::looks_like(no)) << no;
  EXPECT_FALSE(Document::looks_like(std::string_view("0 \0", 3)));
}

TEST(Literal, HasPositionAndLinks) {
  const Definitions d =
      Document::parse("region 0 name=a\nregion 1 name=b\nregion 2 name=b\n1 0 send dest=0").definitions();
  Event e;
  e.pos = 12;
  e.loc = LocationId{0};
  e.time = 110;
  e.type = EventType::recv;
  e.attributes = {1, 7, 0, 8};
  e.enterptr = 10;
  e.sendptr = 5;
  EXPECT_EQ(literal(e, d), "pos=12 0 110 recv src=1 tag=7 com=0 len=8 enterptr=10 sendptr=5");
  e.sendptr = no_position;
  e.requestptr = 3;
  e.beginptr = 4;
  EXPECT_EQ(literal(e, d), "pos=12 0 110 recv src=1 tag=7 com=0 len=8 enterptr=10 requestptr=3 beginptr=4");
  Event enter;
  enter.loc = LocationId{1};
  enter.type = EventType::enter;
  EXPECT_EQ(literal(enter, d), "1 0 enter a");
  enter.attributes[0] = 2;
  EXPECT_EQ(literal(enter, d), "1 0 enter #2");
  enter.attributes[0] = 1;
  EXPECT_EQ(literal(enter, d), "1 0 enter #1");
}

}  // namespace
}  // namespace waitstate::notation
