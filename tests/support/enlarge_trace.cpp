// enlarge_trace: writes a recorded trace N times behind itself, so that real traces can be measured at any size.
//
// Every location's events are repeated from the first to the last, each time later by the length of the whole run: the
// result reads as N runs of the program one after the other under the same definitions. Messages, collective operations
// and requests of a run that was recorded completely meet within their repetition, so every severity, count and visit
// is exactly N times that of the recorded trace. Edges: MPI_Init and MPI_Finalize are judged once in a trace, and the
// acquisitions of a lock, which recorders number, are numbered anew in each repetition, so lock contention is not N
// times that of one; what the recorded run left open (a message never received, a request never completed, a region
// never left) is open when the next repetition begins, and may meet its events.
//
// Records are copied by one template each for events and definitions, because OTF2's callbacks and writers take the
// same parameters. The library applies id maps and clock offsets on reading, so the result's local definitions are
// empty; markers, snapshots, thumbnails and trace properties are not copied. Memory: one chunk a file, a location at a
// time.
#include <otf2/otf2.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "otf2_records.hpp"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // old records are copied as they are

namespace {

namespace fs = std::filesystem;

void check(OTF2_ErrorCode code, const std::string& doing) {
  if (code != OTF2_SUCCESS) throw std::runtime_error(doing + ": " + OTF2_Error_GetDescription(code));
}

template <auto release>
struct Release {
  void operator()(auto* p) const { release(p); }
};
template <class T, auto release>
using Owned = std::unique_ptr<T, Release<release>>;
using Reader = Owned<OTF2_Reader, OTF2_Reader_Close>;
using Archive = Owned<OTF2_Archive, OTF2_Archive_Close>;

struct Run {
  OTF2_TimeStamp begin = ~OTF2_TimeStamp{0}, end = 0;
  std::vector<OTF2_LocationRef> locations;
  std::map<OTF2_LocationRef, std::uint64_t> events;  ///< number of events of one repetition
};

/// The library is C, so nothing may be thrown through it: the first error is kept and ends the reading.
struct Copy {
  OTF2_ErrorCode error = OTF2_SUCCESS;
  OTF2_EvtWriter* events = nullptr;
  OTF2_GlobalDefWriter* definitions = nullptr;
  OTF2_TimeStamp shift = 0;
  std::uint64_t repetitions = 1;
  Run* run = nullptr;

  OTF2_CallbackCode look(OTF2_TimeStamp t) const {
    run->begin = std::min(run->begin, t);
    run->end = std::max(run->end, t);
    return OTF2_CALLBACK_SUCCESS;
  }
  OTF2_CallbackCode note(OTF2_ErrorCode code) {
    if (error == OTF2_SUCCESS) error = code;
    return code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
  }
};
Copy& self(void* user) { return *static_cast<Copy*>(user); }

// ---- events ----

template <auto write>
struct Event;
template <class... A, OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, A...)>
struct Event<write> {
  static OTF2_CallbackCode look(OTF2_LocationRef, OTF2_TimeStamp t, std::uint64_t, void* user, OTF2_AttributeList*,
                                A...) {
    return self(user).look(t);
  }
  static OTF2_CallbackCode copy(OTF2_LocationRef, OTF2_TimeStamp t, std::uint64_t, void* user, OTF2_AttributeList* list,
                                A... a) {
    Copy& c = self(user);
    return c.note(write(c.events, list, t + c.shift, a...));
  }
};
template <>
struct Event<OTF2_EvtWriter_BufferFlush> {  // its attribute is a time, too
  static OTF2_CallbackCode look(OTF2_LocationRef, OTF2_TimeStamp t, std::uint64_t, void* user, OTF2_AttributeList*,
                                OTF2_TimeStamp) {
    return self(user).look(t);
  }
  static OTF2_CallbackCode copy(OTF2_LocationRef, OTF2_TimeStamp t, std::uint64_t, void* user, OTF2_AttributeList* list,
                                OTF2_TimeStamp stop) {
    Copy& c = self(user);
    return c.note(OTF2_EvtWriter_BufferFlush(c.events, list, t + c.shift, stop + c.shift));
  }
};

using EventCallbacks = Owned<OTF2_EvtReaderCallbacks, OTF2_EvtReaderCallbacks_Delete>;
EventCallbacks looking() {
  EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New());
#define X(record) OTF2_EvtReaderCallbacks_Set##record##Callback(callbacks.get(), Event<OTF2_EvtWriter_##record>::look);
  OTF2_EVENTS(X)
#undef X
  return callbacks;
}
EventCallbacks copying() {
  EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New());
#define X(record) OTF2_EvtReaderCallbacks_Set##record##Callback(callbacks.get(), Event<OTF2_EvtWriter_##record>::copy);
  OTF2_EVENTS(X)
#undef X
  return callbacks;
}

/// Reads all events of a location once; returns their number.
std::uint64_t read_events(OTF2_Reader* reader, OTF2_LocationRef location, const EventCallbacks& callbacks, Copy& copy) {
  const std::string where = "location " + std::to_string(location);
  OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader, location);
  if (!events) throw std::runtime_error(where + ": its event file cannot be opened");
  check(OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks.get(), &copy), "registering callbacks");
  std::uint64_t count = 0;
  const OTF2_ErrorCode status = OTF2_Reader_ReadAllLocalEvents(reader, events, &count);
  check(copy.error, where + ": writing events");
  check(status, where + ": reading events");
  check(OTF2_Reader_CloseEvtReader(reader, events), where + ": closing the event file");
  return count;
}

// ---- definitions ----

template <auto write>
struct Definition;
template <class... A, OTF2_ErrorCode (*write)(OTF2_GlobalDefWriter*, A...)>
struct Definition<write> {
  static OTF2_CallbackCode copy(void* user, A... a) { return self(user).note(write(self(user).definitions, a...)); }
};
template <>
struct Definition<OTF2_GlobalDefWriter_WriteClockProperties> {
  static OTF2_CallbackCode copy(void* user, std::uint64_t resolution, std::uint64_t, std::uint64_t,
                                std::uint64_t date) {
    Copy& c = self(user);
    const std::uint64_t length = c.run->end - c.run->begin + 1;
    return c.note(OTF2_GlobalDefWriter_WriteClockProperties(c.definitions, resolution, c.run->begin,
                                                            c.repetitions * length, date));
  }
};
template <>
struct Definition<OTF2_GlobalDefWriter_WriteLocation> {
  static OTF2_CallbackCode copy(void* user, OTF2_LocationRef location, OTF2_StringRef name, OTF2_LocationType type,
                                std::uint64_t, OTF2_LocationGroupRef group) {
    Copy& c = self(user);
    return c.note(OTF2_GlobalDefWriter_WriteLocation(c.definitions, location, name, type,
                                                     c.repetitions * c.run->events[location], group));
  }
};

OTF2_CallbackCode collect_location(void* user, OTF2_LocationRef location, OTF2_StringRef, OTF2_LocationType,
                                   std::uint64_t, OTF2_LocationGroupRef) {
  self(user).run->locations.push_back(location);
  return OTF2_CALLBACK_SUCCESS;
}

using DefinitionCallbacks = Owned<OTF2_GlobalDefReaderCallbacks, OTF2_GlobalDefReaderCallbacks_Delete>;

void read_definitions(OTF2_Reader* reader, const DefinitionCallbacks& callbacks, Copy& copy) {
  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (!definitions) throw std::runtime_error("the global definitions cannot be opened");
  check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks.get(), &copy), "registering callbacks");
  std::uint64_t read = 0;
  const OTF2_ErrorCode status = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
  check(copy.error, "writing definitions");
  check(status, "reading the global definitions");
  check(OTF2_Reader_CloseGlobalDefReader(reader, definitions), "closing the global definitions");
}

Reader open_reader(const std::string& trace) {
  Reader reader(OTF2_Reader_Open(trace.c_str()));
  if (!reader) throw std::runtime_error(trace + ": cannot be opened, expected the anchor file of an OTF2 archive");
  check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), "setting up the reader");
  return reader;
}

/// Locations of the trace; afterwards the reader is ready for their events, in global numbers and corrected times.
void read_locations(OTF2_Reader* reader, Copy& copy) {
  const DefinitionCallbacks callbacks(OTF2_GlobalDefReaderCallbacks_New());
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks.get(), collect_location);
  read_definitions(reader, callbacks, copy);
  for (const OTF2_LocationRef l : copy.run->locations)
    check(OTF2_Reader_SelectLocation(reader, l), "selecting a location");
  if (OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS) {  // an archive need not have any
    for (const OTF2_LocationRef l : copy.run->locations) {
      OTF2_DefReader* const local = OTF2_Reader_GetDefReader(reader, l);
      std::uint64_t read = 0;
      if (!local) continue;
      check(OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read), "reading local definitions");
      OTF2_Reader_CloseDefReader(reader, local);
    }
    OTF2_Reader_CloseDefFiles(reader);
  }
  check(OTF2_Reader_OpenEvtFiles(reader), "opening the event files");
}

// ---- the result ----

OTF2_FlushType pre_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

Archive create_archive(OTF2_Reader* reader, const std::string& folder) {
  if (fs::exists(fs::path(folder) / "traces.otf2"))
    throw std::runtime_error(folder + " already holds traces.otf2, remove it or choose another directory");
  fs::create_directories(folder);
  std::uint64_t event_chunk = 0, definition_chunk = 0;
  check(OTF2_Reader_GetChunkSize(reader, &event_chunk, &definition_chunk), "reading the anchor");
  Archive archive(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk, definition_chunk,
                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
  if (!archive) throw std::runtime_error("cannot create an archive in " + folder);
  static constexpr OTF2_FlushCallbacks flush{pre_flush, nullptr};
  check(OTF2_Archive_SetFlushCallbacks(archive.get(), &flush, nullptr), "setting up the archive");
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive.get()), "setting up the archive");
  check(OTF2_Archive_SetCreator(archive.get(), "waitstate enlarge_trace"), "setting up the archive");
  return archive;
}

/// Empty ones, as readers expect a file for every location.
void write_local_definitions(OTF2_Archive* archive, const Run& run) {
  check(OTF2_Archive_OpenDefFiles(archive), "opening the local definitions");
  for (const OTF2_LocationRef l : run.locations) {
    OTF2_DefWriter* const writer = OTF2_Archive_GetDefWriter(archive, l);
    if (!writer) throw std::runtime_error("cannot create the local definitions of location " + std::to_string(l));
    check(OTF2_Archive_CloseDefWriter(archive, writer), "closing the local definitions");
  }
  check(OTF2_Archive_CloseDefFiles(archive), "closing the local definitions");
}

void enlarge(const std::string& trace, const std::string& folder, std::uint64_t repetitions) {
  const Reader reader = open_reader(trace);
  Run run;
  Copy copy;
  copy.run = &run;
  copy.repetitions = repetitions;
  read_locations(reader.get(), copy);
  std::uint64_t events = 0;
  const EventCallbacks look = looking();
  for (const OTF2_LocationRef l : run.locations) events += run.events[l] = read_events(reader.get(), l, look, copy);
  if (events == 0) throw std::runtime_error(trace + ": no events, nothing to repeat");

  const Archive archive = create_archive(reader.get(), folder);
  check(OTF2_Archive_OpenEvtFiles(archive.get()), "opening the event files");
  const EventCallbacks copies = copying();
  for (const OTF2_LocationRef l : run.locations) {
    copy.events = OTF2_Archive_GetEvtWriter(archive.get(), l);
    if (!copy.events) throw std::runtime_error("cannot create the event file of location " + std::to_string(l));
    copy.shift = 0;
    for (std::uint64_t i = 0; i < repetitions; ++i, copy.shift += run.end - run.begin + 1)
      read_events(reader.get(), l, copies, copy);
    check(OTF2_Archive_CloseEvtWriter(archive.get(), copy.events), "closing an event file");
  }
  check(OTF2_Archive_CloseEvtFiles(archive.get()), "closing the event files");
  write_local_definitions(archive.get(), run);

  const Reader again = open_reader(trace);  // definitions can be read once per reader
  const DefinitionCallbacks callbacks(OTF2_GlobalDefReaderCallbacks_New());
#define X(record)                                                      \
  OTF2_GlobalDefReaderCallbacks_Set##record##Callback(callbacks.get(), \
                                                      Definition<OTF2_GlobalDefWriter_Write##record>::copy);
  OTF2_GLOBAL_DEFINITIONS(X)
#undef X
  copy.definitions = OTF2_Archive_GetGlobalDefWriter(archive.get());
  if (!copy.definitions) throw std::runtime_error("cannot create the global definitions in " + folder);
  read_definitions(again.get(), callbacks, copy);
  check(OTF2_Archive_CloseGlobalDefWriter(archive.get(), copy.definitions), "closing the definitions");
  std::printf("%zu locations, %llu events, %llu times %llu\n", run.locations.size(),
              static_cast<unsigned long long>(events * repetitions), static_cast<unsigned long long>(repetitions),
              static_cast<unsigned long long>(events));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view number = argc == 4 ? argv[3] : "";
  std::uint64_t repetitions = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), repetitions);
  if (error != std::errc{} || end != number.data() + number.size() || repetitions == 0)
    return std::fprintf(stderr,
                        "usage: enlarge_trace TRACE.otf2 OUTPUT_DIR N\n"
                        "Writes OUTPUT_DIR/traces.otf2: TRACE N times behind itself.\n"),
           2;
  try {
    enlarge(argv[1], argv[2], repetitions);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "enlarge_trace: %s\n", e.what());
    return 1;
  }
}
