#include "waitstate/result/metrics.hpp"

#include <algorithm>

#include "analysis/metrics/metric_names.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate {

std::string_view name(MetricKind k) {
  static constexpr std::string_view names[] = {"other",
                                               "wait",
                                               "completion",
                                               "idleness",
                                               "account",
                                               "account_wait",
                                               "account_transfer",
                                               "account_management",
                                               "account_local",
                                               "account_unknown",
                                               "account_possible_wait"};
  return names[static_cast<std::size_t>(k)];
}

std::string_view name(Unit u) {
  switch (u) {
    case Unit::seconds:
      return "sec";
    case Unit::occurrences:
      return "occ";
    case Unit::counter:
      return "counter";
    case Unit::bytes:
      break;
  }
  return "bytes";
}

MetricIndex MetricTree::add(std::string id, std::string_view parent, Unit unit, bool within_parent, std::string title,
                            std::string summary, MetricKind kind) {
  if (find(id) != no_metric)
    throw UsageError("metric '" + id + "' is defined twice: every pattern needs ids of its own");
  const MetricIndex p = parent.empty() ? no_metric : at(parent);
  metrics_.push_back(
      {std::move(id), std::move(title), std::move(summary), unit, p, within_parent, std::string(), 1, kind});
  return static_cast<MetricIndex>(metrics_.size() - 1);
}

void MetricTree::set_scale(MetricIndex i, std::string unit_name, double scale) {
  metrics_[i].unit_name = std::move(unit_name);
  metrics_[i].scale = scale;
}

void MetricTree::explain_as(MetricIndex i, const MetricTree& known) {
  const MetricIndex same = known.find(metrics_[i].id);
  if (same == no_metric) return;
  metrics_[i].texts = known[same].texts;
  metrics_[i].siblings = known[same].siblings;
}

std::int64_t aggregate(Aggregation aggregation, std::int64_t value, std::int64_t more) {
  if (aggregation == Aggregation::sum) return add_ticks(value, static_cast<std::uint64_t>(more));
  if (value == 0 || more == 0) return value == 0 ? more : value;
  return aggregation == Aggregation::minimum ? std::min(value, more) : std::max(value, more);
}

MetricIndex MetricTree::find(std::string_view id) const {
  const auto it = std::find_if(metrics_.begin(), metrics_.end(), [&](const MetricInfo& m) { return m.id == id; });
  return it == metrics_.end() ? no_metric : static_cast<MetricIndex>(it - metrics_.begin());
}

MetricIndex MetricTree::at(std::string_view id) const {
  const MetricIndex i = analysis::find_metric(*this, id);
  if (i != no_metric) return i;
  const std::string near = analysis::nearest_metric(id, {this});
  throw UsageError("no metric has the id '" + std::string(id) + "'" +
                   (near.empty() ? "; `waitstate patterns` lists them" : ": did you mean '" + near + "'?"));
}

std::vector<MetricIndex> MetricTree::children(MetricIndex parent) const {
  std::vector<MetricIndex> result;
  for (MetricIndex i = 0; i < metrics_.size(); ++i)
    if (metrics_[i].parent == parent) result.push_back(i);
  return result;
}

bool MetricTree::lies_within(MetricIndex metric, MetricIndex above) const {
  while (metric != no_metric && metric != above) metric = metrics_[metric].parent;
  return metric == above;
}

bool MetricTree::adds_to(MetricIndex part, MetricIndex whole) const {
  while (part > whole && part != no_metric && !metrics_[part].within_parent) part = metrics_[part].parent;
  return part == whole;
}

std::vector<MetricIndex> MetricTree::depth_first() const {
  std::vector<MetricIndex> order, open = children(no_metric);
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const MetricIndex i = open.back();
    open.pop_back();
    order.push_back(i);
    const auto below = children(i);
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return order;
}

MetricTree MetricTree::base() {
  MetricTree t;
  const auto sec = [&](const char* id, const char* parent, const char* title, const char* summary) {
    t.add(id, parent, Unit::seconds, false, title, summary);
  };
  const auto occ = [&](const char* id, const char* parent, const char* title, const char* summary) {
    t.add(id, parent, Unit::occurrences, false, title, summary);
  };
  const auto bytes = [&](const char* id, const char* parent, const char* title, const char* summary) {
    t.add(id, parent, Unit::bytes, false, title, summary);
  };
  // clang-format off
  sec("time", "", "Time", "Total time of all locations.");
  sec("execution", "time", "Execution", "Time in the program and the libraries that it calls.");
  sec("comp", "execution", "Computation", "Time outside of MPI, OpenMP and the other libraries below.");
  sec("mpi", "execution", "MPI", "Time in MPI functions.");
  sec("mpi_management", "mpi", "MPI management", "Time in MPI set-up and tear-down.");
  sec("mpi_init_exit", "mpi_management", "MPI init/exit", "Time in MPI initialisation and finalisation.");
  sec("mpi_mgmt_comm", "mpi_management", "MPI communicator management", "Time in functions of communicators, groups and topologies.");
  sec("mpi_mgmt_file", "mpi_management", "MPI file management", "Time in functions that open, close and set up files.");
  sec("mpi_mgmt_win", "mpi_management", "MPI window management", "Time in functions that create, change and free windows.");
  sec("mpi_synchronization", "mpi", "MPI synchronisation", "Time in MPI functions that synchronise and move no data.");
  sec("mpi_sync_collective", "mpi_synchronization", "MPI collective synchronisation", "Time in barriers.");
  sec("mpi_rma_synchronization", "mpi_synchronization", "MPI one-sided synchronisation", "Time in one-sided synchronisation.");
  sec("mpi_rma_sync_active", "mpi_rma_synchronization", "MPI one-sided active target", "Time in fence, post, start, complete and wait.");
  sec("mpi_rma_sync_passive", "mpi_rma_synchronization", "MPI one-sided passive target", "Time in lock, unlock, flush and sync.");
  sec("mpi_communication", "mpi", "MPI communication", "Time in MPI functions that move data.");
  sec("mpi_point2point", "mpi_communication", "MPI point-to-point", "Time in point-to-point communication.");
  sec("mpi_collective", "mpi_communication", "MPI collective", "Time in collective communication.");
  sec("mpi_rma_communication", "mpi_communication", "MPI one-sided", "Time in one-sided communication.");
  sec("mpi_io", "mpi", "MPI file I/O", "Time in MPI functions that read and write files.");
  sec("mpi_io_individual", "mpi_io", "MPI individual I/O", "Time in file I/O of single processes.");
  sec("mpi_io_collective", "mpi_io", "MPI collective I/O", "Time in collective file I/O.");
  sec("omp_time", "execution", "OpenMP", "Time in the OpenMP runtime.");
  sec("omp_management", "omp_time", "OpenMP management", "Time to start and end parallel regions.");
  t.add("omp_fork", "omp_management", Unit::seconds, true, "OpenMP fork", "Time from a fork until the threads have begun the parallel region.");
  sec("omp_synchronization", "omp_time", "OpenMP synchronisation", "Time in OpenMP synchronisation.");
  sec("omp_barrier", "omp_synchronization", "OpenMP barrier", "Time in barriers.");
  sec("omp_ebarrier", "omp_barrier", "OpenMP explicit barrier", "Time in explicit barriers.");
  sec("omp_ibarrier", "omp_barrier", "OpenMP implicit barrier", "Time in implicit barriers.");
  sec("omp_critical", "omp_synchronization", "OpenMP critical", "Time at critical sections and atomics.");
  sec("omp_lock_api", "omp_synchronization", "OpenMP lock API", "Time in lock functions.");
  sec("omp_ordered", "omp_synchronization", "OpenMP ordered", "Time at ordered sections.");
  sec("omp_taskwait", "omp_synchronization", "OpenMP taskwait", "Time in taskwait.");
  sec("omp_flush", "omp_time", "OpenMP flush", "Time in flush.");
  sec("pthread_time", "execution", "POSIX threads", "Time in the POSIX thread library.");
  sec("pthread_management", "pthread_time", "POSIX thread management", "Time to create and join threads.");
  sec("pthread_synchronization", "pthread_time", "POSIX thread synchronisation", "Time in POSIX thread synchronisation.");
  sec("pthread_lock_api", "pthread_synchronization", "POSIX thread locks", "Time in mutex functions.");
  sec("pthread_conditional", "pthread_synchronization", "POSIX thread conditions", "Time in functions of condition variables.");
  sec("shmem_time", "execution", "SHMEM", "Time in SHMEM functions.");
  sec("shmem_init_exit", "shmem_time", "SHMEM init/exit", "Time in SHMEM initialisation and finalisation.");
  sec("shmem_memory_management", "shmem_time", "SHMEM memory management", "Time to allocate and free symmetric memory.");
  sec("shmem_synchronization", "shmem_time", "SHMEM synchronisation", "Time in SHMEM synchronisation.");
  sec("shmem_sync_collective", "shmem_synchronization", "SHMEM collective synchronisation", "Time in barriers.");
  sec("shmem_point2point_synchronization", "shmem_synchronization", "SHMEM point-to-point synchronisation", "Time in locks, waits and fences.");
  sec("shmem_communication", "shmem_time", "SHMEM communication", "Time in SHMEM communication.");
  sec("shmem_collective", "shmem_communication", "SHMEM collective", "Time in collective communication.");
  sec("shmem_rma_communication", "shmem_communication", "SHMEM one-sided", "Time in puts, gets and atomics.");
  sec("openacc_time", "execution", "OpenACC", "Time in the OpenACC runtime.");
  sec("opencl_time", "execution", "OpenCL", "Time in the OpenCL runtime.");
  sec("cuda_time", "execution", "CUDA", "Time in the CUDA runtime.");
  sec("hip_time", "execution", "HIP", "Time in the HIP runtime.");
  sec("overhead", "time", "Overhead", "Time of the measurement system itself.");
  sec("measurement_off", "time", "Measurement off", "Time in which the measurement was switched off, so that the "
                                                    "activity is unknown.");
  occ("visits", "", "Visits", "Number of times that a call path was entered.");
  occ("syncs", "", "Synchronisations", "Number of operations that move no data.");
  occ("syncs_p2p", "syncs", "Empty messages", "Number of sends and receives of messages without bytes.");
  occ("syncs_send", "syncs_p2p", "Empty messages sent", "Number of messages sent without bytes.");
  occ("syncs_coll", "syncs", "Collective synchronisations", "Number of collective operations that moved no data.");
  occ("syncs_rma", "syncs", "One-sided synchronisations", "Number of calls that synchronise one-sided communication.");
  occ("syncs_rma_active", "syncs_rma", "Active target", "Number of calls of fence, post, start, complete and wait.");
  occ("syncs_rma_passive", "syncs_rma", "Passive target", "Number of calls of lock, unlock, flush and sync.");
  occ("comms", "", "Communications", "Number of operations that move data.");
  occ("comms_p2p", "comms", "Messages", "Number of sends and receives of messages with at least one byte.");
  occ("comms_send", "comms_p2p", "Messages sent", "Number of messages sent with at least one byte.");
  occ("comms_coll", "comms", "Collective communications", "Number of collective operations that moved data.");
  occ("comms_cxch", "comms_coll", "Collective exchanges", "Number of collective operations that sent and received data.");
  occ("comms_csrc", "comms_coll", "Collective communications as source", "Number of collective operations that only sent data.");
  occ("comms_cdst", "comms_coll", "Collective communications as destination", "Number of collective operations that only received data.");
  occ("comms_rma", "comms", "One-sided operations", "Number of puts, gets and atomic operations.");
  occ("comms_rma_puts", "comms_rma", "Puts", "Number of puts, of MPI, SHMEM and accelerators.");
  occ("comms_rma_gets", "comms_rma", "Gets", "Number of gets, of MPI, SHMEM and accelerators.");
  occ("comms_rma_atomics", "comms_rma", "Atomics", "Number of accumulates and other atomic operations.");
  bytes("bytes", "", "Bytes", "Bytes moved.");
  bytes("bytes_p2p", "bytes", "Point-to-point bytes", "Bytes of messages sent and received.");
  bytes("bytes_sent", "bytes_p2p", "Bytes sent", "Bytes of all messages sent.");
  bytes("bytes_coll", "bytes", "Collective bytes", "Bytes moved by collective operations.");
  bytes("bytes_cout", "bytes_coll", "Collective bytes outgoing", "Bytes sent in collective operations.");
  bytes("bytes_cin", "bytes_coll", "Collective bytes incoming", "Bytes received in collective operations.");
  bytes("bytes_rma", "bytes", "One-sided bytes", "Bytes moved by one-sided operations.");
  bytes("bytes_put", "bytes_rma", "Bytes put", "Bytes that one-sided operations moved to their targets.");
  bytes("bytes_get", "bytes_rma", "Bytes got", "Bytes that one-sided operations moved from their targets.");
  occ("mpi_file_ops", "", "MPI file operations", "Number of calls of MPI functions that read and write files.");
  bytes("mpi_file_bytes", "", "MPI file bytes", "Bytes that MPI read from files and wrote to them, where operations on files were recorded.");
  // clang-format on
  return t;
}

MetricTree MetricTree::built_in() {
  MetricTree t = base();
  for (const PatternHandle& p : built_in_patterns()) {
    const PatternInfo info = p.pattern->info();
    for (const MetricSpec& m : info.metrics) {
      const MetricIndex added = t.add(m.id, m.parent, m.unit, m.within_parent, m.title, m.summary, m.kind);
      t.set_aggregation(added, aggregation(m.queue_value));
      t.set_siblings(added, m.siblings);
      t.set_texts(added, {info.severity, info.charged_to, info.source, info.diagnosis});
    }
  }
  return t;
}

}  // namespace waitstate
