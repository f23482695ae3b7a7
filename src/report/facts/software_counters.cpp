#include "report/facts/software_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::report {
namespace {

constexpr std::string_view posted_length = "posted", unexpected_length = "unexpected",
                           unexpected_left = "unexpected_remaining";

const std::vector<SoftwareCounter>& all_counters() {
  using enum CounterBound;
  static const std::vector<SoftwareCounter> counters = {
      {"OMPI_SEND", "calls of MPI_Send", "", exact, true, "MPI_Send"},
      {"OMPI_RECV", "calls of MPI_Recv", "", exact, true, "MPI_Recv"},
      {"OMPI_ISEND", "calls of MPI_Isend", "", exact, true, "MPI_Isend"},
      {"OMPI_IRECV", "calls of MPI_Irecv", "", exact, true, "MPI_Irecv"},
      {"OMPI_BCAST", "calls of MPI_Bcast", "", exact, true, "MPI_Bcast"},
      {"OMPI_REDUCE", "calls of MPI_Reduce", "", exact, true, "MPI_Reduce"},
      {"OMPI_ALLREDUCE", "calls of MPI_Allreduce", "", exact, true, "MPI_Allreduce"},
      {"OMPI_SCATTER", "calls of MPI_Scatter", "", exact, true, "MPI_Scatter"},
      {"OMPI_GATHER", "calls of MPI_Gather", "", exact, true, "MPI_Gather"},
      {"OMPI_ALLTOALL", "calls of MPI_Alltoall", "", exact, true, "MPI_Alltoall"},
      {"OMPI_ALLGATHER", "calls of MPI_Allgather", "", exact, true, "MPI_Allgather"},
      {"OMPI_BYTES_RECEIVED_USER",
       "bytes received by the program's messages between two processes; those of large ones are counted as put or got "
       "instead",
       "", at_most, true, "bytes_rcvd"},
      {"OMPI_BYTES_RECEIVED_MPI",
       "bytes that the library received for itself: messages of which it makes collective operations, and what "
       "controls transfers and sets up communicators, windows and files",
       "how the library carries these out is not recorded (bytes_cin has what collective operations received)",
       unknown},
      {"OMPI_BYTES_SENT_USER",
       "bytes sent by the program's messages between two processes; those of large ones are counted as put or got "
       "instead",
       "", at_most, true, "bytes_sent"},
      {"OMPI_BYTES_SENT_MPI",
       "bytes that the library sent for itself: messages of which it makes collective operations, and what controls "
       "transfers and sets up communicators, windows and files",
       "how the library carries these out is not recorded (bytes_cout has what collective operations sent)", unknown},
      {"OMPI_BYTES_PUT",
       "bytes of remote writes, the program's and those of which the library makes large messages; counted when one is "
       "started",
       "how the library moves messages is not recorded (bytes_put is of MPI_Put and its like)", unknown},
      {"OMPI_BYTES_GET",
       "bytes of remote reads, the program's and those of which the library makes large messages; counted when one is "
       "started",
       "how the library moves messages is not recorded (bytes_get is of MPI_Get and its like)", unknown},
      {"OMPI_UNEXPECTED",
       "messages that arrived before a receive for them was posted: they wait in a queue, which each receive searches "
       "first",
       "", at_most, true, "mpi_unexpected_count"},
      {"OMPI_OUT_OF_SEQUENCE",
       "messages that arrived before an earlier one of the same sender: they wait until it has come, as MPI keeps the "
       "order",
       "arrivals are not recorded", unknown},
      {"OMPI_MATCH_TIME", "microseconds in which arriving messages and receives were matched, by a fixed clock rate",
       "searches are not recorded", unknown},
      {"OMPI_OOS_MATCH_TIME", "microseconds in which messages were matched that had arrived out of sequence",
       "searches are not recorded", unknown},
      {"OMPI_UNEXPECTED_IN_QUEUE",
       "messages that are in the queue of unexpected ones now; of a trace, at the end of the run", "", at_most, false,
       unexpected_left},
      {"OMPI_MAX_UNEXPECTED_IN_QUEUE",
       "the most unexpected messages that were in their queue at once: since this was last read; of a trace, in the "
       "run",
       "", at_most, false, unexpected_length},
      {"OMPI_MAX_POSTED_IN_QUEUE",
       "the most receives that were in the queue of posted ones at once; a name as that of the unexpected queue, which "
       "Open MPI does not have",
       "", at_least, false, posted_length},
      {"OMPI_OOS_IN_QUEUE", "messages that wait for an earlier one of their sender now", "arrivals are not recorded",
       unknown, false},
      {"OMPI_MAX_OOS_IN_QUEUE", "the most messages that waited for an earlier one at once since this was last read",
       "arrivals are not recorded", unknown, false},
  };
  return counters;
}

bool is_of_queues(const SoftwareCounter& c) {
  return c.metric == posted_length || c.metric == unexpected_length || c.metric == unexpected_left;
}
bool is_of_pattern(const SoftwareCounter& c) { return is_of_queues(c) || c.metric == "mpi_unexpected_count"; }
bool counts_calls(const SoftwareCounter& c) { return c.metric.starts_with("MPI_"); }

/// Values by process, of call paths for which `is` is true.
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
  if (is_of_queues(counter)) {
    if (!result.queues.known) return {};
    std::vector<std::uint64_t> values(result.definitions.processes.size());
    for (const QueueRow& row : result.queues.rows)
      if (!row.comm.valid() && row.process.index() < values.size())
        values[row.process.index()] = counter.metric == posted_length       ? row.posted.greatest_length
                                      : counter.metric == unexpected_length ? row.unexpected.greatest_length
                                                                            : row.unexpected.remaining;
    return values;
  }
  if (!counts_calls(counter)) return by_process(result, counter.metric, [](CallPathId) { return true; });
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

std::string bound_text(CounterBound bound) { return bound == CounterBound::exact ? "" : std::string(name(bound)); }

}  // namespace

std::string SoftwareCounter::meaning() const {
  return std::string(counts) + (why_not.empty() ? "" : ": ") + std::string(why_not);
}

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

std::string software_counters_text(const AnalysisResult& result, const Style& style) {
  if (!calls_mpi(result)) return "";
  std::vector<std::vector<std::string>> lines{{"software counter", "all processes", "most of one", "whose", ""}};
  std::string missing, asked, left_out;
  for (const SoftwareCounter& c : software_counters(result)) {
    if (c.values.empty()) {
      std::string& list = c.bound == CounterBound::unknown ? missing : is_of_pattern(c) ? asked : left_out;
      list += (list.empty() ? "" : ", ") + std::string(c.name);
      continue;
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t v : c.values) sum += v;
    if (sum == 0) continue;
    const auto most = std::max_element(c.values.begin(), c.values.end());
    const bool adds_up = c.metric != posted_length && c.metric != unexpected_length;
    lines.push_back({std::string(c.name), adds_up ? grouped(static_cast<std::int64_t>(sum)) : "-",
                     grouped(static_cast<std::int64_t>(*most)),
                     process_label(result.definitions, ProcessId{static_cast<std::size_t>(most - c.values.begin())}),
                     bound_text(c.bound)});
  }
  std::string text = aligned_table(lines, style);
  if (lines.size() == 1) text.clear();
  if (!asked.empty()) text += paragraph("", "Only with --pattern mpi_posted_count: " + asked + '.', style.width);
  if (!left_out.empty()) text += paragraph("", "Not analysed: " + left_out + '.', style.width);
  return text + paragraph("", "Not in a trace (`waitstate explain NAME` says why): " + missing + '.', style.width);
}

const SoftwareCounter* software_counter(std::string_view wanted) {
  const auto& all = all_counters();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SoftwareCounter& c) { return c.name == wanted; });
  return found == all.end() ? nullptr : &*found;
}

std::string in_a_trace(const SoftwareCounter& c) {
  if (c.bound == CounterBound::unknown)
    return fmt::format("it cannot be had, only from a library built with --enable-spc (MPI_T): {}", c.why_not);
  if (is_of_queues(c))
    return fmt::format("{} bound, in the message queues that --pattern mpi_posted_count brings",
                       c.bound == CounterBound::at_most ? "an upper" : "a lower");
  if (counts_calls(c)) return fmt::format("visits of {}, as far as the recorder has its calls", c.metric);
  return fmt::format("{}: the library's value is {} that", c.metric, name(c.bound));
}

std::string explain_software_counter(std::string_view wanted, const Style& style) {
  const SoftwareCounter* const c = software_counter(wanted);
  if (c == nullptr) return "";
  const auto line = [&](const std::string& label, const std::string& what) {
    return paragraph(fmt::format("  {:<12}", label), what, style.width);
  };
  return style.bold(std::string(c->name)) + '\n' + line("counts", std::string(c->counts)) +
         line("in a trace", in_a_trace(*c)) +
         line("source", c->of_paper
                            ? "Eberius, Patinyasakdikul and Bosilca, EuroMPI/USA 2017, Table 1 (SPC of Open MPI)"
                            : "later versions of Open MPI than the paper of Eberius et al., EuroMPI/USA 2017");
}

}  // namespace waitstate::report
