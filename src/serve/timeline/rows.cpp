#include "serve/timeline/rows.hpp"

#include <fmt/format.h>

#include "report/facts/origin.hpp"
#include "util/text.hpp"

namespace waitstate::serve {
namespace {

constexpr std::size_t most_unfolded = 2048;

/// Joins a row to the last one if it has the same key.
class Folding {
 public:
  void add(std::uint64_t key, const std::string& name, std::size_t location, std::vector<TimelineRow>& rows) {
    if (rows.empty() || key != last_) rows.push_back({name, location, location});
    rows.back().end = location + 1;
    last_ = key;
  }

 private:
  std::uint64_t last_ = 0;
};

}  // namespace

TimelineRows::TimelineRows(const Definitions& definitions) {
  const std::vector<report::Host> hosts = report::hosts(definitions);
  std::vector<std::size_t> host_of(definitions.processes.size(), hosts.size());
  for (std::size_t h = 0; h < hosts.size(); ++h)
    for (const ProcessId p : hosts[h].processes) host_of[p.index()] = h;
  Folding processes, nodes;
  for (std::size_t l = 0; l < definitions.locations.size(); ++l) {
    const Location& location = definitions.locations[l];
    const bool has_process = location.process.valid();
    const std::string process = has_process ? util::printable(definitions[location.process].name) : "";
    const std::string name = util::printable(location.name);
    by_location.push_back({process.empty() ? name : process + ", " + name, l, l + 1});
    processes.add(has_process ? location.process.value : ~std::uint64_t{l}, has_process ? process : name, l,
                  by_process);
    std::size_t host = hosts.size();
    if (has_process) {
      const LocationGroup& group = definitions[location.process];
      host = host_of[group.host.valid() ? group.host.index() : location.process.index()];
    }
    nodes.add(host, host < hosts.size() ? util::printable(hosts[host].name) : "without node", l, by_node);
  }
}

const std::vector<TimelineRow>* TimelineRows::of(std::string_view level) const {
  if (level == "location") return &by_location;
  if (level == "process") return &by_process;
  if (level == "node") return &by_node;
  if (!level.empty()) return nullptr;
  if (by_location.size() <= most_unfolded) return &by_location;
  return by_process.size() <= most_unfolded ? &by_process : &by_node;
}

}  // namespace waitstate::serve
