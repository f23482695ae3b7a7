#include "export/perfetto/tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "report/format/names.hpp"

namespace waitstate::exports {
namespace {

// Places among siblings. Below the trace come its own tracks, then what it consists of.
constexpr std::size_t own_tracks = 8;
// Below a process, for each thread: itself and its tasks, then its wait states.
constexpr std::size_t lanes_of_thread = 64, most_lanes = lanes_of_thread / 2 - 1;

constexpr std::size_t deepest_node = 64;  // a trace may say that a node lies in itself

}  // namespace

Tracks::Tracks(const Definitions& definitions, TrackEvents& out, std::string description)
    : definitions_(definitions),
      out_(out),
      description_(std::move(description)),
      first_process_(definitions.system_tree.size(), definitions.processes.size()),
      locations_(definitions.locations.size()) {
  for (std::size_t p = definitions.processes.size(); p-- > 0;) {
    SystemNodeId node = definitions.processes[p].parent;
    for (std::size_t up = 0; node.valid() && node.index() < first_process_.size() && up < deepest_node; ++up) {
      first_process_[node.index()] = p;
      node = definitions.system_tree[node.index()].parent;
    }
  }
}

Tracks::Uuid Tracks::add(Uuid parent, std::string name, std::size_t order, std::string description) {
  constexpr std::size_t largest = std::numeric_limits<std::int32_t>::max();
  out_.add({.uuid = ++last_,
            .parent = parent,
            .name = std::move(name),
            .description = std::move(description),
            .order = static_cast<std::int32_t>(std::min(order, largest))});
  return last_;
}

Tracks::Uuid Tracks::root() {
  if (root_ == 0) root_ = add(0, "trace", 0, description_);
  return root_;
}

Tracks::Uuid Tracks::critical_path() {
  if (critical_path_ == 0)
    critical_path_ =
        add(root(), "critical path", 0, "The activities that determine how long the run takes, one after the other.");
  return critical_path_;
}

Tracks::Uuid Tracks::waiting_locations() {
  if (waiting_locations_ == 0) {
    waiting_locations_ = ++last_;
    out_.add({.uuid = last_, .parent = root(), .name = "locations that wait", .order = 1, .is_counter = true});
  }
  return waiting_locations_;
}

// Nodes are in the order of the processes in them.
Tracks::Uuid Tracks::node(SystemNodeId id, std::size_t depth) {
  if (!id.valid() || id.index() >= definitions_.system_tree.size() || depth > deepest_node) return root();
  if (const auto found = nodes_.find(id); found != nodes_.end()) return found->second;
  const SystemTreeNode& node_of = definitions_.system_tree[id.index()];
  const Uuid parent = node(node_of.parent, depth + 1);
  std::string name = node_of.class_name.empty() ? node_of.name : fmt::format("{} {}", node_of.class_name, node_of.name);
  return nodes_[id] = add(parent, std::move(name), own_tracks + first_process_[id.index()]);
}

Tracks::Uuid Tracks::process(ProcessId id) {
  if (!id.valid()) return root();
  if (const auto found = processes_.find(id); found != processes_.end()) return found->second;
  const Uuid parent = node(definitions_[id].parent);
  return processes_[id] = add(parent, report::process_label(definitions_, id), own_tracks + id.index());
}

Tracks::Uuid Tracks::owner(LocationId location) { return process(definitions_[location].process); }

std::size_t Tracks::place(LocationId location) const {
  const ProcessId p = definitions_[location].process;
  if (!p.valid()) return (own_tracks + definitions_.processes.size() + location.index()) * lanes_of_thread;
  const std::vector<LocationId>& all = definitions_[p].locations;
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), location) - all.begin()) * lanes_of_thread;
}

const std::string& Tracks::label(LocationId location) {
  std::string& label = locations_[location.index()].label;
  if (label.empty()) label = report::location_label(definitions_, location);
  return label;
}

std::uint32_t Tracks::label_text(LocationId location) {
  std::optional<std::uint32_t>& text = locations_[location.index()].label_text;
  if (!text) text = out_.texts().number(label(location));
  return *text;
}

std::string Tracks::thread_name(LocationId location) {
  const std::string& recorded = definitions_[location].name;
  return recorded.empty() ? label(location) : recorded;
}

Tracks::Uuid Tracks::regions(LocationId location, std::size_t lane) {
  std::vector<Uuid>& lanes = locations_[location.index()].regions;
  while (lanes.size() <= lane) {
    const std::size_t n = lanes.size();
    const bool is_thread = definitions_[location].type == LocationType::cpu_thread;
    std::string name = n == 0 ? thread_name(location)
                              : fmt::format("{} {} ({})", is_thread ? "tasks of" : "also", thread_name(location), n);
    lanes.push_back(add(owner(location), std::move(name), place(location) + std::min(n, most_lanes)));
  }
  return lanes[lane];
}

Tracks::Uuid Tracks::waits(LocationId location, std::size_t lane) {
  std::vector<Uuid>& lanes = locations_[location.index()].waits;
  while (lanes.size() <= lane) {
    const std::size_t n = lanes.size();
    std::string name = fmt::format("wait states of {}", thread_name(location));
    if (n != 0) name += fmt::format(" ({})", n + 1);
    lanes.push_back(
        add(owner(location), std::move(name), place(location) + most_lanes + 1 + std::min(n, most_lanes),
            fmt::format("Time in which {} waited, what for and for whom. A share of a wait state lies below it.",
                        label(location))));
  }
  return lanes[lane];
}

Tracks::Uuid Tracks::counter(LocationId location, MetricMemberId member) {
  const auto [found, added] = locations_[location.index()].counters.try_emplace(member, 0);
  if (!added) return found->second;
  const Uuid parent = regions(location, 0);
  const MetricMember& metric = definitions_.metric_members[member.index()];
  found->second = ++last_;
  out_.add({.uuid = last_,
            .parent = parent,
            .name = metric.name,
            .description = metric.description,
            .order = static_cast<std::int32_t>(member.index()),
            .is_counter = true,
            .unit = metric.unit == "#" ? "" : metric.unit});
  return last_;
}

}  // namespace waitstate::exports
