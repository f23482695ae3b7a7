// The report may come from anywhere, so every number is checked against the table that it refers to before it is used:
// parents stand before their children (system tree: lead to a root), tables are as long as the document makes them, and
// nothing is allocated for a number's sake. Tables may come in any order, because references are checked against their
// lengths, which are known before the first one is read. Derived values (totals) have to agree with their sources.
//
// The file is long because each table has checks of its own. The document is parsed as a whole: 1.4 million rows of
// severities, 21 MB of text, take 300 MB while they are read.
//
// The fields are declared in report/fields; this file reads each type of value, and checks it beyond its type.
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
#include "report/fields/report.hpp"
#include "report/json/json_node.hpp"
#include "report/words/scope.hpp"
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
  if (version == format_version) return;
  throw TraceError(
      root.file(),
      fmt::format("a report in version {} of the format, but this waitstate reads version {}: {}", version,
                  format_version,
                  version > format_version ? "read it with a newer waitstate, or write it again with this one"
                                           : "write it again from its trace"));
}

class JsonReader {
 public:
  /// `depth_first`: the order of the call paths of a copy; null: their numbers are that order.
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
    read_member("open_calls", result_.open_calls);
    counters();
    series();
    read_optional("critical_segments", result_.critical_path);
    read_optional("phases", result_.phases);
    if (root_.has("contexts")) read_member("contexts", result_.contexts);
    communication();
    result_.queues.known = root_.has("queues");
    if (result_.queues.known) read_member("queues", result_.queues);
    read_member("focus", result_.focus);
    read_member("patterns", result_.patterns);
    events_by_type();
    diagnostics();
    diagnostic_pairs();
    totals();
    read_member("unanswered", result_.undetermined);
    return std::move(result_);
  }

  // ---- values, by type ----

  struct Members {
    JsonReader& reader;
    const Node& object;

    template <class T>
    void operator()(std::string_view name, T&& member, Measure, const char*) {
      using Member = std::remove_cvref_t<T>;
      if constexpr (!is_derived<Member>) {
        if (may_be_missing<Member> && !object.has(name)) return;
        const Node node = object.at(name);
        reader.read(node, member);
      }
    }
  };
  /// The members of a row, one after the other.
  struct Cells {
    JsonReader& reader;
    const Node& row;
    std::size_t column = 0;

    template <class T>
    void operator()(std::string_view, T&& member, Measure, const char*) {
      const Node cell = row.at(column++);
      if constexpr (!is_derived<std::remove_cvref_t<T>>) reader.read(cell, member);
    }
  };

  template <class T>
  void read(const Node& node, T& v) {
    if constexpr (std::is_same_v<T, bool>) {
      v = node.truth();
    } else if constexpr (std::is_same_v<T, DiagnosticId>) {
      v = diagnostic(node);
    } else if constexpr (std::is_enum_v<T>) {
      v = enumerator<T>(node);
    } else if constexpr (std::is_integral_v<T>) {
      v = node.integer<T>();
    } else if constexpr (std::is_same_v<T, double>) {
      v = node.real();
    } else if constexpr (std::is_same_v<T, std::string>) {
      v = exact(node.text());
    } else {
      fields(v, Members{*this, node});
    }
  }
  template <class T>
  void read(const Node& node, std::vector<T>& elements) {
    elements.resize(
        std::min(elements.size(), node.size()));  // objects that were not there before are made once they are read
    for (std::size_t i = 0, n = node.size(); i < n; ++i) {
      if (i == elements.size()) elements.emplace_back();
      const Node element = node.at(i);
      read(element, elements[i]);
    }
  }
  template <class Tag, class T>
  void read(const Node& node, std::pair<Id<Tag>, T>& two) {
    node.expect_size(2);
    const Node first = node.at(0), second = node.at(1);
    two.first = index(first, two.first);
    if constexpr (std::is_integral_v<T>)
      read(second, two.second);
    else
      two.second = index(second, two.second);
  }
  void read(const Node& node, CulpritWait& wait) {
    wait.known = !node.is_null();
    if (wait.known) fields(wait, Members{*this, node});
  }
  template <class T>
  void read(const Node& node, OnlyIf<T>& v) {
    read(node, v.value);
  }
  template <class T>
  void read(const Node& node, std::optional<T>& v) {
    read(node, v.emplace());
  }
  template <class T>
  void read(const Node& node, OrNull<T>& v) {
    if (node.is_null())
      v.value = v.none;
    else if constexpr (std::is_integral_v<T>)
      v.value = node.integer<T>(0, std::is_unsigned_v<T> ? v.none - 1 : std::numeric_limits<T>::max(), true);
    else
      read(node, v.value);
  }
  template <class T>
  void read(const Node& node, Hexadecimal<T>& v) {
    v.value = hexadecimal(node);
  }
  template <class T>
  void read(const Node& node, MetricReference<T>& metric) {
    metric.index = node.is_null() ? no_metric : result_.metrics.find(exact(node.text()));
    if (!node.is_null() && metric.index == no_metric)
      node.fail("null or the id of a metric that stands before this one");
  }
  template <class T>
  void read(const Node& node, Needed<MetricReference<T>>& metric) {
    read(node, metric.value);
    if (metric.value.index == no_metric) node.fail("the id of a metric");
  }
  template <class T>
  void read(const Node& node, ContextReference<T>& context) {
    const std::size_t n = root_.has("contexts") ? length("contexts") : 0;
    if (n == 0) node.fail("no context, since there are none");
    context.number = node.integer<std::uint32_t>(0, static_cast<std::uint32_t>(n - 1));
  }
  template <class L>
  void read(const Node& node, Sized<L>& v) {
    if (const std::size_t n = node.size(); n < v.least || n > v.most)
      node.fail(v.least == 0 ? fmt::format("at most {}", v.most) : fmt::format("{} to {}", v.least, v.most));
    read(node, v.list);
  }
  template <class L>
  void read(const Node& node, Lines<L>& v) {
    read(node, v.list);
  }
  template <class T>
  void read(const Node& node, Table<std::vector<T>&>& t) {
    for_each_row<T>(node, [&](const Node& row) { fields(t.list.emplace_back(), Cells{*this, row}); });
  }
  template <class L, class N>
  void read(const Node& node, TableWithRest<L, N>& t) {
    read(node, t.table);
    const Node left_out = node.at("left_out");
    read(left_out, t.left_out);
  }
  template <class Key>
  void read(const Node& node, Table<WaitTable<Key>&>& t) {
    using Entry = typename WaitTable<Key>::value_type;
    std::map<Key, WaitPair> rows;
    for_each_row<Entry>(node, [&](const Node& row) {
      Entry entry;
      fields(entry, Cells{*this, row});
      if (!rows.insert(entry).second) row.fail_because("the same two as in a row before");
    });
    t.list = WaitTable<Key>(boost::container::ordered_unique_range, rows.begin(), rows.end());
  }
  template <class M>
  void read(const Node& node, ByMetric<M>& m) {
    node.for_each_member([&](const std::string& id, const Node& entry) { read(entry, m.map[metric(id, entry)]); });
  }
  template <class S>
  void read(const Node& node, InstanceList<S>& v) {
    for (std::size_t i = 0, n = node.size(); i < n; ++i) {
      const Node instance = node.at(i);
      CallPathId callpath;
      SevereInstance severe;
      fields(InstanceEntry<SevereInstance>{callpath, severe}, Members{*this, instance});
      std::vector<SevereInstance>& kept = v.severe[callpath];
      if (kept.size() == WaitSummary::max_severe)
        instance.fail_because(fmt::format("found more than {} of one call path", WaitSummary::max_severe));
      kept.push_back(std::move(severe));
    }
  }
  template <class Tag>
  void read(const Node& node, Id<Tag>& id) {
    id = node.is_null() ? Id<Tag>::none() : index(node, id, true);
  }
  template <class Tag>
  void read(const Node& node, Needed<Id<Tag>&>& id) {
    id.value = index(node, id.value);
  }
  template <class Tag>
  void read(const Node& node, Needed<std::vector<Id<Tag>>&>& ids) {
    for (std::size_t i = 0, n = node.size(); i < n; ++i) ids.value.push_back(index(node.at(i), Id<Tag>{}));
  }
  /// A reference that refers to something.
  template <class Tag>
  Id<Tag> index(const Node& node, Id<Tag> id, bool null_too = false) {
    const std::size_t n = count(id);
    if (n == 0) node.fail(null_too ? "null, since that table is empty" : "no entry, since that table is empty");
    return Id<Tag>{node.integer<std::size_t>(0, n - 1, null_too)};
  }
  template <class E>
  E enumerator(const Node& node) {
    if (is_open<E> && node.is_number()) return static_cast<E>(node.integer<std::underlying_type_t<E>>());
    static const std::vector<std::string_view> names = enum_names<E>();
    return static_cast<E>(node.one_of(names, "one of the names in report.schema.json") + first_enum<E>());
  }

  /// A text as it was: in a copy, a text that is not UTF-8 is written as a NUL and hexadecimal digits.
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

  template <class T>
  void read_member(const char* name, T&& v) {
    const Node node = root_.at(name);
    read(node, v);
  }
  template <class T>
  void read_optional(const char* name, std::optional<T>& v) {
    if (root_.has(name)) read_member(name, v.emplace());
  }
  std::size_t length(const char* name) const {
    const Node list = root_.at(name);
    if (const std::size_t n = list.size(); n < CallPathId::none_value) return n;
    list.fail("fewer elements than ids can number");
  }
  /// The rows of a table of such elements.
  template <class Element, class F>
  void for_each_row(const Node& table, F&& f) {
    const Node rows = table.at("rows");
    for (std::size_t i = 0, n = rows.size(); i < n; ++i) {
      const Node row = rows.at(i);
      row.expect_size(field_names<Element>().size());
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
    fields(TraceEntry<AnalysisResult>{result_}, Members{*this, trace});
    const Node clock = trace.at("clock");
    if (d.clock.resolution == 0) clock.at("ticks_per_second").fail("at least 1");
    read_member("paradigms", d.paradigms);
    read_member("system_tree", d.system_tree);
    expect_forest();
    read_member("processes", d.processes);
    read_member("locations", d.locations);
    read_member("locations", result_.locations);  // the counts and times of their events stand beside their definition
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
    read_member("communicators", d.comms);
    read_member("cart_dimensions", d.cart_dimensions);
    read_member("cart_topologies", d.cart_topologies);
  }

  /// They are texts, after the names of programs.
  void process_properties() {
    Definitions& d = result_.definitions;
    const Node list = root_.at("processes");
    for (std::size_t i = 0; i < d.processes.size(); ++i) {
      const Node process = list.at(i);
      const Node properties = process.at("properties");
      std::vector<NamedValue> texts;
      read(properties, texts);
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

  /// Recorders define nodes in any order, but every node leads up to a root.
  void expect_forest() const {
    const std::vector<SystemTreeNode>& nodes = result_.definitions.system_tree;
    std::vector<std::uint32_t> walk(nodes.size());  // by node: the number of the walk that met it first, from 1
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
      fields(MetricEntry<MetricInfo>{m}, Members{*this, node});
      if (m.id.empty()) node.at("id").fail("an id");
      if (result_.metrics.find(m.id) != no_metric) node.at("id").fail("another id than the metrics before it have");
      const std::string parent = m.parent == no_metric ? "" : result_.metrics[m.parent].id;
      const MetricIndex added = result_.metrics.add(m.id, parent, m.unit, m.within_parent, m.title, m.summary, m.kind);
      if (m.from_plugin) result_.metrics.set_from_plugin(added);
      result_.metrics.explain_as(added, known);
      if (!m.texts.empty()) result_.metrics.set_texts(added, m.texts);
      if (m.within_parent) result_.metrics.set_siblings(added, m.siblings);
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
      SeverityEntry severity;
      for_each_row<SeverityEntry>(table, [&](const Node& row) {
        fields(severity, Cells{*this, row});
        result_.severities.add(m, severity.callpath, severity.location, severity.value);
      });
    });
  }

  void counters() {
    root_.at("counters").for_each_member([&](const std::string& id, const Node& node) {
      Counter& counter = result_.counters.emplace_back();
      CounterEntry<Counter, CounterRow> entry{counter};
      counter.metric = metric(id, node);
      if (result_.metrics[counter.metric].unit != Unit::counter) node.fail_because("the metric is no counter");
      fields(entry, Members{*this, node});
      if (!std::isnormal(entry.scale) || entry.scale < 0) node.at("scale").fail("a number above 0");
      result_.metrics.set_scale(counter.metric, std::move(entry.severity_unit), entry.scale);
    });
    std::sort(result_.counters.begin(), result_.counters.end(),
              [](const Counter& a, const Counter& b) { return a.metric < b.metric; });
  }
  void read(const Node& node, Table<std::vector<CounterRowEntry<CounterRow>>&>& t) {
    std::vector<CounterRow>& rows = result_.counters.back().rows;
    for_each_row<CounterRowEntry<CounterRow>>(node, [&](const Node& row) {
      fields(CounterRowEntry<CounterRow>{rows.emplace_back()}, Cells{*this, row});
    });
    static_cast<void>(t);
  }

  void waits() { read_member("waits", by_metric(result_.waits)); }

  void series() {
    if (!root_.has("series")) return;
    const Node node = root_.at("series"), bins = node.at("bins"), per_group_bin = node.at("bins_per_group_bin");
    bins.integer<std::size_t>(0, WaitSeries::max_bins);
    per_group_bin.integer<std::size_t>(1, WaitSeries::max_bins);
    WaitSeries& series = result_.series.emplace();
    read(node, series);
    node.at("metrics").for_each_member([&](const std::string&, const Node& of_metric) {
      of_metric.at("ticks").expect_size(series.bins);
      const Node rows = of_metric.at("groups");
      for (std::size_t i = 0, n = rows.size(); i < n; ++i) {
        const Node row = rows.at(i), group = row.at("group");
        if (series.groups.empty()) group.fail("no group, since there are none");
        group.integer<std::uint32_t>(0, static_cast<std::uint32_t>(series.groups.size() - 1));
        row.at("ticks").expect_size(series.group_bins());
      }
    });
  }

  void communication() {
    if (!root_.has("communication")) return;
    const Node node = root_.at("communication");
    node.at("processes_per_block").integer<std::uint64_t>(1);
    read(node, result_.communication.emplace());
  }

  void events_by_type() {
    root_.at("events_by_type").for_each_member([&](const std::string& name, const Node& node) {
      EventType type{};
      if (!event_type_from_name(name, type)) {
        std::vector<std::string_view> known;
        for (const EventTypeSpec& event : event_types) known.push_back(event.name);
        unknown_member(node, name, known, "no type of event");
      }
      read(node, result_.events_by_type[static_cast<std::size_t>(type)]);
    });
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
      DiagnosticReport entry;
      read(node, entry);
      const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(entry.count, Diagnostics::max_places));
      if (entry.places.size() > most) node.at("places").fail(fmt::format("at most {} places", most));
      if (entry.places.empty() && entry.count != 0) node.at("places").fail("at least one place");
      std::uint64_t left = entry.count;
      for (std::size_t p = 0; p < entry.places.size();
           ++p) {  // the last one carries the diagnostics that have no place
        const std::uint64_t counted = p + 1 == entry.places.size() ? left : 1;
        result_.diagnostics.add(id, std::move(entry.places[p]), entry.largest, counted);
        left -= counted;
      }
    }
  }
  void diagnostic_pairs() {
    std::vector<DiagnosticPair> pairs;
    read_member("diagnostic_pairs", table(pairs));
    for (const DiagnosticPair& p : pairs) result_.diagnostics.add_pair(p.id, p.sender, p.receiver, p.pair);
  }

  void totals() {
    const Node node = root_.at("totals");
    fields(TotalsEntry<AnalysisResult>{result_}, Members{*this, node});
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
                                 run.differ() ? " without " + without_text(run) : ""));
    }
  }

  const Node& root_;
  const std::vector<CallPathId>* depth_first_;
  std::size_t system_nodes_ = 0, processes_ = 0, locations_ = 0, regions_ = 0, programs_ = 0, comms_ = 0,
              cart_dimensions_ = 0, callpaths_ = 0;
  AnalysisResult result_;
};

/// The result in the document that `parse` makes.
template <class Parse>
AnalysisResult read_document(const std::string& name, const std::vector<CallPathId>* depth_first, Parse&& parse) {
  // Freeing a document takes memory too, and a failure there ends the program: if there is none left, the document is
  // kept.
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
