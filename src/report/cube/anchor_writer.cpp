#include "report/cube/anchor_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <pugixml.hpp>
#include <utility>

#include "report/facts/completeness.hpp"
#include "report/facts/undetermined.hpp"
#include "report/format/names.hpp"
#include "util/utf8.hpp"

namespace waitstate::report {
namespace {

using pugi::xml_node;

// Where Cube's viewer finds the online description of a metric: it puts the mirror in place of "@mirror@".
constexpr const char* mirror = "http://apps.fz-juelich.de/scalasca/releases/scalasca/2.6/help/";
constexpr const char* description = "@mirror@scalasca_patterns.html#";

/// A child with text; an empty text too, so that the element has an end tag.
xml_node add(xml_node parent, const char* name, std::string_view text) {
  xml_node node = parent.append_child(name);
  node.append_child(pugi::node_pcdata).set_value(util::xml_text(text).c_str());
  return node;
}
xml_node add(xml_node parent, const char* name, std::uint64_t number) {
  return add(parent, name, fmt::to_string(number));
}

void set(xml_node node, const char* name, std::string_view text) {
  node.append_attribute(name).set_value(util::xml_text(text).c_str());
}
void set(xml_node node, const char* name, std::uint64_t number) { set(node, name, fmt::to_string(number)); }

void attribute(xml_node parent, const char* key, std::string_view value) {
  if (value.empty()) return;
  const xml_node node = parent.append_child("attr");
  set(node, "key", key);
  set(node, "value", value);
}

std::string_view or_else(std::string_view text, std::string_view other) { return text.empty() ? other : text; }

class Writer {
 public:
  Writer(const AnalysisResult& result, const CubeMetricPlaces& places, const std::vector<std::string_view>& types)
      : result_(result), definitions_(result.definitions), places_(places), types_(types) {}

  std::string write() {
    pugi::xml_document document;
    xml_node declaration = document.append_child(pugi::node_declaration);
    set(declaration, "version", "1.0");
    set(declaration, "encoding", "UTF-8");
    xml_node cube = document.append_child("cube");
    set(cube, "version", "4.4");
    attribute(cube, "Creator", "waitstate");
    attribute(cube, "Recorder", definitions_.recorder.creator);
    for (const Counter& c : result_.counters)
      attribute(cube, (std::string(counter_key) + result_.metrics[c.metric].id).c_str(),
                fmt::format("{} {} {}", result_.metrics[c.metric].scale, enum_name(c.kind), enum_name(c.timing)));
    for (MetricIndex m = 0; m < result_.metrics.size(); ++m)
      if (const MetricInfo& metric = result_.metrics[m]; metric.from_plugin)
        attribute(cube, (std::string(plugin_key) + metric.id).c_str(),
                  fmt::format("{} {}", name(metric.kind), metric.within_parent ? "share" : "part"));
    moved_metrics(cube);
    std::string patterns;
    for (const PatternRun& run : result_.patterns) patterns += (patterns.empty() ? "" : " ") + run.id;
    attribute(cube, std::string(patterns_key).c_str(), patterns);
    focus(cube);
    std::size_t number = 0;
    for (const UndeterminedMetric& u : result_.undetermined)  // else its zero would be read as an answer
      attribute(cube, (std::string(undetermined_key) + fmt::to_string(number++)).c_str(),
                result_.metrics[u.metric].id + ": " + u.sentence);
    warnings(cube);
    open_calls(cube);
    add(cube.append_child("doc").append_child("mirrors"), "murl", mirror);
    metrics(cube.append_child("metrics"));
    program(cube.append_child("program"));
    system(cube.append_child("system"));

    struct ToString final : pugi::xml_writer {
      std::string text;
      void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
    } out;
    document.save(out, "", pugi::format_indent, pugi::encoding_utf8);  // lines, but no indentation: it is squared depth
    return std::move(out.text);
  }

 private:
  void focus(xml_node cube) {
    const Focus& focus = result_.focus;
    const auto part = [&](const char* name, const std::string& value) {
      attribute(cube, (std::string(focus_key) + name).c_str(), value);
    };
    part("region", focus.region);
    std::string locations;
    for (const LocationId id : focus.locations)
      locations += fmt::format("{}{}", locations.empty() ? "" : " ", id.value);
    part("locations", locations);
    if (focus.from == 0 && focus.to == ~Time{0}) return;
    part("time", focus.to == ~Time{0} ? fmt::format("{}", since_first(focus.from))
                                      : fmt::format("{} {}", since_first(focus.from), since_first(focus.to)));
  }

  void moved_metrics(xml_node cube) {
    if (!places_.any_moved()) return;
    std::vector<std::size_t> numbers(result_.metrics.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[places_.order()[i]] = i;
    std::vector<std::size_t> order;
    for (const MetricIndex m : result_.metrics.depth_first()) {
      order.push_back(numbers[m]);
      if (places_.moved(m))
        attribute(cube, (std::string(within_key) + result_.metrics[m].id).c_str(),
                  result_.metrics[result_.metrics[m].parent].id);
    }
    attribute(cube, std::string(places_key).c_str(), fmt::format("{}", fmt::join(order, " ")));
  }

  /// Writes what was missing from the trace or odd about it, also that nothing was.
  void warnings(xml_node cube) {
    if (!Completeness(result_).knows_damage()) return;
    std::size_t number = 0;
    const Time first = first_event(result_);
    for (int i = 0; i < diagnostic_count; ++i) {
      const auto id = static_cast<DiagnosticId>(i);
      const DiagnosticEntry& entry = result_.diagnostics[id];
      if (entry.count == 0) continue;
      const std::string key = fmt::format("{}{}", warning_key, number++);
      attribute(cube, key.c_str(),
                fmt::format("{} {} {}", name(id), entry.count, std::llround(result_.seconds(entry.largest) * 1e9)));
      for (std::size_t p = 0; p < entry.places.size(); ++p) {
        const DiagnosticPlace& place = entry.places[p];
        const bool timed = place.time != ~Time{0} && place.time >= first;
        attribute(cube, fmt::format("{}.{}", key, p).c_str(),
                  fmt::format("{} {} {}", place.location.valid() ? fmt::to_string(place.location.value) : "-",
                              timed ? fmt::to_string(since_first(place.time)) : "-", place.text));
      }
    }
    attribute(cube, std::string(warnings_key).c_str(), number == 0 ? "none" : fmt::to_string(number));
  }

  /// Nanoseconds, in which CUBE reports are read.
  std::int64_t since_first(Time t) const {
    const Time first = first_event(result_);
    return t <= first ? 0 : std::llround(result_.seconds(static_cast<std::int64_t>(t - first)) * 1e9);
  }

  /// The waits of an open call: " KIND ANY TAG WHOM,WHOM" for each; "-" if it waits for nobody.
  static std::string waits(const OpenCall& call) {
    std::string text;
    for (const OpenWait& wait : call.waits) {
      text += fmt::format(" {} {} {} ", enum_name(wait.kind), wait.any ? 1 : 0, wait.tag);
      for (std::size_t i = 0; i < wait.whom.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ",", wait.whom[i].value);
      if (wait.whom.empty()) text += '-';
    }
    return text;
  }

  // Writes the open calls whose caller is known.
  void open_calls(xml_node cube) {
    if (result_.open_calls.empty()) return;
    const std::vector<CallPathId> order = result_.call_tree.depth_first();
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i].index()] = i;
    std::size_t number = 0;
    for (const OpenCall& call : result_.open_calls)
      if (call.callpath.valid())
        attribute(cube, (std::string(open_call_key) + fmt::to_string(number++)).c_str(),
                  fmt::format("{} {} {}{}", call.location.value, place[call.callpath.index()], since_first(call.enter),
                              waits(call)));
  }

  void metrics(xml_node parent) {
    std::vector<xml_node> nodes(result_.metrics.size());
    std::uint64_t id = 0;
    for (const MetricIndex i : places_.order()) {
      const MetricInfo& metric = result_.metrics[i];
      const MetricIndex above = places_.parent(i);
      xml_node node = (above == no_metric ? parent : nodes[above]).append_child("metric");
      nodes[i] = node;
      set(node, "id", id);
      set(node, "type", "EXCLUSIVE");
      add(node, "disp_name", or_else(metric.title, metric.id));
      add(node, "uniq_name", metric.id);
      add(node, "dtype", types_.at(id));
      add(node, "uom", metric.unit == Unit::counter ? or_else(metric.unit_name, "#") : name(metric.unit));
      add(node, "url", description + metric.id);
      add(node, "descr", metric.summary);
      ++id;
    }
  }

  // A program's root is no region in a trace, but it has to be one here.
  std::uint64_t region(xml_node parent, const CallPath& path, std::string_view name) {
    const auto [it, is_new] = region_ids_.try_emplace({path.region, path.program}, region_ids_.size());
    if (!is_new) return it->second;
    const Region program{};
    const Region& region = path.region.valid() ? definitions_[path.region] : program;
    const xml_node node = parent.append_child("region");
    set(node, "id", it->second);
    set(node, "mod", path.program.valid() ? definitions_[path.program] : region.file);
    line(node, "begin", region.begin_line);
    line(node, "end", region.end_line);
    add(node, "name", name);
    add(node, "mangled_name", or_else(region.canonical_name, name));
    add(node, "paradigm", enum_name(region.paradigm));
    add(node, "role", path.program.valid() ? "program" : enum_name(region.role));
    add(node, "url", "");
    add(node, "descr", region.description);
    return it->second;
  }

  static void line(xml_node node, const char* name, std::uint32_t line) {
    set(node, name, line == 0 ? "-1" : fmt::to_string(line));
  }

  void program(xml_node parent) {
    const CallTree& tree = result_.call_tree;
    const std::vector<CallPathId> order = tree.depth_first();
    std::vector<std::uint64_t> callees;  // all regions stand before the first call path
    for (const CallPathId id : order) callees.push_back(region(parent, tree[id], tree.name(id, definitions_)));
    std::vector<bool> has_callees(tree.size());
    for (const CallPathId id : order)
      if (tree[id].parent.valid()) has_callees[tree[id].parent.index()] = true;

    std::vector<xml_node> nodes(tree.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const CallPathId above = tree[order[i]].parent;
      xml_node node = (above.valid() ? nodes[above.index()] : parent).append_child("cnode");
      nodes[order[i].index()] = node;
      set(node, "id", i);
      set(node, "calleeId", callees[i]);
      if (!has_callees[order[i].index()]) node.append_child(pugi::node_pcdata).set_value("");
    }
  }

  void system(xml_node parent) {
    const std::size_t node_count = definitions_.system_tree.size();
    std::vector<std::vector<LocationId>> locations(definitions_.processes.size() + 1);  // by process; last: of none
    for (std::size_t i = 0; i < definitions_.locations.size(); ++i)
      locations[std::min(definitions_.locations[i].process.index(), definitions_.processes.size())].emplace_back(i);
    std::vector<std::vector<std::size_t>> processes(node_count + 1);  // by node; last: of none
    for (std::size_t p = 0; p < locations.size(); ++p) {
      if (locations[p].empty()) continue;
      const SystemNodeId of =
          p < definitions_.processes.size() ? definitions_.processes[p].parent : SystemNodeId::none();
      processes[std::min(of.index(), node_count)].push_back(p);
    }

    std::vector<std::vector<std::size_t>> below(node_count);
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < node_count; ++i) {
      const SystemNodeId above = definitions_.system_tree[i].parent;
      if (above.index() < node_count)
        below[above.index()].push_back(i);
      else
        roots.push_back(i);
    }
    std::vector<xml_node> nodes(node_count);
    const auto subtree = [&](std::size_t root) {
      std::vector<std::size_t> open{root};
      while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        if (nodes[i]) continue;
        const SystemTreeNode& definition = definitions_.system_tree[i];
        const xml_node above = i != root ? nodes[definition.parent.index()] : parent;
        nodes[i] = system_node(above, definition.name, definition.class_name, processes[i], locations);
        open.insert(open.end(), below[i].rbegin(), below[i].rend());
      }
    };
    for (const std::size_t i : roots) subtree(i);
    for (std::size_t i = 0; i < node_count; ++i)
      if (!nodes[i]) subtree(i);  // a damaged trace: a ring of nodes that are each below the next
    if (!processes[node_count].empty()) system_node(parent, "unknown", "machine", processes[node_count], locations);
    topologies(parent);
  }

  xml_node system_node(xml_node above, std::string_view node_name, std::string_view class_name,
                       const std::vector<std::size_t>& processes,
                       const std::vector<std::vector<LocationId>>& locations) {
    xml_node node = above.append_child("systemtreenode");
    set(node, "Id", next_node_++);
    add(node, "name", node_name);
    add(node, "class", or_else(class_name, "machine"));
    for (const std::size_t p : processes) {
      LocationGroup homeless;
      homeless.name = "unknown process";
      const LocationGroup& process = p < definitions_.processes.size() ? definitions_.processes[p] : homeless;
      xml_node group = node.append_child("locationgroup");
      set(group, "Id", next_group_++);
      add(group, "name", process.name);
      add(group, "rank", process.rank >= 0 ? static_cast<std::uint64_t>(process.rank) : p);
      add(group, "type", process.type == LocationGroupType::accelerator ? "accelerator" : "process");
      std::uint64_t rank = 0;
      for (const LocationId id : locations[p]) {
        const Location& location = definitions_[id];
        xml_node leaf = group.append_child("location");
        set(leaf, "Id", id.value);
        add(leaf, "name", location.name);
        add(leaf, "rank", rank++);
        add(leaf, "type", location_type(location.type));
      }
    }
    return node;
  }

  static std::string_view location_type(LocationType type) {
    if (type == LocationType::accelerator_stream) return "accelerator stream";
    return type == LocationType::metric ? "metric" : "thread";
  }

  void topologies(xml_node parent) {
    xml_node list;
    for (const CartTopology& topology : definitions_.cart_topologies) {
      std::vector<const CartDimension*> dimensions;
      for (const CartDimensionId id : topology.dimensions)
        if (id.index() < definitions_.cart_dimensions.size() && definitions_.cart_dimensions[id.index()].size > 0)
          dimensions.push_back(&definitions_.cart_dimensions[id.index()]);
      if (dimensions.empty() || dimensions.size() != topology.dimensions.size()) continue;
      if (!list) list = parent.append_child("topologies");
      xml_node cart = list.append_child("cart");
      if (!topology.name.empty()) set(cart, "name", topology.name);
      set(cart, "ndims", dimensions.size());
      for (const CartDimension* dimension : dimensions) {
        const xml_node node = cart.append_child("dim");
        set(node, "name", dimension->name);
        set(node, "size", dimension->size);
        set(node, "periodic", dimension->periodicity == CartPeriodicity::true_ ? "true" : "false");
      }
      coordinates(cart, topology, dimensions);
    }
  }

  void coordinates(xml_node cart, const CartTopology& topology, const std::vector<const CartDimension*>& dimensions) {
    bool any = false;
    const std::size_t entry = 1 + dimensions.size();
    for (std::size_t i = 0; i + entry <= topology.coordinates.size(); i += entry) {
      const std::uint64_t rank = topology.coordinates[i];
      const LocationId location =
          rank <= 0xffffffffu ? definitions_.locate(topology.comm, static_cast<std::uint32_t>(rank), LocationId::none())
                              : LocationId::none();
      bool inside = location.index() < definitions_.locations.size();
      std::string text;
      for (std::size_t k = 0; k < dimensions.size(); ++k) {
        const std::uint64_t at = topology.coordinates[i + 1 + k];
        inside = inside && at < dimensions[k]->size;
        fmt::format_to(std::back_inserter(text), "{}{}", k == 0 ? "" : " ", at);
      }
      if (!inside) continue;
      set(add(cart, "coord", text), "locId", location.value);
      any = true;
    }
    if (!any) cart.append_child(pugi::node_pcdata).set_value("");
  }

  const AnalysisResult& result_;
  const Definitions& definitions_;
  const CubeMetricPlaces& places_;
  const std::vector<std::string_view>& types_;
  std::map<std::pair<RegionId, StringId>, std::uint64_t> region_ids_;
  std::uint64_t next_node_ = 0, next_group_ = 0;
};

}  // namespace

std::string cube_anchor(const AnalysisResult& result, const CubeMetricPlaces& places,
                        const std::vector<std::string_view>& types) {
  return Writer(result, places, types).write();
}

}  // namespace waitstate::report
