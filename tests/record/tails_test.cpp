// Exactly the records that were whole are recovered of a process that was killed, at any time.
#include <gtest/gtest.h>

#include <otf2/otf2.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "record/archive/archive.hpp"
#include "record/archive/tails.hpp"
#include "record/parts/event_chunk.hpp"
#include "record/parts/event_file.hpp"
#include "record/parts/pending_operation.hpp"
#include "record/run_folder.hpp"

// Sanitizers have a function of their own in its place.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define OWN_MMAP
namespace {
bool files_are_mapped = true;
}
extern "C" void* mmap(void* at, std::size_t length, int protection, int flags, int file, off_t offset) noexcept {
  if (!files_are_mapped && file >= 0) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, length, protection, flags, file, offset));
}
#endif

namespace waitstate::record {
namespace {

namespace fs = std::filesystem;

/// A process that records in FOLDER/parts/0 as the recorder does, by hand.
class Recording {
 public:
  explicit Recording(const RunFolder& run) : part_((run.path() / "parts/0").string()) {
    archive_ = OTF2_Archive_Open(part_.c_str(), "traces", OTF2_FILEMODE_WRITE, chunk_bytes, chunk_bytes,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    static const OTF2_FlushCallbacks flush = {never, nullptr};
    static const OTF2_MemoryCallbacks memory = {next, free};
    OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr);
    OTF2_Archive_SetMemoryCallbacks(archive_, &memory, this);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Archive_OpenEvtFiles(archive_);
    writer_ = OTF2_Archive_GetEvtWriter(archive_, 0);
  }
  ~Recording() {
    if (writer_ != nullptr) OTF2_Archive_CloseEvtWriter(archive_, writer_);
    OTF2_Archive_CloseEvtFiles(archive_);
    delete file_;
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The n-th record, from 1 on: of one of several kinds, short and long ones, two of each time.
  void record(std::uint64_t n) {
    const std::uint64_t time = time_of(n);
    write(n, time);
    if (n == 1) tail().first = time;
    written_at_ = time;
    tail().events = n;
  }
  static std::uint64_t time_of(std::uint64_t n) { return 1000 + n / 2 * 10; }
  /// Writes it, but does not say that it is whole.
  void write(std::uint64_t n, std::uint64_t time) {
    switch (n % 7) {
      case 0:
        OTF2_EvtWriter_Enter(writer_, nullptr, time, OTF2_UNDEFINED_UINT32);
        break;
      case 1:
        OTF2_EvtWriter_Leave(writer_, nullptr, time, static_cast<std::uint32_t>(n));
        break;
      case 2:
        OTF2_EvtWriter_MpiSend(writer_, nullptr, time, 1, 0, 255, n << 40);
        break;
      case 3: {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddUint64(attributes, 0, n << 32);
        OTF2_EvtWriter_Enter(writer_, attributes, time, 1);
        OTF2_AttributeList_Delete(attributes);
        break;
      }
      case 4:
        OTF2_EvtWriter_MpiRequestTest(writer_, nullptr, time, OTF2_UNDEFINED_UINT64);
        break;
      case 5: {  // more than 255 bytes, now and then
        const std::uint8_t count = n % 5 == 0 ? 40 : 1;
        std::vector<OTF2_Type> types(count, OTF2_TYPE_UINT64);
        std::vector<OTF2_MetricValue> values(count);
        for (OTF2_MetricValue& v : values) v.unsigned_int = ~n;
        OTF2_EvtWriter_Metric(writer_, nullptr, time, 0, count, types.data(), values.data());
        break;
      }
      default:
        OTF2_EvtWriter_ThreadFork(writer_, nullptr, time, OTF2_PARADIGM_OPENMP, 2);
    }
  }
  Tail& tail() { return file_->tail(); }
  EventFile& file() { return *file_; }
  std::uint64_t chunks() const { return chunks_; }
  /// OTF2 writes its end behind the last record.
  void close() { OTF2_Archive_CloseEvtWriter(archive_, std::exchange(writer_, nullptr)); }

 private:
  static OTF2_FlushType never(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_NO_FLUSH; }
  static void* next(void* data, OTF2_FileType, OTF2_LocationRef location, void**, std::uint64_t) {
    auto& self = *static_cast<Recording*>(data);
    if (self.file_ == nullptr) {
      self.file_ = new EventFile(self.part_, location);
    } else {
      EXPECT_TRUE(self.file_->write_chunk()) << self.file_->problem();
      self.tail().last = self.written_at_;
      ++self.chunks_;
    }
    return self.file_->chunk();
  }
  static void free(void*, OTF2_FileType, OTF2_LocationRef, void**, bool) {}

  std::string part_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_EvtWriter* writer_ = nullptr;
  EventFile* file_ = nullptr;
  std::uint64_t written_at_ = 0, chunks_ = 0;
};

/// Times of the events of thread 0 of rank 0, as OTF2 reads them.
std::vector<std::uint64_t> times_in(const RunFolder& run) {
  std::vector<std::uint64_t> times;
  OTF2_Reader* const reader = OTF2_Reader_Open((run.path() / "traces.otf2").c_str());
  if (reader == nullptr) return times;
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  OTF2_Reader_SelectLocation(reader, 0);
  OTF2_Reader_OpenEvtFiles(reader);
  OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader, 0);
  OTF2_EvtReaderCallbacks* const callbacks = OTF2_EvtReaderCallbacks_New();
  const auto note = [](void* to, std::uint64_t time) {
    static_cast<std::vector<std::uint64_t>*>(to)->push_back(time);
    return OTF2_CALLBACK_SUCCESS;
  };
  static auto* const add = +note;
  OTF2_EvtReaderCallbacks_SetEnterCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp t, uint64_t, void* to, OTF2_AttributeList*, OTF2_RegionRef) {
        return static_cast<OTF2_CallbackCode>(add(to, t));
      });
  OTF2_EvtReaderCallbacks_SetLeaveCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp t, uint64_t, void* to, OTF2_AttributeList*, OTF2_RegionRef) {
        return static_cast<OTF2_CallbackCode>(add(to, t));
      });
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp t, uint64_t, void* to, OTF2_AttributeList*, uint32_t, OTF2_CommRef,
                    uint32_t, uint64_t) { return static_cast<OTF2_CallbackCode>(add(to, t)); });
  OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp t, uint64_t, void* to, OTF2_AttributeList*, uint64_t) {
        return static_cast<OTF2_CallbackCode>(add(to, t));
      });
  OTF2_EvtReaderCallbacks_SetMetricCallback(
      callbacks,
      [](OTF2_LocationRef, OTF2_TimeStamp t, uint64_t, void* to, OTF2_AttributeList*, OTF2_MetricRef, uint8_t,
         const OTF2_Type*, const OTF2_MetricValue*) { return static_cast<OTF2_CallbackCode>(add(to, t)); });
  OTF2_EvtReaderCallbacks_SetThreadForkCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp t, uint64_t, void* to, OTF2_AttributeList*, OTF2_Paradigm,
                    uint32_t) { return static_cast<OTF2_CallbackCode>(add(to, t)); });
  OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &times);
  OTF2_EvtReaderCallbacks_Delete(callbacks);
  std::uint64_t read = 0;
  EXPECT_EQ(OTF2_Reader_ReadAllLocalEvents(reader, events, &read), OTF2_SUCCESS);
  EXPECT_EQ(read, times.size());
  OTF2_Reader_Close(reader);
  return times;
}

void expect_first(std::uint64_t count, const RunFolder& run) {
  const std::vector<std::uint64_t> times = times_in(run);
  ASSERT_EQ(times.size(), count);
  for (std::uint64_t n = 1; n <= count; ++n) ASSERT_EQ(times[n - 1], Recording::time_of(n)) << n;
}

/// The folder as it is at this moment, recovered.
Recovered recover_copy(const RunFolder& run, const RunFolder& copy) {
  fs::copy(run.path() / "parts", copy.path() / "parts",
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  return recover(copy.name());
}

TEST(Tails, ExactlyTheWholeRecordsAreThereWheneverAProcessIsKilled) {
  const RunFolder run;
  run.part(0, 1, {line_of("location", 0, "Master thread")});
  Recording recording(run);
  std::uint64_t n = 0, chunk = 0, looked_at = 0;
  while (recording.chunks() < 3) {
    recording.record(++n);
    const bool new_chunk = std::exchange(chunk, recording.chunks()) != recording.chunks();
    if (n > 8 && n % 20011 != 0 && !new_chunk) continue;
    const RunFolder copy;
    const Recovered r = recover_copy(run, copy);
    ASSERT_EQ(r.problem, "");
    EXPECT_EQ(r.events, n);
    expect_first(n, copy);
    ++looked_at;
  }
  EXPECT_GT(looked_at, 12u);
}

TEST(Tails, ARecordThatIsNotWholeIsCutOff) {
  const RunFolder run;
  run.part(0, 1, {line_of("location", 0, "Master thread")});
  Recording recording(run);
  std::uint64_t n = 0;
  for (; n < 100;) recording.record(++n);
  recording.write(n + 1, Recording::time_of(n + 1));
  {
    const RunFolder copy;
    EXPECT_EQ(recover_copy(run, copy).events, n);
    expect_first(n, copy);
  }
  for (; recording.chunks() == 0;) {  // the one that is the first of the next chunk, too
    recording.write(n + 1, Recording::time_of(n + 1));
    if (recording.chunks() != 0) break;
    recording.tail().events = ++n;
  }
  const RunFolder copy;
  EXPECT_EQ(recover_copy(run, copy).events, n);
}

TEST(Tails, ARecordingThatComesToItsEndLeavesNoTail) {
  for (const std::uint64_t count : {0, 1, 5, 100'000}) {
    const RunFolder run;
    Recording recording(run);
    for (std::uint64_t n = 1; n <= count; ++n) recording.record(n);
    recording.close();
    EXPECT_TRUE(recording.file().finish()) << recording.file().problem();
    EXPECT_FALSE(run.has("parts/0/0.tail"));
    run.part(0, 1,
             {line_of("location", 0, "Master thread"),
              line_of("events", 0, count, Recording::time_of(1), Recording::time_of(count)), "end"});
    EXPECT_EQ(recover(run.name()).events, count);
    expect_first(count, run);
  }
}

#ifdef OWN_MMAP
TEST(Tails, OnAFileSystemThatMapsNoFilesChunksAreInMemory) {
  const RunFolder run;
  files_are_mapped = false;
  Recording recording(run);
  files_are_mapped = true;
  EXPECT_FALSE(recording.file().outlives_process());
  EXPECT_FALSE(run.has("parts/0/0.tail"));
  std::uint64_t n = 0;
  while (recording.chunks() < 2 || n % 1000 != 0) recording.record(++n);
  recording.close();
  EXPECT_TRUE(recording.file().finish()) << recording.file().problem();
  run.part(0, 1,
           {line_of("location", 0, "Master thread"),
            line_of("events", 0, n, Recording::time_of(1), Recording::time_of(n)), "end"});
  EXPECT_EQ(recover(run.name()).events, n);
  expect_first(n, run);
}
#endif

TEST(Tails, CompletingMayBeInterruptedAndRepeated) {
  const RunFolder run;
  Recording recording(run);
  std::uint64_t n = 0;
  while (recording.chunks() < 2 || n % 1000 != 0) recording.record(++n);
  const std::string part = (run.path() / "parts/0").string();
  const fs::path events = run.path() / "parts/0/traces/0.evt";
  ASSERT_EQ(complete_event_files(part).tails.at(0).events, n);
  const auto size = fs::file_size(events);
  const auto text = [&] {
    std::ifstream file(events, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string whole = text();
  for (const std::uint64_t cut : {size, size - 1, size - 2, size - 1000, std::uintmax_t{2} << 20, size + 5}) {
    fs::resize_file(events, cut);
    EXPECT_EQ(complete_event_files(part).problem, "");
    EXPECT_TRUE(text() == whole) << cut;
  }
}

// A last chunk that is as good as full must not be taken for one of those before the tail's.
TEST(Tails, ALastChunkOfAnySizeIsNotAppendedTwice) {
  const RunFolder run;
  Recording recording(run);
  std::uint64_t n = 0;
  const fs::path tail = run.path() / "parts/0/0.tail";
  const std::string part = (run.path() / "parts/0").string();
  std::vector<std::uint8_t> chunk(chunk_bytes);
  const auto used = [&] {
    std::copy_n(recording.file().chunk(), chunk_bytes, chunk.begin());
    return records_of(chunk, n)->end;
  };
  while (used() + 4000 < chunk_bytes)
    for (int i = 0; i < 100; ++i) recording.record(++n);
  while (recording.chunks() == 0) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(complete_event_files(part).tails.at(0).events, n);
    EXPECT_EQ(fs::file_size(run.path() / "parts/0/traces/0.evt"), used() + 2);
    fs::remove(run.path() / "parts/0/traces/0.evt");
    recording.record(++n);
  }
}

TEST(Tails, WhatIsDamagedOrSomebodyElsesIsLeftAlone) {
  const RunFolder run;
  {
    Recording recording(run);
    for (std::uint64_t n = 1; n <= 1000; ++n) recording.record(n);
  }
  const fs::path tail = run.path() / "parts/0/0.tail", events = run.path() / "parts/0/traces/0.evt";
  const std::string part = (run.path() / "parts/0").string();
  std::ifstream file(tail, std::ios::binary);
  const std::string good(std::istreambuf_iterator<char>(file), {});
  ASSERT_EQ(complete_event_files(part).tails.size(), 1u);
  const auto with = [&](std::size_t at, std::uint8_t byte) {
    std::string bytes = good;
    bytes.at(at) = static_cast<char>(byte);
    RunFolder::write(tail, bytes);
    return complete_event_files(part);
  };
  const std::size_t page = chunk_bytes + tail_offset;
  EXPECT_TRUE(with(page + offsetof(Tail, format), 'x').tails.empty());
  EXPECT_TRUE(with(page + offsetof(Tail, number), 1).tails.empty());
  EXPECT_TRUE(with(page + offsetof(Tail, chunk), 1).tails.empty());
  EXPECT_TRUE(with(page + offsetof(Tail, events) + 6, 1).tails.empty()) << "more than a chunk can have";
  EXPECT_TRUE(with(0, 4).tails.empty());
  EXPECT_TRUE(with(2, 0).tails.empty()) << "events are counted from 1 on";
  RunFolder::write(tail, good.substr(1));
  EXPECT_TRUE(complete_event_files(part).tails.empty());
  // Every length that a byte of the first records can be made to say.
  for (std::size_t at = chunk_header_bytes; at < 300; ++at)
    for (const std::uint8_t byte : {0, 1, 2, 5, 12, 127, 255}) with(at, byte);

  RunFolder::write(tail, good);
  fs::remove(events);
  const support::TemporaryFolder beside;
  fs::create_symlink(beside.file("0.evt", "somebody else's"), events);
  EXPECT_NE(complete_event_files(part).problem, "");
  fs::remove(events);
  fs::create_hard_link(beside.path() / "0.evt", events);
  EXPECT_EQ(complete_event_files(part).problem,
            "cannot write " + events.string() + ": it is not a plain file with one name");
  EXPECT_EQ(fs::file_size(beside.path() / "0.evt"), 15u);
}

TEST(Tails, TheOldestOperationBehindEachRequestIsWhatACallWaitsFor) {
  const RunFolder run;
  Recording recording(run);
  recording.record(1);
  Waiting& w = recording.tail().waiting;
  w.what = Waiting::What::requests;
  w.region = 4;
  w.since = 900;
  w.requests = 3;
  w.request[0] = 70;
  w.request[1] = 0;  // a null request, or one that is none of ours
  w.request[2] = 80;
  std::vector<PendingOperation> operations(5);
  const auto set = [&](std::size_t i, Waiting::What what, std::uint64_t request, std::uint64_t id, std::int64_t peer) {
    operations[i].what = what;
    operations[i].communicator = 2;
    operations[i].request = request;
    operations[i].id = id;
    operations[i].peer = peer;
    operations[i].tag = 7;
  };
  set(0, Waiting::What::send, 70, 12, 1);
  set(1, Waiting::What::receive, 70, 11, 3);
  set(2, Waiting::What::nothing, 70, 1, 4);  // complete
  set(3, Waiting::What::receive, 80, 1, -1);
  set(4, Waiting::What::send, 90, 1, 5);
  const auto* const bytes = reinterpret_cast<const char*>(operations.data());
  RunFolder::write(run.path() / "parts/0" / pending_file, std::string(bytes, operations.size() * sizeof operations[0]));
  const FoundTails found = complete_event_files((run.path() / "parts/0").string());
  const std::vector<FoundWait>& waits = found.tails.at(0).waits;
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].what, Waiting::What::receive);
  EXPECT_EQ(waits[0].peer, 3);
  EXPECT_EQ(waits[0].tag, 7);
  EXPECT_EQ(waits[0].communicator, 2u);
  EXPECT_EQ(waits[0].region, 4u);
  EXPECT_EQ(waits[0].since, 900u);
  EXPECT_EQ(waits[1].peer, -1);
}

// A process that was killed has counted them in its first tail; one that came to its end has written them itself.
TEST(Tails, ErrorsAreCountedByFunction) {
  const auto errors_of = [](const std::vector<std::string>& more_lines) {
    const RunFolder run;
    std::vector<std::string> lines = {line_of("location", 0, "Master thread"), line_of("region", 3, "MPI_Send", 4, 28),
                                      line_of("region", 5, "MPI_Recv", 4, 28)};
    lines.insert(lines.end(), more_lines.begin(), more_lines.end());
    run.part(0, 1, lines);
    Recording recording(run);
    recording.record(1);
    ErrorCounts& e = recording.tail().errors;
    e.functions[0].region = 3 + 1;
    e.functions[0].calls = 2;
    e.functions[1].region = 5 + 1;
    e.functions[1].calls = 30;
    e.functions[most_failed_functions - 1].region = 4 + 1;  // nobody has defined it
    e.functions[most_failed_functions - 1].calls = 1000;
    e.others = 400;
    return recover(run.name()).errors;
  };
  EXPECT_EQ(errors_of({}), 432u);
  EXPECT_EQ(errors_of({line_of("property", "WAITSTATE::ERRORS::MPI_Send", 7)}), 7u);
}

}  // namespace
}  // namespace waitstate::record
