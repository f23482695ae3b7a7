// Our decoder delivers what the OTF2 library delivers: event by event, every time, attribute and listed attribute, of
// the recorded traces, of archives with everything that OTF2 can write, and of random event files under random local
// definitions. WAITSTATE_RANDOM_CASES and WAITSTATE_RANDOM_SEED ask for more and for other random archives.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <tuple>

#include "all_events/everything.hpp"
#include "all_events/variants.hpp"
#include "otf2/event_file_writer.hpp"
#include "otf2/library_events.hpp"

namespace waitstate::otf2::test {
namespace {

std::string text(const Sink::Record& r) {
  std::string result(name(r.type));
  result += " at " + std::to_string(r.time);
  for (const std::uint64_t a : r.attributes) result += " " + std::to_string(a);
  for (const Value& v : r.tail)
    result += " (" + std::to_string(static_cast<int>(v.type)) + " " + std::to_string(v.bits) + ")";
  for (const ListedAttribute& a : r.list)
    result += " [" + std::to_string(a.attribute.value) + " " + std::to_string(static_cast<int>(a.value.type)) + " " +
              std::to_string(a.value.bits) + "]";
  return result;
}

// The first difference, if there is one.
void expect_same(const std::vector<Sink>& ours, const std::vector<Sink>& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t loc = 0; loc < ours.size(); ++loc) {
    const auto &a = ours[loc].records, &b = theirs[loc].records;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      ASSERT_TRUE(a[i] == b[i]) << "location " << loc << " event " << i << "\nours   " << text(a[i]) << "\ntheirs "
                                << text(b[i]);
    ASSERT_EQ(a.size(), b.size()) << "location " << loc;
  }
}

/// Compares all events of an archive, however they are read; returns their number.
std::size_t compare(const fs::path& anchor, std::initializer_list<std::size_t> turns = {100000, 1, 2, 7, 1000}) {
  const Archive archive(anchor);
  const LibraryEvents theirs(archive);
  EXPECT_EQ(theirs.complaints, std::vector<std::string>{}) << "not a valid archive";
  std::size_t n = 0;
  for (const Sink& sink : theirs.sinks) n += sink.records.size();
  for (const std::size_t turn : turns) {
    if (n / turn > 500'000) continue;  // takes too long
    const Everything ours(archive, turn, turn % 2 == 0 ? 64 : 1);
    expect_same(ours.sinks, theirs.sinks);
    EXPECT_EQ(texts(ours.diagnostics, DiagnosticId::location_truncated), std::vector<std::string>{});
    EXPECT_EQ(texts(ours.diagnostics, DiagnosticId::location_unreadable), std::vector<std::string>{});
    EXPECT_EQ(ours.diagnostics[DiagnosticId::undefined_reference].count, theirs.undefined);
    EXPECT_EQ(ours.diagnostics[DiagnosticId::peer_unknown].count, theirs.unknown_peers);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << anchor << ", in turns of " << turn;
      break;
    }
  }
  return n;
}

TEST(library_events, recorded_traces) {
  std::size_t traces = 0;
  for (const auto& folder : fs::directory_iterator(WAITSTATE_TRACES)) {
    if (!fs::exists(recorded(folder.path().filename()))) continue;
    ++traces;
    EXPECT_GT(compare(recorded(folder.path().filename()), {100000, 1, 77}), 30u);
  }
  EXPECT_GT(traces, 10u);
}

TEST(library_events, archives_with_everything) {
  for (const all_events::Variant& variant : all_events::variants()) {
    if (variant.name == "no_event_file") continue;  // the library fails there
    const TemporaryFolder folder;
    variant.write(folder.path());
    for (const auto& file : fs::directory_iterator(folder.path())) {
      if (file.path().extension() != ".otf2") continue;
      EXPECT_GE(compare(file.path()), 14u) << variant.name;
    }
  }
}

std::uint32_t from_environment(const char* name, std::uint32_t value) {
  const char* const given = std::getenv(name);
  return given == nullptr ? value : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
}

/// An archive with all definitions of all_events, whose events and local definitions are chance.
class RandomArchive : public TemporaryFolder {
 public:
  explicit RandomArchive(std::uint32_t seed)
      : random_(seed), archive_(std::make_unique<all_events::Archive>(path(), "traces")) {
    all_events::define_everything(*archive_, definitions_);
    for (const OTF2_LocationRef ref : locations) {
      archive_->events(ref);
      archive_->local_definitions(ref, [this](OTF2_DefWriter* w) { local_definitions(w); });
    }
  }
  static constexpr OTF2_LocationRef locations[] = {all_events::rank0,           all_events::rank0_thread,
                                                   all_events::rank1,           all_events::rank1_thread,
                                                   all_events::stream_location, all_events::metric_location};

  fs::path close() {
    archive_->close(definitions_);
    archive_.reset();  // writes the anchor
    return path() / "traces.otf2";
  }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  OTF2_EvtWriter* writer(OTF2_LocationRef ref) { return OTF2_Archive_GetEvtWriter(archive_->handle(), ref); }
  fs::path file(OTF2_LocationRef ref) const { return path() / "traces" / (std::to_string(ref) + ".evt"); }

  void local_definitions(OTF2_DefWriter* w) {
    // Offsets of any number, drifting either way; events begin at 1000 and go on for some millions of ticks.
    std::uint64_t time = below(2) == 0 ? 0 : 1 + below(5000);
    std::uint64_t n = below(5);
    if (n == 4) n = 200;
    for (; n != 0; --n, time += 1 + below(below(2) == 0 ? 100 : 100000)) {
      const auto offset = static_cast<std::int64_t>(below(1'000'000)) - 500'000;
      all_events::check(OTF2_DefWriter_WriteClockOffset(w, time, offset, 0.0), "a clock offset");
      if (below(10) == 0)  // not after the one before: refused
        all_events::check(OTF2_DefWriter_WriteClockOffset(w, time - below(time + 1), 77, 0.0), "a clock offset");
    }
    for (OTF2_MappingType kind = 0; kind < OTF2_MAPPING_MAX; ++kind) {
      const std::uint64_t shape = below(3);
      if (shape == 0) continue;
      const std::uint64_t size = 1 + below(40);
      OTF2_IdMap* const map =
          OTF2_IdMap_Create(shape == 1 ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, static_cast<std::uint32_t>(size));
      std::uint64_t local = 0;
      for (std::uint64_t i = 0; i < size; ++i, ++local) {
        if (shape == 2 && below(3) == 0) local += below(2) == 0 ? 2 : 2 * below(500'000);  // missing
        if (kind != OTF2_MAPPING_ATTRIBUTE)
          OTF2_IdMap_AddIdPair(map, local, below(30) + (below(10) == 0 ? random_() * below(1u << 31) : 0));
        else if (shape == 1)  // the library reads no list in which one attribute is twice: exchanged only
          OTF2_IdMap_AddIdPair(map, local, size - 1 - local);
        else
          OTF2_IdMap_AddIdPair(map, local, local + 1), ++local, OTF2_IdMap_AddIdPair(map, local, local - 1);
      }
      all_events::check(OTF2_DefWriter_WriteMappingTable(w, kind, map), "a mapping table");
      OTF2_IdMap_Free(map);
    }
  }

 private:
  std::mt19937 random_;
  std::unique_ptr<all_events::Archive> archive_;
  all_events::Definitions definitions_;
};

// Every byte order, number, attribute, chunk.
TEST(library_events, random_event_files) {
  const std::uint32_t first = from_environment("WAITSTATE_RANDOM_SEED", 1);
  const std::uint32_t cases = from_environment("WAITSTATE_RANDOM_CASES", 3);
  for (std::uint32_t seed = first; seed < first + cases && !HasFailure(); ++seed) {
    RandomArchive archive(seed);
    const fs::path anchor = archive.close();
    std::size_t written = 0;
    for (const OTF2_LocationRef ref : RandomArchive::locations) {
      EventFileWriter file(static_cast<std::uint32_t>(archive.below(1u << 31)), archive.below(2) == 0, 256 * 1024);
      if (archive.below(2) == 0)  // each type at least once
        for (int type = first_event_record; type < first_newer_record; ++type) file.event(type);
      const std::uint64_t fill = archive.below(3);  // chunks full to the last byte, or to the last but one
      for (std::uint64_t n = archive.below(2) == 0 ? archive.below(300) : archive.below(20000), i = 0; i < n; ++i) {
        file.event();
        if (fill != 0 && i % 1000 == 999) file.fill_chunk(fill);
      }
      if (archive.below(2) == 0) file.fill_chunk(1);  // the file's end mark is the last byte of a chunk
      TemporaryFolder::write(archive.file(ref), file.finish());
      written += file.written();
    }
    EXPECT_EQ(compare(anchor), written);
    if (HasFailure()) ADD_FAILURE() << "seed " << seed;
  }
}

template <class T>
T random_number(RandomArchive& from) {
  const std::uint64_t size = from.below(sizeof(T) + 2);
  if (from.below(2) == 0) return static_cast<T>(from.below(30));
  if (size > sizeof(T)) return static_cast<T>(~std::uint64_t{0});
  return static_cast<T>(size == 0 ? 0 : (from.below(1u << 31) << 33 | from.below(1u << 31) << 2) >> (64 - 8 * size));
}
template <class... Fields>
void write_event(RandomArchive& from, OTF2_EvtWriter* w, OTF2_TimeStamp time,
                 OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Fields...)) {
  const std::tuple<Fields...> fields{random_number<Fields>(from)...};
  std::apply([&](auto... f) { all_events::check(write(w, nullptr, time, f...), "an event"); }, fields);
}
void write_event(RandomArchive& from, OTF2_EvtWriter* w, OTF2_TimeStamp time,
                 OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, OTF2_StringRef,
                                         std::uint32_t, const OTF2_StringRef*)) {
  std::vector<OTF2_StringRef> arguments(from.below(10) == 0 ? 20000 : from.below(5));
  for (OTF2_StringRef& a : arguments) a = random_number<OTF2_StringRef>(from);
  all_events::check(write(w, nullptr, time, random_number<OTF2_StringRef>(from),
                          static_cast<std::uint32_t>(arguments.size()), arguments.data()),
                    "an event");
}
void write_event(RandomArchive& from, OTF2_EvtWriter* w, OTF2_TimeStamp time,
                 OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, OTF2_MetricRef,
                                         std::uint8_t, const OTF2_Type*, const OTF2_MetricValue*)) {
  constexpr OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};
  std::vector<OTF2_Type> type(from.below(256));
  std::vector<OTF2_MetricValue> value(type.size());
  for (std::size_t i = 0; i < type.size(); ++i) {
    type[i] = types[from.below(3)];
    value[i].unsigned_int = random_number<std::uint64_t>(from);
  }
  all_events::check(write(w, nullptr, time, random_number<OTF2_MetricRef>(from), static_cast<std::uint8_t>(type.size()),
                          type.data(), value.data()),
                    "an event");
}

// Files that OTF2's writer makes from any values.
TEST(library_events, random_events_of_the_librarys_writer) {
  const std::uint32_t first = from_environment("WAITSTATE_RANDOM_SEED", 1);
  for (std::uint32_t seed = first; seed < first + 3 && !HasFailure(); ++seed) {
    RandomArchive archive(seed);
    std::size_t written = 0;
    for (const OTF2_LocationRef ref : RandomArchive::locations) {
      OTF2_EvtWriter* const w = archive.writer(ref);
      OTF2_TimeStamp time = 1000;
      for (int i = 0; i < 20; ++i) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // old traces hold such records
#define WRITE(Name)                             \
  if (std::string_view(#Name) != "BufferFlush") \
    write_event(archive, w, time += archive.below(3) * 500, &OTF2_EvtWriter_##Name), ++written;
        OTF2_EVENTS(WRITE)
#undef WRITE
#pragma GCC diagnostic pop
      }
    }
    EXPECT_EQ(compare(archive.close()), written);
    if (HasFailure()) ADD_FAILURE() << "seed " << seed;
  }
}

}  // namespace
}  // namespace waitstate::otf2::test
