// The report comes from anywhere, so every number is checked against the table that it leads to before it is used:
// parents stand before their children (system tree: lead to a root), tables are as long as the document makes them,
// and nothing is allocated for a number's sake. Tables may come in any order, because references are checked against
// their lengths, which are known before the first one is read. What is derived (totals) has to agree with what it is
// derived from.
//
// The document is parsed as a whole: 1.4 million rows of severities, 21 MB of text, take 300 MB while they are read.
// Long because each table has checks of its own.
#include "report/json/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "report/facts/totals.hpp"
#include "report/json/json_details.hpp"
#include "report/json/json_fields.hpp"
#include "report/json/json_node.hpp"
#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report {
namespace {

using json::Node;

constexpr std::size_t most_json_metrics = 10'000;  // MetricTree looks ids up one after the other

void expect_report(const Node& root) {
  if (const Node format = root.at("format"); format.text() != "waitstate") format.fail("\"waitstate\"");
  const Node node = root.at("version");
  const auto version = node.integer<std::uint64_t>();
  if (version == json::format_version) return;
  throw TraceError(
      root.file(),
      fmt::format("a report in version {} of the format, but this waitstate reads version {}: {}", version,
                  json::format_version,
                  version > json::format_version ? "read it with a newer waitstate, or write it again with this one"
                                                 : "write it again from its trace"));
}

class JsonReader {
 public:
  /// `depth_first`: of a copy, the order of its call paths; null: their numbers are that order.
  JsonReader(const Node& root, const std::vector<CallPathId>* depth_first) : root_(root), depth_first_(depth_first) {
    expect_report(root);
    system_nodes_ = length("system_tree");
    processes_ = length("processes");
    locations_ = length("locations");
    regions_ = length("regions");
    programs_ = length("programs");
    comms_ = length("communicators");
    cart_dimensions_ = length("cart_dimensions");
    callpaths_ = length("call_tree");
  }

  AnalysisResult read() {
    definitions();
    call_tree();
    metrics();
    severities();
    waits();
    if (root_.has("counters")) counters();
    if (root_.has("open_calls")) open_calls();
    if (root_.has("series")) {
      const Node node = root_.at("series");
      result_.series =
          json::read_series(*this, node, [&](const std::string& id, const Node& at) { return metric(id, at); });
    }
    if (root_.has("critical_segments")) {
      const Node node = root_.at("critical_segments");
      result_.critical_path = json::read_critical_path(*this, node);
    }
    if (root_.has("phases")) {
      const Node node = root_.at("phases");
      result_.phases =
          json::read_phases(*this, node, [&](const std::string& id, const Node& at) { return metric(id, at); });
    }
    if (root_.has("contexts")) {
      const Node node = root_.at("contexts");
      result_.contexts = json::read_contexts(*this, node);
    }
    if (root_.has("communication")) {
      const Node node = root_.at("communication");
      result_.communication = json::read_communication(*this, node);
    }
    if (root_.has("queues")) queues();
    read_member("focus", result_.focus);
    read_member("patterns", result_.patterns);
    root_.at("events_by_type").for_each_member([&](const std::string& name, const Node& node) {
      EventType type{};
      if (!event_type_from_name(name, type)) {
        std::vector<std::string_view> known;
        for (const EventTypeSpec& event : event_types) known.push_back(event.name);
        unknown_member(node, name, known, "no type of event");
      }
      read(node, result_.events_by_type[static_cast<std::size_t>(type)]);
    });
    diagnostics();
    diagnostic_pairs();
    totals();
    undetermined();
    return std::move(result_);
  }

  // ---- values, by type ----

  struct Members {
    JsonReader& reader;
    const Node& object;
    template <class T>
    void operator()(const char* name, T&& member) {
      reader.read(object.at(name), member);
    }
  };

  template <class T>
  void read(const Node& node, T& v) {
    if constexpr (std::is_same_v<T, bool>) {
      v = node.truth();
    } else if constexpr (std::is_enum_v<T>) {
      v = enumerator<T>(node);
    } else if constexpr (std::is_integral_v<T>) {
      v = node.integer<T>();
    } else if constexpr (std::is_same_v<T, double>) {
      v = node.real();
    } else if constexpr (std::is_same_v<T, std::string>) {
      v = exact(node.text());
    } else {
      json::fields(v, Members{*this, node});
    }
  }
  template <class T>
  void read(const Node& node, std::vector<T>& elements) {
    elements.resize(std::min(elements.size(), node.size()));  // what was not there before is made once it is read
    for (std::size_t i = 0, n = node.size(); i < n; ++i) {
      if (i == elements.size()) elements.emplace_back();
      read(node.at(i), elements[i]);
    }
  }
  template <class T>
  void read(const Node& node, json::OrNull<T>& v) {
    if (node.is_null())
      v.value = v.none;
    else if constexpr (std::is_integral_v<T>)
      v.value = node.integer<T>(0, std::is_unsigned_v<T> ? v.none - 1 : std::numeric_limits<T>::max(), true);
    else
      read(node, v.value);
  }
  template <class Tag>
  void read(const Node& node, Id<Tag>& id) {
    id = node.is_null() ? Id<Tag>::none() : index(node, id, true);
  }
  /// A reference that leads somewhere.
  template <class Tag>
  Id<Tag> index(const Node& node, Id<Tag> id, bool null_too = false) {
    const std::size_t n = count(id);
    if (n == 0) node.fail(null_too ? "null, since that table is empty" : "no entry, since that table is empty");
    return Id<Tag>{node.integer<std::size_t>(0, n - 1, null_too)};
  }
  template <class E>
  E enumerator(const Node& node) {
    constexpr bool by_name = std::is_same_v<E, Unit> || std::is_same_v<E, RegionClass> || std::is_same_v<E, MetricKind>;
    if (!by_name && node.is_number()) return static_cast<E>(node.integer<std::underlying_type_t<E>>());
    static const std::vector<std::string_view> names = json::enum_names<E>();
    return static_cast<E>(node.one_of(names, "one of the names in report.schema.json") + json::first_enum<E>());
  }

  /// A text as it was: one that is no UTF-8 stands in a copy as hexadecimal digits behind a NUL.
  std::string exact(const std::string& text) const {
    if (depth_first_ == nullptr || !text.starts_with('\0')) return text;
    std::string bytes;
    for (std::size_t i = 1; i + 1 < text.size(); i += 2)
      bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
    return bytes;
  }

  std::size_t count(SystemNodeId) const { return system_nodes_; }
  std::size_t count(ProcessId) const { return processes_; }
  std::size_t count(LocationId) const { return locations_; }
  std::size_t count(RegionId) const { return regions_; }
  std::size_t count(StringId) const { return programs_; }
  std::size_t count(CommId) const { return comms_; }
  std::size_t count(CartDimensionId) const { return cart_dimensions_; }
  std::size_t count(CallPathId) const { return callpaths_; }

  /// The number of a context.
  std::uint32_t context(const Node& node) const {
    const std::size_t n = root_.has("contexts") ? length("contexts") : 0;
    if (n == 0) node.fail("no context, since there are none");
    return node.integer<std::uint32_t>(0, static_cast<std::uint32_t>(n - 1));
  }

  template <class T>
  void read_member(const char* name, T& v) {
    read(root_.at(name), v);
  }
  std::size_t length(const char* name) const {
    const Node list = root_.at(name);
    if (const std::size_t n = list.size(); n < CallPathId::none_value) return n;
    list.fail("fewer elements than ids can number");
  }
  template <class F>
  void for_each_row(const Node& table, std::size_t columns, F&& f) {
    const Node rows = table.at("rows");
    for (std::size_t i = 0, n = rows.size(); i < n; ++i) {
      const Node row = rows.at(i);
      row.expect_size(columns);
      f(row);
    }
  }

 private:
  [[noreturn]] static void unknown_member(const Node& node, std::string_view name,
                                          const std::vector<std::string_view>& known, const char* what) {
    const std::string near = util::nearest(name, known);
    node.fail_because(
        fmt::format("the member's name is {}{}", what, near.empty() ? "" : fmt::format(": did you mean '{}'?", near)));
  }

  // ---- parts of the report ----

  void definitions() {
    Definitions& d = result_.definitions;
    const Node trace = root_.at("trace");
    read(trace.at("path"), result_.path);
    if (trace.has("command")) read(trace.at("command"), result_.command);
    read(trace.at("creator"), d.recorder.creator);
    read(trace.at("machine"), d.recorder.machine);
    read(trace.at("description"), d.recorder.description);
    read(trace.at("otf2_version"), d.recorder.version);
    d.recorder.trace_id = hexadecimal(trace.at("trace_id"));
    read(trace.at("properties"), d.recorder.properties);
    const Node clock = trace.at("clock");
    read(clock, d.clock);
    if (d.clock.resolution == 0) clock.at("ticks_per_second").fail("at least 1");
    read_member("paradigms", d.paradigms);
    read_member("system_tree", d.system_tree);
    expect_forest();
    read_member("processes", d.processes);
    read_member("locations", d.locations);
    read_member("locations", result_.locations);  // what was seen of them stands beside their definition
    for (std::size_t i = 0; i < d.locations.size(); ++i)
      if (d.locations[i].process.valid()) d.processes[d.locations[i].process.index()].locations.emplace_back(i);
    read_member("regions", d.regions);
    for (Region& region : d.regions) {  // as Definitions::finish() derives it
      region.mpi_function = mpi_function(region.name);
      if (region.mpi_function == MpiFunction::none && region.paradigm == Paradigm::mpi)
        region.mpi_function = MpiFunction::other;
    }
    read_member("programs", d.strings);
    process_properties();
    const Node comms = root_.at("communicators");
    for (std::size_t i = 0, n = comms.size(); i < n; ++i) {
      const Node node = comms.at(i);
      Comm& comm = d.comms.emplace_back();
      read(node.at("name"), comm.name);
      read(node.at("self"), comm.self);
      read(node.at("members"), comm.members);
    }
    read_member("cart_dimensions", d.cart_dimensions);
    read_member("cart_topologies", d.cart_topologies);
  }

  /// They are texts, behind the names of programs.
  void process_properties() {
    Definitions& d = result_.definitions;
    const Node list = root_.at("processes");
    for (std::size_t i = 0; i < d.processes.size(); ++i) {
      const Node process = list.at(i);
      std::vector<json::NamedValue> texts;
      read(process.at("properties"), texts);
      for (const auto& [name, text] : texts)
        d.processes[i].properties.push_back({name, {ValueType::string, d.intern(text).value}});
    }
  }

  static std::uint64_t hexadecimal(const Node& node) {
    const std::string& text = node.text();
    if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
      node.fail("16 hexadecimal digits");
    return std::stoull(text, nullptr, 16);
  }

  /// Recorders define nodes in any order, but every one leads up to a root.
  void expect_forest() const {
    const std::vector<SystemTreeNode>& nodes = result_.definitions.system_tree;
    std::vector<std::uint32_t> walk(nodes.size());  // by node: the walk that met it first, from 1
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      SystemNodeId at{i};
      for (; at.valid() && walk[at.index()] == 0; at = nodes[at.index()].parent) walk[at.index()] = i + 1;
      if (!at.valid() || walk[at.index()] != i + 1) continue;
      const Node list = root_.at("system_tree");
      const Node node = list.at(at.index());
      node.at("parent").fail("a node that does not lie below this one");
    }
  }

  void call_tree() {
    const Node list = root_.at("call_tree");
    std::vector<std::uint32_t> place(callpaths_);
    std::iota(place.begin(), place.end(), 0u);
    if (depth_first_ != nullptr) {
      list.expect_size(depth_first_->size());
      for (std::size_t i = 0; i < callpaths_; ++i) {
        if ((*depth_first_)[i].index() >= callpaths_) list.fail("a call path for each number");
        place[(*depth_first_)[i].index()] = static_cast<std::uint32_t>(i);
      }
    }
    for (std::size_t i = 0; i < callpaths_; ++i) {
      const Node node = list.at(i);
      CallPath path;
      read(node, path);
      if (path.parent.valid() && path.parent.index() >= i)
        node.at("parent").fail(fmt::format("null or a call path before this one, which is {}", i));
      const CallPathId id = result_.call_tree.find_or_add(path);
      if (id.index() != i) node.fail_because(fmt::format("the same call path as {}", id.index()));
      result_.call_tree.seen(id, LocationId{0}, place[i]);
    }
  }

  void metrics() {
    const MetricTree known = MetricTree::built_in();
    const Node list = root_.at("metrics");
    if (list.size() > most_json_metrics) list.fail(fmt::format("at most {}", most_json_metrics));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Node node = list.at(i);
      MetricInfo m;
      read(node, m);
      if (m.id.empty()) node.at("id").fail("an id");
      if (result_.metrics.find(m.id) != no_metric) node.at("id").fail("another id than the metrics before it have");
      std::string parent;
      auto parent_or_null = json::or_null(parent, "");
      read(node.at("parent"), parent_or_null);
      if (!parent.empty() && result_.metrics.find(parent) == no_metric)
        node.at("parent").fail("null or the id of a metric that stands before this one");
      read(node.at("kind"), m.kind);
      read(node.at("plugin"), m.from_plugin);
      const MetricIndex added = result_.metrics.add(m.id, parent, m.unit, m.within_parent, m.title, m.summary, m.kind);
      if (m.from_plugin) result_.metrics.set_from_plugin(added);
      result_.metrics.explain_as(added, known);
      json::read_metric_texts(*this, node, result_.metrics, added);
      if (!node.has("aggregation")) continue;
      read(node.at("aggregation"), m.aggregation);
      result_.metrics.set_aggregation(added, m.aggregation);
    }
    result_.severities = Severities(result_.metrics.size());
  }

  MetricIndex metric(const std::string& written, const Node& node) const {
    const std::string id = exact(written);
    const MetricIndex found = result_.metrics.find(id);
    if (found == no_metric) {
      std::vector<std::string_view> known;
      for (MetricIndex m = 0; m < result_.metrics.size(); ++m) known.push_back(result_.metrics[m].id);
      unknown_member(node, id, known, "the id of no metric of this report");
    }
    return found;
  }

  void severities() {
    root_.at("severities").for_each_member([&](const std::string& id, const Node& table) {
      const MetricIndex m = metric(id, table);
      for_each_row(table, std::size(json::severity_columns), [&](const Node& row) {
        result_.severities.add(m, index(row.at(0), CallPathId{}), index(row.at(1), LocationId{}),
                               row.at(2).integer<std::int64_t>());
      });
    });
  }

  void counters() {
    root_.at("counters").for_each_member([&](const std::string& id, const Node& node) {
      Counter& counter = result_.counters.emplace_back();
      read(node, counter);
      counter.metric = metric(id, node);
      if (result_.metrics[counter.metric].unit != Unit::counter) node.fail_because("the metric is no counter");
      std::string unit;
      double scale = 1;
      read(node.at("severity_unit"), unit);
      const Node number = node.at("scale");
      read(number, scale);
      if (!std::isnormal(scale) || scale < 0) number.fail("a number above 0");
      result_.metrics.set_scale(counter.metric, std::move(unit), scale);
      for_each_row(node.at("values"), std::size(json::counter_columns), [&](const Node& row) {
        CounterRow& r = counter.rows.emplace_back();
        r.callpath = index(row.at(0), CallPathId{});
        r.location = index(row.at(1), LocationId{});
        read(row.at(2), r.samples);
        read(row.at(3), r.weight);
        read(row.at(4), r.least);
        read(row.at(5), r.greatest);
      });
    });
    std::sort(result_.counters.begin(), result_.counters.end(),
              [](const Counter& a, const Counter& b) { return a.metric < b.metric; });
  }

  template <class Key>
  void wait_rows(const Node& table, WaitTable<Key>& waits) {
    std::map<Key, WaitPair> rows;
    for_each_row(table, std::size(json::pair_columns), [&](const Node& row) {
      Key key;
      WaitPair pair;
      read(row.at(0), key.first);
      read(row.at(1), key.second);
      read(row.at(2), pair.count);
      read(row.at(3), pair.ticks);
      if (!rows.emplace(key, pair).second) row.fail_because("the same two as in a row before");
    });
    waits = WaitTable<Key>(boost::container::ordered_unique_range, rows.begin(), rows.end());
  }
  void waits() {
    root_.at("waits").for_each_member([&](const std::string& id, const Node& node) {
      WaitSummary& summary = result_.waits[metric(id, node)];
      read(node.at("statistics"), summary.statistics);
      wait_rows(node.at("pairs"), summary.pairs);
      wait_rows(node.at("causes"), summary.causes);
      json::read_durations(*this, node, summary);
      const Node instances = node.at("instances");
      for (std::size_t i = 0, n = instances.size(); i < n; ++i) {
        const Node instance = instances.at(i);
        CallPathId callpath;
        read(instance.at("callpath"), callpath);
        SevereInstance severe;
        read(instance, severe);
        if (instance.has("culprit_wait")) {
          const Node own = instance.at("culprit_wait");
          severe.culprit_wait.known = !own.is_null();
          if (!own.is_null()) read(own, severe.culprit_wait);
        }
        json::read_instance_details(*this, instance, severe);
        std::vector<SevereInstance>& kept = summary.severe[callpath];
        if (kept.size() == WaitSummary::max_severe)
          instance.fail_because(fmt::format("found more than {} of one call path", WaitSummary::max_severe));
        kept.push_back(std::move(severe));
      }
    });
  }

  void open_calls() {
    const Node list = root_.at("open_calls");
    for (std::size_t i = 0, n = list.size(); i < n; ++i) {
      const Node node = list.at(i), location = node.at("location"), region = node.at("region");
      OpenCall call;
      read(node, call);
      call.location = index(location, call.location);
      call.region = index(region, call.region);
      const Node waits = node.at("waits");
      for (std::size_t w = 0; w < call.waits.size(); ++w) {
        const Node wait = waits.at(w), whom = wait.at("whom");
        for (std::size_t k = 0; k < call.waits[w].whom.size(); ++k)
          call.waits[w].whom[k] = index(whom.at(k), call.waits[w].whom[k]);
      }
      result_.open_calls.push_back(call);
    }
  }

  void queues() {
    const Node node = root_.at("queues"), profiles = node.at("profiles");
    MessageQueues& queues = result_.queues;
    queues.known = true;
    read(node.at("from"), queues.from);
    read(node.at("to"), queues.to);
    read(profiles, queues.rows);
    for (std::size_t i = 0; i < queues.rows.size(); ++i) {
      const Node row = profiles.at(i);
      queues.rows[i].process = index(row.at("process"), ProcessId{});
    }
    read(node.at("parts"), queues.parts);
  }

  DiagnosticId diagnostic(const Node& node) const {
    static const std::vector<std::string_view> names = [] {
      std::vector<std::string_view> all;
      for (int i = 0; i < diagnostic_count; ++i) all.push_back(name(static_cast<DiagnosticId>(i)));
      return all;
    }();
    return static_cast<DiagnosticId>(node.one_of(names, "a kind of damage"));
  }
  void diagnostics() {
    const Node list = root_.at("diagnostics");
    std::vector<bool> met(diagnostic_count, false);
    for (std::size_t i = 0, n = list.size(); i < n; ++i) {
      const Node node = list.at(i);
      const DiagnosticId id = diagnostic(node.at("id"));
      if (met[static_cast<std::size_t>(id)]) node.at("id").fail("each kind once");
      met[static_cast<std::size_t>(id)] = true;
      DiagnosticEntry entry;
      read(node.at("count"), entry.count);
      read(node.at("largest"), entry.largest);
      read(node.at("places"), entry.places);
      const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(entry.count, Diagnostics::max_places));
      if (entry.places.size() > most) node.at("places").fail(fmt::format("at most {} places", most));
      if (entry.places.empty() && entry.count != 0) node.at("places").fail("at least one place");
      std::uint64_t left = entry.count;
      for (std::size_t p = 0; p < entry.places.size(); ++p) {  // the last one carries what has no place
        const std::uint64_t counted = p + 1 == entry.places.size() ? left : 1;
        result_.diagnostics.add(id, std::move(entry.places[p]), entry.largest, counted);
        left -= counted;
      }
    }
  }
  void diagnostic_pairs() {
    for_each_row(root_.at("diagnostic_pairs"), std::size(json::diagnostic_pair_columns), [&](const Node& row) {
      ProcessId sender, receiver;
      Diagnostics::Pair pair;
      read(row.at(1), sender);
      read(row.at(2), receiver);
      read(row.at(3), pair.count);
      read(row.at(4), pair.largest);
      result_.diagnostics.add_pair(diagnostic(row.at(0)), sender, receiver, pair);
    });
  }

  void undetermined() {
    const Node list = root_.at("unanswered");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Node node = list.at(i);
      UndeterminedMetric& u = result_.undetermined.emplace_back();
      std::string id;
      read(node.at("metric"), id);
      u.metric = metric(id, node.at("metric"));
      read(node.at("sentence"), u.sentence);
    }
  }

  void totals() {
    const Node node = root_.at("totals");
    read(node.at("messages"), result_.messages);
    read(node.at("collectives"), result_.collectives);
    if (node.at("events").integer<std::uint64_t>() != result_.events())
      node.at("events").fail(fmt::format("{}, the sum of events_by_type", result_.events()));
    if (node.at("duration").integer<Ticks>() != result_.duration())
      node.at("duration").fail(fmt::format("{}, as locations have it", result_.duration()));
    const RunTotals run(result_);
    const Node list = root_.at("metrics");
    for (MetricIndex i = 0; i < result_.metrics.size(); ++i) {
      const Node metric = list.at(i);
      const Node total = metric.at("total");
      if (total.integer<std::int64_t>() != run.whole().of(i))
        total.fail(fmt::format("{}, the sum of its severities", run.whole().of(i)));
      const Node counted = metric.at("total_without_init_exit");
      if (counted.integer<std::int64_t>() != run.counted().of(i))
        counted.fail(fmt::format("{}, the sum of its severities{}", run.counted().of(i),
                                 run.differ() ? " without " + run.without() : ""));
    }
  }

  const Node& root_;
  const std::vector<CallPathId>* depth_first_;
  std::size_t system_nodes_ = 0, processes_ = 0, locations_ = 0, regions_ = 0, programs_ = 0, comms_ = 0,
              cart_dimensions_ = 0, callpaths_ = 0;
  AnalysisResult result_;
};

/// The result in a document that `parse` makes.
template <class Parse>
AnalysisResult read_document(const std::string& name, const std::vector<CallPathId>* depth_first, Parse&& parse) {
  // To free a document takes memory too, and a failure there ends the program: without any left, it stays.
  auto document = std::make_unique<nlohmann::json>();
  try {
    parse(*document);
    const Node root(*document, name);
    return JsonReader(root, depth_first).read();
  } catch (const std::bad_alloc&) {
    static_cast<void>(document.release());
    throw;
  }
}

}  // namespace

AnalysisResult read_json(const std::filesystem::path& file) {
  const std::string name = file.string();
  return read_document(name, nullptr, [&](nlohmann::json& document) { json::parse_file(name, document); });
}

AnalysisResult read_json_copy(std::string_view text, const std::vector<CallPathId>& depth_first) {
  const std::string name = "copy of a result";
  return read_document(name, &depth_first, [&](nlohmann::json& document) { json::parse_text(text, name, document); });
}

}  // namespace waitstate::report
