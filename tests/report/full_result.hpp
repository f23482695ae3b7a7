// A result in which every field that a report keeps has a value of its own, so that one that is lost, or read into
// another's place, makes a difference.
#pragma once

#include "waitstate/analysis.hpp"

namespace waitstate::test {

/// Two processes on one node, the second with two threads; call path ids in another order than depth first.
inline AnalysisResult full_result() {
  AnalysisResult r;
  r.path = "run/traces.otf2";
  r.command = "/home/a/p2p '2 5'";
  Definitions& d = r.definitions;
  d.recorder = {"Score-P 8.4", "Linux", "a \"test\"", "3.0.2", 0x1234, {{"SCOREP::X", "1"}, {"A", "2"}}};
  d.clock = {1'000'000, 1000, 5000, 1'600'000'000'000'000'000};
  d.paradigms = {{Paradigm::mpi, "MPI", ParadigmClass::process, {}}};
  d.system_tree = {{7, "node1", "node", SystemNodeId{1}, {}, {}}, {3, "machine", "cluster", {}, {}, {}}};
  const auto process = [&](const char* name, std::int64_t rank, ProcessId creator, LocationGroupType type) {
    LocationGroup p;
    p.name = name;
    p.type = type;
    p.parent = SystemNodeId{0};
    p.creator = creator;
    p.rank = rank;
    d.processes.push_back(p);
  };
  process("MPI Rank 0", 0, {}, LocationGroupType::process);
  process("MPI Rank 1", 1, {}, LocationGroupType::process);
  process("GPU", -1, ProcessId{1}, static_cast<LocationGroupType>(9));
  for (const std::size_t of : {0, 1, 1}) {
    Location location;
    location.name = "Thread " + std::to_string(d.locations.size());
    location.process = ProcessId{of};
    d.processes[of].locations.emplace_back(d.locations.size());
    d.locations.push_back(location);
  }
  const auto region = [&](const char* name, const char* file, std::uint32_t line, Paradigm paradigm, RegionRole role,
                          RegionClass region_class) {
    Region added;
    added.name = name;
    added.canonical_name = std::string("_Z") + name;
    added.description = "about";
    added.file = file;
    added.begin_line = line;
    added.end_line = line + 10;
    added.paradigm = paradigm;
    added.role = role;
    added.region_class = region_class;
    added.mpi_function = mpi_function(name);
    d.regions.push_back(added);
    return RegionId{d.regions.size() - 1};
  };
  const RegionId main = region("main", "p2p.c", 3, Paradigm::compiler, RegionRole::function, RegionClass::comp);
  const RegionId work = region("work<int, \"x\">", "", 0, Paradigm::user, RegionRole::loop, RegionClass::comp);
  const RegionId recv =
      region("MPI_Recv", "MPI", 0, Paradigm::mpi, RegionRole::point2point, RegionClass::mpi_point2point);
  const StringId program = d.intern("unused") == StringId{0} ? d.intern("/home/a/p2p") : StringId{};
  Comm comm;
  comm.name = "MPI_COMM_WORLD";
  comm.members = {LocationId{0}, LocationId{}, LocationId{1}};
  d.comms = {comm, comm};
  d.comms[0].self = true;
  d.cart_dimensions = {{0, "x", 2, CartPeriodicity::true_}};
  d.cart_topologies = {{0, "grid", CommId{1}, {CartDimensionId{0}}, {0, 0, 1, 1}}};

  // Met in the order main, program, work, recv; depth first: program, recv below it, main, work, recv below that.
  const CallPathId root_main = r.call_tree.find_or_add({CallPathId::none(), main, StringId::none()});
  const CallPathId root = r.call_tree.find_or_add({CallPathId::none(), RegionId::none(), program});
  const CallPathId worker = r.call_tree.find_or_add({root_main, work, StringId::none()});
  const CallPathId receive = r.call_tree.find_or_add({worker, recv, StringId::none()});
  const CallPathId unknown = r.call_tree.find_or_add({root, RegionId::none(), StringId::none()});
  r.call_tree.seen(root, LocationId{0}, 0);
  r.call_tree.seen(unknown, LocationId{0}, 1);
  r.call_tree.seen(root_main, LocationId{1}, 0);
  r.call_tree.seen(worker, LocationId{1}, 1);
  r.call_tree.seen(receive, LocationId{1}, 2);

  const MetricIndex time = r.metrics.add("time", "", Unit::seconds, false, "Time", "Total time of all locations.");
  const MetricIndex bytes = r.metrics.add("bytes", "", Unit::bytes, false, "Bytes", "");
  const MetricIndex p2p = r.metrics.add("mpi_point2point", "time", Unit::seconds, false, "Point-to-point", "");
  const MetricIndex late = r.metrics.add("mpi_latesender", "mpi_point2point", Unit::seconds, true, "Late Sender",
                                         "Receives that wait for their send.");
  r.metrics.set_texts(late, {"E(send) - E(recv)", "the receiver", "EXPERT", "send earlier"});
  r.metrics.set_siblings(late, Siblings::overlapping);
  r.metrics.add("visits", "", Unit::occurrences, false, "Visits", "");
  r.severities = Severities(r.metrics.size());
  r.severities.add(late, receive, LocationId{2}, 2000);
  r.severities.add(time, receive, LocationId{0}, 0);
  r.severities.add(time, root_main, LocationId{1}, 1500);
  r.severities.add(time, root_main, LocationId{0}, -4);
  r.severities.add(time, root, LocationId{0}, 4500);
  r.severities.add(p2p, receive, LocationId{2}, 2500);
  r.severities.add(bytes, receive, LocationId{2}, 9'007'199'254'740'993);  // a double cannot represent it

  WaitSummary& waits = r.waits[late];
  waits.statistics = {3, 2000, 100, 1500, 2000.0 / 3, 1.0 / 3, 250, 400, 950, 1.0 / 128};
  waits.pairs[{LocationId{0}, LocationId{2}}] = {2, 1600};
  waits.pairs[{LocationId{}, LocationId{1}}] = {1, 400};
  waits.causes[{root_main, LocationId{0}}] = {1, 100};
  waits.causes[{root, LocationId{0}}] = {1, 1500};
  waits.causes[{CallPathId{}, LocationId{}}] = {1, 400};
  const Wait longest{LocationId{2}, receive, 2000, 4000, 2100, 1500, LocationId{0}, root};
  const Wait shorter{LocationId{2}, receive, 4100, 4300, 4100, 100, LocationId{}, CallPathId{}};
  waits.severe[receive] = {{longest, 1600, 2, {true, 700, 500, LocationId{1}, worker}}, {shorter, 100, 1}};
  waits.severe[root] = {{shorter, 50, 1}};

  SevereInstance& worst = waits.severe[receive][0];
  worst.members = {longest, {LocationId{1}, receive, 2001, 3000, 2002, 100, LocationId{0}, CallPathId{}}};
  worst.members_left_out = 3;
  worst.cause = WaitCause{WaitCause::Kind::message, 2500, 3990, 8, 7, CommId{1}, WaitCause::no_operation, 2400, 2600};
  waits.severe[root][0].cause = {
      .kind = WaitCause::Kind::collective, .comm = CommId{0}, .operation = CollectiveOp::scan};
  waits.histogram = {{91, 108, 2, 200}, {1456, 1728, 1, 1500}};
  waits.by_callpath = {{receive, {2, 1600, 100, 1500, 800, 0, 150, 300, 950, 1.0 / 32}},
                       {root, {1, 400, 400, 400, 400, 0, 400, 400, 400, 0}}};
  waits.callpaths_left_out = 4;
  r.series = WaitSeries{2048, 512, 3, 2, {{LocationId{0}, LocationId{1}}, {LocationId{2}, LocationId{2}}}, {}};
  r.series->metrics[late] = {{1500, 300, 100}, 100, {{1, {1800, 100}}}};
  worst.context = 0;
  r.contexts = {{1500,
                 4500,
                 {LocationId{0}, LocationId{2}},
                 {{LocationId{0}, main, 1500, 4500, 0}, {LocationId{2}, recv, 2000, 4000, 1}},
                 9,
                 {{LocationId{0}, LocationId{2}, 2500, 3990, 8, 7, CommId{1}}},
                 2}};
  r.phases =
      Phases{work, 3, 2, {{1500, 4500, 2, 5000, 3000, 4000, 2500, {{late, 700}}}, {4500, 5000, 1, 500, 500, 0, 0, {}}}};
  r.phases->phases[0].places[late] = {{{receive, 600}, {root, 100}}, {{LocationId{2}, 700}}};
  r.communication = Communication{2,
                                  {{0, 1, 1, 2, 3, 4, 5, 6}, {1, 0, 0, 0, 0, 0, 7, 8}},
                                  {{0, 1, 4, 0}, {1024, 2048, 1, 1500}},
                                  {{CommId{1}, CollectiveOp::bcast, 2, 6, 10, 20, 400, 50}}};

  r.open_calls = {{LocationId{1}, CallPathId{}, recv, 5000},
                  {LocationId{2},
                   receive,
                   recv,
                   5100,
                   {{OpenWait::Kind::receive, CommId{0}, {}, {}, 7, {LocationId{0}, LocationId{1}}, true},
                    {OpenWait::Kind::lock, {}, {}, LocationId{1}, -1, {}, false}}}};

  r.queues = {
      true,
      {{ProcessId{0}, CommId::none(), {5, 1, 3, 700, 900, 10, 400, 7, 3, 5, 2}, {}, {{3, 1, 0.16, 0.01}}},
       {ProcessId{0}, CommId{1}, {4, 0, 2, 600, 700, 20, 300, 6, 2, 4, 1}, {1, 1, 1, 50, 50, 50, 50, 0, 0, 0, 0}}},
      1000,
      6000,
      {{3, 1, 0.18, 0.01}, {0, 0, 0, 0}}};

  r.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 2500, "MPI_Recv"}, 0, 7);
  r.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{}, ~Time{0}, "a file"});
  r.diagnostics.add_between(DiagnosticId::clock_violation, ProcessId{0}, ProcessId{1}, {LocationId{1}, 1600, ""}, 7);
  r.diagnostics.add_between(DiagnosticId::clock_violation, ProcessId{1}, ProcessId{}, {LocationId{0}, 1600, ""}, 9);

  r.locations = {{4, 1000, 5500}, {6, 1500, 6000}, {0, 0, 0}};
  r.events_by_type[static_cast<std::size_t>(EventType::enter)] = 4;
  r.events_by_type[static_cast<std::size_t>(EventType::exit)] = 4;
  r.events_by_type[static_cast<std::size_t>(EventType::send)] = 1;
  r.events_by_type[static_cast<std::size_t>(EventType::recv)] = 1;
  r.messages = 1;
  r.collectives = 3;
  r.patterns = {{"mpi_latesender", {{"threshold", "0.5"}, {"region", "main"}}}, {"comms_recv", {}}};
  r.focus.region = "main";
  r.focus.locations = {LocationId{0}, LocationId{2}};
  r.focus.from = 1200;
  return r;
}

}  // namespace waitstate::test
