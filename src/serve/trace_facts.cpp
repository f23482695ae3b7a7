#include "serve/trace_facts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "report/facts/origin.hpp"
#include "util/text.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::serve {
namespace {

using nlohmann::json;

std::string dumped(const json& value) {
  return util::printable_json(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

bool has_paradigm(const Definitions& definitions, std::initializer_list<Paradigm> wanted) {
  return std::any_of(definitions.regions.begin(), definitions.regions.end(), [&](const Region& r) {
    return std::find(wanted.begin(), wanted.end(), r.paradigm) != wanted.end();
  });
}

json kinds_of_events(const Definitions& d) {
  json counters = json::array();
  std::set<std::string> names;
  for (const MetricMember& member : d.metric_members) names.insert(member.name);
  for (const std::string& name : names) counters.push_back(name);
  return {{"mpi", has_paradigm(d, {Paradigm::mpi})},
          {"shmem", has_paradigm(d, {Paradigm::shmem})},
          {"openmp", has_paradigm(d, {Paradigm::openmp})},
          {"pthread", has_paradigm(d, {Paradigm::pthread})},
          {"device", has_paradigm(d, {Paradigm::cuda, Paradigm::opencl, Paradigm::openacc, Paradigm::hip})},
          {"rma", !d.rma_wins.empty()},
          {"counters", std::move(counters)}};
}

json notices(const Diagnostics& diagnostics) {
  json list = json::array();
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    const std::uint64_t count = diagnostics[id].count;
    if (count != 0) list.push_back(util::grouped(static_cast<std::int64_t>(count)) + " " + sentence(id, count));
  }
  return list;
}

}  // namespace

std::vector<LocationId> order_of_rows(const Definitions& definitions) {
  std::vector<LocationId> order;
  for (std::size_t l = 0; l < definitions.locations.size(); ++l) order.emplace_back(l);
  return order;  // ids are in rank and thread order
}

std::string trace_json(const pass::TraceInput& input, Time first, Time last) {
  const Definitions& d = input.definitions();
  json processes = json::array(), locations = json::array();
  std::vector<std::string> host_of(d.processes.size());
  for (const report::Host& host : report::hosts(d))
    for (const ProcessId p : host.processes) host_of[p.index()] = host.name;
  for (std::size_t p = 0; p < d.processes.size(); ++p) {
    json one = {{"id", p}, {"name", d.processes[p].name}, {"node", host_of[p]}};
    if (d.processes[p].rank >= 0) one["rank"] = d.processes[p].rank;
    processes.push_back(std::move(one));
  }
  for (const LocationId l : order_of_rows(d)) {
    const Location& location = d.locations[l.index()];
    json one = {{"id", l.value},
                {"name", location.name},
                {"kind", enum_name(location.type)},
                {"events", location.announced_events}};
    one["process"] = location.process.valid() ? json(location.process.value) : json();
    locations.push_back(std::move(one));
  }
  const double resolution = static_cast<double>(d.clock.resolution);
  return dumped({{"file", input.path()},
                 {"recorder", d.recorder.creator},
                 {"programs", json::array()},
                 {"processes", std::move(processes)},
                 {"locations", std::move(locations)},
                 {"events", input.announced_events()},
                 {"begin", first},
                 {"end", last},
                 {"ticks_per_second", d.clock.resolution},
                 {"seconds", static_cast<double>(last - first) / resolution},
                 {"date", report::date_of(d.clock)},
                 {"has", kinds_of_events(d)},
                 {"notices", notices(input.diagnostics())}});
}

std::vector<std::string> region_names(const Definitions& definitions) {
  std::set<std::string> names;
  for (const Region& region : definitions.regions) names.insert(region.name);
  return {names.begin(), names.end()};
}

}  // namespace waitstate::serve
