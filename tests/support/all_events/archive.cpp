// See archive.hpp.
#include "archive.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace all_events {
namespace fs = std::filesystem;
namespace {

OTF2_FlushType pre_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
constexpr OTF2_FlushCallbacks flush_callbacks{pre_flush, nullptr};

struct DeleteMap {
  void operator()(OTF2_IdMap* map) const { OTF2_IdMap_Free(map); }
};

}  // namespace

void check(OTF2_ErrorCode code, std::string_view doing) {
  if (code != OTF2_SUCCESS)
    throw std::runtime_error("writing " + std::string(doing) + ": " + OTF2_Error_GetDescription(code));
}

OTF2_StringRef Definitions::string(const std::string& text) {
  const auto [found, is_new] = strings_.try_emplace(text, next_);
  if (is_new) {
    next_ += stride_;
    add([ref = found->second, text](OTF2_GlobalDefWriter* w) {
      return OTF2_GlobalDefWriter_WriteString(w, ref, text.c_str());
    });
  }
  return found->second;
}

void Definitions::reverse() { std::reverse(records_.begin(), records_.end()); }

void Definitions::write(OTF2_GlobalDefWriter* writer) const {
  for (const auto& record : records_) check(record(writer), "a global definition");
}

void LocalIds::write(OTF2_DefWriter* writer) const {
  if (mapping_ == Mapping::none) return;
  for (OTF2_MappingType kind = 0; kind < OTF2_MAPPING_MAX; ++kind) {
    if (!sizes_[kind]) continue;
    const std::unique_ptr<OTF2_IdMap, DeleteMap> map(
        OTF2_IdMap_Create(mapping_ == Mapping::dense ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, sizes_[kind]));
    for (std::uint64_t local = 0; local < sizes_[kind]; ++local)
      check(OTF2_IdMap_AddIdPair(map.get(), local, sizes_[kind] - 1 - local), "an id map");
    check(OTF2_DefWriter_WriteMappingTable(writer, kind, map.get()), "a mapping table");
  }
}

Archive::Archive(std::string directory, const std::string& name) : directory_(std::move(directory)) {
  const fs::path anchor = fs::path(directory_) / (name + ".otf2");
  if (fs::exists(anchor)) throw std::runtime_error(anchor.string() + " exists already, remove it first");
  fs::create_directories(directory_);
  archive_.reset(OTF2_Archive_Open(directory_.c_str(), name.c_str(), OTF2_FILEMODE_WRITE, 256 * 1024, 256 * 1024,
                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
  if (!archive_) throw std::runtime_error("cannot create " + anchor.string());
  check(OTF2_Archive_SetFlushCallbacks(handle(), &flush_callbacks, nullptr), "the archive");
  check(OTF2_Archive_SetSerialCollectiveCallbacks(handle()), "the archive");
  check(OTF2_Archive_SetCreator(handle(), "waitstate write_all_events"), "the archive");
  check(OTF2_Archive_SetMachineName(handle(), "synthetic machine"), "the archive");
  check(OTF2_Archive_SetDescription(handle(), "one record of everything"), "the archive");
  check(OTF2_Archive_SetProperty(handle(), "WAITSTATE::VARIANT", name.c_str(), true), "the archive");
  check(OTF2_Archive_OpenEvtFiles(handle()), "the archive");
}

Stream& Archive::events(OTF2_LocationRef ref, std::uint64_t start) {
  Location& location = locations_[ref];
  if (!location.stream) {
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(handle(), ref);
    if (!writer) throw std::runtime_error("cannot create the event file of location " + std::to_string(ref));
    location.stream = std::make_unique<Stream>(writer, start);
  }
  return *location.stream;
}

void Archive::clock_offset(OTF2_LocationRef ref, std::uint64_t time, std::int64_t offset) {
  locations_[ref].offsets.emplace_back(time, offset);
}
void Archive::local_ids(OTF2_LocationRef ref, const LocalIds& ids) {
  locations_[ref].ids = std::make_unique<LocalIds>(ids);
}

void Archive::local_definitions(OTF2_LocationRef ref, std::function<void(OTF2_DefWriter*)> write) {
  locations_[ref].others = std::move(write);
}

std::uint64_t Archive::count(OTF2_LocationRef ref) const {
  std::uint64_t sum = 0;
  const auto found = locations_.find(ref);
  if (found != locations_.end() && found->second.stream)
    for (const auto& [name, n] : found->second.stream->counts()) sum += n;
  return sum;
}

void Archive::define_location(Definitions& d, OTF2_LocationRef ref, const std::string& name, OTF2_LocationType type,
                              OTF2_LocationGroupRef group) {
  d.add([this, ref, type, group, text = d.string(name)](OTF2_GlobalDefWriter* w) {
    return OTF2_GlobalDefWriter_WriteLocation(w, ref, text, type, count(ref), group);
  });
}

void Archive::close(const Definitions& definitions) {
  check(OTF2_Archive_CloseEvtFiles(handle()), "the event files");
  check(OTF2_Archive_OpenDefFiles(handle()), "the local definitions");
  for (const auto& [ref, location] : locations_) {
    OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(handle(), ref);
    if (!writer) throw std::runtime_error("cannot create the local definitions of location " + std::to_string(ref));
    for (const auto& [time, offset] : location.offsets)
      check(OTF2_DefWriter_WriteClockOffset(writer, time, offset, 0.0), "a clock offset");
    if (location.ids) location.ids->write(writer);
    if (location.others) location.others(writer);
    check(OTF2_Archive_CloseDefWriter(handle(), writer), "local definitions");
  }
  check(OTF2_Archive_CloseDefFiles(handle()), "the local definitions");
  OTF2_GlobalDefWriter* global = OTF2_Archive_GetGlobalDefWriter(handle());
  if (!global) throw std::runtime_error("cannot create the global definitions in " + directory_);
  definitions.write(global);
  check(OTF2_Archive_CloseGlobalDefWriter(handle(), global), "the global definitions");

  std::ofstream records(fs::path(directory_) / "records.csv");
  records << "location,event,count\n";
  for (const auto& [ref, location] : locations_)
    if (location.stream)
      for (const auto& [name, n] : location.stream->counts()) records << ref << ',' << name << ',' << n << '\n';
  if (!records.flush()) throw std::runtime_error("cannot write " + directory_ + "/records.csv");
}

}  // namespace all_events
