#include "pass/trace_probe.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "notation/document.hpp"
#include "otf2/archive.hpp"
#include "otf2/events/event_reader.hpp"
#include "pass/trace_input.hpp"

namespace waitstate::pass {
namespace {

/// Keeps the time of the earliest event that it is given.
struct EarliestTime {
  Time first = ~Time{0};
  void enter(Time t, RegionId) { first = std::min(first, t); }
  void exit(Time t, RegionId) { first = std::min(first, t); }
  void event(EventType, Time t, const std::uint64_t*, std::span<const Value>) { first = std::min(first, t); }
  void attribute_list(std::span<const ListedAttribute>) {}
};

/// Looks for attribute lists and for nothing else.
struct ListSeeker {
  bool found = false;
  void enter(Time, RegionId) {}
  void exit(Time, RegionId) {}
  void event(EventType, Time, const std::uint64_t*, std::span<const Value>) {}
  void attribute_list(std::span<const ListedAttribute> list) { found = found || !list.empty(); }
};

}  // namespace

TraceStart trace_start(const std::filesystem::path& trace) {
  EarliestTime sink;
  const auto finish = [&](const Definitions& definitions, const auto& read) {
    for (std::size_t l = 0; l < definitions.locations.size(); ++l) read(LocationId{l});
    return TraceStart{sink.first == ~Time{0} ? 0 : sink.first, definitions.clock.resolution};
  };
  if (is_notation(trace)) {
    notation::Document document = notation::Document::read(trace);
    return finish(document.definitions(), [&](LocationId l) { document.read(l, sink, 1); });
  }
  const otf2::Archive archive{trace};
  std::vector<LocationId> all;
  for (std::size_t l = 0; l < archive.definitions().locations.size(); ++l) all.emplace_back(l);
  otf2::EventReader<EarliestTime> reader(archive, all, false, 16);
  return finish(archive.definitions(), [&](LocationId l) { reader.read(l, sink, 1); });
}

bool leaves_out_lists(const std::filesystem::path& trace) {
  constexpr std::size_t step = 65'536;  // events: after so many it is seen whether one was found
  ListSeeker sink;
  if (is_notation(trace)) return false;
  const otf2::Archive archive{trace};
  std::vector<LocationId> all;
  for (std::size_t l = 0; l < archive.definitions().locations.size(); ++l) all.emplace_back(l);
  otf2::EventReader<ListSeeker> reader(archive, all, true, 16);
  for (const LocationId l : all)
    while (!sink.found && reader.read(l, sink, step) == step) {
    }
  return sink.found;
}

}  // namespace waitstate::pass
