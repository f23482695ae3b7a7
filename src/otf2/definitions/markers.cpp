#include "otf2/definitions/markers.hpp"

#include <cerrno>
#include <exception>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "otf2/file_check.hpp"
#include "otf2/library.hpp"

namespace waitstate::otf2 {
namespace {

// Receives the library's callbacks. An exception must not pass through the library: it is kept, and reading stops.
struct MarkerSink {
  Definitions& definitions;
  std::unordered_map<OTF2_MarkerRef, MarkerId> ids;
  std::vector<OTF2_MarkerRef> occurring;  // the marker of each occurrence; it may be defined later
  std::uint64_t duplicates = 0;
  std::exception_ptr thrown;

  template <class F>
  static OTF2_CallbackCode guarded(void* user, F&& f) noexcept {
    auto& to = *static_cast<MarkerSink*>(user);
    try {
      f(to);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      to.thrown = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }
  static OTF2_CallbackCode marker(void* user, OTF2_MarkerRef self, const char* group, const char* category,
                                  OTF2_MarkerSeverity severity) {
    return guarded(user, [&](MarkerSink& to) {
      auto& markers = to.definitions.markers;
      if (to.ids.try_emplace(self, MarkerId{markers.size()}).second)
        markers.push_back({self, group, category, static_cast<MarkerSeverity>(severity)});
      else
        ++to.duplicates;
    });
  }
  static OTF2_CallbackCode occurrence(void* user, OTF2_TimeStamp time, OTF2_TimeStamp duration, OTF2_MarkerRef marker,
                                      OTF2_MarkerScope scope, std::uint64_t scope_ref, const char* text) {
    return guarded(user, [&](MarkerSink& to) {
      to.occurring.push_back(marker);
      to.definitions.marker_occurrences.push_back(
          {{}, time, static_cast<Ticks>(duration), static_cast<MarkerScope>(scope), scope_ref, text});
    });
  }
};

// Returns how many of the first `records` markers the library has read.
std::uint64_t read(OTF2_Reader* reader, std::uint64_t records, MarkerSink& sink) {
  last_library_message();
  const std::unique_ptr<OTF2_MarkerReaderCallbacks, void (*)(OTF2_MarkerReaderCallbacks*)> callbacks(
      OTF2_MarkerReaderCallbacks_New(), &OTF2_MarkerReaderCallbacks_Delete);
  if (!callbacks) throw std::bad_alloc();
  OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks.get(), &MarkerSink::marker);
  OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks.get(), &MarkerSink::occurrence);
  std::uint64_t done = 0;
  OTF2_MarkerReader* const markers = OTF2_Reader_GetMarkerReader(reader);
  if (markers && OTF2_Reader_RegisterMarkerCallbacks(reader, markers, callbacks.get(), &sink) == OTF2_SUCCESS)
    OTF2_Reader_ReadMarkers(reader, markers, records, &done);
  if (markers) OTF2_Reader_CloseMarkerReader(reader, markers);
  if (sink.thrown) std::rethrow_exception(sink.thrown);
  return done;
}

}  // namespace

void read_markers(const Anchor& anchor, OTF2_Reader* reader, Definitions& definitions, Diagnostics& diagnostics) {
  const auto path = std::filesystem::path(anchor.base) += ".marker";
  CheckedFile file = check_file(path, anchor.definition_chunk_size, FileKind::markers);
  if (file.open_error == ENOENT) return;
  MarkerSink sink{definitions, {}, {}, 0, {}};
  if (file.records != 0 && read(reader, file.records, sink) < file.records)
    file.damage = "the OTF2 library stopped: " + last_library_message();

  std::uint64_t undefined = 0;
  for (std::size_t i = 0; i < sink.occurring.size(); ++i) {
    const auto it = sink.ids.find(sink.occurring[i]);
    if (it != sink.ids.end())
      definitions.marker_occurrences[i].marker = it->second;
    else
      ++undefined;
  }
  const DiagnosticPlace place{{}, ~Time{0}, path.string()};
  diagnostics.add(DiagnosticId::duplicate_definition, place, 0, sink.duplicates);
  diagnostics.add(DiagnosticId::undefined_reference, place, 0, undefined);
  if (!file.damage.empty())
    diagnostics.add(DiagnosticId::definitions_damaged, {{}, ~Time{0}, path.string() + ": " + file.damage});
}

}  // namespace waitstate::otf2
