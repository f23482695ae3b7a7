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

/// What part of the run is to be reported. Everything is read and matched all the same, since causes may lie outside.
struct Focus {
  /// Name of a region: only call paths inside an instance of it (itself included) count. Empty: all.
  std::string region{};
  /// Locations that count (ids in rank and thread order). Empty: all.
  std::vector<LocationId> locations{};
  /// Time window in ticks: durations are cut at it, everything else counts where the region or call around it was
  /// entered in [from, to).
  Time from = 0, to = ~Time{0};

  bool all() const { return region.empty() && locations.empty() && from == 0 && to == ~Time{0}; }
};

struct AnalysisOptions {
  unsigned threads = 0;          ///< 0: one per core, at most 8
  std::size_t chunk_events = 0;  ///< events decoded of a location at a time; 0: chosen by the number of locations
  std::vector<PatternHandle> patterns{};  ///< to run beside the built-in ones, in any order; see also PatternRegistry
  bool built_in = true;                   ///< run the built-in patterns
  bool counters = true;                   ///< add up METRIC events per call path; see counter.hpp
  RmaModel rma_model =
      RmaModel::automatic;  ///< what RmaOperation says of completion; built-in patterns do not depend on it
  /// Keep what only reports for programs and the page show: the members and causes of the most severe instances, how
  /// the durations are distributed, who sent how much to whom.
  bool details = false;
  /// Look again at what happened around the most severe waits: AnalysisResult::contexts. With details, at all who
  /// waited.
  bool contexts = false;
  /// Name of a region whose visits are phases: AnalysisResult::phases. Or "time:N": N stretches of time of equal length
  /// are. Empty: none. The trace is read once more for visits, twice more for time. UsageError if the region is not in
  /// the trace, or N not from 1 to 1,024.
  std::string phase{};
  bool series = false;  ///< keep when the waits were: AnalysisResult::series
  Focus focus{};        ///< UsageError if its region or a location is not in the trace
  /// Bytes of each kind of what critical_path and delay keep of every point at which locations met, and of what these
  /// did in between, that stay in memory; the rest goes into scratch files. At least 16 KiB of each stay. 0: 16 MiB and
  /// 48 KiB a location, 256 MiB at most.
  std::size_t spill_beyond = 0;
  /// Called from time to time, from any thread but never from two at once: events analysed so far, events that the
  /// definitions announce (an estimate, may be 0).
  std::function<void(std::uint64_t done, std::uint64_t announced)> progress{};
};

/// A pattern as it was run: its id, and the values of its parameters.
struct PatternRun {
  std::string id;
  std::vector<std::pair<std::string, std::string>> parameters;
};

struct LocationSummary {
  std::uint64_t events = 0;
  Time first_time = 0, last_time = 0;  ///< ticks; both 0 if the location has no events
};

/// What a call that never ended waits for: as the recorder noted it when the run was ended, or as records tell.
struct OpenWait {
  enum class Kind : std::uint8_t {
    receive,     ///< for a message of `whom`, or for one to look at (probe)
    send,        ///< for `whom` to receive
    collective,  ///< for members that have not come to an operation on `comm`
    window,      ///< the same of one-sided communication with `window`
    lock,        ///< for `whom`, which have the lock of `target`'s part of `window`
  };
  Kind kind{};
  CommId comm;
  RmaWinId window;
  LocationId target;               ///< of a lock; none: those of all, or unknown
  std::int64_t tag = -1;           ///< of a message; -1: any, or unknown
  std::vector<LocationId> whom{};  ///< ascending; empty: unknown
  bool any = false;                ///< one of them is enough: a receive from any source
  friend bool operator==(const OpenWait&, const OpenWait&) = default;
};
namespace detail {
template <>
struct EnumNames<OpenWait::Kind> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"receive", "send", "collective", "window", "lock"};
};
}  // namespace detail

/// A call that waits for others and in which its location still is when its events end: the run was killed, or hung.
/// How long such a call has waited no wait state says.
struct OpenCall {
  LocationId location;
  CallPathId callpath;  ///< none where it is not known who called
  RegionId region;
  Time enter = 0;
  std::vector<OpenWait> waits{};  ///< what it waits for, all of it; empty if the trace does not tell
};

struct AnalysisResult {
  // Defined in one place: what is generated for them is large.
  AnalysisResult();
  AnalysisResult(const AnalysisResult&);
  AnalysisResult(AnalysisResult&&) noexcept;
  AnalysisResult& operator=(const AnalysisResult&);
  AnalysisResult& operator=(AnalysisResult&&) noexcept;
  ~AnalysisResult();

  std::string path;     ///< of the anchor or notation file
  std::string command;  ///< program and arguments of the first location that tells them, as in a shell; may be empty
  Definitions definitions;
  CallTree call_tree;
  MetricTree metrics;
  Severities severities{0};
  Diagnostics diagnostics;
  std::vector<LocationSummary> locations;  ///< by LocationId
  std::array<std::uint64_t, event_type_count> events_by_type{};
  std::uint64_t messages = 0;                  ///< matched
  std::uint64_t collectives = 0;               ///< complete collective operations
  std::map<MetricIndex, WaitSummary> waits;    ///< per wait state that occurred
  std::optional<WaitSeries> series;            ///< if asked for
  std::vector<WaitContext> contexts;           ///< if asked for, of the most severe instances
  std::optional<Phases> phases;                ///< if asked for
  std::optional<Communication> communication;  ///< if details are asked for
  std::vector<OpenCall> open_calls;            ///< at the end of the trace, by location
  std::vector<Counter> counters;               ///< that have values in the trace, in the order of their metrics
  std::optional<CriticalPath> critical_path;   ///< with the pattern of that name, if the trace tells it
  MessageQueues queues;                        ///< if a pattern asked for them
  std::vector<PatternRun> patterns;            ///< that were run, in their order
  Focus focus;                                 ///< that was asked for
  /// What the trace cannot tell, in the order of the metric tree; empty if it has all that the metrics need.
  std::vector<UndeterminedMetric> undetermined;

  std::uint64_t events() const;
  /// From the first to the last event of the trace, in ticks.
  Ticks duration() const;
  double seconds(std::int64_t ticks) const {
    return static_cast<double>(ticks) / static_cast<double>(definitions.clock.resolution);
  }
  /// All severities that are not zero, sorted; see severity_table().
  std::vector<SeverityRow> table() const { return severity_table(metrics, call_tree, severities); }
};

/// Who wait for each other when the trace ends, so that none can go on: of each knot the shortest circle, the first
/// member of which is the smallest; each waits for the next, the last for the first. Locations stand for their
/// processes. Found among AnalysisResult::open_calls; a wait for any of several keeps only those back all of whose
/// partners are kept back, too.
std::vector<std::vector<LocationId>> deadlocks(const AnalysisResult& result);

/// Analyses an OTF2 archive (anchor file, or a directory with one) or a notation file in one pass with all patterns.
/// Throws TraceError if nothing of it can be read, UsageError if what the options ask for does not fit together or is
/// not in the trace, PatternError if a pattern fails or a plug-in's metric is larger than what it is a share of,
/// std::bad_alloc if memory runs out, also in a built-in pattern.
AnalysisResult analyze(const std::filesystem::path& path, const AnalysisOptions& options = {});

}  // namespace waitstate
