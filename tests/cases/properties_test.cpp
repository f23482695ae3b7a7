// Properties that hold for any trace, checked on every case file and on every trace of the project: neither the number
// of threads, nor where chunks end, nor where time begins changes a result; exclusive times add up to the life time of
// a location; and no metric is smaller than its parts.
//
// Results are compared as text, completely (severities, waits, damage with its places, counts of events), by call path
// and not by number: a failure shows the rows that differ. The file is long because the properties share how results
// are made and compared.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "analysis/internal_options.hpp"
#include "notation/event_writer.hpp"
#include "support/case_file.hpp"
#include "support/few.hpp"
#include "support/run_state.hpp"
#include "waitstate/pattern/registry.hpp"
#include "waitstate/trace/event_trace.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate {
namespace {

using support::Rows;

std::vector<std::filesystem::path> archives() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WAITSTATE_TRACES))
    if (entry.path().extension() == ".otf2") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::filesystem::path> cases_and_archives() {
  std::vector<std::filesystem::path> paths = support::case_paths();
  const std::vector<std::filesystem::path> more = archives();
  paths.insert(paths.end(), more.begin(), more.end());
  return paths;
}

std::string property_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.parent_path().filename().string() + "__" + info.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

// The part of a result that does not depend on when the trace began.
Rows results(const AnalysisResult& r) {
  Rows rows = support::severity_rows(r);
  rows.merge(support::wait_rows(r));
  rows.insert(fmt::format("messages {}", r.messages));
  rows.insert(fmt::format("open calls {}", r.open_calls.size()));
  for (std::size_t i = 0; i < event_type_count; ++i)
    if (r.events_by_type[i] != 0) rows.insert(fmt::format("{} {}", event_types[i].name, r.events_by_type[i]));
  for (std::size_t i = 0; i < r.locations.size(); ++i)
    rows.insert(fmt::format("location {}: {} events, {} ticks", i, r.locations[i].events,
                            r.locations[i].last_time - r.locations[i].first_time));
  for (int i = 0; i < diagnostic_count; ++i) {
    const DiagnosticEntry& entry = r.diagnostics[static_cast<DiagnosticId>(i)];
    if (entry.count != 0)
      rows.insert(fmt::format("{} {} largest {}", name(static_cast<DiagnosticId>(i)), entry.count, entry.largest));
  }
  std::string order = "call paths:";
  for (const CallPathId id : r.call_tree.depth_first()) order += " " + r.call_tree.path(id, r.definitions);
  rows.insert(order);
  return rows;
}

// Everything.
Rows all_results(const AnalysisResult& r) {
  Rows rows = results(r);
  rows.merge(support::instance_rows(r));
  rows.merge(support::culprit_wait_rows(r));
  rows.merge(support::open_call_rows(r));
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    for (const DiagnosticPlace& p : r.diagnostics[id].places)
      rows.insert(fmt::format("{} at {} {} {}", name(id), p.location.value, p.time, p.text));
  }
  for (const auto& [pair, violations] : r.diagnostics.between(DiagnosticId::clock_violation))
    rows.insert(
        fmt::format("clocks {} {} {} {}", pair.first.value, pair.second.value, violations.count, violations.largest));
  for (std::size_t i = 0; i < r.locations.size(); ++i)
    rows.insert(fmt::format("location {} from {}", i, r.locations[i].first_time));
  return rows;
}

// The further data of results with details and series.
Rows details(const AnalysisResult& r) {
  Rows rows;
  const auto path = [&](CallPathId id) { return r.call_tree.path(id, r.definitions); };
  for (const auto& [metric, summary] : r.waits) {
    const std::string& id = r.metrics[metric].id;
    for (const DurationClass& c : summary.histogram)
      rows.insert(fmt::format("{} of {} to {}: {}, {} ticks", id, c.from, c.to, c.count, c.ticks));
    for (const CallPathWaits& c : summary.by_callpath)
      rows.insert(fmt::format("{} in {}: {}, {} ticks, median {}", id, path(c.callpath), c.statistics.count,
                              c.statistics.sum, c.statistics.median));
    for (const auto& [callpath, instances] : summary.severe)
      for (const SevereInstance& i : instances) {
        std::string text = fmt::format("{} in {} from {}:", id, path(callpath), i.longest.begin);
        for (const Wait& w : i.members) text += fmt::format(" {} {},", w.location.value, w.ticks);
        if (i.cause)
          text += fmt::format(" {} sent {} received {} bytes {} tag {} comm {} culprit from {} to {}",
                              enum_name(i.cause->kind), i.cause->sent, i.cause->received, i.cause->bytes, i.cause->tag,
                              i.cause->comm.value, i.cause->culprit_enter, i.cause->culprit_exit);
        rows.insert(text);
      }
  }
  for (const auto& [metric, of_metric] : r.series->metrics)
    for (std::size_t i = 0; i < of_metric.ticks.size(); ++i)
      if (of_metric.ticks[i] != 0)
        rows.insert(fmt::format("{} from {}: {}", r.metrics[metric].id, r.series->start + i * r.series->bin_ticks,
                                of_metric.ticks[i]));
  for (const Communication::Pair& p : r.communication->pairs)
    rows.insert(fmt::format("{} to {}: {} {} {} {} {} {}", p.sender, p.receiver, p.messages, p.bytes, p.puts,
                            p.bytes_put, p.gets, p.bytes_got));
  for (const Communication::Operations& o : r.communication->collectives)
    rows.insert(fmt::format("{} on {}: {} {} {} {} {} {}", enum_name(o.operation), o.comm.value, o.operations, o.calls,
                            o.bytes_sent, o.bytes_received, o.ticks, o.wait_ticks));
  return rows;
}

AnalysisOptions with(unsigned threads, std::size_t chunk_events) {
  AnalysisOptions options;
  options.threads = threads;
  options.chunk_events = chunk_events;
  return options;
}

/// An archive as it is, or the trace of a case file as a file of its own.
class Traces : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    path_ = GetParam();
    if (path_.extension() != ".case") return;
    text_ = support::read_case(path_).trace;
    file_ = std::make_unique<support::TraceFile>(text_);
    path_ = file_->path();
  }
  bool is_case() const { return file_ != nullptr; }

  std::filesystem::path path_;
  std::string text_;

 private:
  std::unique_ptr<support::TraceFile> file_;
};

using ThreadsAndChunks = std::pair<unsigned, std::size_t>;
using DamageAndChunks = std::pair<std::uint64_t, std::size_t>;
const std::vector<ThreadsAndChunks> most_of_both = {{1, 1}, {1, 7}, {2, 2}, {2, 64}, {4, 7}, {4, 0}};
const auto some_of_both = support::few_or_all<ThreadsAndChunks>({{2, 1}}, {{1, 7}, {2, 1}, {2, 0}});
using ThreadsAndSeed = std::pair<unsigned, std::uint64_t>;
const auto numbers_of_workers_and_seeds = support::few_or_all<ThreadsAndSeed>({{3, 1}}, {{2, 0}, {3, 2}, {16, 5}});
const auto sizes_of_chunks_of_workers = support::few_or_all<std::size_t>({3}, {3, 0});
const auto with_all_waits_or_not = support::few_or_all<bool>({true}, {false, true});
const auto damages_and_chunks =
    support::few_or_all<DamageAndChunks>({{1, 7}, {2, 0}}, {{1, 7}, {1, 0}, {2, 7}, {2, 0}, {3, 7}, {3, 0}});

TEST_P(Traces, threads_and_chunks_change_nothing) {
  const Rows expected = all_results(analyze(path_, with(1, 0)));
  for (const auto& [threads, chunk_events] : most_of_both) {
    if (is_case() && chunk_events == 64) continue;  // most have not as many events on a location
    const AnalysisResult found = analyze(path_, with(threads, chunk_events));
    EXPECT_EQ(support::differences(expected, all_results(found)), "")
        << threads << " threads, chunks of " << chunk_events << " events, " << GetParam();
  }
}

TEST_P(Traces, threads_and_chunks_change_no_details) {
  const auto with_details = [](unsigned threads, std::size_t chunk_events) {
    AnalysisOptions options = with(threads, chunk_events);
    options.keep.details = options.keep.series = true;
    return options;
  };
  const AnalysisResult first = analyze(path_, with_details(1, 0));
  EXPECT_EQ(support::differences(all_results(analyze(path_, with(1, 0))), all_results(first)), "") << GetParam();
  const Rows expected = details(first);
  for (const auto& [threads, chunk_events] : some_of_both) {
    const AnalysisResult found = analyze(path_, with_details(threads, chunk_events));
    EXPECT_EQ(support::differences(expected, details(found)), "")
        << threads << " threads, chunks of " << chunk_events << " events, " << GetParam();
  }
}

// Whatever the number of workers, and however late what they send to each other arrives.
TEST_P(Traces, workers_and_delays_change_nothing) {
  const auto with_details = [](unsigned threads, std::size_t chunk_events) {
    AnalysisOptions options = with(threads, chunk_events);
    options.keep.details = options.keep.series = true;
    return options;
  };
  const AnalysisResult first = analyze(path_, with_details(1, 0));
  const Rows rows = all_results(first), expected = details(first);
  for (const auto& [threads, seed] : numbers_of_workers_and_seeds)
    for (const std::size_t chunk_events : sizes_of_chunks_of_workers) {
      const AnalysisResult found = analysis::analyze(path_, with_details(threads, chunk_events), {.delay = seed});
      const std::string how =
          fmt::format("{} workers, seed {}, chunks of {}, {}", threads, seed, chunk_events, GetParam().string());
      EXPECT_EQ(support::differences(rows, all_results(found)), "") << how;
      EXPECT_EQ(support::differences(expected, details(found)), "") << how;
    }
}

// Patterns and books of several parts, merged, are those of one.
TEST_P(Traces, parts_change_nothing) {
  const auto with_everything = [] {
    AnalysisOptions options;
    options.keep.details = options.keep.series = true;
    options.patterns = patterns_on_request();
    return options;
  };
  for (const PatternHandle& p : built_in_patterns()) EXPECT_TRUE(p.another) << p.id();
  for (const PatternHandle& p : patterns_on_request()) EXPECT_TRUE(p.another) << p.id();
  const AnalysisResult first = analyze(path_, with_everything());
  const Rows rows = all_results(first), expected = details(first);
  for (const std::size_t parts : {2, 7}) {
    const AnalysisResult found = analysis::analyze(path_, with_everything(), {.parts = parts});
    EXPECT_EQ(support::differences(rows, all_results(found)), "") << parts << " parts, " << GetParam();
    EXPECT_EQ(support::differences(expected, details(found)), "") << parts << " parts, " << GetParam();
  }
}

// The details of waits add up to their sums, and so do messages.
TEST_P(Traces, details_add_up) {
  AnalysisOptions options;
  options.keep.details = options.keep.series = true;
  const AnalysisResult r = analyze(path_, options);
  if (!too_large(r.metrics, r.severities).empty()) return;
  for (const auto& [metric, summary] : r.waits) {
    const std::string what = r.metrics[metric].id + ", " + GetParam().string();
    std::uint64_t count = 0;
    Ticks ticks = 0, by_callpath = 0;
    for (const DurationClass& c : summary.histogram) {
      EXPECT_LT(c.from, c.to) << what;
      EXPECT_GE(static_cast<std::uint64_t>(c.ticks), c.from * c.count) << what;
      EXPECT_LE(static_cast<std::uint64_t>(c.ticks), (c.to - 1) * c.count) << what;
      count += c.count, ticks += c.ticks;
    }
    EXPECT_EQ(count, summary.statistics.count) << what;
    EXPECT_EQ(ticks, summary.statistics.sum) << what;
    for (const CallPathWaits& c : summary.by_callpath) by_callpath += c.statistics.sum;
    // Idle threads are one duration each, which lies in several call paths: there the sums are those of the metric.
    if (summary.callpaths_left_out == 0 && r.metrics[metric].kind != MetricKind::idleness) {
      EXPECT_EQ(by_callpath, ticks) << what;
    }
    for (const auto& [callpath, instances] : summary.severe)
      for (const SevereInstance& i : instances) {
        Ticks members = 0;
        for (const Wait& w : i.members) members += w.ticks;
        if (!i.members.empty() && i.members_left_out == 0) {
          EXPECT_EQ(members, i.total) << what;
        }
      }
  }
  std::map<MetricIndex, Ticks> sums;
  for (MetricIndex m = 0; m < r.metrics.size(); ++m)
    r.severities.for_each(m, [&](CallPathId, LocationId, std::int64_t value) { sums[m] += value; });
  for (const auto& [metric, of_metric] : r.series->metrics) {
    const std::string what = r.metrics[metric].id + ", " + GetParam().string();
    Ticks ticks = of_metric.without_time, of_groups = 0;
    for (const Ticks t : of_metric.ticks) ticks += t;
    for (const auto& [group, of_group] : of_metric.groups)
      for (const Ticks t : of_group) of_groups += t;
    EXPECT_EQ(ticks, sums[metric]) << what;
    EXPECT_EQ(of_groups + of_metric.without_time, ticks) << what;
    EXPECT_GE(of_metric.without_time, 0) << what;
    if (r.metrics[metric].id.starts_with("mpi_")) {
      EXPECT_EQ(of_metric.without_time, 0) << what;
    }
  }
  std::uint64_t messages = 0;
  for (const Communication::Sizes& s : r.communication->sizes) messages += s.messages;
  EXPECT_EQ(messages, r.messages) << GetParam();
}

// Options with the patterns on request, and the patterns that they need. A registry takes longer to make than most
// cases to analyse, so there is one for each choice; each analysis gets patterns of its own, since patterns have state.
AnalysisOptions with_causes(unsigned threads, std::size_t chunk_events, bool all_waits = false, int parts = 1) {
  static std::map<std::pair<bool, int>, std::vector<PatternHandle>> choices;
  std::vector<PatternHandle>& chosen = choices[{all_waits, parts}];
  if (chosen.empty()) {
    PatternRegistry registry;
    if (all_waits) registry.set("critical_path.all_waits", "1");
    registry.set("delay.parts", std::to_string(parts));
    chosen = registry.chosen({"critical_path", "delay"}, {});
  }
  AnalysisOptions options = with(threads, chunk_events);
  options.built_in = false;
  options.patterns = chosen;
  for (PatternHandle& p : options.patterns) p.pattern = p.another();
  return options;
}

TEST_P(Traces, threads_and_chunks_change_no_causes) {
  for (const bool all_waits : with_all_waits_or_not) {
    const Rows expected = support::severity_rows(analyze(path_, with_causes(1, 0, all_waits)));
    for (const auto& [threads, chunk_events] : some_of_both) {
      const AnalysisResult r = analyze(path_, with_causes(threads, chunk_events, all_waits));
      EXPECT_EQ(support::differences(expected, support::severity_rows(r)), "")
          << threads << " threads, chunks of " << chunk_events << " events, " << GetParam();
    }
  }
}

// Whatever worker finds a point of a location, and however late.
TEST_P(Traces, workers_and_delays_change_no_causes) {
  for (const bool all_waits : with_all_waits_or_not) {
    const Rows expected = support::severity_rows(analyze(path_, with_causes(1, 0, all_waits)));
    for (const auto& [threads, seed] : numbers_of_workers_and_seeds) {
      const std::size_t in_memory = seed % 2 == 1 ? std::size_t{1} << 17 : 0;
      const AnalysisResult r =
          analysis::analyze(path_, with_causes(threads, 3, all_waits), {.causes_in_memory = in_memory, .delay = seed});
      EXPECT_EQ(support::differences(expected, support::severity_rows(r)), "")
          << threads << " workers, seed " << seed << ", " << GetParam();
    }
  }
}

// With all waits, the path is not longer than the run either.
TEST_P(Traces, the_path_of_all_waits_is_no_longer_than_the_run) {
  if (is_case()) return;
  const AnalysisResult r = analyze(path_, with_causes(1, 0, true));
  Ticks path = 0;
  for (const SeverityRow& row : r.table())
    if (r.metrics[row.metric].id == "critical_path") path += row.value;
  EXPECT_LE(path, r.duration()) << GetParam();
}

// Points and times come back from the scratch files as they were.
TEST_P(Traces, what_is_spilled_changes_no_causes) {
  if (is_case()) return;  // all that they have lies in one page
  const AnalysisOptions options = with_causes(1, 0);
  const Rows expected = support::severity_rows(analyze(path_, options)),
             spilled =
                 support::severity_rows(analysis::analyze(path_, options, {.causes_in_memory = std::size_t{1} << 17}));
  EXPECT_EQ(support::differences(expected, spilled), "") << GetParam();
}

// The number of threads that look back over the locations changes nothing, whatever is spilled.
TEST_P(Traces, parts_change_no_causes) {
  for (const bool all_waits : with_all_waits_or_not) {
    const Rows expected = support::severity_rows(analyze(path_, with_causes(1, 0, all_waits)));
    for (const int parts : {2, 5}) {
      const std::size_t in_memory = parts == 5 ? std::size_t{1} << 18 : 0;
      const AnalysisResult r =
          analysis::analyze(path_, with_causes(1, 0, all_waits, parts), {.causes_in_memory = in_memory});
      EXPECT_EQ(support::differences(expected, support::severity_rows(r)), "") << parts << " parts, " << GetParam();
    }
  }
}

// The critical path is not longer than the run, unless a process stopped waiting before the one that it waited for had
// come: some cases have that, and clocks that disagree. Waits for messages are direct or indirect, propagating or
// terminal, and these parts are not larger than the waits, except for the rounding of each row.
TEST_P(Traces, causes_account_for_waits) {
  const AnalysisResult r = analyze(path_, with_causes(1, 0));
  if (!too_large(r.metrics, r.severities).empty()) return;
  std::map<std::string, std::int64_t> sums, rows;
  for (const SeverityRow& row : r.table()) {
    sums[r.metrics[row.metric].id] += row.value;
    ++rows[r.metrics[row.metric].id];
  }
  if (!is_case()) {
    EXPECT_LE(sums["critical_path"], r.duration()) << GetParam();
  }
  const bool analysed = std::none_of(r.undetermined.begin(), r.undetermined.end(), [&](const UndeterminedMetric& u) {
    return u.sentence.find("which are analysed as causes only with") != std::string::npos;
  });
  // Where the trace lacks something, the rest of what is indirect or propagating is not known.
  const bool is_complete = std::none_of(r.undetermined.begin(), r.undetermined.end(), [&](const UndeterminedMetric& u) {
    return r.metrics[u.metric].id == "waitstates_direct_vs_indirect" && analysed;
  });
  for (const std::string type : {"latesender", "latereceiver"}) {
    const std::string ending = type == "latesender" ? "ls" : "lr";
    const std::int64_t waits = analysed ? sums["mpi_" + type] : 0, indirect = sums["mpi_wait_indirect_" + type];
    const std::int64_t by_cause = sums["mpi_wait_direct_" + type] + indirect,
                       by_effect = sums["mpi_wait_terminal_" + ending] + sums["mpi_wait_propagating_" + ending];
    if (is_complete) {
      EXPECT_EQ(by_cause, waits) << type << GetParam();
      EXPECT_EQ(by_effect, waits) << type << GetParam();
    }
    EXPECT_LE(std::max(by_cause, by_effect), waits + 2 * rows["mpi_" + type]) << type << GetParam();
    EXPECT_LE(sums["delay_" + type] + indirect, waits + rows["delay_" + type] + rows["mpi_" + type])
        << type << GetParam();
  }
}

TEST_P(Traces, a_later_start_changes_nothing) {
  if (!is_case()) return;  // an archive's time stamps cannot be shifted
  const Rows expected = results(analyze(path_));
  for (const std::uint64_t ticks : {std::uint64_t{1}, std::uint64_t{1} << 40, std::uint64_t{1} << 63}) {
    const support::TraceFile later(support::shifted(text_, ticks));
    EXPECT_EQ(support::differences(expected, results(analyze(later.path()))), "") << ticks << " ticks, " << GetParam();
  }
}

// A thread team's times are defined from fork to join, not by its own events: a worker's may add up to more than the
// time between its first and last event. A master's do not. Time in which threads are idle is in `time`, and in no
// events of theirs.
TEST_P(Traces, exclusive_times_add_up) {
  const AnalysisResult r = analyze(path_);
  const MetricIndex time = r.metrics.at("time"), idle = r.metrics.at("omp_idle_threads"),
                    management = r.metrics.at("omp_management");
  std::vector<Ticks> sums(r.locations.size());
  for (const SeverityRow& row : r.table()) {
    const std::size_t l = row.location.index();
    const ProcessId process = r.definitions.locations[l].process;
    // Of a team that is known by its number, a worker's time to fork and join lies outside of its events.
    const bool worker = process.valid() && r.definitions[process].locations.front() != row.location;
    if (row.metric == time) sums[l] += row.value;
    if (row.metric == idle || (row.metric == management && worker)) sums[l] -= row.value;
  }

  // A location is covered if it has an open region from its first event to its last.
  std::vector<bool> covered(r.locations.size(), true);
  std::vector<std::uint64_t> events(r.locations.size());
  std::vector<std::size_t> depth(r.locations.size());
  const EventTrace trace(path_);
  for (Position pos = 0; pos < trace.size(); ++pos) {
    const Event e = trace.event(pos);
    const std::size_t l = e.loc.index();
    if (++events[l] > 1 && depth[l] == 0) covered[l] = false;
    const bool enters =
        e.type == EventType::enter || e.type == EventType::program_begin || e.type == EventType::calling_context_enter;
    const bool leaves =
        e.type == EventType::exit || e.type == EventType::program_end || e.type == EventType::calling_context_exit;
    if (enters) ++depth[l];
    if (leaves) depth[l] = trace.stack(e.loc, pos).size();  // may leave several, or none
  }
  for (std::size_t l = 0; l < r.locations.size(); ++l) {
    const Location& location = r.definitions.locations[l];
    const Ticks span = static_cast<Ticks>(r.locations[l].last_time - r.locations[l].first_time);
    if (r.definitions.cpu_threads(location.process) > 1 && !covered[l]) continue;
    EXPECT_LE(sums[l], span) << "location " << l << ", " << GetParam();
    if (covered[l]) {
      EXPECT_EQ(sums[l], span) << "location " << l << ", " << GetParam();
    }
  }
}

// Non-blocking collectives wait in MPI_Wait…, whose time is mpi_point2point's: that of the metric's parent is
// elsewhere.
MetricIndex time_shared(const AnalysisResult& r, const SeverityRow& row) {
  const MetricIndex parent = r.metrics[row.metric].parent;
  const RegionId region = r.call_tree[row.callpath].region;
  const bool in_wait = region.valid() && r.definitions[region].region_class == RegionClass::mpi_point2point;
  const std::string& id = r.metrics[parent].id;
  return in_wait && (id == "mpi_collective" || id == "mpi_sync_collective" || id == "mpi_mgmt_comm")
             ? r.metrics.at("mpi_point2point")
             : parent;
}

bool known_elsewhere(const MetricInfo& metric) {
  static const MetricTree known = MetricTree::built_in();
  const MetricIndex same = known.find(metric.id);
  return same != no_metric && known[same].siblings == Siblings::elsewhere;
}

// Times are compared in each call path on each location. Counts and bytes are compared over the whole trace, because an
// instance counts where it waited, e.g. in MPI_Wait, and its message where it was sent, e.g. in MPI_Isend, perhaps of
// another thread. Shares of the same time add up to at most that time, except for shares that overlap or are elsewhere,
// each of which is compared alone; and except for the time that a call waits for messages and for collectives at once,
// which overlaps too.
TEST_P(Traces, no_metric_is_smaller_than_its_parts) {
  const AnalysisResult r = analyze(path_);
  using Key = std::tuple<MetricIndex, CallPathId, LocationId>;
  std::map<Key, std::int64_t> values, parts, shares, nonblocking;
  std::vector<std::pair<Key, std::int64_t>> overlapping;
  const std::vector<MetricIndex> meaningless = too_large(r.metrics, r.severities);
  for (const SeverityRow& row : r.table()) {
    if (std::find(meaningless.begin(), meaningless.end(), row.metric) != meaningless.end()) continue;
    const MetricInfo& metric = r.metrics[row.metric];
    const bool by_place = metric.unit == Unit::seconds;
    const CallPathId callpath = by_place ? row.callpath : CallPathId::none();
    const LocationId location = by_place ? row.location : LocationId::none();
    values[{row.metric, callpath, location}] += row.value;
    EXPECT_GT(row.value, 0) << metric.id << ", " << GetParam();
    if (metric.parent == no_metric) continue;
    const MetricIndex whole = by_place ? time_shared(r, row) : metric.parent;
    const Key key{whole, callpath, location};
    if (!metric.within_parent)
      parts[key] += row.value;
    else if (metric.siblings == Siblings::overlapping || known_elsewhere(metric))
      overlapping.emplace_back(key, row.value);
    else
      (whole == metric.parent ? shares : nonblocking)[key] += row.value;
  }
  for (const auto& sums : {parts, shares, nonblocking}) overlapping.insert(overlapping.end(), sums.begin(), sums.end());
  for (const auto& [key, sum] : overlapping) {
    const auto& [metric, callpath, location] = key;
    if (std::find(meaningless.begin(), meaningless.end(), metric) != meaningless.end()) continue;
    EXPECT_LE(sum, values[key]) << r.metrics[metric].id << " in "
                                << (callpath.valid() ? r.call_tree.path(callpath, r.definitions) : "the whole trace")
                                << " on " << location.value << ", " << GetParam();
  }
}

// Views subtract the summands and the disjoint shares from a metric, to show the rest of it.
TEST_P(Traces, what_views_take_off_a_metric_leaves_nothing_below_zero) {
  const AnalysisResult r = analyze(path_);
  const std::vector<MetricIndex> meaningless = too_large(r.metrics, r.severities);
  std::map<std::tuple<MetricIndex, CallPathId, LocationId>, std::int64_t> left;
  for (const SeverityRow& row : r.table()) {
    if (std::find(meaningless.begin(), meaningless.end(), row.metric) != meaningless.end()) continue;
    const MetricInfo& metric = r.metrics[row.metric];
    left[{row.metric, row.callpath, row.location}] += row.value;
    if (metric.parent != no_metric && (!metric.within_parent || metric.siblings == Siblings::disjoint))
      left[{metric.parent, row.callpath, row.location}] -= row.value;
  }
  for (const auto& [key, value] : left) {
    const auto& [metric, callpath, location] = key;
    if (std::find(meaningless.begin(), meaningless.end(), metric) != meaningless.end()) continue;
    EXPECT_GE(value, 0) << r.metrics[metric].id << " in " << r.call_tree.path(callpath, r.definitions) << " on "
                        << location.value << ", " << GetParam();
  }
}

// Metrics that patterns declare as disjoint are so wherever the time of calls is that of the metric. Those found to be
// elsewhere are waits for non-blocking collective operations, in calls that wait for messages too, and counts.
TEST_P(Traces, times_that_are_elsewhere_are_known) {
  const AnalysisResult r = analyze(path_);
  for (const SeverityRow& row : r.table()) {
    const MetricInfo& metric = r.metrics[row.metric];
    if (metric.unit != Unit::seconds || metric.siblings != Siblings::elsewhere || known_elsewhere(metric)) continue;
    const std::string& parent = r.metrics[metric.parent].id;
    EXPECT_TRUE(parent == "mpi_collective" || parent == "mpi_sync_collective" || parent == "mpi_mgmt_comm")
        << metric.id << ", " << GetParam();
  }
}

bool initialises_mpi(const AnalysisResult& r, CallPathId path) {
  const RegionId region = r.call_tree[path].region;
  if (!region.valid()) return false;
  const MpiFunction f = r.definitions[region].mpi_function;
  return f == MpiFunction::init || f == MpiFunction::init_thread;
}

// Wait, transfer, local and unknown are all of the time in MPI without MPI_Init, in each call path on each location,
// and no wait state finds more than is accounted for as waiting. What one call waits for messages and for collectives
// overlaps, and is compared apart. The same of any part of the time.
void expect_mpi_accounted(const AnalysisResult& r, const std::string& what) {
  using Key = std::pair<CallPathId, LocationId>;
  const MetricTree& metrics = r.metrics;
  const MetricIndex mpi = metrics.at("mpi"), accounted = metrics.at("mpi_accounted"), wait = metrics.at("mpi_wait");
  std::map<Key, std::int64_t> time, parts, waits, booked, booked_for_collectives;
  for (const SeverityRow& row : r.table()) {
    const Key key{row.callpath, row.location};
    const MetricIndex parent = metrics[row.metric].parent;
    if (row.metric == mpi && !initialises_mpi(r, row.callpath)) time[key] += row.value;
    if (parent == accounted) parts[key] += row.value;
    if (row.metric == wait) waits[key] += row.value;
    if (metrics[row.metric].kind != MetricKind::wait || !metrics.lies_within(row.metric, mpi)) continue;
    if (metrics[parent].kind == MetricKind::wait || initialises_mpi(r, row.callpath)) continue;
    (time_shared(r, row) == parent ? booked : booked_for_collectives)[key] += row.value;
  }
  EXPECT_EQ(time, parts) << what;
  for (const auto& states : {booked, booked_for_collectives})
    for (const auto& [key, ticks] : states)
      EXPECT_LE(ticks, waits[key]) << r.call_tree.path(key.first, r.definitions) << " on " << key.second.value << ", "
                                   << what;
}

TEST_P(Traces, mpi_is_accounted_for) {
  AnalysisOptions options;
  const AnalysisResult whole = analyze(path_, options);
  expect_mpi_accounted(whole, path_.string());
  Time first = ~Time{0}, last = 0;
  for (const LocationSummary& l : whole.locations)
    if (l.events != 0) first = std::min(first, l.first_time), last = std::max(last, l.last_time);
  if (last <= first || last - first < 4) return;
  options.focus.from = first + (last - first) / 3;
  options.focus.to = first + (last - first) / 3 * 2;
  expect_mpi_accounted(analyze(path_, options), path_.string() + ", the middle third");
}

TEST_P(Traces, stacks_and_queues_in_the_run_are_those_of_the_event_trace) {
  const Position every = is_case() || EventTrace(path_).size() < 10000 ? 1 : 997;
  for (const auto& [threads, chunk_events] : {ThreadsAndChunks{1, 0}, ThreadsAndChunks{2, 7}})
    EXPECT_EQ(support::state_differences(path_, with(threads, chunk_events), every), "")
        << threads << " threads, chunks of " << chunk_events << " events, " << GetParam();
}

TEST_P(Traces, stacks_and_queues_of_damaged_traces_are_those_of_the_event_trace) {
  std::string text = text_;
  if (!is_case()) {
    const EventTrace trace(path_);
    if (trace.size() > 10000) return;
    text = to_notation(trace.definitions());
    notation::EventWriter writer(trace.definitions());
    for (Position pos = 0; pos < trace.size(); ++pos) writer.append(text, trace.event(pos));
  }
  for (const auto& [seed, chunk_events] : damages_and_chunks) {
    const support::TraceFile file(support::damaged(text, seed));
    EXPECT_EQ(support::state_differences(file.path(), with(2, chunk_events)), "")
        << "chunks of " << chunk_events << " events, damaged with " << seed << ": " << GetParam();
  }
}

// For queued messages that are also received, later and by the location to which they were sent: the built-in patterns
// do not count messages that nobody receives, or another thread of the process, as overtaken.
TEST_P(Traces, older_messages_in_the_queue_make_the_wrong_order) {
  const std::string none = "mpi_latesender_wo in main/MPI_Recv on 1: 0, by the queue ";
  const std::map<std::string, std::string> only_queued{
      {"mpi_latesender_wo/never_received.case", none + "70\n"},
      {"mpi_latesender_wo/other_thread.case", "mpi_latesender_wo in MPI_Recv on 1: 0, by the queue 150\n"},
      {"send_unmatched/in_the_middle.case", none + "50\n"}};
  const std::string name = GetParam().parent_path().filename().string() + "/" + GetParam().filename().string();
  const std::string found = support::wrong_orders(path_).differences;
  if (const auto known = only_queued.find(name); known != only_queued.end()) {
    EXPECT_NE(found.find(known->second), std::string::npos) << found;
  } else {
    EXPECT_EQ(found, "") << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(files, Traces, testing::ValuesIn(cases_and_archives()), property_name);

}  // namespace
}  // namespace waitstate
