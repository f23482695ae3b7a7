// raw_decode: how fast OTF2 itself decodes a trace, the yardstick for everything that reads one.
//
// Every event type has a callback that does nothing, for a callback is part of the price that any user of OTF2 pays.
// Local reading: one OTF2_Reader a thread, locations dealt round robin, each read from its first to its last event and
// closed before the next is opened (so 10,000 locations need few file handles). Local definitions are read before the
// events, since they change what decoding does (id mapping, clock offsets). --global reads through OTF2's own merge
// into one time-ordered stream, on one thread.
//
// usage: raw_decode [--threads T] [--global] [--repeat N] TRACE.otf2
// prints, for example: `events 10000000  seconds 0.412 best 0.431 median  events/s 24271844  peak_rss_kib 14264`
#include <otf2/otf2.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/otf2_records.hpp"

namespace {

/// A callback of the wanted signature that does nothing.
struct Nothing {
  template <class Result, class... Arguments>
  using Function = Result (*)(Arguments...);
  template <class Result, class... Arguments>
  operator Function<Result, Arguments...>() const {
    return [](Arguments...) -> Result { return OTF2_CALLBACK_SUCCESS; };
  }
};

void check(OTF2_ErrorCode code, const char* doing) {
  if (code != OTF2_SUCCESS) throw std::runtime_error(std::string(doing) + ": " + OTF2_Error_GetDescription(code));
}

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Reader = std::unique_ptr<OTF2_Reader, CloseReader>;

Reader open(const std::string& trace) {
  Reader reader(OTF2_Reader_Open(trace.c_str()));
  if (!reader) throw std::runtime_error(trace + ": cannot be opened, expected the anchor file of an OTF2 archive");
  check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), "setting up the reader");
  return reader;
}

using Locations = std::vector<OTF2_LocationRef>;

OTF2_CallbackCode collect_location(void* user, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType, std::uint64_t,
                                   OTF2_LocationGroupRef) {
  static_cast<Locations*>(user)->push_back(self);
  return OTF2_CALLBACK_SUCCESS;
}

Locations read_locations(OTF2_Reader* reader) {
  Locations locations;
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (!definitions) throw std::runtime_error("the archive's global definitions cannot be opened");
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)> callbacks(
      OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks.get(), collect_location);
  check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks.get(), &locations), "global definitions");
  std::uint64_t read = 0;
  check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read), "reading the global definitions");
  return locations;
}

/// Reads the local definitions of the locations; an archive need not have any.
void read_local_definitions(OTF2_Reader* reader, const Locations& locations) {
  for (const OTF2_LocationRef l : locations) check(OTF2_Reader_SelectLocation(reader, l), "selecting a location");
  if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS) return;
  for (const OTF2_LocationRef l : locations) {
    if (OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, l)) {
      std::uint64_t read = 0;
      check(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read), "reading local definitions");
      OTF2_Reader_CloseDefReader(reader, definitions);
    }
  }
  OTF2_Reader_CloseDefFiles(reader);
}

std::uint64_t decode_locations(const std::string& trace, const Locations& locations) {
  const Reader reader = open(trace);
  read_local_definitions(reader.get(), locations);
  const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
      OTF2_EvtReaderCallbacks_New(), OTF2_EvtReaderCallbacks_Delete);
#define X(event) OTF2_EvtReaderCallbacks_Set##event##Callback(callbacks.get(), Nothing());
  X(Unknown)
  OTF2_EVENTS(X)
#undef X
  std::uint64_t events = 0;
  check(OTF2_Reader_OpenEvtFiles(reader.get()), "opening the event files");
  for (const OTF2_LocationRef l : locations) {
    OTF2_EvtReader* evt = OTF2_Reader_GetEvtReader(reader.get(), l);
    if (!evt) throw std::runtime_error("location " + std::to_string(l) + ": its event file cannot be opened");
    check(OTF2_Reader_RegisterEvtCallbacks(reader.get(), evt, callbacks.get(), nullptr), "registering callbacks");
    std::uint64_t read = 0;
    check(OTF2_Reader_ReadAllLocalEvents(reader.get(), evt, &read), "reading events");
    check(OTF2_Reader_CloseEvtReader(reader.get(), evt), "closing an event file");
    events += read;
  }
  check(OTF2_Reader_CloseEvtFiles(reader.get()), "closing the event files");
  return events;
}

std::uint64_t decode_local(const std::string& trace, unsigned threads) {
  const Locations all = read_locations(open(trace).get());
  std::vector<std::uint64_t> events(threads);
  std::vector<std::exception_ptr> errors(threads);
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      try {
        Locations mine;
        for (std::size_t i = t; i < all.size(); i += threads) mine.push_back(all[i]);
        if (!mine.empty()) events[t] = decode_locations(trace, mine);
      } catch (...) {
        errors[t] = std::current_exception();
      }
    });
  for (std::thread& thread : running) thread.join();
  std::uint64_t sum = 0;
  for (unsigned t = 0; t < threads; ++t) {
    if (errors[t]) std::rethrow_exception(errors[t]);
    sum += events[t];
  }
  return sum;
}

std::uint64_t decode_global(const std::string& trace) {
  const Reader reader = open(trace);
  const Locations all = read_locations(reader.get());
  read_local_definitions(reader.get(), all);
  check(OTF2_Reader_OpenEvtFiles(reader.get()), "opening the event files");
  for (const OTF2_LocationRef l : all)
    if (!OTF2_Reader_GetEvtReader(reader.get(), l))
      throw std::runtime_error("location " + std::to_string(l) + ": its event file cannot be opened");
  OTF2_GlobalEvtReader* merged = OTF2_Reader_GetGlobalEvtReader(reader.get());
  const std::unique_ptr<OTF2_GlobalEvtReaderCallbacks, decltype(&OTF2_GlobalEvtReaderCallbacks_Delete)> callbacks(
      OTF2_GlobalEvtReaderCallbacks_New(), OTF2_GlobalEvtReaderCallbacks_Delete);
#define X(event) OTF2_GlobalEvtReaderCallbacks_Set##event##Callback(callbacks.get(), Nothing());
  X(Unknown)
  OTF2_EVENTS(X)
#undef X
  check(OTF2_Reader_RegisterGlobalEvtCallbacks(reader.get(), merged, callbacks.get(), nullptr),
        "registering callbacks");
  std::uint64_t events = 0;
  check(OTF2_Reader_ReadAllGlobalEvents(reader.get(), merged, &events), "reading events");
  OTF2_Reader_CloseGlobalEvtReader(reader.get(), merged);
  check(OTF2_Reader_CloseEvtFiles(reader.get()), "closing the event files");
  return events;
}

struct Options {
  unsigned threads = 1, repeat = 1;
  bool global = false;
  std::string trace;
};

Options parse(int argc, char** argv) {
  Options o;
  const auto positive = [&](int i) {
    unsigned value = 0;
    const std::string_view text = i < argc ? argv[i] : "";
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value == 0)
      throw std::invalid_argument(std::string(argv[i - 1]) + ": expected a number above 0, found '" +
                                  std::string(text) + "'");
    return value;
  };
  for (int i = 1; i < argc; ++i) {
    const std::string_view a = argv[i];
    if (a == "--threads")
      o.threads = positive(++i);
    else if (a == "--repeat")
      o.repeat = positive(++i);
    else if (a == "--global")
      o.global = true;
    else if (a.starts_with("--") || !o.trace.empty())
      throw std::invalid_argument("unexpected '" + std::string(a) + "'");
    else
      o.trace = a;
  }
  if (o.trace.empty())
    throw std::invalid_argument("usage: raw_decode [--threads T] [--global] [--repeat N] TRACE.otf2");
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options o = parse(argc, argv);
    std::vector<double> seconds;
    std::uint64_t events = 0;
    for (unsigned i = 0; i < o.repeat; ++i) {
      const auto start = std::chrono::steady_clock::now();
      events = o.global ? decode_global(o.trace) : decode_local(o.trace, o.threads);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("events %llu  seconds %.4f best %.4f median  events/s %.0f  peak_rss_kib %ld\n",
                static_cast<unsigned long long>(events), seconds.front(), seconds[seconds.size() / 2],
                static_cast<double>(events) / seconds[seconds.size() / 2], usage.ru_maxrss);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "raw_decode: %s\n", e.what());
    return 1;
  }
}
