// Long because opening, writing and closing share the callbacks of OTF2.
#include "record/archive/archive.hpp"

#include <otf2/otf2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "record/archive/tails.hpp"
#include "record/core/clock.hpp"
#include "record/core/openmp_runtimes.hpp"
#include "record/parts/line_kinds.hpp"
#include "record/parts/part_lines.hpp"
#include "record/parts/parts.hpp"

namespace waitstate::record {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t longest_part = 256 << 20;  // bytes of a process's lines

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

// Errors are returned, with errno, and reported by the caller.
OTF2_ErrorCode silent(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  return code;
}

std::string with_separators(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

// Links to files are refused: the content of a run's folder may come from anybody, and nothing outside is touched.
bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(path, error));
}

std::string event_file(std::uint64_t location) { return std::to_string(location) + ".evt"; }

class ArchiveWriter {
 public:
  ArchiveWriter(std::string folder, const Merged& m) : folder_(std::move(folder)), m_(m) {}

  std::string write() {
    const std::string next = folder_ + "/parts/archive";
    remove_prepared(folder_);  // left by an earlier try
    std::error_code error;
    if (std::filesystem::symlink_status(next, error).type() != std::filesystem::file_type::not_found)
      return "cannot write the definitions in " + next + ": what is there was not written by `waitstate record`";
    errno = 0;
    const OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(silent, nullptr);
    const bool written = write_definitions(next);
    const int reason = errno;
    OTF2_Error_RegisterCallback(before, nullptr);
    if (!written)
      return "cannot write the definitions in " + next + (reason != 0 ? std::string(": ") + std::strerror(reason) : "");
    return move_all(next);
  }

  /// Ranks of threads that recorded events of which there is no file, one for each thread.
  const std::vector<std::uint64_t>& lost() const { return lost_; }

 private:
  bool write_definitions(const std::string& path) {
    archive_ = OTF2_Archive_Open(path.c_str(), "traces", OTF2_FILEMODE_WRITE, m_.chunk_bytes, 4 << 20,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) return false;
    static const OTF2_FlushCallbacks flush = {flush_always, nullptr};
    OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr);
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    check(OTF2_Archive_SetCreator(archive_, "waitstate record"));
    write_settings();
    check(OTF2_Archive_OpenDefFiles(archive_));
    for (const MergedProcess& p : m_.processes)
      for (const MergedThread& t : p.threads) write_local(p, t);
    check(OTF2_Archive_CloseDefFiles(archive_));
    write_global();
    check(OTF2_Archive_Close(archive_));
    return ok_;
  }

  void check(OTF2_ErrorCode code) { ok_ = ok_ && code == OTF2_SUCCESS; }

  // Names of properties of an archive have no other letters, and no small ones.
  void write_settings() {
    for (const auto& [name, text] : m_.settings) {
      const std::string property = std::string(setting_prefix) + name;
      if (OTF2_Archive_SetProperty(archive_, property.c_str(), text.c_str(), true) != OTF2_SUCCESS)
        of_processes_.emplace_back(property, text);
    }
    write_groups("WAITSTATE::LEFT_OUT", m_.left_out);
    write_groups("WAITSTATE::LEFT_OUT_CALLED", m_.left_out_called);
    write_count("WAITSTATE::UNPAIRED_MESSAGES", m_.unpaired_messages);
    write_count("WAITSTATE::UNPAIRED_COLLECTIVES", m_.unpaired_collectives);
    write_count("WAITSTATE::UNCERTAIN_COMMUNICATORS", m_.uncertain_comms);
  }
  void write_count(const char* property, std::uint64_t count) {
    if (count != 0) check(OTF2_Archive_SetProperty(archive_, property, std::to_string(count).c_str(), true));
  }
  void write_groups(const char* property, const std::set<std::string>& groups) {
    std::string list;
    for (const std::string& group : groups) list += (list.empty() ? "" : ",") + group;
    if (!list.empty()) check(OTF2_Archive_SetProperty(archive_, property, list.c_str(), true));
  }

  void write_local(const MergedProcess& p, const MergedThread& t) {
    OTF2_DefWriter* const w = OTF2_Archive_GetDefWriter(archive_, t.location);
    if (w == nullptr) {
      ok_ = false;
      return;
    }
    static constexpr OTF2_MappingType kinds[table_count] = {OTF2_MAPPING_STRING,  OTF2_MAPPING_REGION,
                                                            OTF2_MAPPING_GROUP,   OTF2_MAPPING_COMM,
                                                            OTF2_MAPPING_RMA_WIN, OTF2_MAPPING_METRIC};
    for (std::size_t i = 0; i < table_count; ++i) {
      std::vector<std::uint64_t> map = p.maps[i];
      bool same = true;
      for (std::size_t n = 0; n < map.size(); ++n) {
        if (map[n] == ~std::uint64_t{0}) map[n] = OTF2_UNDEFINED_UINT32;  // a number without a definition
        same = same && map[n] == n;
      }
      if (same) continue;
      OTF2_IdMap* const table = OTF2_IdMap_CreateFromUint64Array(map.size(), map.data(), true);
      if (table == nullptr) {
        ok_ = false;
        continue;
      }
      check(OTF2_DefWriter_WriteMappingTable(w, kinds[i], table));
      OTF2_IdMap_Free(table);
    }
    for (const ClockPoint& c : clock_of(p, t))
      check(OTF2_DefWriter_WriteClockOffset(w, c.time, c.offset, static_cast<double>(c.deviation)));
    check(OTF2_Archive_CloseDefWriter(archive_, w));
  }

  OTF2_StringRef string(const std::string& text) {
    const auto [place, added] = strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (added) check(OTF2_GlobalDefWriter_WriteString(w_, place->second, text.c_str()));
    return place->second;
  }

  // Converts a time of the process to that of the whole run, on the line through the points around it; any value is
  // valid.
  static std::uint64_t offset_at(const MergedProcess& p, std::uint64_t time) {
    if (p.clock.empty()) return 0;
    const ClockPoint &a = p.clock.front(), &b = p.clock.back();
    if (b.time <= a.time) return static_cast<std::uint64_t>(a.offset);
    const double part =
        (static_cast<double>(time) - static_cast<double>(a.time)) / static_cast<double>(b.time - a.time);
    const double more = part * (static_cast<double>(b.offset) - static_cast<double>(a.offset));
    return static_cast<std::uint64_t>(a.offset) +
           static_cast<std::uint64_t>(std::llrint(std::clamp(more, -1e18, 1e18)));
  }

  // A stream with a clock of its own is converted through the clock of its process.
  static std::vector<ClockPoint> clock_of(const MergedProcess& p, const MergedThread& t) {
    if (t.clock.empty()) return p.clock;
    std::vector<ClockPoint> points = t.clock;
    for (ClockPoint& c : points) {
      const auto own = static_cast<std::uint64_t>(c.offset);
      c.offset = static_cast<std::int64_t>(own + offset_at(p, c.time + own));
    }
    return points;
  }

  static std::uint64_t corrected(const MergedProcess& p, const MergedThread& t, std::uint64_t time) {
    const std::vector<ClockPoint> points = clock_of(p, t);
    if (points.empty()) return time;
    const ClockPoint& near = 2 * (time - t.first) > t.last - t.first ? points.back() : points.front();
    return time + static_cast<std::uint64_t>(near.offset);
  }

  /// The start in nanoseconds since 1970, from the first process that records it.
  std::uint64_t date_of(std::uint64_t time) const {
    for (const MergedProcess& p : m_.processes)
      if (p.date && !p.threads.empty()) return p.date->second - (corrected(p, p.threads.front(), p.date->first) - time);
    return OTF2_UNDEFINED_TIMESTAMP;
  }

  void write_global() {
    w_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    if (w_ == nullptr) {
      ok_ = false;
      return;
    }
    for (const std::string& text : m_.strings) string(text);  // first: their numbers are in the mapping tables
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const MergedProcess& p : m_.processes) {
      for (const MergedThread& t : p.threads)
        if (t.events != 0) {
          first = std::min(first, corrected(p, t, t.first));
          last = std::max(last, corrected(p, t, t.last));
        }
      if (p.stopped && !p.threads.empty()) last = std::max(last, corrected(p, p.threads.front(), *p.stopped));
    }
    if (first > last) first = last = 0;
    check(OTF2_GlobalDefWriter_WriteClockProperties(w_, 1000000000, first, last - first, date_of(first)));
    write_paradigms();
    write_system();
    const OTF2_StringRef none = string("");
    for (std::uint32_t i = 0; i < m_.regions.size(); ++i) {
      const MergedRegion& r = m_.regions[i];
      const OTF2_StringRef name = string(r.name);
      check(OTF2_GlobalDefWriter_WriteRegion(w_, i, name, name, none, static_cast<OTF2_RegionRole>(r.role),
                                             static_cast<OTF2_Paradigm>(r.paradigm), OTF2_REGION_FLAG_NONE, none, 0,
                                             0));
    }
    for (std::uint32_t i = 0; i < m_.groups.size(); ++i) {
      const MergedGroup& g = m_.groups[i];
      using K = MergedGroup::Kind;
      const OTF2_GroupType type = g.kind == K::locations ? OTF2_GROUP_TYPE_COMM_LOCATIONS
                                  : g.kind == K::self    ? OTF2_GROUP_TYPE_COMM_SELF
                                                         : OTF2_GROUP_TYPE_COMM_GROUP;
      check(OTF2_GlobalDefWriter_WriteGroup(w_, i, none, type, static_cast<OTF2_Paradigm>(g.paradigm),
                                            OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(g.members.size()),
                                            g.members.data()));
    }
    write_communicators();
    for (std::uint32_t i = 0; i < m_.metrics.size(); ++i) {
      const MergedMetric& m = m_.metrics[i];
      check(OTF2_GlobalDefWriter_WriteMetricMember(w_, i, string(m.name), string(m.description), OTF2_METRIC_TYPE_OTHER,
                                                   static_cast<OTF2_MetricMode>(m.mode), static_cast<OTF2_Type>(m.type),
                                                   OTF2_BASE_DECIMAL, 0, string(m.unit)));
      check(OTF2_GlobalDefWriter_WriteMetricClass(w_, i, 1, &i,
                                                  m.sampled ? OTF2_METRIC_ASYNCHRONOUS : OTF2_METRIC_SYNCHRONOUS,
                                                  m.sampled ? OTF2_RECORDER_KIND_ABSTRACT : OTF2_RECORDER_KIND_CPU));
    }
    auto instance = static_cast<std::uint32_t>(m_.metrics.size());
    for (const MetricInstance& i : m_.instances)
      check(OTF2_GlobalDefWriter_WriteMetricInstance(w_, instance++, static_cast<std::uint32_t>(i.metric), i.location,
                                                     OTF2_SCOPE_LOCATION_GROUP, i.process));
  }

  void write_paradigms() {
    bool openmp = false, pthread = false;
    for (const MergedComm& c : m_.comms) {
      const unsigned paradigm = m_.groups[c.group].paradigm;
      openmp = openmp || paradigm == OTF2_PARADIGM_OPENMP;
      pthread = pthread || paradigm == OTF2_PARADIGM_PTHREAD;
    }
    for (const MergedRegion& r : m_.regions) pthread = pthread || r.paradigm == OTF2_PARADIGM_PTHREAD;
    if (m_.paradigm == "mpi")
      check(OTF2_GlobalDefWriter_WriteParadigm(w_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
    if (m_.paradigm == "shmem")
      check(OTF2_GlobalDefWriter_WriteParadigm(w_, OTF2_PARADIGM_SHMEM, string("SHMEM"), OTF2_PARADIGM_CLASS_PROCESS));
    if (openmp)
      check(OTF2_GlobalDefWriter_WriteParadigm(w_, OTF2_PARADIGM_OPENMP, string("OpenMP"),
                                               OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN));
    if (pthread)
      check(OTF2_GlobalDefWriter_WriteParadigm(w_, OTF2_PARADIGM_PTHREAD, string("POSIX threads"),
                                               OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT));
  }

  void write_system() {
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(w_, 0, string("machine"), string("machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    std::map<std::pair<std::string, std::string>, std::uint32_t> nodes;
    for (const MergedProcess& p : m_.processes) {
      const std::string host = p.host.empty() ? "unknown" : p.host;
      const auto [node, added] = nodes.try_emplace({host, p.node}, static_cast<std::uint32_t>(nodes.size() + 1));
      if (added) check(OTF2_GlobalDefWriter_WriteSystemTreeNode(w_, node->second, string(host), string("node"), 0));
      const auto id = static_cast<std::uint32_t>(p.rank);
      check(OTF2_GlobalDefWriter_WriteLocationGroup(w_, id, string(p.name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                    node->second, OTF2_UNDEFINED_LOCATION_GROUP));
      for (const auto* const properties : {&p.properties, &std::as_const(of_processes_)})
        for (const auto& [name, text] : *properties) {
          OTF2_AttributeValue value;
          value.stringRef = string(text);
          check(OTF2_GlobalDefWriter_WriteLocationGroupProperty(w_, id, string(name), OTF2_TYPE_STRING, value));
        }
      for (const MergedThread& t : p.threads) {
        check(OTF2_GlobalDefWriter_WriteLocation(w_, t.location, string(t.name),
                                                 t.metric ? OTF2_LOCATION_TYPE_METRIC : OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 t.events, id));
        for (const auto& [name, text] : t.properties) {
          OTF2_AttributeValue value;
          value.stringRef = string(text);
          check(OTF2_GlobalDefWriter_WriteLocationProperty(w_, t.location, string(name), OTF2_TYPE_STRING, value));
        }
      }
    }
  }

  void write_communicators() {
    for (std::uint32_t i = 0; i < m_.comms.size(); ++i) {
      const MergedComm& c = m_.comms[i];
      const OTF2_CommFlag flags = c.created ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE;
      if (c.group_b != ~0u)
        check(OTF2_GlobalDefWriter_WriteInterComm(w_, i, string(c.name), c.group, c.group_b, c.parent, flags));
      else
        check(OTF2_GlobalDefWriter_WriteComm(w_, i, string(c.name), c.group, c.parent, flags));
    }
    for (std::uint32_t i = 0; i < m_.wins.size(); ++i)
      check(OTF2_GlobalDefWriter_WriteRmaWin(
          w_, i, string(m_.wins[i].name), m_.wins[i].comm,
          m_.paradigm == "mpi" || i == 0 ? OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS : OTF2_RMA_WIN_FLAG_NONE));
    std::uint32_t dimensions = 0;
    for (std::uint32_t i = 0; i < m_.topologies.size(); ++i) {
      const MergedTopology& t = m_.topologies[i];
      std::vector<OTF2_CartDimensionRef> own;
      for (std::size_t d = 0; d < t.sizes.size(); ++d) {
        check(OTF2_GlobalDefWriter_WriteCartDimension(
            w_, dimensions, string(std::to_string(d)), static_cast<std::uint32_t>(t.sizes[d]),
            t.periodic[d] != 0 ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE));
        own.push_back(dimensions++);
      }
      check(OTF2_GlobalDefWriter_WriteCartTopology(w_, i, string(m_.comms[t.comm].name), t.comm,
                                                   static_cast<std::uint8_t>(own.size()), own.data()));
      for (const auto& [rank, place] : t.coordinates) {
        const std::vector<std::uint32_t> coordinates(place.begin(), place.end());
        check(OTF2_GlobalDefWriter_WriteCartCoordinate(w_, i, rank, static_cast<std::uint8_t>(coordinates.size()),
                                                       coordinates.data()));
      }
    }
  }

  std::string move_all(const std::string& next) {
    std::error_code error;
    const std::string traces = folder_ + "/traces";
    fs::create_directory(traces, error);
    if (!is_folder(traces)) return traces + " is not a folder";
    for (const MergedProcess& p : m_.processes)
      for (const MergedThread& t : p.threads) {
        const std::string to = traces + "/" + event_file(t.location);
        const std::string part = folder_ + "/parts/" + std::to_string(p.rank);
        const std::string from = part + "/traces/" + event_file(t.number);
        error.clear();
        if (is_folder(part) && is_folder(part + "/traces") && is_file(from)) {
          fs::rename(from, to, error);
        } else if (!is_file(to)) {  // a thread that left no events, or whose file is gone
          if (t.events != 0 || !t.counted) lost_.push_back(p.rank);
          fs::remove(to, error);
          if (!error) std::ofstream(to).close();
        }
        if (error) return "cannot move " + from + " to " + to + ": " + error.message();
        const std::string definitions = "/traces/" + std::to_string(t.location) + ".def";
        fs::rename(next + definitions, folder_ + definitions, error);
        if (error) return "cannot move " + next + definitions + ": " + error.message();
      }
    for (const char* const name : {"/traces.def", "/traces.otf2"}) {
      fs::rename(next + name, folder_ + name, error);
      if (error) return "cannot move " + next + name + ": " + error.message();
    }
    remove_parts(folder_);
    return {};
  }

  const std::string folder_;
  const Merged& m_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_GlobalDefWriter* w_ = nullptr;
  bool ok_ = true;
  std::map<std::string, OTF2_StringRef> strings_;
  std::vector<std::pair<std::string, std::string>> of_processes_;  // properties of each
  std::vector<std::uint64_t> lost_;
};

}  // namespace

namespace {

// Properties that count calls which returned an error, by the names of their regions. A process that came as far as its
// end has written them itself.
std::string error_lines(const std::string& part, const std::vector<FoundErrors>& errors) {
  std::uint64_t ignored = 0;
  const std::optional<PartLines> lines = errors.empty() ? std::nullopt : read_part(part, ignored);
  if (!lines) return {};
  bool written = false;
  std::map<std::uint32_t, std::string> names;
  for_each_line(
      *lines, [&](const RegionLine& l) { names.try_emplace(l.number, l.name); },
      [&](const PropertyLine& l) { written = written || l.name.starts_with(error_prefix); });
  std::string text;
  for (const FoundErrors& e : errors) {
    const auto name = names.find(e.region.value_or(0));
    if (written || (e.region && name == names.end())) continue;
    text += line_of(PropertyLine{
                .name = std::string(error_prefix) + (e.region ? name->second : std::string(further_functions)),
                .text = std::to_string(e.calls)}) +
            '\n';
  }
  return text;
}

// The records begin after its last whole line.
void add_lines(std::string& part, const FoundTails& found) {
  std::string lines;
  const auto add = [&](const auto& line) { lines += line_of(line) + '\n'; };
  for (const FoundTail& t : found.tails) {
    const auto location = static_cast<std::uint32_t>(t.number);
    add(EventsLine{.location = location, .records = t.events, .first = t.first, .last = t.last});
    if (t.ended != 0) add(EndedLine{.time = t.ended});
    for (const FoundWait& w : t.waits)
      add(WaitsLine{.location = location,
                    .since = w.since,
                    .region = w.region,
                    .what = std::string(waiting_names[static_cast<std::size_t>(w.what)]),
                    .object = w.communicator,
                    .peer = w.peer,
                    .tag = w.tag});
    if (t.number == 0) lines += error_lines(part, t.errors);
  }
  part.insert(part.rfind('\n') + 1, lines);
}

// A process on this machine that came to no end, and of which nobody noted when it was ended, was so at that time.
void add_end(std::string& part, std::uint64_t time) {
  std::uint64_t ignored = 0;
  const std::optional<PartLines> lines = read_part(part, ignored);
  if (!lines || lines->process.node != name_of_clock()) return;
  bool known = false;
  for_each_line(
      *lines, [&](const EndLine&) { known = true; }, [&](const EndedLine&) { known = true; });
  if (!known) part += line_of(EndedLine{.time = time}) + '\n';
}

}  // namespace

Recovered recover(const std::string& folder, std::uint64_t ended) {
  Recovered r;
  std::error_code error;
  const RunLock lock(folder);
  if (lock.is_taken()) {
    r.problem = "another process completes this run already";
    return r;
  }
  if (fs::exists(folder + "/traces.otf2", error)) {  // its writer was interrupted later, while it removed the parts
    if (is_anchor_of_recorder(folder + "/traces.otf2")) remove_parts(folder);
    r.nothing_to_do = true;
    return r;
  }
  if (!is_folder(folder + "/parts")) {
    r.problem = "this is not a folder of a recorded run: there is neither parts/ nor traces.otf2 in it";
    return r;
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator file(folder + "/parts", error), end; !error && file != end; file.increment(error))
    if (file->path().extension() == ".def" && is_file(file->path())) files.push_back(file->path());
  std::sort(files.begin(), files.end());  // if two claim a rank, the same one is taken each time
  for (const fs::path& file : files)
    if (const std::optional<long> writer = writer_of(file)) {
      r.running = true;
      r.problem = "the run is still going on: " +
                  (*writer == 0 ? "a process of another machine" : "process " + std::to_string(*writer)) +
                  " writes parts/" + file.filename().string() + "; recover it when all its processes have ended";
      return r;
    }
  std::vector<std::string> parts;
  for (const fs::path& file : files) {
    if (fs::file_size(file, error) > longest_part || error) {
      r.problem =
          file.string() + " has more than " + with_separators(longest_part) + " bytes, which no recorder writes";
      return r;
    }
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    parts.push_back(std::move(text).str());
    const FoundTails found = complete_event_files((file.parent_path() / file.stem()).string());
    if (!found.problem.empty()) {
      r.problem = found.problem;
      return r;
    }
    add_lines(parts.back(), found);
    if (ended != 0) add_end(parts.back(), ended);
  }
  const Merged merged = merge(parts);
  ArchiveWriter writer(folder, merged);
  r.problem = merged.problem.empty() ? writer.write() : merged.problem;
  r.lost = writer.lost();
  r.lost.erase(std::unique(r.lost.begin(), r.lost.end()), r.lost.end());
  for (const MergedProcess& p : merged.processes) {
    if (!p.present)
      r.missing.push_back(p.rank);
    else if (!p.ended)
      r.cut.push_back(p.rank);
    if (p.present) ++r.processes;
    if (r.program.empty()) r.program = p.program;
    for (const auto& [name, text] : p.properties)
      if (name.starts_with(dropped_prefix))
        r.dropped += std::strtoull(text.c_str(), nullptr, 10);
      else if (name.starts_with(late_prefix))
        r.late += std::strtoull(text.c_str(), nullptr, 10);
      else if (name.starts_with(error_prefix))
        r.errors += std::strtoull(text.c_str(), nullptr, 10);
      else if (name == silent_openmp)
        r.silent_openmp = true;
    for (const MergedThread& t : p.threads) r.events += t.events;
  }
  return r;
}

std::string sentence(const std::string& folder, const Recovered& r) {
  if (!r.problem.empty()) return r.problem;
  if (r.nothing_to_do) return folder + " is complete: there is nothing to recover";
  const auto counted = [](std::uint64_t n, const char* what) {
    return with_separators(n) + " " + what + (n == 1 ? "" : std::strcmp(what, "process") == 0 ? "es" : "s");
  };
  std::string text = counted(r.processes, "process") + ", " + counted(r.events, "event") + " in " + folder;
  const auto ranks = [](const std::vector<std::uint64_t>& all) {
    std::string list;
    for (std::size_t i = 0; i < all.size() && i < 8; ++i) list += (i == 0 ? "" : ", ") + std::to_string(all[i]);
    return list + (all.size() > 8 ? ", ..." : "");
  };
  if (!r.cut.empty()) text += "; ended before its end: " + ranks(r.cut);
  if (!r.missing.empty()) text += "; left no records: " + ranks(r.missing);
  if (!r.lost.empty()) text += "; recorded events whose files are gone: " + ranks(r.lost);
  if (r.errors != 0) text += "; " + counted(r.errors, "MPI call") + " returned an error";
  if (r.dropped != 0) text += "; dropped by the MPI library: " + counted(r.dropped, "event");
  if (r.silent_openmp)
    text +=
        "; nothing is recorded of GCC's OpenMP runtime, which is loaded: --openmp libomp runs the program on LLVM's";
  if (r.late != 0) text += "; reported by it too late to be put in order: " + counted(r.late, "event");
  return text;
}

}  // namespace waitstate::record
