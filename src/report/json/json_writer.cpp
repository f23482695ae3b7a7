// Call path ids depend on which location was decoded first; here they are numbered depth first, which does not. Every
// value is formatted straight into the stream, so that writing needs no more memory than one metric's rows to sort.
// Long because each table of the report has its own fields.
#include "report/json/json_writer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/factors.hpp"
#include "report/facts/ideal_machine.hpp"
#include "report/facts/origin.hpp"
#include "report/facts/software_counters.hpp"
#include "report/facts/totals.hpp"
#include "report/facts/waits/wait_groups.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/json/json_details.hpp"
#include "report/json/json_fields.hpp"
#include "report/text/tables/counter_table.hpp"
#include "util/text.hpp"

#ifndef WAITSTATE_VERSION  // that of the project, from CMakeLists.txt
#define WAITSTATE_VERSION "unknown"
#endif

namespace waitstate::report {
namespace {

/// In quotes, as valid UTF-8.
std::string json_string(std::string_view text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
  if (plain) return '"' + std::string(text) + '"';
  return util::printable_json(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// The same, but nothing is replaced: what is no UTF-8 becomes a NUL with hexadecimal digits behind it.
std::string exact_json_string(std::string_view text) {
  try {
    if (!text.starts_with('\0')) return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {  // no UTF-8
  }
  std::string digits;
  for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return "\"\\u0000" + digits + '"';
}

class JsonWriter {
 public:
  JsonWriter(const AnalysisResult& result, std::ostream& out, CallPathNumbers numbers, const JsonParts& parts)
      : result_(result),
        definitions_(result.definitions),
        run_(result),
        completeness_(result),
        out_(out),
        exact_(numbers == CallPathNumbers::own),
        parts_(parts),
        callpaths_(result.call_tree.depth_first()) {
    if (numbers == CallPathNumbers::own) std::sort(callpaths_.begin(), callpaths_.end());
    callpath_index_.resize(callpaths_.size());
    for (std::size_t i = 0; i < callpaths_.size(); ++i)
      callpath_index_[callpaths_[i].index()] = static_cast<std::uint32_t>(i);
    collect_programs();
  }

  void write() {
    out_.print("{{\n\"format\": \"waitstate\",\n\"version\": {},\n\"waitstate_version\": {}", json::format_version,
               json_string(WAITSTATE_VERSION));
    key("trace");
    trace();
    key("totals");
    totals();
    key("efficiency");
    efficiencies();
    factor_texts();
    list("missing_locations", completeness_.missing(), [&](const MissingLocation& m) {
      object([&](auto& f) { f("location", m.location), f("from", json::or_null(m.from, 0)); });
    });
    key("focus");
    value(result_.focus);
    list("patterns", result_.patterns);
    list("paradigms", definitions_.paradigms);
    list("system_tree", definitions_.system_tree);
    list("processes", definitions_.processes, [&](const LocationGroup& process) {
      object([&](auto& f) { json::fields(process, f), f("properties", texts_of(process.properties)); });
    });
    list("hosts", hosts(definitions_), [&](const Host& host) {
      object([&](auto& f) { f("name", host.name), f("processes", host.processes), f("ranks", host.ranks); });
    });
    locations();
    list("regions", definitions_.regions);
    list("programs", programs_);
    communicators();
    list("cart_dimensions", definitions_.cart_dimensions);
    list("cart_topologies", definitions_.cart_topologies);
    list("call_tree", callpaths_, [&](CallPathId id) { value(result_.call_tree[id]); });
    metrics();
    if (parts_.severities) severities();
    waits();
    list("open_calls", result_.open_calls);
    list("deadlocks", deadlocks(result_));
    counters();
    wait_groups();
    json::write_problems(*this, result_, run_);
    if (result_.series) json::write_series(*this, result_.metrics, *result_.series);
    if (result_.critical_path) json::write_critical_path(*this, *result_.critical_path);
    if (result_.phases) json::write_phases(*this, result_.metrics, *result_.phases);
    if (!result_.contexts.empty()) json::write_contexts(*this, result_.contexts);
    if (result_.communication) json::write_communication(*this, *result_.communication);
    queues();
    software();
    list("unanswered", result_.undetermined, [&](const UndeterminedMetric& u) {
      object([&](auto& f) { f("metric", result_.metrics[u.metric].id), f("sentence", u.sentence); });
    });
    events_by_type();
    diagnostics();
    diagnostic_pairs();
    out_.print("\n}}\n");
    out_.flush();
  }

  // ---- for json_details.hpp, too ----

  TextStream& out() { return out_; }
  const JsonParts& parts() const { return parts_; }
  /// The number of an instance among those that are written of its metric.
  std::size_t number_of(const WaitSummary& summary, const SevereInstance& instance) const {
    std::size_t number = 0;
    for (const auto* entry : by_callpath(summary.severe, [](CallPathId key) { return key; })) {
      if (!entry->second.empty() && &instance >= &entry->second.front() && &instance <= &entry->second.back())
        return number + static_cast<std::size_t>(&instance - &entry->second.front());
      number += entry->second.size();
    }
    return number;
  }

  // ---- values ----

  struct Members {  // of one object
    JsonWriter& writer;
    const char* before = "";
    template <class T>
    void operator()(std::string_view name, const T& member) {
      writer.out_.put(before, '"', name, "\":");
      writer.value(member);
      before = ",";
    }
  };
  template <class Describe>
  void object(Describe&& describe) {
    out_.put('{');
    Members members{*this};
    describe(members);
    out_.put('}');
  }

  template <class T>
  void value(const T& v) {
    if constexpr (std::is_enum_v<T>) {
      if (const std::string_view known = json::enum_text(v); !known.empty())
        value(known);
      else
        out_.print("{}", static_cast<unsigned>(v));
    } else if constexpr (std::is_same_v<T, double>) {
      if (std::isfinite(v))
        out_.print("{}", v + 0.0);  // shortest text that reads back the same; no negative zero
      else
        out_.print("null");
    } else if constexpr (std::is_same_v<T, bool>) {
      out_.put(v ? "true" : "false");
    } else if constexpr (std::is_integral_v<T>) {
      out_.put(v);
    } else if constexpr (std::is_arithmetic_v<T>) {
      out_.print("{}", v);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      out_.put(quoted(v));
    } else {
      object([&](auto& f) { json::fields(v, f); });
    }
  }
  template <class T>
  void value(const std::vector<T>& elements) {
    const char* before = "[";
    for (const T& element : elements) {
      out_.put(before);
      value(element);
      before = ",";
    }
    out_.put(elements.empty() ? "[]" : "]");
  }
  template <class T>
  void value(const json::OrNull<T>& v) {
    if (v.value == v.none)
      out_.print("null");
    else
      value(v.value);
  }
  template <class Tag>
  void value(const Id<Tag>& id) {
    index(id, id.value);
  }
  void value(const CallPathId& id) { index(id, id.valid() ? callpath_index_[id.index()] : 0); }
  void value(const StringId& id) {  // a program
    index(id, id.valid() ? program_index_[id.index()] : 0);
  }
  template <class Tag>
  void index(Id<Tag> id, std::uint32_t written) {
    if (id.valid())
      out_.put(written);
    else
      out_.put("null");
  }

  // The same as cells of rows.
  template <class T>
  static TextStream::Cell cell(const T& number) {
    return {static_cast<std::uint64_t>(number), false, number < T{}};
  }
  template <class T>
  static TextStream::Cell cell(const json::OrNull<T>& v) {
    return v.value == v.none ? TextStream::Cell{0, true, false} : cell(v.value);
  }
  template <class Tag>
  static TextStream::Cell cell(const Id<Tag>& id) {
    return {id.value, !id.valid(), false};
  }
  TextStream::Cell cell(const CallPathId& id) const {
    return {id.valid() ? callpath_index_[id.index()] : 0, !id.valid(), false};
  }
  TextStream::Cell cell(const StringId& id) const {
    return {id.valid() ? program_index_[id.index()] : 0, !id.valid(), false};
  }

  std::string quoted(std::string_view text) const { return exact_ ? exact_json_string(text) : json_string(text); }

  // ---- layout ----

  void key(const char* name) { out_.print(",\n\"{}\": ", name); }

  /// Elements of an array or object, each on its line.
  template <class Range, class Print>
  void lines(const char* open, const char* close, const Range& range, Print&& print) {
    out_.put(open);
    const char* before = "\n  ";
    for (const auto& element : range) {
      out_.put(before);
      print(element);
      before = ",\n  ";
    }
    out_.print("{}{}", before[0] == ',' ? "\n" : "", close);
  }
  template <class Range, class Print>
  void list(const char* name, const Range& range, Print&& print) {
    key(name);
    lines("[", "]", range, print);
  }
  template <class Range>
  void list(const char* name, const Range& range) {
    list(name, range, [&](const auto& element) { value(element); });
  }
  /// `more`: further members behind the rows.
  template <std::size_t n, class Range, class Print>
  void table(const std::string_view (&columns)[n], const Range& rows, Print&& print, std::string_view more = {}) {
    out_.print("{{\"columns\":[\"{}\"],\"rows\":", fmt::join(columns, "\",\""));
    lines("[", "]", rows, print);
    out_.put(more, '}');
  }

 private:
  // ---- parts of the report ----

  void collect_programs() {
    program_index_.resize(definitions_.strings.size());
    std::vector<bool> known(definitions_.strings.size());
    for (const CallPathId id : callpaths_) {
      const StringId program = result_.call_tree[id].program;
      if (!program.valid() || known[program.index()]) continue;
      known[program.index()] = true;
      program_index_[program.index()] = static_cast<std::uint32_t>(programs_.size());
      programs_.push_back(definitions_[program]);
    }
  }

  void trace() {
    const Recorder& recorder = definitions_.recorder;
    const std::string date = date_of(definitions_.clock);
    object([&](auto& f) {
      f("path", result_.path);
      f("date", json::or_null(date, ""));
      if (!result_.command.empty()) f("command", result_.command);
      f("creator", recorder.creator);
      f("machine", recorder.machine);
      f("description", recorder.description);
      f("otf2_version", recorder.version);
      f("trace_id", fmt::format("{:016x}", recorder.trace_id));
      f("properties", recorder.properties);
      f("clock", definitions_.clock);
    });
  }

  void totals() {
    const Time first = first_event(result_);
    object([&](auto& f) {
      f("first_time", first);
      f("last_time", first + static_cast<Time>(result_.duration()));
      f("duration", result_.duration());
      f("events", result_.events());
      f("messages", result_.messages);
      f("collectives", result_.collectives);
    });
  }

  /// Those that are texts.
  std::vector<json::NamedValue> texts_of(const std::vector<Property>& properties) const {
    std::vector<json::NamedValue> texts;
    for (const Property& p : properties)
      if (p.value.type == ValueType::string && p.value.bits < definitions_.strings.size())
        texts.emplace_back(p.name, definitions_.strings[p.value.bits]);
    return texts;
  }

  /// In both scopes, under their names.
  void efficiencies() {
    object([&](auto& f) {
      for (const Scope scope : {Scope::whole, Scope::without_init_exit}) {
        const Totals& totals = run_.of(scope);
        f(name(scope), InScope{totals, efficiency(result_, totals), ideal_machine(result_, totals)});
      }
    });
  }
  /// What the factors of efficiency that this report has mean.
  void factor_texts() {
    const bool ideal = ideal_machine(result_, run_.whole()).was_asked;
    std::vector<Factor> shown;
    for (const Factor& f : report::factors())
      if (ideal || f.needs.empty()) shown.push_back(f);
    list("factors", shown, [&](const Factor& factor) {
      object([&](auto& f) {
        f("id", factor.id), f("summary", factor.summary), f("formula", factor.formula), f("source", factor.source);
      });
    });
  }
  void wait_groups() {
    list("wait_groups", report::wait_groups(result_), [&](const WaitGroup& g) {
      object([&](auto& f) {
        f("processes", g.processes), f("left_out", g.left_out), f("count", g.inside.count), f("ticks", g.inside.ticks);
        f("circle", g.circle), f("circle_ticks", g.circle_ticks);
      });
    });
  }
  struct InScope {
    const Totals& totals;
    Efficiency efficiency;
    IdealMachine ideal;
  };
  void value(const InScope& s) {
    const Efficiency& e = s.efficiency;
    object([&](auto& f) {
      f("time", s.totals.time());
      f("run_time", json::or_null(e.run_time, e.known() ? -1 : e.run_time));
      for (const EfficiencyFactor& factor : efficiency_factors) f(factor.id, e.known() ? e.*factor.value : unknown);
      f("over", e.threads ? "threads" : "processes");
      f("units", e.units);
      f("left_out", e.left_out);
      f("unknown", e.unknown);
      if (s.ideal.was_asked) f("ideal_machine", s.ideal);
    });
  }
  void value(const IdealMachine& m) {
    object([&](auto& f) {
      f("ideal_run_time", json::or_null(m.ideal_run_time, m.known() ? -1 : m.ideal_run_time));
      for (const IdealFactor& factor : ideal_factors) f(factor.id, m.known() ? m.*factor.value : unknown);
      f("unbalanced", m.unbalanced);
      f("balanced_run_time", json::or_null(m.balanced_run_time, m.known() ? -1 : m.balanced_run_time));
      f("bound", m.bound);
      f("unknown", m.unknown);
    });
  }
  /// null in JSON.
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  void locations() {
    std::size_t i = 0;
    list("locations", definitions_.locations, [&](const Location& location) {
      const LocationSummary summary = i < result_.locations.size() ? result_.locations[i] : LocationSummary{};
      ++i;
      object([&](auto& f) { json::fields(location, f), json::fields(summary, f); });
    });
  }

  void communicators() {
    std::vector<bool> placed(definitions_.comms.size());
    for (const CartTopology& topology : definitions_.cart_topologies)
      if (topology.comm.index() < placed.size()) placed[topology.comm.index()] = true;
    std::size_t i = 0;
    list("communicators", definitions_.comms, [&](const Comm& comm) {
      object([&](auto& f) {
        f("name", comm.name);
        f("self", comm.self);
        f("members", placed[i] ? comm.members : std::vector<LocationId>{});
      });
      ++i;
    });
  }

  void metrics() {
    std::vector<MetricIndex> all(result_.metrics.size());
    for (MetricIndex i = 0; i < all.size(); ++i) all[i] = i;
    list("metrics", all, [&](MetricIndex i) {
      const MetricInfo& metric = result_.metrics[i];
      object([&](auto& f) {
        json::fields(metric, f);
        f("kind", metric.kind);
        f("plugin", metric.from_plugin);
        if (!metric.sums()) f("aggregation", metric.aggregation);
        const std::string parent = metric.parent == no_metric ? "" : result_.metrics[metric.parent].id;
        f("parent", json::or_null(parent, ""));
        if (!metric.texts.empty()) json::fields(metric.texts, f);
        if (metric.within_parent) f("siblings", metric.siblings);
        f("total", run_.whole().of(i));
        f("total_without_init_exit", run_.counted().of(i));
        f("share", completeness_.share(i, run_.whole()).value_or(unknown));
        f("share_without_init_exit", completeness_.share(i, run_.counted()).value_or(unknown));
        f("told", name(completeness_.told(i, run_.whole().of(i))));
      });
    });
  }

  struct Row {
    std::uint32_t callpath;  // as it is written
    LocationId location;
    std::int64_t value;
  };
  std::vector<Row> rows(MetricIndex metric) const {
    std::vector<Row> found;
    if (metric >= result_.severities.metric_count()) return found;
    result_.severities.for_each(metric, callpath_index_,
                                [&](CallPathId callpath, LocationId location, std::int64_t value) {
                                  found.push_back({callpath_index_[callpath.index()], location, value});
                                });
    return found;
  }
  void severities() {
    key("severities");
    out_.print("{{");
    const char* before = "\n";
    for (MetricIndex metric = 0; metric < result_.metrics.size(); ++metric) {
      const std::vector<Row> found = rows(metric);
      if (found.empty()) continue;
      out_.print("{}{}: ", before, quoted(result_.metrics[metric].id));
      table(json::severity_columns, found,
            [&](const Row& row) { out_.put('[', row.callpath, ',', row.location.value, ',', row.value, ']'); });
      before = ",\n";
    }
    out_.print("\n}}");
  }

  /// The entries of a map by call path, in the order in which call paths are written; those of none last.
  template <class Map, class Callpath>
  std::vector<const typename Map::value_type*> by_callpath(const Map& map, Callpath&& callpath) const {
    std::vector<const typename Map::value_type*> entries;
    for (const auto& entry : map) entries.push_back(&entry);
    const auto place = [&](const auto* entry) {
      const CallPathId id = callpath(entry->first);
      return id.valid() ? callpath_index_[id.index()] : CallPathId::none_value;
    };
    std::stable_sort(entries.begin(), entries.end(), [&](const auto* a, const auto* b) { return place(a) < place(b); });
    return entries;
  }
  void waits() {
    key("waits");
    out_.print("{{");
    const char* before = "\n";
    for (const auto& [metric, summary] : result_.waits) {
      out_.print("{}{}: {{\n\"statistics\": ", before, quoted(result_.metrics[metric].id));
      value(summary.statistics);
      key("pairs");
      table(json::pair_columns, summary.pairs, [&](const auto& entry) { wait_row(entry.first, entry.second); });
      key("causes");
      table(json::cause_columns, by_callpath(summary.causes, [](const auto& key) { return key.first; }),
            [&](const auto* entry) { wait_row(entry->first, entry->second); });
      json::write_durations(*this, summary);
      instances(summary);
      out_.print("}}");
      before = ",\n";
    }
    out_.print("\n}}");
  }
  template <class Key>
  void wait_row(const Key& who, const WaitPair& wait) {
    out_.put('[');
    value(who.first);
    out_.put(',');
    value(who.second);
    out_.put(',', wait.count, ',', wait.ticks, ']');
  }
  void optional(const std::optional<double>& v) {
    if (v)
      value(*v);
    else
      out_.print("null");
  }
  void counters() {
    key("counters");
    out_.print("{{");
    const char* before = "\n";
    for (const Counter& counter : result_.counters) {
      const MetricInfo& metric = result_.metrics[counter.metric];
      out_.print("{}{}: {{", before, quoted(metric.id));
      Members f{*this};
      json::fields(counter, f);
      f("severity_unit", metric.unit_name);
      f("scale", metric.scale);
      std::vector<CounterRow> rows = counter.rows;
      std::sort(rows.begin(), rows.end(), [&](const CounterRow& a, const CounterRow& b) {
        return std::pair(callpath_index_[a.callpath.index()], a.location) <
               std::pair(callpath_index_[b.callpath.index()], b.location);
      });
      key("values");
      table(json::counter_columns, rows, [&](const CounterRow& row) {
        out_.print("[{},{},{},{},", callpath_index_[row.callpath.index()], row.location.value, row.samples, row.weight);
        value(row.least);
        out_.print(",");
        value(row.greatest);
        const std::optional<double> rate = counter_rate(result_, counter, row);
        const bool state = counter.kind == CounterKind::absolute;
        out_.print(",");
        optional(state ? std::nullopt : rate);
        out_.print(",");
        optional(state ? rate : std::nullopt);
        out_.print("]");
      });
      out_.print("}}");
      before = ",\n";
    }
    out_.print("\n}}");
  }
  void queues() {
    if (!result_.queues.known) return;
    key("queues");
    out_.print("{{\"from\": {}, \"to\": {}", result_.queues.from, result_.queues.to);
    list("profiles", result_.queues.rows);
    list("parts", result_.queues.parts);
    out_.print("}}");
  }
  void software() {
    const std::vector<SoftwareCounter> counters = software_counters(result_);
    if (counters.empty()) return;
    list("software_counters", counters, [&](const SoftwareCounter& c) {
      object([&](auto& f) {
        f("name", c.name), f("meaning", c.meaning()), f("bound", name(c.bound)), f("of_paper", c.of_paper);
        f("values", c.values);
      });
    });
  }
  void instances(const WaitSummary& summary) {
    std::vector<std::pair<CallPathId, const SevereInstance*>> all;
    for (const auto* entry : by_callpath(summary.severe, [](CallPathId key) { return key; }))
      for (const SevereInstance& instance : entry->second) all.emplace_back(entry->first, &instance);
    list("instances", all, [&](const auto& entry) {
      const SevereInstance& instance = *entry.second;
      object([&](auto& f) {
        f("callpath", entry.first), json::fields(instance, f);
        json::write_instance_details(f, instance);
        f("culprit_wait", json::or_null(instance.culprit_wait, {}));
      });
    });
  }

  void events_by_type() {
    key("events_by_type");
    object([&](auto& f) {
      for (std::size_t i = 0; i < event_type_count; ++i)
        if (result_.events_by_type[i] != 0) f(event_types[i].name, result_.events_by_type[i]);
    });
  }

  void diagnostics() {
    std::vector<DiagnosticId> ids;
    for (int i = 0; i < diagnostic_count; ++i) ids.push_back(static_cast<DiagnosticId>(i));
    list("diagnostics", ids, [&](DiagnosticId id) {
      const DiagnosticEntry& entry = result_.diagnostics[id];
      object([&](auto& f) {
        f("id", name(id));
        f("severity", name(severity(id)));
        f("sentence", sentence(id, entry.count));
        f("count", entry.count);
        f("largest", entry.largest);
        f("places", valid_places(entry.places));
      });
    });
  }
  /// Places are kept in the order of their texts too, which the replacement of invalid bytes may change.
  std::vector<DiagnosticPlace> valid_places(std::vector<DiagnosticPlace> places) const {
    if (exact_) return places;
    for (DiagnosticPlace& place : places)
      place.text = nlohmann::json::parse(json_string(place.text)).get<std::string>();
    std::sort(places.begin(), places.end());
    return places;
  }
  void diagnostic_pairs() {
    struct Counted {
      DiagnosticId id;
      ProcessId sender, receiver;
      Diagnostics::Pair pair;
    };
    std::vector<Counted> all;
    for (int i = 0; i < diagnostic_count; ++i)
      for (const auto& [who, pair] : result_.diagnostics.between(static_cast<DiagnosticId>(i)))
        all.push_back({static_cast<DiagnosticId>(i), who.first, who.second, pair});
    key("diagnostic_pairs");
    table(json::diagnostic_pair_columns, all, [&](const Counted& c) {
      out_.print("[\"{}\",", name(c.id));
      value(c.sender);
      out_.print(",");
      value(c.receiver);
      out_.print(",{},{}]", c.pair.count, c.pair.largest);
    });
  }

  const AnalysisResult& result_;
  const Definitions& definitions_;
  RunTotals run_;
  Completeness completeness_;
  TextStream out_;
  bool exact_;  // a copy, in which no text may change
  const JsonParts parts_;
  std::vector<CallPathId> callpaths_;          // as they are written
  std::vector<std::uint32_t> callpath_index_;  // by id: its place in callpaths_
  std::vector<std::string> programs_;          // as they are written
  std::vector<std::uint32_t> program_index_;   // by id: its place in programs_
};

}  // namespace

void write_json(const AnalysisResult& result, std::ostream& out, CallPathNumbers numbers, const JsonParts& parts) {
  JsonWriter(result, out, numbers, parts).write();
}

}  // namespace waitstate::report
