#include "report/facts/origin.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

namespace waitstate::report {
namespace {

bool shares_memory(const SystemTreeNode& node) {
  const auto& domains = node.domains;
  return std::find(domains.begin(), domains.end(), SystemTreeDomain::shared_memory) != domains.end();
}

/// None if the recorder does not say.
SystemNodeId host_of(const Definitions& definitions, SystemNodeId node) {
  SystemNodeId by_class;
  std::size_t steps = 0;  // a damaged tree may have a circle
  for (; node.valid() && steps < definitions.system_tree.size(); ++steps) {
    const SystemTreeNode& at = definitions.system_tree[node.index()];
    if (shares_memory(at)) return node;
    if (!by_class.valid() && (at.class_name == "node" || at.class_name == "host")) by_class = node;
    node = at.parent;
  }
  return by_class;
}

}  // namespace

std::vector<Host> hosts(const Definitions& definitions) {
  std::vector<Host> all;
  std::map<std::uint32_t, std::size_t> place;  // in `all`, by node
  for (std::size_t i = 0; i < definitions.processes.size(); ++i) {
    const LocationGroup& process = definitions.processes[i];
    const SystemNodeId node = host_of(definitions, process.parent);
    if (!node.valid() || process.type != LocationGroupType::process) continue;
    const auto [known, added] = place.try_emplace(node.value, all.size());
    if (added) all.push_back({definitions.system_tree[node.index()].name, {}, {}});
    Host& host = all[known->second];
    host.processes.emplace_back(i);
    if (process.rank >= 0) host.ranks.push_back(process.rank);
  }
  for (Host& host : all) std::sort(host.ranks.begin(), host.ranks.end());
  return all;
}

std::string only_node(const Definitions& definitions) {
  std::set<std::string> nodes;
  std::size_t processes = 0;
  for (const LocationGroup& p : definitions.processes) {
    if (p.rank < 0) continue;
    ++processes;
    SystemNodeId node = p.parent, found = p.parent;
    for (; node.valid(); node = definitions.system_tree[node.index()].parent)
      if (definitions.system_tree[node.index()].class_name == "node") found = node;
    if (!found.valid()) return "";
    nodes.insert(definitions.system_tree[found.index()].name);
  }
  return processes > 1 && nodes.size() == 1 ? *nodes.begin() : "";
}

std::string date_of(const Clock& clock) {
  const bool is_recorded = clock.realtime != 0 && clock.realtime != ~std::uint64_t{0};
  if (!is_recorded) return "";
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(clock.realtime / 1'000'000'000)));
}

std::vector<std::string> programs(const AnalysisResult& result) {
  std::vector<std::string> names;
  for (const CallPathId id : result.call_tree.depth_first())
    if (const StringId program = result.call_tree[id].program; program.valid())
      if (const std::string& name = result.definitions[program];
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  return names;
}

}  // namespace waitstate::report
