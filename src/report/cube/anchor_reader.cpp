// Long because each part of an anchor has checks of its own.
#include "report/cube/anchor_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <locale>
#include <new>
#include <optional>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "report/cube/anchor_writer.hpp"
#include "report/facts/completeness.hpp"
#include "report/format/layout.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report {
namespace {

using pugi::xml_node;

// An anchor may be compressed, and a few KiB may stand for gigabytes: of the same short line again and again. Those of
// real reports, which repeat much too, become 10 to 30 times as long.
constexpr std::size_t largest_expansion = 64, always_allowed = std::size_t{16} << 20;
constexpr std::size_t most_metrics = 10'000;  // some work grows with the square of their number; real reports have 200
constexpr std::uint64_t nanoseconds = 1'000'000'000;

/// Calls visit(node, depth) for each element below `root` depth first, at any depth; what is below a node only if it
/// returned true.
template <class F>
void depth_first(xml_node root, F&& visit) {
  std::size_t depth = 0;
  for (xml_node node = root.first_child(); node;) {
    if (node.type() == pugi::node_element && visit(node, depth) && node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (!node.next_sibling() && node.parent() != root) {
      node = node.parent();
      --depth;
    }
    node = node.next_sibling();
  }
}

std::string_view text_of(xml_node node, const char* child) { return node.child_value(child); }

template <class T>
bool parse(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::uint64_t number(xml_node node, const char* attribute, const char* other = nullptr) {
  pugi::xml_attribute found = node.attribute(attribute);
  if (!found && other != nullptr) found = node.attribute(other);
  std::uint64_t value = 0;
  if (!found) throw CubeDamage(fmt::format("has a <{}> without the attribute {}", node.name(), attribute));
  if (!parse(std::string_view(found.value()), value))
    throw CubeDamage(fmt::format("has a <{}> whose {} is '{}', expected a number", node.name(), attribute,
                                 printable(found.value())));
  return value;
}

std::uint32_t line(xml_node node, const char* attribute) {
  std::uint32_t value = 0;  // -1 stands for unknown
  return parse(std::string_view(node.attribute(attribute).value()), value) ? value : 0;
}

/// The enumerator of that name; CUBE writes some names with blanks.
template <class E>
E enumerator(std::string_view text, E unknown) {
  std::string wanted(text);
  std::replace(wanted.begin(), wanted.end(), ' ', '_');
  for (unsigned i = 0; i < 256; ++i) {
    const std::string_view known = enum_name(static_cast<E>(i));
    if (!known.empty() && known == wanted) return static_cast<E>(i);
  }
  return unknown;
}

Unit unit_of(std::string_view text) {
  if (text == "sec") return Unit::seconds;
  return text == "bytes" ? Unit::bytes : Unit::occurrences;
}

class Reader {
 public:
  CubeAnchor read(std::string bytes) {
    if (bytes.starts_with("\x1f\x8b")) bytes = gunzip(bytes, always_allowed + largest_expansion * bytes.size());
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer_inplace(bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_ws_pcdata_single);
    if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!parsed)
      throw CubeDamage(fmt::format("is not well-formed XML at byte {}: {}", parsed.offset, parsed.description()));
    const xml_node cube = document.child("cube");
    if (!cube) throw CubeDamage("has no element <cube>");
    if (const std::string_view version = cube.attribute("version").value(); !version.starts_with("4"))
      throw CubeDamage(fmt::format("is of CUBE version '{}', expected 4", printable(version)));
    Definitions& d = anchor_.result.definitions;
    d.clock.resolution = nanoseconds;
    recorder(cube);
    metrics(cube.child("metrics"));
    regions(cube.child("program"));
    callpaths(cube.child("program"));
    system(cube.child("system"));
    topologies(cube.child("system").child("topologies"));
    std::vector<std::int64_t> ranks;
    for (const LocationGroup& process : d.processes) ranks.push_back(process.rank);
    d.finish();  // forgets ranks, which it would derive from communicators
    for (std::size_t i = 0; i < ranks.size(); ++i) d.processes[i].rank = ranks[i];
    anchor_.result.severities = Severities(anchor_.result.metrics.size());
    anchor_.result.locations.resize(d.locations.size());
    analysis();
    return std::move(anchor_);
  }

 private:
  void recorder(xml_node cube) {
    Recorder& recorder = anchor_.result.definitions.recorder;
    for (const xml_node node : cube.children("attr"))
      recorder.properties.emplace_back(node.attribute("key").value(), node.attribute("value").value());
    for (const char* key : {"Creator", "Recorder"})  // a report of ours names the recorder of the trace too
      for (const auto& [name, value] : recorder.properties)
        if (name == key) recorder.creator = value;
  }

  /// Reads the choices with which a report of ours was made.
  void analysis() {
    AnalysisResult& result = anchor_.result;
    for (const auto& [name, value] : result.definitions.recorder.properties) {
      std::istringstream words(value);
      words.imbue(std::locale::classic());
      if (name == patterns_key)
        for (std::string id; words >> id;) result.patterns.push_back({id, {}});
      if (name.starts_with(warning_key)) warning(name, value);
      if (name.starts_with(open_call_key)) open_call(words);
      if (!name.starts_with(focus_key)) continue;
      const std::string_view part = std::string_view(name).substr(focus_key.size());
      if (part == "region") result.focus.region = value;
      if (part == "locations")
        for (std::size_t id = 0; words >> id;)
          if (id < result.definitions.locations.size()) result.focus.locations.emplace_back(id);
      if (part == "time") {  // the first event of such a result is at 0
        Time from = 0, to = 0;
        if (words >> from) result.focus.from = from;
        if (words >> to) result.focus.to = to;
      }
    }
  }

  /// Damage of the trace, of which a report of ours keeps kinds and places.
  void warning(const std::string& key, const std::string& value) {
    std::istringstream words(value);
    words.imbue(std::locale::classic());
    std::string kind;
    std::uint64_t count = 0;
    Ticks largest = 0;
    if (key.find('.') != std::string::npos || !(words >> kind >> count >> largest)) return;
    for (int i = 0; i < diagnostic_count; ++i) {
      const auto id = static_cast<DiagnosticId>(i);
      if (name(id) != kind) continue;
      for (std::size_t p = 0; count > 0; ++p) {  // the last one carries what has no place
        const std::optional<DiagnosticPlace> next = place(fmt::format("{}.{}", key, p + 1));
        const std::uint64_t counted = next && p + 1 < Diagnostics::max_places ? 1 : count;
        anchor_.result.diagnostics.add(id, place(fmt::format("{}.{}", key, p)).value_or(DiagnosticPlace{}), largest,
                                       counted);
        count -= counted;
      }
    }
  }
  std::optional<DiagnosticPlace> place(const std::string& key) const {
    const AnalysisResult& result = anchor_.result;
    for (const auto& [name, value] : result.definitions.recorder.properties) {
      if (name != key) continue;
      DiagnosticPlace found;
      const std::string_view text = value;
      const auto first = text.find(' '), second = first == text.npos ? first : text.find(' ', first + 1);
      if (second == text.npos) return std::nullopt;
      std::size_t location = 0;
      if (parse(text.substr(0, first), location) && location < result.definitions.locations.size())
        found.location = LocationId{location};
      if (Time time = 0; parse(text.substr(first + 1, second - first - 1), time)) found.time = time;
      found.text = text.substr(second + 1);
      return found;
    }
    return std::nullopt;
  }
  void open_call(std::istringstream& words) {
    AnalysisResult& result = anchor_.result;
    std::size_t location = 0, place = 0;
    Time enter = 0;
    if (!(words >> location >> place >> enter) || location >= result.definitions.locations.size() ||
        place >= anchor_.callpaths.size())
      return;
    const CallPathId callpath = anchor_.callpaths[place].callpath;
    result.open_calls.push_back({LocationId{location}, callpath, result.call_tree[callpath].region, enter});
    OpenCall& call = result.open_calls.back();
    std::string kind, whom;
    for (OpenWait wait; words >> kind >> wait.any >> wait.tag >> whom; wait = OpenWait()) {
      if (!enum_from_name(kind, wait.kind)) return;
      std::replace(whom.begin(), whom.end(), ',', ' ');
      std::istringstream all(whom);
      for (std::size_t other = 0; all >> other;) {
        if (other >= result.definitions.locations.size()) return;
        wait.whom.push_back(LocationId{other});
      }
      call.waits.push_back(std::move(wait));
    }
  }

  /// The counter that a report of ours says this metric to be; nothing for other metrics.
  std::optional<Counter> counter_of(const std::string& id, double& scale) const {
    for (const auto& [name, value] : anchor_.result.definitions.recorder.properties) {
      if (!name.starts_with(counter_key) || std::string_view(name).substr(counter_key.size()) != id) continue;
      std::istringstream words(value);
      words.imbue(std::locale::classic());
      std::string kind, timing;
      words >> scale >> kind >> timing;
      if (!words || !std::isnormal(scale) || scale < 0) continue;
      Counter counter;
      counter.kind = enumerator(kind, CounterKind::accumulated);
      counter.timing = enumerator(timing, CounterTiming::start);
      return counter;
    }
    return std::nullopt;
  }

  /// The kind of a plug-in's metric, and whether it is a share, as a report of ours says; nothing of other metrics.
  std::optional<std::pair<MetricKind, bool>> plugin_metric(const std::string& id) const {
    for (const auto& [key, value] : anchor_.result.definitions.recorder.properties) {
      if (!key.starts_with(plugin_key) || std::string_view(key).substr(plugin_key.size()) != id) continue;
      const std::string_view kind = std::string_view(value).substr(0, value.find(' '));
      for (const MetricKind k : {MetricKind::other, MetricKind::wait, MetricKind::completion, MetricKind::idleness})
        if (kind == name(k)) return std::pair(k, value.ends_with(" share"));
    }
    return std::nullopt;
  }

  void left_out(std::string text) {
    anchor_.result.diagnostics.add(DiagnosticId::metric_left_out, {LocationId::none(), ~Time{0}, std::move(text)});
  }

  struct Found {
    xml_node node;
    std::string id, parent, member;
    CubeType type;
    bool inclusive;
  };

  void metrics(xml_node parent) {
    std::vector<Found> all;
    std::vector<std::string> above;  // by depth: id of the nearest metric that is kept, or empty
    std::unordered_set<std::string> members, ids;
    std::uint64_t count = 0;
    depth_first(parent, [&](xml_node node, std::size_t depth) {
      if (std::string_view(node.name()) != "metric") return false;
      const std::uint64_t place = count++;
      if (count > most_metrics) throw CubeDamage(fmt::format("has more than {} metrics", most_metrics));
      above.resize(depth);
      const std::string parent_id = above.empty() ? std::string() : above.back();
      std::string id(text_of(node, "uniq_name"));
      if (id.empty()) id = fmt::format("metric_{}", place);
      const std::string_view kind = node.attribute("type").value(), dtype = text_of(node, "dtype");
      const auto type = cube_type(dtype);
      if (!kind.empty() && kind != "EXCLUSIVE" && kind != "INCLUSIVE") {
        left_out(fmt::format("{} ({})", id, kind));
        above.push_back(parent_id);
        return true;
      }
      if (!type) {
        left_out(fmt::format("{} (of type {})", id, dtype));
        above.push_back(parent_id);
        return true;
      }
      if (!ids.insert(id).second) throw CubeDamage(fmt::format("has two metrics called {}", printable(id)));
      const std::string member =
          node.attribute("id") ? std::string(node.attribute("id").value()) : fmt::to_string(place);
      if (!members.insert(member).second)
        throw CubeDamage(fmt::format("has two metrics with the id {}", printable(member)));
      all.push_back({node, id, parent_id, member, *type, kind == "INCLUSIVE"});
      above.push_back(std::move(id));
      return true;
    });
    put_back(all);
    const MetricTree known = MetricTree::built_in();
    for (const Found& metric : all) add(metric, known);
  }

  /// Puts metrics that a report of ours lists as roots where they belong.
  void put_back(std::vector<Found>& all) const {
    std::vector<Found> ordered;
    std::unordered_map<std::string, std::string> parents;
    for (const auto& [key, value] : anchor_.result.definitions.recorder.properties) {
      if (key.starts_with(within_key)) parents.emplace(key.substr(within_key.size()), value);
      if (key != places_key) continue;
      std::istringstream words(value);
      words.imbue(std::locale::classic());
      std::vector<bool> taken(all.size());
      ordered.clear();
      for (std::size_t number = 0; words >> number && number < all.size() && !taken[number];) {
        taken[number] = true;
        ordered.push_back(all[number]);
      }
    }
    if (parents.empty() || ordered.size() != all.size()) return;
    std::unordered_set<std::string> before;
    for (Found& metric : ordered) {
      if (const auto own = parents.find(metric.id); own != parents.end() && metric.parent.empty())
        metric.parent = own->second;
      if (!metric.parent.empty() && !before.contains(metric.parent)) return;
      before.insert(metric.id);
    }
    all = std::move(ordered);
  }

  void add(const Found& found, const MetricTree& known) {
    MetricTree& tree = anchor_.result.metrics;
    const auto& [node, id, parent_id, member, type, inclusive] = found;
    std::string summary(text_of(node, "descr"));
    if (!type.sums()) summary += summary.empty() ? "An extreme value, not a sum." : " (An extreme value, not a sum.)";
    const Unit unit = unit_of(text_of(node, "uom"));
    const MetricIndex same = known.find(id);
    const auto of_plugin = plugin_metric(id);
    const bool part = type.sums() && (of_plugin ? !of_plugin->second : same != no_metric && !known[same].within_parent);
    const bool summand =
        part && !parent_id.empty() && tree[tree.find(parent_id)].unit == unit && tree[tree.find(parent_id)].sums();
    const bool root_share = same != no_metric && known[same].parent == no_metric && known[same].within_parent;
    const bool share = !parent_id.empty() ? !summand : of_plugin ? of_plugin->second : root_share;
    double scale = 1;
    std::optional<Counter> counter = counter_of(id, scale);
    const MetricIndex index = tree.add(id, parent_id, counter ? Unit::counter : unit, share,
                                       std::string(text_of(node, "disp_name")), std::move(summary),
                                       of_plugin           ? of_plugin->first
                                       : same == no_metric ? MetricKind::other
                                                           : known[same].kind);
    tree.explain_as(index, known);
    if (of_plugin) {
      tree.set_from_plugin(index);
      if (share) tree.set_siblings(index, Siblings::overlapping);
    }
    tree.set_aggregation(index, type.aggregation);
    if (counter) {
      const std::string shown(text_of(node, "uom"));
      tree.set_scale(index, shown, scale);
      counter->metric = index;
      counter->unit = counter->weighted() && shown.ends_with("*s") ? shown.substr(0, shown.size() - 2) : shown;
      anchor_.result.counters.push_back(std::move(*counter));
    }
    anchor_.metrics.push_back({member, index, type, inclusive});
  }

  void regions(xml_node program) {
    for (const xml_node node : program.children("region")) {
      Region region;
      region.ref = number(node, "id");
      region.name = text_of(node, "name");
      region.canonical_name = text_of(node, "mangled_name");
      if (region.canonical_name.empty()) region.canonical_name = region.name;
      region.description = text_of(node, "descr");
      region.file = node.attribute("mod").value();
      region.begin_line = line(node, "begin");
      region.end_line = line(node, "end");
      const std::string_view paradigm = text_of(node, "paradigm");
      region.paradigm =
          paradigm == "measurement" ? Paradigm::measurement_system : enumerator(paradigm, Paradigm::unknown);
      region.role = enumerator(text_of(node, "role"), RegionRole::unknown);
      auto& regions = anchor_.result.definitions.regions;
      if (!region_ids_.try_emplace(region.ref, RegionId{regions.size()}).second)
        throw CubeDamage(fmt::format("has two regions with the id {}", region.ref));
      regions.push_back(std::move(region));
    }
  }

  void callpaths(xml_node program) {
    CallTree& tree = anchor_.result.call_tree;
    std::vector<std::uint32_t> above;  // by depth
    depth_first(program, [&](xml_node node, std::size_t depth) {
      if (std::string_view(node.name()) != "cnode") return false;
      above.resize(depth);
      const std::uint64_t callee = number(node, "calleeId");
      const auto region = region_ids_.find(callee);
      if (region == region_ids_.end())
        throw CubeDamage(fmt::format("has a <cnode> that calls region {}, which is not defined", callee));
      CubeCallPath path;
      if (!above.empty()) path.parent = above.back();
      const auto place = static_cast<std::uint32_t>(anchor_.callpaths.size());
      path.callpath = tree.find_or_add(
          {path.parent == CubeCallPath::no_parent ? CallPathId::none() : anchor_.callpaths[path.parent].callpath,
           region->second, StringId::none()});
      tree.seen(path.callpath, LocationId{0}, place);
      anchor_.callpaths.push_back(path);
      above.push_back(place);
      return true;
    });
  }

  void system(xml_node parent) {
    Definitions& d = anchor_.result.definitions;
    std::vector<SystemNodeId> nodes;  // by depth
    ProcessId process;
    std::vector<std::pair<std::uint64_t, Location>> locations;
    depth_first(parent, [&](xml_node node, std::size_t depth) {
      const std::string_view element = node.name();
      const bool of_old_tree = element == "machine" || element == "node";
      if (element == "systemtreenode" || of_old_tree) {
        nodes.resize(depth);
        SystemTreeNode definition;
        definition.ref = d.system_tree.size();
        definition.name = text_of(node, "name");
        definition.class_name = of_old_tree ? element : text_of(node, "class");
        if (!nodes.empty()) definition.parent = nodes.back();
        nodes.emplace_back(d.system_tree.size());
        d.system_tree.push_back(std::move(definition));
        return true;
      }
      if (element == "locationgroup" || element == "process") {
        nodes.resize(depth);
        LocationGroup group;
        group.ref = d.processes.size();
        group.name = name_of(node, "Process");
        group.type =
            text_of(node, "type") == "accelerator" ? LocationGroupType::accelerator : LocationGroupType::process;
        std::int64_t rank = -1;
        if (group.type == LocationGroupType::process && parse(text_of(node, "rank"), rank) && rank >= 0)
          group.rank = rank;
        if (!nodes.empty()) group.parent = nodes.back();
        process = ProcessId{d.processes.size()};
        d.processes.push_back(std::move(group));
        nodes.push_back(SystemNodeId::none());  // nothing but locations is below
        return true;
      }
      if (element == "location" || element == "thread") {
        Location location;
        location.ref = number(node, "Id", "id");
        location.name = name_of(node, "Thread");
        location.type = location_type(text_of(node, "type"));
        const std::string_view above = node.parent().name();
        if (above == "locationgroup" || above == "process") location.process = process;
        locations.emplace_back(location.ref, std::move(location));
      }
      return false;
    });
    // Columns are in the order of ids, wherever in the tree the locations stand.
    std::stable_sort(locations.begin(), locations.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [id, location] : locations) {
      if (!d.locations.empty() && d.locations.back().ref == id)
        throw CubeDamage(fmt::format("has two locations with the Id {}", id));
      d.locations.push_back(std::move(location));
    }
  }

  /// Old reports may have nothing but a rank.
  static std::string name_of(xml_node node, std::string_view what) {
    const std::string_view name = text_of(node, "name"), rank = text_of(node, "rank");
    const std::string_view element = node.name();
    if (!name.empty() || rank.empty() || (element != "process" && element != "thread")) return std::string(name);
    return fmt::format("{} {}", what, rank);
  }

  static LocationType location_type(std::string_view text) {
    if (text == "metric" || text == "metrics") return LocationType::metric;
    return text == "accelerator stream" || text == "gpu" ? LocationType::accelerator_stream : LocationType::cpu_thread;
  }

  // Coordinates are of locations here; a communicator of all locations makes them those of its ranks.
  void topologies(xml_node parent) {
    Definitions& d = anchor_.result.definitions;
    std::unordered_map<std::uint64_t, std::uint64_t> places;
    for (std::size_t i = 0; i < d.locations.size(); ++i) places[d.locations[i].ref] = i;
    for (const xml_node cart : parent.children("cart")) {
      if (d.comms.empty()) {
        Group all;
        all.name = "all locations";
        all.type = GroupType::locations;
        for (std::size_t i = 0; i < d.locations.size(); ++i) all.members.push_back(i);
        d.groups.push_back(std::move(all));
        Comm comm;
        comm.name = "all locations";
        comm.group = GroupId{0};
        d.comms.push_back(std::move(comm));
      }
      CartTopology topology;
      topology.ref = d.cart_topologies.size();
      topology.name = cart.attribute("name").value();
      topology.comm = CommId{0};
      for (const xml_node node : cart.children("dim")) {
        CartDimension dimension;
        dimension.ref = d.cart_dimensions.size();
        dimension.name = node.attribute("name").value();
        dimension.size = line(node, "size");
        dimension.periodicity = std::string_view(node.attribute("periodic").value()) == "true"
                                    ? CartPeriodicity::true_
                                    : CartPeriodicity::false_;
        topology.dimensions.emplace_back(d.cart_dimensions.size());
        d.cart_dimensions.push_back(std::move(dimension));
      }
      for (const xml_node node : cart.children("coord")) coordinates(node, places, topology);
      d.cart_topologies.push_back(std::move(topology));
    }
  }

  static void coordinates(xml_node node, const std::unordered_map<std::uint64_t, std::uint64_t>& places,
                          CartTopology& topology) {
    const char* const id = node.attribute("locId") ? "locId" : "thrdId";
    if (!node.attribute(id)) return;  // the topology of processes or nodes, for which we have no place
    const auto place = places.find(number(node, id));
    if (place == places.end()) return;
    std::vector<std::uint64_t> entry{place->second};
    std::string_view text = node.child_value();
    while (!text.empty()) {
      const std::size_t blank = std::min(text.find(' '), text.size());
      std::uint64_t at = 0;
      if (blank != 0) {
        if (!parse(text.substr(0, blank), at)) return;
        entry.push_back(at);
      }
      text.remove_prefix(std::min(blank + 1, text.size()));
    }
    if (entry.size() == topology.dimensions.size() + 1)
      topology.coordinates.insert(topology.coordinates.end(), entry.begin(), entry.end());
  }

  CubeAnchor anchor_;
  std::unordered_map<std::uint64_t, RegionId> region_ids_;
};

}  // namespace

CubeAnchor read_cube_anchor(std::string bytes) { return Reader().read(std::move(bytes)); }

}  // namespace waitstate::report
