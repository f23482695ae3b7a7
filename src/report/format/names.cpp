#include "report/format/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format/layout.hpp"

namespace waitstate::report {

namespace {

std::string own_label(const Definitions& definitions, ProcessId process) {
  const LocationGroup& p = definitions[process];
  if (p.rank >= 0) return fmt::format("rank {}", p.rank);
  return p.name.empty() ? fmt::format("process {}", process.value) : printable(p.name);
}

/// Accelerators of different processes have the same names: whose they are stands before them.
std::string owner(const Definitions& definitions, ProcessId process) {
  const ProcessId creator = definitions[process].creator;
  return creator.valid() && creator != process ? own_label(definitions, creator) + ' ' : "";
}

}  // namespace

std::string process_label(const Definitions& definitions, ProcessId process) {
  if (!process.valid()) return "unknown process";
  return owner(definitions, process) + own_label(definitions, process);
}

std::string location_label(const Definitions& definitions, LocationId location) {
  if (!location.valid()) return "unknown location";
  const Location& l = definitions[location];
  std::string own = l.name.empty() ? fmt::format("location {}", location.value) : printable(l.name);
  if (!l.process.valid()) return own;
  const LocationGroup& process = definitions[l.process];
  if (process.locations.size() == 1)
    return process.rank >= 0 ? process_label(definitions, l.process) : owner(definitions, l.process) + own;
  if (l.type != LocationType::cpu_thread) return process_label(definitions, l.process) + ' ' + own;
  std::size_t thread = 0;
  for (const LocationId other : process.locations) {
    if (other == location) break;
    thread += definitions[other].type == LocationType::cpu_thread;
  }
  return fmt::format("{} thread {}", process_label(definitions, l.process), thread);
}

std::string callpath_label(const AnalysisResult& result, CallPathId callpath) {
  return callpath.valid() ? printable(result.call_tree.path(callpath, result.definitions)) : "(outside any region)";
}

std::string region_source(const AnalysisResult& result, RegionId region) {
  if (!region.valid()) return "";
  const Region& code = result.definitions[region];
  if (code.begin_line == 0 || code.file.empty()) return "";
  return fmt::format("{}:{}", printable(file_name(code.file)), code.begin_line);
}

std::string callpath_source(const AnalysisResult& result, CallPathId callpath) {
  for (; callpath.valid(); callpath = result.call_tree[callpath].parent)
    if (std::string source = region_source(result, result.call_tree[callpath].region); !source.empty()) return source;
  return "";
}

Time first_event(const AnalysisResult& result) {
  Time first = ~Time{0};
  for (const LocationSummary& location : result.locations)
    if (location.events != 0) first = std::min(first, location.first_time);
  return first == ~Time{0} ? 0 : first;
}

Ticks ticks_since_first(const AnalysisResult& result, Time time) {
  const Time first = first_event(result);
  return time < first ? 0 : static_cast<Ticks>(time - first);
}

std::int64_t process_count(const Definitions& definitions) {
  return std::count_if(definitions.processes.begin(), definitions.processes.end(), [](const LocationGroup& p) {
    return p.type != LocationGroupType::accelerator && !p.locations.empty();
  });
}

}  // namespace waitstate::report
