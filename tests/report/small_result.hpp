// A result made by hand: two ranks, one message that came 2 ms late. It is so small that every report of it can be
// written down.
#pragma once

#include "waitstate/analysis.hpp"

namespace waitstate::test {

/// Rank 0 computes and sends, rank 1 waits in MPI_Recv. Ticks are microseconds.
inline AnalysisResult small_result() {
  AnalysisResult r;
  r.path = "run/traces.otf2";
  Definitions& d = r.definitions;
  d.recorder = {"Score-P 8.4", "Linux", "", "3.0.2", 0x1234, {}};
  d.clock = {1'000'000, 1000, 5000, 1'600'000'000'000'000'000};
  for (const char* name : {"MPI Rank 0", "MPI Rank 1"}) {
    LocationGroup process;
    process.name = name;
    process.type = LocationGroupType::process;
    process.rank = static_cast<std::int64_t>(d.processes.size());
    process.locations = {LocationId{d.processes.size()}};
    Location location;
    location.name = "Master thread";
    location.process = ProcessId{d.processes.size()};
    d.processes.push_back(process);
    d.locations.push_back(location);
  }
  const auto region = [&](const char* name, const char* file, std::uint32_t line) {
    Region added;
    added.name = name;
    added.file = file;
    added.begin_line = line;
    d.regions.push_back(added);
    return RegionId{d.regions.size() - 1};
  };
  const CallPathId main = r.call_tree.find_or_add({CallPathId::none(), region("main", "p2p.c", 3), StringId::none()});
  const CallPathId work = r.call_tree.find_or_add({main, region("work<int, \"x\">", "", 0), StringId::none()});
  const CallPathId recv = r.call_tree.find_or_add({work, region("MPI_Recv", "MPI", 0), StringId::none()});

  const MetricIndex time = r.metrics.add("time", "", Unit::seconds, false, "Time", "Total time of all locations.");
  const MetricIndex p2p = r.metrics.add("mpi_point2point", "time", Unit::seconds, false, "Point-to-point", "");
  const MetricIndex late = r.metrics.add("mpi_latesender", "mpi_point2point", Unit::seconds, true, "Late Sender",
                                         "Receives that wait for their send.");
  r.metrics.add("mpi_latereceiver", "mpi_point2point", Unit::seconds, true, "Late Receiver", "");
  const MetricIndex bytes = r.metrics.add("bytes", "", Unit::bytes, false, "Bytes", "");
  r.metrics.add("visits", "", Unit::occurrences, false, "Visits", "");
  r.severities = Severities(r.metrics.size());
  r.severities.add(time, main, LocationId{0}, 4500);
  r.severities.add(time, main, LocationId{1}, 1500);
  r.severities.add(p2p, recv, LocationId{1}, 2500);
  r.severities.add(late, recv, LocationId{1}, 2000);
  r.severities.add(bytes, recv, LocationId{1}, 2048);

  WaitSummary& waits = r.waits[late];
  waits.statistics = {1, 2000, 2000, 2000, 2000, 0, 2000, 2000, 2000, 0};
  waits.pairs[{LocationId{0}, LocationId{1}}] = {1, 2000};
  waits.causes[{main, LocationId{0}}] = {1, 2000};
  SevereInstance instance;
  instance.longest = {LocationId{1}, recv, 3000, 5500, 3000, 2000, LocationId{0}, main};
  instance.total = 2000;
  instance.waiters = 1;
  waits.severe[recv] = {instance};

  r.locations = {{4, 1000, 5500}, {6, 1500, 6000}};
  r.events_by_type[static_cast<std::size_t>(EventType::enter)] = 4;
  r.events_by_type[static_cast<std::size_t>(EventType::exit)] = 4;
  r.events_by_type[static_cast<std::size_t>(EventType::send)] = 1;
  r.events_by_type[static_cast<std::size_t>(EventType::recv)] = 1;
  r.messages = 1;
  return r;
}

}  // namespace waitstate::test
