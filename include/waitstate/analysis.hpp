// The analysis of a whole trace in one pass, and its result.
//
//   waitstate::AnalysisResult r = waitstate::analyze("scorep_run/traces.otf2");
//   for (const waitstate::SeverityRow& row : r.table()) …
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "waitstate/pattern/pattern.hpp"
#include "waitstate/pattern/undetermined.hpp"
#include "waitstate/result/causes.hpp"
#include "waitstate/result/communication.hpp"
#include "waitstate/result/counter.hpp"
#include "waitstate/result/message_queues.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/phases.hpp"
#include "waitstate/result/severities.hpp"
#include "waitstate/result/wait_series.hpp"
#include "waitstate/result/wait_summary.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate {

/// The part of the run to report. Everything is read and matched all the same, since causes may lie outside.
struct Focus {
  /// Name of a region: only call paths inside an instance of it (including itself) count. Empty: all.
  std::string region{};
  /// Locations that count (ids in rank and thread order). Empty: all.
  std::vector<LocationId> locations{};
  /// Time window in ticks: durations are cut at its ends; everything else counts if the region or call around it was
  /// entered in [from, to).
  Time from = 0, to = ~Time{0};

  bool all() const { return region.empty() && locations.empty() && from == 0 && to == ~Time{0}; }
};

/// Data that an analysis keeps beyond the severities, the statistics of waits and the most severe instances. Each kind
/// costs time, memory or another reading of the trace, so none is kept unless it is asked for.
struct Keep {
  /// Data that only reports for programs and the page show: the members and causes of the most severe instances, the
  /// distribution of durations, and who sent how much to whom.
  bool details = false;
  /// The events around the most severe waits, which are read again: AnalysisResult::contexts. With details, they cover
  /// all locations that waited.
  bool contexts = false;
  bool series = false;  ///< the distribution of waits over time: AnalysisResult::series
  /// Name of a region whose visits are phases (AnalysisResult::phases), or "time:N" for N stretches of time of equal
  /// length. Empty: no phases. The trace is read once more for visits, twice more for time. UsageError if the region is
  /// not in the trace, or N is not from 1 to 1,024.
  std::string phase{};
};

/// Choices of an analysis: which patterns run on what, which part of the run counts (`focus`), what is kept beyond sums
/// (`keep`), and how the trace is read. Python's analyze() has the same groups under the same names.
struct AnalysisOptions {
  // The part of the trace that is analysed:
  std::vector<PatternHandle> patterns{};  ///< patterns to run beside the built-in ones, in any order; see also
                                          ///< PatternRegistry
  bool built_in = true;                   ///< run the built-in patterns
  bool counters = true;                   ///< add up METRIC events per call path; see counter.hpp
  RmaModel rma_model =
      RmaModel::automatic;  ///< when RmaOperation counts as complete; built-in patterns do not depend on it
  Focus focus{};            ///< UsageError if its region or a location is not in the trace
  Keep keep{};
  // How the trace is read:
  unsigned threads = 0;          ///< 0: one per core, but no more than are worth it
  std::size_t chunk_events = 0;  ///< number of events decoded of a location at a time; 0: chosen by the number of
                                 ///< locations
  /// Called from time to time, from any thread but never from two at once. `done` is the number of events analysed so
  /// far, `announced` the number that the definitions announce (an estimate, may be 0).
  std::function<void(std::uint64_t done, std::uint64_t announced)> progress{};
  /// Once a stop is requested, by any thread, analyze() throws Stopped: at once while the trace is read and while
  /// causes of waits are looked for, else when the step that it is in has ended.
  std::stop_token stop{};
};

/// A pattern that was run: its id, and the values of its parameters.
struct PatternRun {
  std::string id;
  std::vector<std::pair<std::string, std::string>> parameters;
};

struct LocationSummary {
  std::uint64_t events = 0;
  Time first_time = 0, last_time = 0;  ///< ticks; both 0 if the location has no events
  /// The call path that it was in when its events ended, and since when; none if it had left all regions, or is a
  /// thread of a team.
  CallPathId last_callpath{};
  Time last_enter = 0;
};

/// Something that a call that never ended waits for, as the recorder noted it when the run was ended, or as records
/// show.
struct OpenWait {
  enum class Kind : std::uint8_t {
    receive,      ///< a message of `whom`, or one to look at (probe)
    send,         ///< `whom` has to receive
    collective,   ///< members have not reached an operation on `comm`
    window,       ///< members have not reached a one-sided operation on `window`
    lock,         ///< `whom` hold the lock of `target`'s part of `window`
    thread_lock,  ///< `whom`, threads of the same process, hold the lock
  };
  Kind kind{};
  CommId comm;
  RmaWinId window;
  LocationId target;               ///< target of a lock; none: those of all processes, or unknown
  std::int64_t tag = -1;           ///< tag of a message; -1: any, or unknown
  std::vector<LocationId> whom{};  ///< locations that are waited for, ascending; empty: unknown
  bool any = false;                ///< one location of `whom` is enough, as for a receive from any source
  friend bool operator==(const OpenWait&, const OpenWait&) = default;
};
namespace detail {
template <>
struct EnumNames<OpenWait::Kind> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"receive", "send", "collective", "window", "lock", "thread_lock"};
};
}  // namespace detail

/// Messages that were sent to a process and that no receive in the trace has taken.
struct UnreceivedMessages {
  LocationId sender;
  CommId comm;
  std::uint32_t tag = 0;
  std::uint64_t count = 0;
  friend bool operator==(const UnreceivedMessages&, const UnreceivedMessages&) = default;
};

/// A call that waits for others and has not ended when the events of its location end: the run was killed, or hung. No
/// wait state contains the time that such a call has waited.
struct OpenCall {
  LocationId location;
  CallPathId callpath;  ///< none if it is not known where the call was made
  RegionId region;
  Time enter = 0;
  std::vector<OpenWait> waits{};  ///< everything that the call waits for; empty if the trace does not tell
  /// Messages that others have sent to the process of a call that receives or looks for one, by sender, communicator
  /// and tag.
  std::vector<UnreceivedMessages> unreceived{};
};

struct AnalysisResult {
  // Defined in a source file, because the code generated for them is large.
  AnalysisResult();
  AnalysisResult(const AnalysisResult&);
  AnalysisResult(AnalysisResult&&) noexcept;
  AnalysisResult& operator=(const AnalysisResult&);
  AnalysisResult& operator=(AnalysisResult&&) noexcept;
  ~AnalysisResult();

  std::string path;     ///< the anchor or notation file
  std::string command;  ///< program and arguments of the first location that records them, as in a shell; may be empty
  Definitions definitions;
  CallTree call_tree;
  MetricTree metrics;
  Severities severities{0};
  Diagnostics diagnostics;
  std::vector<LocationSummary> locations;  ///< indexed by LocationId
  std::array<std::uint64_t, event_type_count> events_by_type{};
  std::uint64_t messages = 0;                  ///< number of matched messages
  std::uint64_t collectives = 0;               ///< number of complete collective operations
  std::map<MetricIndex, WaitSummary> waits;    ///< for each wait state that occurred
  std::optional<WaitSeries> series;            ///< present if asked for
  std::vector<WaitContext> contexts;           ///< events around the most severe instances, if asked for
  std::optional<Phases> phases;                ///< present if asked for
  std::optional<Communication> communication;  ///< present if details are asked for
  std::vector<OpenCall> open_calls;            ///< calls that are open at the end of the trace, by location
  std::vector<Counter> counters;               ///< counters that have values in the trace, in the order of their
                                               ///< metrics
  std::optional<CriticalPath> critical_path;   ///< present with the pattern critical_path, if the trace shows the path
  MessageQueues queues;                        ///< if a pattern asked for them
  std::vector<PatternRun> patterns;            ///< patterns that were run, in their order
  Focus focus;                                 ///< the focus that was asked for
  /// Metrics that the trace cannot tell in full, in the order of the metric tree; empty if the trace has all records
  /// that the metrics need.
  std::vector<UndeterminedMetric> undetermined;

  std::uint64_t events() const;
  /// The time from the first to the last event of the trace, in ticks.
  Ticks duration() const;
  double seconds(std::int64_t ticks) const {
    return static_cast<double>(ticks) / static_cast<double>(definitions.clock.resolution);
  }
  /// All severities that are not zero, sorted; see severity_table().
  std::vector<SeverityRow> table() const { return severity_table(metrics, call_tree, severities); }
  /// Calls use(row) for each row of table(), without holding all.
  void for_each_row(const std::function<void(const SeverityRow&)>& use) const {
    for_each_severity_row(metrics, call_tree, severities, use);
  }
};

/// Locations that wait for each other when the trace ends, so that none can continue: for each knot the shortest
/// circle, whose first member is the smallest; each member waits for the next, the last for the first. A wait for a
/// location is one for any thread of its process, except for a lock of threads. Found among AnalysisResult::open_calls;
/// a call that waits for any one of several locations is stuck only if all of them are stuck.
std::vector<std::vector<LocationId>> deadlocks(const AnalysisResult& result);

/// True if the call goes on as soon as any one of its waits ends: MPI_Waitany and MPI_Waitsome.
bool waits_for_any(const AnalysisResult& result, const OpenCall& call);

/// Analyses an OTF2 archive (anchor file, or a directory with one) or a notation file in one pass with all patterns.
/// Throws TraceError if nothing of it can be read, UsageError if options contradict each other or name something that
/// is not in the trace, PatternError if a pattern fails or a plug-in's metric is larger than the metric that it is a
/// share of, std::bad_alloc if memory runs out, even in a built-in pattern.
AnalysisResult analyze(const std::filesystem::path& path, const AnalysisOptions& options = {});

}  // namespace waitstate
