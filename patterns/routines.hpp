// The communication routines of a program - MPI functions that move data, each with all its call paths - and their
// costs, which several properties of the EXPERT paper are about. Computed in wrapup from metrics that are charged
// anyway.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "charged.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

struct Routine {
  std::string name;
  std::int64_t ticks = 0;  ///< over all call paths and locations
  std::int64_t visits = 0;
  std::int64_t operations = 0;  ///< messages sent and received, collective operations
  std::int64_t bytes = 0;       ///< bytes that these operations moved
  std::vector<std::int64_t>
      ticks_of_process;  ///< indexed by ProcessId, if asked for; the last element is for locations without process
};

inline constexpr std::array<std::string_view, 3> communication_classes = {"mpi_point2point", "mpi_collective",
                                                                          "mpi_rma_communication"};

/// Routines by name. With `of_processes`, each has its ticks by process.
inline std::map<std::string_view, Routine> communication_routines(const Context& c, bool of_processes = false) {
  std::map<std::string_view, Routine> routines;
  // Damaged times and lengths can add up to anything.
  const auto add = [](std::int64_t& sum, std::int64_t value) {
    sum = add_ticks(sum, static_cast<std::uint64_t>(value));
  };
  std::vector<Routine*> of_path(c.call_tree().size());  // looked up once for each call path
  std::vector<bool> known(c.call_tree().size());
  const auto look_up = [&](CallPathId path) -> Routine* {
    const RegionId r = c.call_tree()[path].region;
    if (!r.valid()) return nullptr;
    const Region& region = c.definitions()[r];
    if (region.region_class != RegionClass::mpi_point2point && region.region_class != RegionClass::mpi_collective &&
        region.region_class != RegionClass::mpi_rma_communication)
      return nullptr;
    Routine& routine = routines[region.name];
    routine.name = region.name;
    if (of_processes) routine.ticks_of_process.resize(c.definitions().processes.size() + 1);
    return &routine;
  };
  const auto routine_of = [&](CallPathId path) {
    if (!known[path.index()]) {
      known[path.index()] = true;
      of_path[path.index()] = look_up(path);
    }
    return of_path[path.index()];
  };
  for (const std::string_view id : communication_classes)
    c.severities().for_each(c.metrics().at(id), [&](CallPathId path, LocationId location, std::int64_t ticks) {
      if (Routine* r = routine_of(path)) {
        add(r->ticks, ticks);
        if (!of_processes) return;
        const ProcessId process = c.definitions()[location].process;
        add(process.valid() ? r->ticks_of_process[process.index()] : r->ticks_of_process.back(), ticks);
      }
    });
  const auto sum = [&](std::int64_t Routine::*member, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
      const MetricIndex metric = c.metrics().find(id);
      if (metric == no_metric) continue;
      c.severities().for_each(metric, [&](CallPathId path, LocationId, std::int64_t value) {
        if (Routine* r = routine_of(path)) add(r->*member, value);
      });
    }
  };
  sum(&Routine::visits, {"visits"});
  sum(&Routine::operations,
      {"comms_send", "syncs_send", "comms_recv", "syncs_recv", "comms_cxch", "comms_csrc", "comms_cdst", "syncs_coll"});
  sum(&Routine::bytes, {"bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin"});
  return routines;
}

/// Adds the time of all call paths whose routine is chosen, as charged to the classes of regions, to the pattern's
/// first metric.
template <class Chosen>
void add_time_of(Context& c, const std::map<std::string_view, Routine>& routines, Chosen&& chosen) {
  std::set<std::string_view> names;
  for (const auto& [name, routine] : routines)
    if (chosen(routine)) names.insert(name);
  add_charged(c, communication_classes, [&](CallPathId path) {
    const RegionId region = c.call_tree()[path].region;
    return region.valid() && names.contains(c.definitions()[region].name);
  });
}

}  // namespace waitstate::patterns
