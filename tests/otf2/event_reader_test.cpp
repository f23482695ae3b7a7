// Events of recorded traces (the numbers are those that otf2-print counts), and of damaged copies of them.
#include "otf2/events/event_reader.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <thread>

#include "otf2/trace_copy.hpp"

namespace waitstate::otf2::test {
namespace {

std::map<std::string, std::size_t> count(const Everything& all) {
  std::map<std::string, std::size_t> result;
  for (const Sink& sink : all.sinks)
    for (const Sink::Record& r : sink.records) ++result[std::string(name(r.type))];
  return result;
}

using Counts = std::map<std::string, std::size_t>;

TEST(event_reader, counts_of_recorded_traces) {
  const std::map<std::string, Counts> expected{{"p2p",
                                                {{"isend_complete", 58},
                                                 {"collective_begin", 96},
                                                 {"send", 90},
                                                 {"program_end", 4},
                                                 {"isend", 58},
                                                 {"comm_create", 8},
                                                 {"recv", 90},
                                                 {"exit", 638},
                                                 {"program_begin", 4},
                                                 {"irecv", 58},
                                                 {"comm_destroy", 8},
                                                 {"enter", 638},
                                                 {"irecv_request", 58},
                                                 {"collective_end", 96}}},
                                               {"coll",
                                                {{"collective_begin", 216},
                                                 {"program_end", 4},
                                                 {"comm_create", 16},
                                                 {"exit", 436},
                                                 {"program_begin", 4},
                                                 {"nonblocking_collective_request", 8},
                                                 {"comm_destroy", 16},
                                                 {"enter", 436},
                                                 {"collective_end", 216},
                                                 {"nonblocking_collective_complete", 8}}},
                                               {"halo",
                                                {{"isend_complete", 80000},
                                                 {"collective_begin", 5016},
                                                 {"send", 8750},
                                                 {"program_end", 8},
                                                 {"isend", 80000},
                                                 {"comm_create", 16},
                                                 {"recv", 8750},
                                                 {"exit", 472540},
                                                 {"program_begin", 8},
                                                 {"irecv", 80000},
                                                 {"comm_destroy", 16},
                                                 {"enter", 472540},
                                                 {"irecv_request", 80000},
                                                 {"collective_end", 5016}}},
                                               {"rma", {{"collective_begin", 72}, {"rma_release_lock", 22},
                                                        {"rma_group_sync", 48},   {"program_end", 4},
                                                        {"comm_create", 8},       {"rma_atomic", 18},
                                                        {"rma_win_create", 12},   {"exit", 544},
                                                        {"program_begin", 4},     {"rma_op_complete_nonblocking", 50},
                                                        {"rma_get", 16},          {"rma_request_lock", 22},
                                                        {"comm_destroy", 8},      {"enter", 544},
                                                        {"collective_end", 72},   {"rma_op_complete_remote", 38},
                                                        {"rma_put", 20},          {"rma_collective_end", 40},
                                                        {"rma_win_destroy", 12},  {"rma_collective_begin", 40}}},
                                               {"shmem",
                                                {{"rma_release_lock", 8},
                                                 {"program_end", 4},
                                                 {"rma_wait_change", 6},
                                                 {"rma_op_complete_blocking", 22},
                                                 {"exit", 114},
                                                 {"program_begin", 4},
                                                 {"rma_acquire_lock", 8},
                                                 {"rma_get", 8},
                                                 {"enter", 114},
                                                 {"rma_op_complete_remote", 10},
                                                 {"rma_put", 14},
                                                 {"rma_collective_end", 24},
                                                 {"rma_collective_begin", 24}}},
                                               {"hybrid",
                                                {{"thread_team_begin", 60},
                                                 {"collective_begin", 36},
                                                 {"program_end", 2},
                                                 {"thread_release_lock", 36},
                                                 {"thread_join", 20},
                                                 {"comm_create", 4},
                                                 {"exit", 406},
                                                 {"program_begin", 2},
                                                 {"thread_acquire_lock", 36},
                                                 {"comm_destroy", 4},
                                                 {"enter", 406},
                                                 {"collective_end", 36},
                                                 {"thread_team_end", 60},
                                                 {"thread_fork", 20}}},
                                               {"hybrid_tasks",
                                                {{"thread_team_begin", 72},
                                                 {"collective_begin", 40},
                                                 {"thread_task_create", 24},
                                                 {"thread_task_complete", 24},
                                                 {"program_end", 2},
                                                 {"thread_release_lock", 36},
                                                 {"thread_task_switch", 36},
                                                 {"thread_join", 24},
                                                 {"comm_create", 4},
                                                 {"exit", 538},
                                                 {"program_begin", 2},
                                                 {"thread_acquire_lock", 36},
                                                 {"comm_destroy", 4},
                                                 {"enter", 538},
                                                 {"collective_end", 40},
                                                 {"thread_team_end", 72},
                                                 {"thread_fork", 24}}},
                                               {"lammps",
                                                {{"collective_begin", 452},
                                                 {"send", 6784},
                                                 {"program_end", 4},
                                                 {"comm_create", 12},
                                                 {"recv", 264},
                                                 {"exit", 20364},
                                                 {"program_begin", 4},
                                                 {"irecv", 6520},
                                                 {"comm_destroy", 12},
                                                 {"enter", 20364},
                                                 {"irecv_request", 6520},
                                                 {"collective_end", 452}}},
                                               {"eztrace_late",
                                                {{"collective_begin", 40},
                                                 {"send", 10},
                                                 {"isend", 10},
                                                 {"recv", 10},
                                                 {"exit", 107},
                                                 {"enter", 107},
                                                 {"irecv_request", 10},
                                                 {"collective_end", 40},
                                                 {"thread_end", 2},
                                                 {"thread_begin", 2}}},
                                               {"eztrace_lammps",
                                                {{"collective_begin", 432},
                                                 {"send", 6520},
                                                 {"exit", 20276},
                                                 {"enter", 20276},
                                                 {"irecv_request", 6520},
                                                 {"collective_end", 432},
                                                 {"thread_end", 4},
                                                 {"thread_begin", 4}}}};
  for (const auto& [trace, counts] : expected) {
    const Archive archive(recorded(trace));
    const Everything all(archive);
    EXPECT_EQ(count(all), counts) << trace;
    EXPECT_FALSE(all.diagnostics.any(DiagnosticSeverity::loss)) << trace;
    // EZTrace announces two events for every location.
    const std::uint64_t differing = trace.starts_with("eztrace") ? archive.definitions().locations.size() : 0;
    EXPECT_EQ(all.diagnostics[DiagnosticId::event_count_differs].count, differing) << trace;
  }
}

TEST(event_reader, first_events_of_a_trace) {
  const Archive archive(recorded("eztrace_late"));
  const Definitions& d = archive.definitions();
  const Everything all(archive);
  const auto& r = all.sinks[0].records;
  EXPECT_EQ(r[0], (Sink::Record{EventType::thread_begin, 57726, {0xffffffff, 0}, {}, {}}));
  EXPECT_EQ(r[1].type, EventType::enter);
  EXPECT_EQ(d.regions[r[1].attributes[0]].name, "Working");
  EXPECT_EQ(d.regions[r[2].attributes[0]].name, "MPI_Send");
  EXPECT_EQ(r[3], (Sink::Record{EventType::send, 20188680, {1, 0, 0, 8192}, {}, {}})) << "dest tag com len";
}

TEST(event_reader, turns_and_closed_files_change_nothing) {
  for (const char* trace : {"hybrid_tasks", "rma", "eztrace_late"}) {
    const Archive archive(recorded(trace));
    const Everything whole(archive);
    for (const auto& [turn, max_open] : {std::pair(1u, 1u), std::pair(7u, 2u), std::pair(100000u, 1u)}) {
      const Everything parts(archive, turn, max_open);
      for (std::size_t i = 0; i < whole.sinks.size(); ++i)
        EXPECT_EQ(parts.sinks[i].records, whole.sinks[i].records) << trace << " location " << i << " turn " << turn;
    }
  }
}

// The halo trace has locations of several chunks: a place in a later chunk is found again.
TEST(event_reader, closed_files_of_several_chunks) {
  const Archive archive(recorded("halo"));
  const std::vector<LocationId> two{LocationId{0u}, LocationId{5u}};
  std::vector<Sink> alone(2), in_turns(2);
  for (std::size_t i = 0; i < 2; ++i) {
    EventReader<Sink> reader(archive, std::span(&two[i], 1), false);
    reader.read(two[i], alone[i], 10'000'000);
    EXPECT_TRUE(reader.at_end(two[i]));
  }
  EventReader<Sink> reader(archive, two, false, 1);
  while (!reader.at_end(two[0]) || !reader.at_end(two[1]))
    for (std::size_t i = 0; i < 2; ++i) reader.read(two[i], in_turns[i], 9973);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(in_turns[i].records == alone[i].records) << i;
}

TEST(event_reader, several_readers_of_one_archive_in_parallel) {
  const Archive archive(recorded("lammps"));
  const Everything whole(archive);
  std::vector<Sink> sinks(archive.definitions().locations.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sinks.size(); ++i)
    threads.emplace_back([&, i] {
      const LocationId loc{i};
      EventReader<Sink> reader(archive, std::span(&loc, 1), true);
      while (!reader.at_end(loc)) reader.read(loc, sinks[i], 100);
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < sinks.size(); ++i) EXPECT_TRUE(sinks[i].records == whole.sinks[i].records) << i;
}

TEST(event_reader, what_a_sink_throws_comes_through) {
  struct Throwing : Sink {
    void enter(Time, RegionId) { throw std::runtime_error("enough"); }
  };
  const Archive archive(recorded("p2p"));
  const LocationId loc{0u};
  EventReader<Throwing> reader(archive, std::span(&loc, 1), false);
  Throwing sink;
  EXPECT_THROW(reader.read(loc, sink, 1000), std::runtime_error);
}

TEST(event_reader, a_location_not_asked_for_is_at_its_end) {
  const Archive archive(recorded("p2p"));
  const LocationId loc{0u};
  EventReader<Sink> reader(archive, std::span(&loc, 1), false);
  Sink sink;
  EXPECT_FALSE(reader.at_end(loc));
  EXPECT_TRUE(reader.at_end(LocationId{1u}));
  EXPECT_EQ(reader.read(LocationId{1u}, sink, 10), 0u);
  EXPECT_EQ(reader.read(LocationId{99u}, sink, 10), 0u);
}

// ---- damage ----

TEST(damaged_events, missing_and_empty_files) {
  const TraceCopy trace("p2p");
  const std::string file0 = (trace / "traces/0.evt").string(), file1 = (trace / "traces/1.evt").string();
  fs::remove(file0);
  TemporaryFolder::write(file1, "");
  const Everything all{Archive(trace.anchor())};
  EXPECT_TRUE(all.sinks[0].records.empty());
  EXPECT_EQ(texts(all.diagnostics, DiagnosticId::location_unreadable),
            (std::vector{file0 + ": No such file or directory", file1 + ": the file is empty"}));
  EXPECT_EQ(all.diagnostics[DiagnosticId::event_count_differs].count, 0u) << "said already";
  EXPECT_FALSE(all.sinks[2].records.empty());
}

TEST(damaged_events, a_pipe_or_a_folder_in_place_of_a_file_is_not_waited_for) {
  const TraceCopy trace("p2p");
  const std::string file0 = (trace / "traces/0.evt").string(), file1 = (trace / "traces/1.evt").string();
  fs::remove(file0);
  fs::remove(file1);
  ASSERT_EQ(::mkfifo(file0.c_str(), 0600), 0);
  fs::create_directory(file1);
  const Everything all{Archive(trace.anchor())};
  EXPECT_EQ(texts(all.diagnostics, DiagnosticId::location_unreadable),
            (std::vector{file0 + ": not a regular file", file1 + ": Is a directory"}));
  EXPECT_FALSE(all.sinks[2].records.empty());
}

// Wherever a file is cut off, exactly the events that lie wholly before the cut are delivered.
TEST(damaged_events, cut_off_anywhere) {
  const TraceCopy trace("shmem");
  const fs::path file = trace / "traces/0.evt";
  const std::string bytes = TemporaryFolder::read(file);
  const Archive archive(trace.anchor());
  const Everything whole(archive);
  const LocationId loc{0u};
  std::size_t last = 0;
  ASSERT_EQ(bytes.substr(bytes.size() - 2), "\x02\x01") << "OTF2 writes the mark of the file's end, and one byte more";
  for (std::size_t size = 0; size < bytes.size() - 1; ++size) {
    TemporaryFolder::write(file, bytes.substr(0, size));
    EventReader<Sink> reader(archive, std::span(&loc, 1), true);
    Sink sink;
    reader.read(loc, sink, 1'000'000);
    ASSERT_TRUE(reader.at_end(loc));
    const std::size_t n = sink.records.size();
    ASSERT_GE(n, last) << size;
    last = n;
    ASSERT_LE(n, whole.sinks[0].records.size());
    ASSERT_TRUE(std::equal(sink.records.begin(), sink.records.end(), whole.sinks[0].records.begin())) << size;
    const Diagnostics& d = reader.diagnostics();
    ASSERT_EQ(d[DiagnosticId::location_truncated].count + d[DiagnosticId::location_unreadable].count, 1u) << size;
    if (n == 10) {
      const std::string text = texts(d, DiagnosticId::location_truncated)[0];
      EXPECT_TRUE(text.starts_with(file.string() + ": after 10 events: the file ends")) << text;
    }
  }
  EXPECT_EQ(last, whole.sinks[0].records.size()) << "only the end mark is missing";
}

TEST(damaged_events, bytes_overwritten_with_an_impossible_record) {
  const TraceCopy trace("shmem");
  const fs::path file = trace / "traces/0.evt";
  std::string bytes = TemporaryFolder::read(file);
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 16; ++i) bytes[i] = '\xff';
  TemporaryFolder::write(file, bytes);
  const Everything all{Archive(trace.anchor())};
  EXPECT_EQ(all.diagnostics[DiagnosticId::location_truncated].count, 1u);
  EXPECT_GT(all.sinks[0].records.size(), 10u);
  EXPECT_FALSE(all.sinks[1].records.empty());
}

TEST(damaged_events, local_definitions) {
  const TraceCopy trace("p2p");
  const std::string missing = (trace / "traces/2.def").string(), cut = (trace / "traces/3.def").string();
  fs::remove(missing);
  TemporaryFolder::write(cut, TemporaryFolder::read(cut).substr(0, 19));
  // Others have tables: the numbers of these two mean something else, so that nothing can be said of their events.
  const Everything all{Archive(trace.anchor())};
  EXPECT_EQ(texts(all.diagnostics, DiagnosticId::location_unreadable),
            (std::vector{missing + ": No such file or directory",
                         cut + ": the file ends within a record, or a record's length is wrong"}));
  EXPECT_TRUE(all.sinks[2].records.empty());
  EXPECT_FALSE(all.sinks[1].records.empty());
}

// No location has a table or an offset: numbers and times are those of the archive without the file, too.
TEST(damaged_events, local_definitions_that_change_nothing) {
  const TraceCopy trace("p2p");
  const std::string empty = TemporaryFolder::read(trace / "traces/0.def").substr(0, 0);
  for (const char* const file : {"0.def", "1.def", "2.def", "3.def"})
    TemporaryFolder::write((trace / "traces" / file).string(), empty);
  const Everything all{Archive(trace.anchor())};
  EXPECT_EQ(all.diagnostics[DiagnosticId::local_definitions_unreadable].count, 4u);
  EXPECT_FALSE(all.sinks[2].records.empty());
}

TEST(damaged_events, no_local_definitions_at_all_are_no_damage) {
  const TraceCopy trace("eztrace_late");
  fs::remove(trace / "eztrace_log/0.def");
  fs::remove(trace / "eztrace_log/1073741823.def");
  const Everything all{Archive(trace.anchor())};
  EXPECT_EQ(all.diagnostics[DiagnosticId::local_definitions_unreadable].count, 0u);
}

}  // namespace
}  // namespace waitstate::otf2::test
