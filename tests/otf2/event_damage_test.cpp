// Damage to event files other than being cut off (event_reader_test.cpp): any byte changed, a file that shrinks while
// it is read, one that cannot be opened, too few descriptors, odd names.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "otf2/trace_copy.hpp"

namespace waitstate::otf2::test {
namespace {

/// All events of one location and all messages, read in turns of `turn` events.
std::pair<std::vector<Sink::Record>, std::vector<std::string>> read_one(const Archive& archive, LocationId loc,
                                                                        std::size_t turn) {
  EventReader<Sink> reader(archive, std::span(&loc, 1), true);
  Sink sink;
  while (!reader.at_end(loc)) reader.read(loc, sink, turn);
  std::vector<std::string> said = texts(reader.diagnostics(), DiagnosticId::location_truncated);
  for (std::string& text : texts(reader.diagnostics(), DiagnosticId::location_unreadable)) said.push_back(text);
  return {sink.records, said};
}

// Whatever stands there: an end, at most one complaint, the same events in whatever turns, and before the byte those of
// the undamaged file.
TEST(damaged_bytes, each_byte_of_a_file) {
  const TraceCopy trace("shmem");
  const Archive archive(trace.anchor());
  const LocationId loc{0u};
  const fs::path file = archive.event_file(loc);
  const std::string bytes = TemporaryFolder::read(file);
  const auto whole = read_one(archive, loc, 1000).first;
  ASSERT_GT(whole.size(), 50u);
  std::size_t told = 0, different = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    TemporaryFolder::write(file, bytes.substr(0, at));
    const auto before = read_one(archive, loc, 1000).first;
    for (const int value : {0, 2, 6, 255, bytes[at] ^ 1, bytes[at] ^ 0x80}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(value);
      TemporaryFolder::write(file, damaged);
      const auto once = read_one(archive, loc, 1000);
      ASSERT_LE(once.second.size(), 1u) << at << " " << value;
      if (at % 4 == 0) {
        ASSERT_TRUE(once == read_one(archive, loc, 3)) << at << " " << value;
      }
      ASSERT_LE(before.size(), once.first.size()) << at << " " << value;
      ASSERT_TRUE(std::equal(before.begin(), before.end(), once.first.begin())) << at << " " << value;
      told += !once.second.empty();
      different += once.first != whole;
    }
  }
  EXPECT_GT(different, 4 * bytes.size());
  EXPECT_GT(told, bytes.size());
}

// Fields that reach beyond the end of their record, in the middle of a chunk and at its end.
TEST(damaged_bytes, records_shorter_than_their_fields) {
  const TraceCopy trace("shmem");
  const Archive archive(trace.anchor());
  const LocationId loc{0u};
  const std::string begin = std::string("\3\x42", 2) + std::string(16, '\0') + '\5' + std::string(8, '\1');
  for (const std::size_t behind : {0u, 1000u}) {
    const std::string send = std::string("\x0e\4\0\0\0\0", 6), end = std::string(behind, '\0') + "\2\1";
    TemporaryFolder::write(archive.event_file(loc), begin + send + end);
    const auto whole = read_one(archive, loc, 1000);
    EXPECT_EQ(whole.first.size(), 1u);
    EXPECT_TRUE(whole.second.empty() || behind != 0);
    TemporaryFolder::write(archive.event_file(loc), begin + "\x0e\3" + send.substr(2) + end);
    const auto shorter = read_one(archive, loc, 1000);
    EXPECT_TRUE(shorter.first.empty());
    ASSERT_EQ(shorter.second.size(), 1u);
    EXPECT_TRUE(shorter.second[0].ends_with(": a record with invalid contents")) << shorter.second[0];
  }
}

TEST(damaged_bytes, a_file_that_shrinks_while_it_is_read) {
  const TraceCopy trace("lammps");
  const Archive archive(trace.anchor());
  const LocationId loc{0u};
  const fs::path file = archive.event_file(loc);
  const auto whole = read_one(archive, loc, 1000).first;
  for (const std::uintmax_t size : {0u, 100u, 20'000u}) {
    const std::string bytes = TemporaryFolder::read(file);
    EventReader<Sink> reader(archive, std::span(&loc, 1), true);
    Sink sink;
    ASSERT_EQ(reader.read(loc, sink, 100), 100u);
    fs::resize_file(file, size);
    reader.read(loc, sink, 1'000'000);
    ASSERT_TRUE(reader.at_end(loc));
    ASSERT_LT(sink.records.size(), whole.size());
    EXPECT_TRUE(std::equal(sink.records.begin(), sink.records.end(), whole.begin()));
    const auto said = texts(reader.diagnostics(), DiagnosticId::location_truncated);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find(": the file ends"), std::string::npos) << said[0];
    TemporaryFolder::write(file, bytes);
  }
}

TEST(damaged_bytes, a_file_that_cannot_be_opened) {
  const TraceCopy trace("p2p");
  const fs::path file = trace / "traces/1.evt";
  fs::remove(file);
  fs::create_symlink(file, file);
  const Everything all{Archive(trace.anchor())};
  EXPECT_EQ(texts(all.diagnostics, DiagnosticId::location_unreadable),
            std::vector{file.string() + ": Too many levels of symbolic links"});
  EXPECT_FALSE(all.sinks[2].records.empty());
}

// Fewer descriptors than wanted files: the reader closes its own, no location is lost.
TEST(descriptors, fewer_than_wanted) {
  const Archive archive(recorded("hybrid_tasks"));
  const Everything whole(archive);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ASSERT_GE(next, 0);
  ::close(next);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next) + 2;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const Everything limited(archive, 50, 64);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  for (std::size_t i = 0; i < whole.sinks.size(); ++i)
    EXPECT_TRUE(limited.sinks[i].records == whole.sinks[i].records) << i;
  EXPECT_EQ(texts(limited.diagnostics, DiagnosticId::local_definitions_unreadable), std::vector<std::string>{});
}

TEST(names, a_trace_on_an_odd_path) {
  const TraceCopy trace("hybrid");
  const Everything expected{Archive(trace.anchor())};
  for (const std::string& odd :
       std::vector<std::string>{"a b", "line\nbreak", "100%s%n", "\xc3\xa4\xff", "-x", std::string(200, 'l')}) {
    const TemporaryFolder folder;
    fs::create_directories(folder / odd / odd);
    fs::copy(trace.path(), folder / odd / odd, fs::copy_options::recursive);
    const Everything all{Archive(folder / odd / odd / "traces.otf2")};
    for (std::size_t i = 0; i < expected.sinks.size(); ++i)
      EXPECT_TRUE(all.sinks[i].records == expected.sinks[i].records) << odd << " " << i;
    EXPECT_FALSE(all.diagnostics.any(DiagnosticSeverity::loss)) << odd;
  }
}

}  // namespace
}  // namespace waitstate::otf2::test
