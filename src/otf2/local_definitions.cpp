#include "otf2/local_definitions.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <string>

#include "otf2/library.hpp"

namespace waitstate::otf2 {

bool ClockCorrection::add(Time time, std::int64_t offset) {
  if (open_) {
    if (time <= open_->begin) return open_.reset(), false;
    open_->end = time;
    const auto change =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) - static_cast<std::uint64_t>(open_->offset));
    open_->slope = static_cast<double>(change) / static_cast<double>(time - open_->begin);
    lines_.push_back(*open_);
  }
  open_ = Line{time, 0, offset, 0};
  return true;
}

IdMap::IdMap(const OTF2_IdMap* map, bool wide) {
  std::vector<Pair> pairs;
  const auto collect = [](std::uint64_t local, std::uint64_t global, void* user) {
    static_cast<std::vector<Pair>*>(user)->push_back({local, global});
  };
  OTF2_IdMap_Traverse(map, collect, &pairs);
  if (!wide)
    for (Pair& p : pairs) p.global &= undefined32;
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.local < b.local; });
  // What lies together from 0 on, which is all of a dense map, is found by its number.
  std::size_t together = 0;
  while (together < pairs.size() && pairs[together].local == together) dense_.push_back(pairs[together++].global);
  sparse_.assign(pairs.begin() + static_cast<std::ptrdiff_t>(together), pairs.end());
}

std::uint64_t IdMap::find(std::uint64_t local) const {
  const auto at = std::lower_bound(sparse_.begin(), sparse_.end(), local,
                                   [](const Pair& p, std::uint64_t l) { return p.local < l; });
  return at != sparse_.end() && at->local == local ? at->global : local;
}

namespace {

// What the library calls; an exception must not pass through it.
struct LocalCallbacks {
  LocalDefinitions& to;
  std::exception_ptr thrown;

  template <class F>
  static OTF2_CallbackCode guarded(void* user, F&& f) noexcept {
    auto& self = *static_cast<LocalCallbacks*>(user);
    try {
      f(self.to);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      self.thrown = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }
  static OTF2_CallbackCode map(void* user, OTF2_MappingType type, const OTF2_IdMap* map) noexcept {
    return guarded(user, [&](LocalDefinitions& to) {
      if (type >= to.maps.size() || to.mapped[type]) return;  // the first map of a kind counts
      to.maps[type] = IdMap(map, type == OTF2_MAPPING_LOCATION);
      to.mapped[type] = true;
    });
  }
  static OTF2_CallbackCode offset(void* user, OTF2_TimeStamp time, std::int64_t offset, double) noexcept {
    return guarded(user, [&](LocalDefinitions& to) { to.clock.add(time, offset); });
  }
};

}  // namespace

std::string read_local_definitions(OTF2_Reader* library, OTF2_LocationRef location, std::uint64_t records,
                                   LocalDefinitions& definitions) {
  std::string refused;
  if (records == 0) return refused;
  last_library_message();
  const std::unique_ptr<OTF2_DefReaderCallbacks, void (*)(OTF2_DefReaderCallbacks*)> callbacks(
      OTF2_DefReaderCallbacks_New(), &OTF2_DefReaderCallbacks_Delete);
  if (!callbacks) throw std::bad_alloc();
  OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks.get(), &LocalCallbacks::map);
  OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks.get(), &LocalCallbacks::offset);
  OTF2_DefReader* const reader = OTF2_Reader_GetDefReader(library, location);
  if (reader == nullptr) return refused;
  LocalCallbacks to{definitions, nullptr};
  OTF2_Reader_RegisterDefCallbacks(library, reader, callbacks.get(), &to);
  for (std::uint64_t done = 0; done < records;) {
    std::uint64_t got = 0;
    last_library_message();
    const OTF2_ErrorCode status = OTF2_Reader_ReadLocalDefinitions(library, reader, records - done, &got);
    done += got;
    if (status == OTF2_SUCCESS || to.thrown) break;
    if (refused.empty()) refused = "record " + std::to_string(done) + " is refused: " + last_library_message();
    ++done;
  }
  OTF2_Reader_CloseDefReader(library, reader);
  if (to.thrown) std::rethrow_exception(to.thrown);
  return refused;
}

}  // namespace waitstate::otf2
