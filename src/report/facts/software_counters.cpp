#include "report/facts/software_counters.hpp"

#include <algorithm>
#include <string>

#include "waitstate/trace/region_class.hpp"

namespace waitstate::report {
namespace {

constexpr std::string_view posted_length = "posted", unexpected_length = "unexpected",
                           unexpected_left = "unexpected_remaining";

const std::vector<SoftwareCounter>& all_counters() {
  using enum CounterBound;  // name, bound, of_paper, metric
  static const std::vector<SoftwareCounter> counters = {
      {"OMPI_SEND", exact, true, "MPI_Send"},
      {"OMPI_RECV", exact, true, "MPI_Recv"},
      {"OMPI_ISEND", exact, true, "MPI_Isend"},
      {"OMPI_IRECV", exact, true, "MPI_Irecv"},
      {"OMPI_BCAST", exact, true, "MPI_Bcast"},
      {"OMPI_REDUCE", exact, true, "MPI_Reduce"},
      {"OMPI_ALLREDUCE", exact, true, "MPI_Allreduce"},
      {"OMPI_SCATTER", exact, true, "MPI_Scatter"},
      {"OMPI_GATHER", exact, true, "MPI_Gather"},
      {"OMPI_ALLTOALL", exact, true, "MPI_Alltoall"},
      {"OMPI_ALLGATHER", exact, true, "MPI_Allgather"},
      {"OMPI_BYTES_RECEIVED_USER", at_most, true, "bytes_rcvd"},
      {"OMPI_BYTES_RECEIVED_MPI", unknown},
      {"OMPI_BYTES_SENT_USER", at_most, true, "bytes_sent"},
      {"OMPI_BYTES_SENT_MPI", unknown},
      {"OMPI_BYTES_PUT", unknown},
      {"OMPI_BYTES_GET", unknown},
      {"OMPI_UNEXPECTED", at_most, true, "mpi_unexpected_count"},
      {"OMPI_OUT_OF_SEQUENCE", unknown},
      {"OMPI_MATCH_TIME", unknown},
      {"OMPI_OOS_MATCH_TIME", unknown},
      {"OMPI_UNEXPECTED_IN_QUEUE", at_most, false, unexpected_left},
      {"OMPI_MAX_UNEXPECTED_IN_QUEUE", at_most, false, unexpected_length},
      {"OMPI_MAX_POSTED_IN_QUEUE", at_least, false, posted_length},
      {"OMPI_OOS_IN_QUEUE", unknown, false},
      {"OMPI_MAX_OOS_IN_QUEUE", unknown, false},
  };
  return counters;
}

/// Values by process, over the call paths for which `is` is true.
template <class Is>
std::vector<std::uint64_t> by_process(const AnalysisResult& result, std::string_view metric, Is&& is) {
  const MetricIndex m = result.metrics.find(metric);
  if (m == no_metric || m >= result.severities.metric_count()) return {};
  std::vector<std::uint64_t> values(result.definitions.processes.size());
  result.severities.for_each(m, [&](CallPathId path, LocationId location, std::int64_t value) {
    const ProcessId process = result.definitions[location].process;
    if (process.valid() && value > 0 && is(path)) values[process.index()] += static_cast<std::uint64_t>(value);
  });
  return values;
}

std::vector<std::uint64_t> values_of(const AnalysisResult& result, const SoftwareCounter& counter) {
  if (counter.bound == CounterBound::unknown) return {};
  if (counter.is_of_queues()) {
    if (!result.queues.known) return {};
    std::vector<std::uint64_t> values(result.definitions.processes.size());
    for (const QueueRow& row : result.queues.rows)
      if (!row.comm.valid() && row.process.index() < values.size())
        values[row.process.index()] = counter.metric == posted_length       ? row.posted.greatest_length
                                      : counter.metric == unexpected_length ? row.unexpected.greatest_length
                                                                            : row.unexpected.remaining;
    return values;
  }
  if (!counter.counts_calls()) return by_process(result, counter.metric, [](CallPathId) { return true; });
  const std::string function = mpi_base_name(counter.metric);
  std::vector<bool> is_it(result.definitions.regions.size());
  for (std::size_t i = 0; i < is_it.size(); ++i)
    is_it[i] = mpi_base_name(result.definitions.regions[i].name) == function;
  return by_process(result, "visits", [&](CallPathId path) {
    const RegionId region = result.call_tree[path].region;
    return region.valid() && is_it[region.index()];
  });
}

bool calls_mpi(const AnalysisResult& result) {
  const auto& regions = result.definitions.regions;
  return std::any_of(regions.begin(), regions.end(),
                     [](const Region& r) { return r.mpi_function != MpiFunction::none; });
}

}  // namespace

bool SoftwareCounter::is_of_queues() const {
  return metric == posted_length || metric == unexpected_length || metric == unexpected_left;
}

bool SoftwareCounter::is_of_pattern() const { return is_of_queues() || metric == "mpi_unexpected_count"; }

bool SoftwareCounter::adds_up() const { return metric != posted_length && metric != unexpected_length; }

std::string_view name(CounterBound bound) {
  constexpr std::string_view names[] = {"exact", "at most", "at least", "unknown"};
  return names[static_cast<std::size_t>(bound)];
}

std::vector<SoftwareCounter> software_counters(const AnalysisResult& result) {
  if (!calls_mpi(result)) return {};
  std::vector<SoftwareCounter> counters = all_counters();
  for (SoftwareCounter& counter : counters) counter.values = values_of(result, counter);
  return counters;
}

const SoftwareCounter* software_counter(std::string_view wanted) {
  const auto& all = all_counters();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SoftwareCounter& c) { return c.name == wanted; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace waitstate::report
