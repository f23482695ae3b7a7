// Opening traces: every way to fail says its own sentence, and every oddity of recorders ends up resolved or counted.
#include "otf2/archive.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "otf2/trace_copy.hpp"

namespace waitstate::otf2::test {
namespace {

std::string message(const fs::path& trace) {
  try {
    Archive{trace};
  } catch (const TraceError& e) {
    return e.what();
  }
  return "no error";
}

// The message for a file of these bytes, without its path.
std::string message_for(const std::string& bytes) {
  const TemporaryFolder folder;
  const fs::path file = folder / "x.otf2";
  TemporaryFolder::write(file, bytes);
  return message(file).substr(file.string().size() + 2);
}

TEST(archive_errors, no_such_file) {
  EXPECT_EQ(message("/does/not/exist.otf2"),
            "/does/not/exist.otf2: no such file or folder; expected the anchor file of an OTF2 trace (traces.otf2) or "
            "its folder");
}

TEST(archive_errors, no_permission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TraceCopy trace("p2p");
  fs::permissions(trace.anchor(), fs::perms::none);
  EXPECT_EQ(message(trace.anchor()),
            trace.anchor().string() +
                ": no permission to read it; ask its owner, or copy the whole trace to a folder of yours");
}

TEST(archive_errors, folder_without_anchor) {
  const TemporaryFolder folder;
  EXPECT_EQ(message(folder.path()),
            folder.path().string() + ": the folder holds no anchor file; expected one file *.otf2 in it");
}

TEST(archive_errors, folder_of_two_traces) {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder / "b.otf2", "");
  TemporaryFolder::write(folder / "a.otf2", "");
  EXPECT_EQ(message(folder.path()),
            folder.path().string() + ": the folder holds several traces, a.otf2, b.otf2; name one of them");
  TemporaryFolder::write(folder / "c.otf2", "");
  EXPECT_EQ(message(folder.path()),
            folder.path().string() + ": the folder holds several traces, a.otf2, b.otf2 and 1 more; name one of them");
}

TEST(archive_errors, not_a_regular_file) {
  EXPECT_EQ(message("/dev/null"), "/dev/null: not a regular file; expected the anchor file of an OTF2 trace");
}

TEST(archive_errors, not_an_anchor) {
  const std::string head = "not the anchor file of an OTF2 trace: ";
  EXPECT_EQ(message_for(""), head + "it is empty");
  EXPECT_EQ(message_for("enter main\n"), head + "it looks like text");
  EXPECT_EQ(message_for("\x1f\x8b\x08 and so on"), head + "it looks like a gzip file: unpack it first");
  EXPECT_EQ(message_for("PK\x03\x04 and so on"), head + "it looks like a zip file: unpack it first");
  EXPECT_EQ(message_for("BZh9 and so on"), head + "it looks like a bzip2 file: unpack it first");
  EXPECT_EQ(message_for(std::string("\xfd"
                                    "7zXZ\0 so on",
                                    12)),
            head + "it looks like an xz file: unpack it first");
  EXPECT_EQ(message_for(std::string(257, '\0') + "ustar" + std::string(250, '\0')),
            head + "it looks like a tar file: unpack it first");
  EXPECT_EQ(message_for("\x7f"
                        "ELF and so on"),
            head + "it looks like a program");
  EXPECT_EQ(message_for(std::string("\x01\x02\x00\x04 and so on", 14)), head + "it holds other binary data");
  const fs::path events = recorded("p2p").parent_path() / "traces" / "0.evt";
  EXPECT_EQ(message(events), events.string() + ": " + head +
                                 "it looks like another file of an OTF2 trace: name the anchor, which is beside the "
                                 "folder of .evt files");
}

TEST(archive_errors, damaged_anchor) {
  const std::string good = TemporaryFolder::read(recorded("p2p"));
  EXPECT_EQ(message_for(good.substr(0, 30)), "the anchor file is damaged: it ends after 30 bytes");
  std::string bytes = good;
  bytes[15] = '\x7f';  // part of the event chunk size, which begins at 12
  EXPECT_EQ(message_for(bytes),
            "the anchor file is damaged: it gives a chunk size of 2131755008 bytes; expected 256 KiB to 16 MiB");
}

TEST(archive_errors, other_substrates_and_versions) {
  const std::string good = TemporaryFolder::read(recorded("p2p"));
  std::string bytes = good;
  bytes[28] = 2;
  EXPECT_EQ(message_for(bytes),
            "the trace is stored in SIONlib files; expected a file for each location: record it again with a recorder "
            "that uses the POSIX substrate");
  bytes[28] = 9;
  EXPECT_EQ(message_for(bytes), "the anchor file is damaged: it names the unknown file substrate 9");
  bytes = good;
  bytes[29] = 2;
  EXPECT_EQ(message_for(bytes),
            "the trace is compressed inside OTF2, which OTF2 itself dropped in version 3; expected uncompressed files: "
            "rewrite it with the tools of OTF2 2");
  bytes = good;
  bytes[8] = 3;
  bytes[9] = 5;
  EXPECT_EQ(message_for(bytes),
            "written by OTF2 5.0.3 in trace format 3; this program reads formats up to 2 (OTF2 1 to 3): use a newer "
            "version of waitstate");
}

TEST(archive_errors, missing_or_empty_definitions) {
  const TraceCopy trace("p2p");
  const std::string def = (trace / "traces.def").string();
  TemporaryFolder::write(def, "");
  EXPECT_EQ(message(trace.anchor()),
            def + ": the global definitions contain no location, so there are no events to read: the file is empty");
  fs::remove(def);
  EXPECT_EQ(message(trace.anchor()),
            def +
                ": the global definitions are missing; expected this file beside the anchor traces.otf2: copy the "
                "whole trace");
}

TEST(archive, opens_a_folder_and_an_anchor_of_any_name) {
  const TraceCopy trace("p2p");
  EXPECT_EQ(Archive(trace.path()).definitions().locations.size(), 4u);
  for (const char* name : {"renamed", "traces.otf2.saved"}) {
    const bool same_base = std::string(name) != "renamed";
    fs::copy_file(trace.anchor(), trace / name);
    if (same_base)
      EXPECT_EQ(Archive(trace / name).definitions().locations.size(), 4u) << name;
    else
      EXPECT_NE(message(trace / name).find("renamed.def: the global definitions are missing"), std::string::npos);
  }
}

TEST(archive, definitions_of_a_recorded_trace) {
  const Archive archive(recorded("p2p"));
  const Definitions& d = archive.definitions();
  EXPECT_EQ(d.recorder.creator, "Score-P 8.4");
  EXPECT_EQ(d.recorder.version, "3.0.3");
  EXPECT_EQ(d.recorder.properties.size(), 5u);
  EXPECT_EQ(d.clock.resolution, 2596143954u);
  EXPECT_EQ(d.clock.offset, 7658017911200u);
  EXPECT_EQ(d.clock.length, 1350841014);
  ASSERT_EQ(d.processes.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(d.processes[static_cast<std::size_t>(i)].rank, i);
  EXPECT_EQ(d.regions[0].name, "MEASUREMENT OFF");
  EXPECT_EQ(d.regions[3].name, "main");
  EXPECT_EQ(d.regions[3].paradigm, Paradigm::compiler);
  ASSERT_EQ(d.paradigms.size(), 1u);
  EXPECT_EQ(d.paradigms[0].properties.size(), 2u);
  EXPECT_EQ(d.paradigms[0].properties[0].name, "comm_name_template");
  EXPECT_FALSE(archive.diagnostics().any(DiagnosticSeverity::loss));
  EXPECT_FALSE(archive.diagnostics().any(DiagnosticSeverity::odd));
}

// EZTrace defines everything once per process, two groups under one number, and numbers from 2^30/processes on.
TEST(archive, resolves_what_eztrace_writes) {
  const Archive archive(recorded("eztrace_late"));
  const Definitions& d = archive.definitions();
  ASSERT_EQ(d.locations.size(), 2u);
  EXPECT_EQ(d.locations[1].ref, 1073741823u);
  EXPECT_EQ(d.processes[1].rank, 1);
  EXPECT_EQ(d.groups.size(), 7u);
  EXPECT_EQ(archive.diagnostics()[DiagnosticId::duplicate_definition].count, 1u);
  EXPECT_EQ(archive.diagnostics()[DiagnosticId::undefined_reference].count, 0u);
  EXPECT_EQ(d.groups[d.comms[0].group.index()].type, GroupType::comm_group);
  EXPECT_EQ(d.comms[0].members, (std::vector{LocationId{0u}, LocationId{1u}}));

  // Process 0 has 9 regions and process 1 has 8, six of which are the same functions.
  EXPECT_EQ(d.regions.size(), 11u);
  const RefTable& regions = archive.references()[RefKind::region];
  EXPECT_EQ(regions.find(5), regions.find(1073741828)) << "MPI_Barrier";
  EXPECT_EQ(d.regions[regions.find(5)].region_class, RegionClass::mpi_sync_collective);
}

TEST(archive, truncated_definitions_are_kept_as_far_as_they_go) {
  const TraceCopy trace("p2p");
  const std::string def = (trace / "traces.def").string();
  const std::string bytes = TemporaryFolder::read(def);
  TemporaryFolder::write(def, bytes.substr(0, bytes.size() - 40));
  const Archive archive(trace.anchor());
  EXPECT_EQ(archive.definitions().locations.size(), 4u);
  ASSERT_EQ(archive.diagnostics()[DiagnosticId::definitions_damaged].count, 1u);
  const std::string text = texts(archive.diagnostics(), DiagnosticId::definitions_damaged)[0];
  EXPECT_TRUE(text.starts_with(def + ": after ")) << text;
  EXPECT_TRUE(text.ends_with(" of 568 definitions: the file ends within a record, or a record's length is wrong"))
      << text;
}

// The file with its region records as OTF2 1.0 wrote them: seven fields, the fourth of which is a byte with a type that
// says less than role and paradigm do today. MPI functions had the type "function", like those of the user.
std::size_t with_old_regions(const fs::path& file) {
  constexpr char region = 15, function = 1;
  const std::string bytes = TemporaryFolder::read(file);
  std::string old = bytes.substr(0, chunk_header_size);
  std::size_t count = 0, at = old.size();
  while (bytes[at] != mark::end_of_chunk && bytes[at] != mark::end_of_file) {
    const char type = bytes[at];
    const auto length = static_cast<std::uint8_t>(bytes[at + 1]);
    if (length == 0xff) throw std::logic_error("a record that is too long for this test");
    std::string fields = bytes.substr(at + 2, length);
    at += 2u + length;
    if (type == region) {
      std::size_t end = 0;
      const auto number = [&] {
        const auto size = static_cast<std::uint8_t>(fields[end]);
        end += 1u + (size == 0xff ? 0u : size);
      };
      for (int i = 0; i < 3; ++i) number();  // itself, name, description
      if (fields[end] == 0) fields[end] = function;
      ++end;
      for (int i = 0; i < 3; ++i) number();  // file, lines
      fields.resize(end);
      ++count;
    }
    old += type;
    old += static_cast<char>(fields.size());
    old += fields;
  }
  TemporaryFolder::write(file, old + bytes.substr(at));
  return count;
}

TEST(archive, regions_of_old_archives_are_of_the_same_classes) {
  for (const char* name :
       {"p2p", "coll", "hybrid", "hybrid_tasks", "rma", "omp_waits", "pthread_waits", "shmem_waits"}) {
    const TraceCopy trace(name);
    const Archive now(trace.anchor());
    const std::size_t records = with_old_regions(trace / "traces.def");
    const Archive old(trace.anchor());
    EXPECT_FALSE(old.diagnostics().any(DiagnosticSeverity::loss)) << name;
    ASSERT_GE(records, now.definitions().regions.size());
    for (std::uint64_t ref = 0; ref < records; ++ref) {
      const std::uint32_t a = now.references()[RefKind::region].find(ref),
                          b = old.references()[RefKind::region].find(ref);
      if (a == RefTable::none) continue;
      ASSERT_NE(b, RefTable::none) << name << ' ' << ref;
      const Region& before = now.definitions().regions[a];
      const Region& after = old.definitions().regions[b];
      EXPECT_EQ(after.name, before.name);
      EXPECT_EQ(after.canonical_name, after.name);
      EXPECT_EQ(after.file, before.file);
      EXPECT_EQ(after.begin_line, before.begin_line);
      EXPECT_EQ(after.region_class, before.region_class) << name << ' ' << before.name;
      EXPECT_EQ(after.mpi_function, before.mpi_function) << name << ' ' << before.name;
    }
  }
}

TEST(archive, a_long_text_that_many_refer_to_does_not_fill_the_memory) {
  const TraceCopy trace("p2p");
  constexpr std::size_t size = 1'000'000, comms = 1000;
  std::string more = "\x0a\xff";  // a string of that size, the length of its record in the next 8 bytes
  for (const int shift : {0, 8, 16, 24, 32, 40, 48, 56}) more += static_cast<char>((size + 5) >> shift & 0xff);
  more += std::string("\x03\x01\x02\x03", 4) + std::string(size, 'x') + '\0';
  for (std::size_t i = 0; i < comms; ++i)  // number, name, group, parent, flags
    more += std::string("\x16\x0b\x03", 3) + static_cast<char>(i & 0xff) + static_cast<char>(i >> 8) +
            std::string("\x40\x03\x01\x02\x03\x00\xff\x00", 8);
  std::string anchor = TemporaryFolder::read(trace.anchor());
  anchor.replace(20, 8, std::string("\0\0\0\1\0\0\0\0", 8));  // chunks of definitions of 16 MiB
  TemporaryFolder::write(trace.anchor(), anchor);
  std::string bytes = TemporaryFolder::read(trace / "traces.def");
  TemporaryFolder::write(trace / "traces.def", bytes.insert(bytes.rfind('\x02'), more));
  const Archive archive(trace.anchor());
  const std::vector<Comm>& all = archive.definitions().comms;
  ASSERT_GT(all.size(), comms);
  EXPECT_EQ(all[all.size() - comms].name.size(), size);
  std::size_t together = 0;
  for (const Comm& comm : all) together += comm.name.size();
  EXPECT_LT(together, 70'000'000u);
  const std::vector<std::string> told = texts(archive.diagnostics(), DiagnosticId::definitions_damaged);
  EXPECT_EQ(std::count(told.begin(), told.end(),
                       (trace / "traces.def").string() + ": definitions with 64 MiB of names, 933 of them shortened"),
            1);
}

TEST(archive, definitions_that_are_not_as_many_as_announced_are_told) {
  const TraceCopy trace("p2p");
  std::string anchor = TemporaryFolder::read(trace.anchor());
  anchor[38] = '\x39';  // the lowest byte of 568
  TemporaryFolder::write(trace.anchor(), anchor);
  const Archive archive(trace.anchor());
  EXPECT_EQ(texts(archive.diagnostics(), DiagnosticId::definitions_damaged),
            std::vector{(trace / "traces.def").string() + ": 568 definitions, where the anchor announces 569"});
}

}  // namespace
}  // namespace waitstate::otf2::test
