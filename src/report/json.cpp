// Call path ids depend on which location was decoded first; here they are numbered depth first, which does not.
#include "report/json.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/names.hpp"
#include "report/text_stream.hpp"
#include "report/totals.hpp"
#include "report/unanswered.hpp"

namespace waitstate::report {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class Tag>
Json index_or_null(Id<Tag> id) {
  return id.valid() ? Json(id.value) : Json();
}

/// Enumerators of a later OTF2 have no name: their number.
template <class E>
std::string enum_text(E value) {
  const std::string_view known = enum_name(value);
  return known.empty() ? std::to_string(static_cast<unsigned>(value)) : std::string(known);
}

std::string_view json_unit(Unit unit) { return unit == Unit::seconds ? "ticks" : name(unit); }

class Writer {
 public:
  Writer(const AnalysisResult& result, std::ostream& out)
      : result_(result), definitions_(result.definitions), out_(out), callpaths_(result.call_tree.depth_first()) {
    callpath_index_.resize(callpaths_.size());
    for (std::size_t i = 0; i < callpaths_.size(); ++i) callpath_index_[callpaths_[i].index()] = i;
  }

  void write() {
    out_.print("{{\n\"format\": \"waitstate\",\n\"version\": 1");
    member("trace", trace());
    array("processes", definitions_.processes, [&](const LocationGroup& p) {
      return Json{{"name", p.name}, {"type", enum_text(p.type)}, {"rank", p.rank >= 0 ? Json(p.rank) : Json()}};
    });
    locations();
    array("call_tree", callpaths_, [&](CallPathId id) { return call_path(id); });
    metrics();
    severities();
    waits();
    array("unanswered", unanswered(result_), [&](const Unanswered& u) {
      return Json{{"metric", result_.metrics[u.metric].id}, {"sentence", u.sentence}};
    });
    events_by_type();
    diagnostics();
    between("unmatched_sends", DiagnosticId::send_unmatched);
    between("unmatched_receives", DiagnosticId::recv_unmatched);
    between("clock_violations", DiagnosticId::clock_violation);
    out_.print("\n}}\n");
    out_.flush();
  }

 private:
  void between(const char* name, DiagnosticId id) {
    array(name, result_.diagnostics.between(id), [](const auto& entry) {
      const auto& [processes, pair] = entry;
      return Json{{"sender", index_or_null(processes.first)},
                  {"receiver", index_or_null(processes.second)},
                  {"count", pair.count},
                  {"largest", pair.largest}};
    });
  }
  void key(const char* name) { out_.print(",\n\"{}\": ", name); }
  void member(const char* name, const Json& value) {
    key(name);
    out_.print("{}", text_of(value));
  }
  template <class Range, class ToJson>
  void array(const char* name, const Range& range, ToJson&& to_json) {
    key(name);
    lines("[", "]", range, [&](const auto& element) { out_.print("{}", text_of(to_json(element))); });
  }
  /// Elements of an array or object, each on its line.
  template <class Range, class Print>
  void lines(const char* open, const char* close, const Range& range, Print&& print) {
    out_.print("{}", open);
    const char* before = "\n  ";
    for (const auto& element : range) {
      out_.print("{}", before);
      print(element);
      before = ",\n  ";
    }
    out_.print("{}{}", before[0] == ',' ? "\n" : "", close);
  }

  Json trace() const {
    const Recorder& recorder = definitions_.recorder;
    const Clock& clock = definitions_.clock;
    Json properties = Json::object();
    for (const auto& [name, value] : recorder.properties) properties[name] = value;
    const bool dated = clock.realtime != ~std::uint64_t{0};
    const Time first = first_event(result_);
    return {{"path", result_.path},
            {"creator", recorder.creator},
            {"machine", recorder.machine},
            {"description", recorder.description},
            {"otf2_version", recorder.version},
            {"trace_id", fmt::format("{:016x}", recorder.trace_id)},
            {"properties", std::move(properties)},
            {"clock",
             {{"ticks_per_second", clock.resolution},
              {"offset", clock.offset},
              {"realtime_ns", dated ? Json(clock.realtime) : Json()}}},
            {"first_time", first},
            {"last_time", first + static_cast<Time>(result_.duration())},
            {"duration", result_.duration()},
            {"events", result_.events()},
            {"messages", result_.messages}};
  }

  void locations() {
    std::vector<LocationId> ids;
    for (std::size_t i = 0; i < definitions_.locations.size(); ++i) ids.emplace_back(i);
    array("locations", ids, [&](LocationId id) {
      const Location& location = definitions_[id];
      const LocationSummary summary =
          id.index() < result_.locations.size() ? result_.locations[id.index()] : LocationSummary{};
      return Json{
          {"name", location.name},    {"type", enum_text(location.type)}, {"process", index_or_null(location.process)},
          {"events", summary.events}, {"first_time", summary.first_time}, {"last_time", summary.last_time}};
    });
  }

  Json call_path(CallPathId id) const {
    const CallPath& path = result_.call_tree[id];
    Json json{{"parent", callpath_or_null(path.parent)}, {"name", result_.call_tree.name(id, definitions_)}};
    const bool placed = path.region.valid() && !definitions_[path.region].file.empty();
    json["file"] = placed ? Json(definitions_[path.region].file) : Json();
    json["line"] =
        placed && definitions_[path.region].begin_line != 0 ? Json(definitions_[path.region].begin_line) : Json();
    return json;
  }

  void metrics() {
    const Totals totals(result_, {});
    array("metrics", result_.metrics.depth_first(), [&](MetricIndex i) {
      const MetricInfo& m = result_.metrics[i];
      return Json{{"id", m.id},
                  {"title", m.title},
                  {"unit", json_unit(m.unit)},
                  {"parent", m.parent == no_metric ? Json() : Json(result_.metrics[m.parent].id)},
                  {"within_parent", m.within_parent},
                  {"total", totals.of(i)},
                  {"summary", m.summary}};
    });
  }

  void severities() {
    key("severities");
    out_.print("{{\"columns\": [\"metric\",\"callpath\",\"location\",\"value\"], \"rows\": ");
    lines("[", "]", result_.table(), [&](const SeverityRow& row) {  // may be millions: not through Json
      out_.print("[\"{}\",", result_.metrics[row.metric].id);
      if (row.callpath.valid())
        out_.print("{}", callpath_index_[row.callpath.index()]);
      else
        out_.print("null");
      out_.print(",{},{}]", row.location.value, row.value);
    });
    out_.print("}}");
  }

  void waits() {
    key("waits");
    lines("{", "}", result_.waits, [&](const auto& entry) {
      Json pairs = Json::array();
      for (const auto& [who, pair] : entry.second)
        pairs.push_back({{"culprit", index_or_null(who.first)},
                         {"victim", index_or_null(who.second)},
                         {"count", pair.count},
                         {"value", pair.ticks}});
      out_.print("{}: {}", text_of(result_.metrics[entry.first].id), text_of(pairs));
    });
  }

  void events_by_type() {
    Json json = Json::object();
    for (std::size_t i = 0; i < event_type_count; ++i)
      if (result_.events_by_type[i] != 0) json[std::string(event_types[i].name)] = result_.events_by_type[i];
    member("events_by_type", json);
  }

  void diagnostics() {
    std::vector<DiagnosticId> ids;
    for (int i = 0; i < diagnostic_count; ++i) ids.push_back(static_cast<DiagnosticId>(i));
    array("diagnostics", ids, [&](DiagnosticId id) {
      const DiagnosticEntry& entry = result_.diagnostics[id];
      Json places = Json::array();
      for (const DiagnosticPlace& place : entry.places)
        places.push_back({{"location", index_or_null(place.location)},
                          {"time", place.time == ~Time{0} ? Json() : Json(place.time)},
                          {"text", place.text}});
      return Json{{"id", name(id)},           {"severity", severity(id) == DiagnosticSeverity::loss ? "loss" : "odd"},
                  {"sentence", sentence(id)}, {"count", entry.count},
                  {"largest", entry.largest}, {"places", std::move(places)}};
    });
  }

  Json callpath_or_null(CallPathId id) const { return id.valid() ? Json(callpath_index_[id.index()]) : Json(); }

  const AnalysisResult& result_;
  const Definitions& definitions_;
  TextStream out_;
  std::vector<CallPathId> callpaths_;
  std::vector<std::size_t> callpath_index_;
};

}  // namespace

void write_json(const AnalysisResult& result, std::ostream& out) { Writer(result, out).write(); }

}  // namespace waitstate::report
