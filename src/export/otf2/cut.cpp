#include "export/otf2/cut.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "export/otf2/archive_writer.hpp"
#include "replay/chunk/attribute_record.hpp"
#include "report/format/names.hpp"
#include "report/format/output_file.hpp"
#include "report/words/waits/culprit.hpp"
#include "waitstate/error.hpp"

namespace waitstate::exports {
namespace {

/// The operations of a communicator (or, with `of_window`, a window) on one process, blocking or not.
struct Series {
  bool blocking = true, of_window = false;
  std::uint32_t comm = 0;
  auto operator<=>(const Series&) const = default;
};

Series series_of(const Event& end) {
  const bool of_window = end.type == EventType::rma_collective_end;
  return {end.type != EventType::nonblocking_collective_complete, of_window,
          static_cast<std::uint32_t>(end.attributes[of_window ? 2 : 1])};
}

/// The record at which an operation began, known at its end.
Position begin_of(const Event& end) {
  return end.type == EventType::nonblocking_collective_complete ? end.requestptr : end.beginptr;
}

bool ends_operation(EventType type) {
  return type == EventType::collective_end || type == EventType::nonblocking_collective_complete ||
         type == EventType::rma_collective_end;
}
bool begins_operation(EventType type) {
  return type == EventType::collective_begin || type == EventType::rma_collective_begin;
}

/// The number of operations that each process had begun before the part, and the largest of these numbers.
struct EarlierOperations {
  std::map<std::pair<Series, std::uint32_t>, std::uint64_t> of_process;
  std::map<Series, std::uint64_t> most;

  /// The number of operations of the process in the part that others had begun before it.
  std::uint64_t begun_by_others(const Series& s, std::uint32_t process) const {
    const auto all = most.find(s);
    if (all == most.end()) return 0;
    const auto own = of_process.find({s, process});
    return all->second - (own == of_process.end() ? 0 : own->second);
  }
};

class EarlierOperationsReader final : public merge::EventConsumer {
 public:
  EarlierOperationsReader(access::EventStream& stream, const Focus& focus, EarlierOperations& found)
      : stream_(stream), focus_(focus), found_(found) {}

  void event(Position pos, EventType type) override {
    if (!ends_operation(type)) return;
    const Event e = stream_.event(pos);
    Time begin = e.time;
    // An rma_collective_begin has no link: its operation is taken to begin where it ends.
    if (const Position p = begin_of(e); p != no_position) begin = stream_.event(p).time;
    if (begin >= focus_.from) return;
    const Series s = series_of(e);
    std::uint64_t& own = found_.of_process[{s, stream_.definitions()[e.loc].process.value}];
    std::uint64_t& most = found_.most[s];
    most = std::max(most, ++own);
  }

 private:
  access::EventStream& stream_;
  const Focus& focus_;
  EarlierOperations& found_;
};

class CutWriter final : public merge::EventConsumer {
 public:
  CutWriter(access::EventStream& stream, const Focus& focus, const EarlierOperations& earlier, ArchiveWriter& out)
      : stream_(stream),
        focus_(focus),
        earlier_(earlier),
        out_(out),
        locations_(stream.definitions().locations.size()) {
    for (const LocationId l : focus.locations) locations_[l.index()].chosen = true;
    if (focus.locations.empty())
      for (OfLocation& l : locations_) l.chosen = true;
  }

  void event(Position pos, EventType type) override {
    if (is_derived(type)) return;
    const Event e = stream_.event(pos);
    OfLocation& at = locations_[e.loc.index()];
    if (!at.chosen || at.ended) return;
    at.now = std::max(at.now, e.time);
    if (at.now >= focus_.to) return end(e.loc);
    if (at.now >= focus_.from) begin(e.loc);
    if (at.begun) write(e, at);
    if (replay::opens_region(type)) at.open.push_back({e.pos, e.callpath});
    if (replay::closes_region(type)) close(e, at);
  }
  void left_at_once() override {}  // an exit has come before, and stands there

  void finish() {
    for (std::size_t l = 0; l < locations_.size(); ++l) {
      flush(locations_[l]);
      // A location whose events end before the part has no events in it.
      if (locations_[l].begun && !locations_[l].ended) last_ = std::max(last_, locations_[l].now);
    }
  }
  Time first() const { return first_; }
  Time last() const { return last_; }
  CutSummary& summary() { return summary_; }

 private:
  struct Open {
    Position enter;
    CallPathId callpath;
  };
  struct OfLocation {
    bool chosen = false, begun = false, ended = false;
    Time now = 0;
    std::vector<Open> open;
    std::optional<Event> operation_begin;  ///< held back until its end tells whether it is left out
  };

  void begin(LocationId l) {
    OfLocation& at = locations_[l.index()];
    if (at.begun) return;
    at.begun = true;
    const Time from = std::max(focus_.from, at.open.empty() ? at.now : focus_.from);
    first_ = std::min(first_, from);
    for (const Open& open : at.open) {
      const CallPath& path = stream_.call_tree()[open.callpath];
      if (path.region.valid())
        out_.write_enter(l, from, path.region);
      else if (path.program.valid())
        out_.write_program(l, from, path.program);
      ++summary_.events;
    }
  }

  // Its open regions are left at the end of the part.
  void end(LocationId l) {
    OfLocation& at = locations_[l.index()];
    begin(l);
    flush(at);
    at.ended = true;
    const Time to = focus_.to - 1;
    last_ = std::max(last_, to);
    for (; !at.open.empty(); at.open.pop_back()) {
      const CallPath& path = stream_.call_tree()[at.open.back().callpath];
      if (path.region.valid())
        out_.write_exit(l, to, path.region);
      else if (path.program.valid())
        out_.write_program_end(l, to);
      ++summary_.events;
    }
  }

  // Tasks that take turns do not nest, so only the region itself is taken away.
  static void close(const Event& e, OfLocation& at) {
    const auto open =
        std::find_if(at.open.rbegin(), at.open.rend(), [&](const Open& o) { return o.enter == e.enterptr; });
    if (open != at.open.rend()) at.open.erase(std::next(open).base());
  }

  void put(const Event& e, Time t) {
    if (out_.write(e, t))
      ++summary_.events, last_ = std::max(last_, t);
    else
      ++summary_.without_record;
  }
  void flush(OfLocation& at) {
    if (at.operation_begin) put(*at.operation_begin, at.operation_begin->time);
    at.operation_begin.reset();
  }

  bool is_in_part(Position pos) const {
    const Event e = stream_.event(pos);
    return locations_[e.loc.index()].chosen && e.time >= focus_.from;
  }

  void write(const Event& e, OfLocation& at) {
    if (ends_operation(e.type) && is_left_out(e)) {
      at.operation_begin.reset();
      ++summary_.operations_left_out;
      return;
    }
    flush(at);
    if (begins_operation(e.type)) {
      at.operation_begin = e;
      at.operation_begin->time = at.now;
      return;
    }
    if ((e.type == EventType::recv || e.type == EventType::irecv) && e.sendptr != no_position &&
        !is_in_part(e.sendptr)) {
      ++summary_.receives_left_out;
      return;
    }
    const bool ends_request = e.type == EventType::isend_complete || e.type == EventType::request_test ||
                              e.type == EventType::request_cancelled;
    if (ends_request && e.requestptr != no_position && !is_in_part(e.requestptr)) return;
    put(e, at.now);
  }

  bool is_left_out(const Event& end) {
    if (const Position begin = begin_of(end); begin != no_position && !is_in_part(begin)) return true;
    const Series s = series_of(end);
    const std::uint32_t process = stream_.definitions()[end.loc].process.value;
    return seen_[{s, process}]++ < earlier_.begun_by_others(s, process);
  }

  access::EventStream& stream_;
  const Focus& focus_;
  const EarlierOperations& earlier_;
  ArchiveWriter& out_;
  std::vector<OfLocation> locations_;
  std::map<std::pair<Series, std::uint32_t>, std::uint64_t> seen_;  ///< operations in the part so far
  Time first_ = ~Time{0}, last_ = 0;
  CutSummary summary_;
};

/// A wait state is a kind of marker; the text names call path and culprit, and says how long that itself waited.
std::uint64_t write_markers(const AnalysisResult& result, ShownWaits& waits, ArchiveWriter& out) {
  std::map<MetricIndex, std::uint32_t> kinds;
  std::uint64_t written = 0;
  waits.each_with_culprit([&](const ShownWait& w, const CulpritWait& own) {
    const auto [kind, added] = kinds.try_emplace(w.metric, 0);
    if (added) kind->second = out.define_marker("wait states", result.metrics[w.metric].id);
    std::string text =
        fmt::format("{} in {}", result.metrics[w.metric].title, report::callpath_label(result, w.wait.callpath));
    if (w.wait.culprit.valid())
      text += fmt::format(" for {}", report::location_label(result.definitions, w.wait.culprit));
    if (w.wait.culprit_callpath.valid())
      text += fmt::format(" in {}", report::callpath_label(result, w.wait.culprit_callpath));
    if (const std::string line = report::culprit_line(result, w.wait, own); !line.empty())
      text += "; " + line + report::callpath_label(result, own.callpath);
    out.write_marker(kind->second, w.wait.begin, w.wait.ticks, w.wait.location, text);
    ++written;
  });
  return written;
}

/// Removes the folder unless keep() was called.
class TemporaryArchive {
 public:
  explicit TemporaryArchive(std::filesystem::path folder) : folder_(std::move(folder)) {}
  TemporaryArchive(const TemporaryArchive&) = delete;
  TemporaryArchive& operator=(const TemporaryArchive&) = delete;
  ~TemporaryArchive() {
    std::error_code error;
    if (!kept_) std::filesystem::remove_all(folder_, error);
  }
  void rename(const std::filesystem::path& to) {
    std::error_code error;
    std::filesystem::rename(folder_, to, error);
    if (error) throw OutputError(fmt::format("cannot write {}: {}", to.string(), error.message()));
    kept_ = true;
  }

 private:
  std::filesystem::path folder_;
  bool kept_ = false;
};

}  // namespace

CutSummary write_cut(const AnalysisResult& result, ShownWaits& waits, access::EventStreamOptions reading,
                     const std::filesystem::path& folder) {
  access::EventStream stream(result.path);
  reading.sends_may_be_cancelled = result.events_by_type[static_cast<std::size_t>(EventType::request_cancelled)] != 0;
  reading.attribute_lists = true;
  EarlierOperations earlier;
  if (result.focus.from != 0) {
    EarlierOperationsReader reader(stream, result.focus, earlier);
    stream.read(reader, reading);
  }
  report::OutputFile::remove_abandoned_folders(folder);
  const std::filesystem::path prepared = report::OutputFile::temporary(folder, ::getpid());
  TemporaryArchive temporary(prepared);
  ArchiveWriter out(prepared, stream.definitions());
  const report::FolderLock lock(prepared);
  CutWriter writer(stream, result.focus, earlier, out);
  stream.read(writer, reading);
  writer.finish();
  CutSummary summary = writer.summary();
  summary.waits = write_markers(result, waits, out);
  out.finish(std::min(writer.first(), writer.last()), writer.last());
  temporary.rename(folder);
  return summary;
}

}  // namespace waitstate::exports
