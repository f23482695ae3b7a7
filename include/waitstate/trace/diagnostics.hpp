// Damage and anomalies of a trace, counted by kind with the first places of each: real traces are incomplete, and a
// result that hides this would be wrong. Nothing here stops an analysis.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "waitstate/trace/ids.hpp"

namespace waitstate {

// X(id, severity, sentence); in the sentence, {one|several} gives the words for one and for several. `loss`: something
// that happened in the program's run is missing from the results. `odd`: an anomaly; everything was analysed, but the
// reader of the results should know. `note`: nothing is wrong, but it is good to know.
#define WAITSTATE_DIAGNOSTICS(X)                                                                                       \
  X(location_unreadable, loss, "{location|locations} whose events could not be read at all")                           \
  X(location_truncated, loss, "{location|locations} whose events end early: the rest of the file cannot be read")      \
  X(local_definitions_unreadable, loss,                                                                                \
    "{location|locations} without readable local definitions: ids and clocks unmapped")                                \
  X(definitions_damaged, loss, "definition {file|files} that {ends|end} early or {is|are} inconsistent")               \
  X(undefined_reference, loss, "{reference|references} to definitions that are not in the trace")                      \
  X(clock_without_resolution, loss, "{clock|clocks} without a resolution: a tick is taken for a nanosecond")           \
  X(duplicate_definition, odd, "{definition|definitions} under a number that was already defined")                     \
  X(unknown_event, odd, "{event|events} of a type that is newer than this program, which knows OTF2 3.2")              \
  X(unknown_definition, odd,                                                                                           \
    "{definition|definitions} of a type that is newer than this program, which knows OTF2 3.2")                        \
  X(rank_without_process, odd,                                                                                         \
    "{rank|ranks} that {shares|share} a location group or {has|have} none: each is taken for a process")               \
  X(event_count_differs, odd, "{location|locations} whose number of events differs from the one in the definitions")   \
  X(empty_location, odd, "{location|locations} without events")                                                        \
  X(time_backwards, odd, "time {stamp|stamps} that {lies|lie} before the previous one of the location")                \
  X(exit_without_enter, loss, "region {exit|exits} without an enter")                                                  \
  X(exit_of_other_region, loss, "{exit|exits} of a region that is not the innermost open one")                         \
  X(region_renamed, odd,                                                                                               \
    "{region|regions} left under another name than that of the enter: taken as one region, under the name of its "     \
    "enter")                                                                                                           \
  X(region_never_left, odd, "{region|regions} still open at the end of the location: closed at its last event")        \
  X(file_bytes_unknown, odd, "file {operation|operations} that {does|do} not say how many bytes were moved")           \
  X(sample_ignored, odd,                                                                                               \
    "{sample|samples} of a calling context, which {says|say} nothing about regions and {is|are} not analysed")         \
  X(record_outside_call, odd, "communication {record|records} outside a call of the library: no time is taken")        \
  X(peer_unknown, loss, "communication {record|records} whose partner cannot be found in the communicator")            \
  X(send_unmatched, loss, "{send|sends} whose receive is not in the trace")                                            \
  X(recv_unmatched, loss, "{receive|receives} whose send is not in the trace")                                         \
  X(received_more, odd,                                                                                                \
    "{receive|receives} longer than the send that {it is|they are} matched with: receives completed in another order " \
    "than that of their messages, or a record is missing")                                                             \
  X(received_less, odd,                                                                                                \
    "{receive|receives} shorter than the send that {it is|they are} matched with: cut off, completed in another "      \
    "order "                                                                                                           \
    "than that of their messages, or a record is missing")                                                             \
  X(request_unknown, loss, "{completion|completions} of a request that was never started")                             \
  X(request_never_completed, odd, "{request|requests} that {was|were} started and never completed")                    \
  X(collective_incomplete, loss, "collective {operation|operations} that some member never completed in the trace")    \
  X(collective_mismatch, odd, "collective {operation|operations} whose members disagree on the operation or the root") \
  X(collective_stranger, loss,                                                                                         \
    "collective {operation|operations} on a communicator that does not exist or lacks the process")                    \
  X(neighbours_unknown, loss,                                                                                          \
    "neighbourhood {collective|collectives} whose neighbours are not in the trace: waits unknown")                     \
  X(rma_incomplete, loss,                                                                                              \
    "{one-sided epoch, lock or collective|one-sided epochs, locks and collectives} that {lacks|lack} a part in the "   \
    "trace")                                                                                                           \
  X(rma_unplaced, loss,                                                                                                \
    "one-sided {record|records} that {belongs|belong} to no epoch, lock or operation in the trace")                    \
  X(clock_violation, odd, "{message|messages} received before the send, by the time stamps: clocks disagree")          \
  X(collective_clock_violation, odd,                                                                                   \
    "collective {operation|operations} left before all members that were needed had begun, by the time stamps: "       \
    "clocks disagree")                                                                                                 \
  X(measurement_off, loss,                                                                                             \
    "{time|times} that the measurement was switched off: what happened then is not in the trace")                      \
  X(device_location, note,                                                                                             \
    "{location that is not a thread|locations that are not threads}: accelerator streams and metric recorders")        \
  X(counter_reset, loss,                                                                                               \
    "{counter|counters} that fell although {it|they} only {grows|grow}: it is not known what was counted meanwhile")   \
  X(counter_level, odd,                                                                                                \
    "{counter|counters} recorded as ever growing that {falls|fall} and {rises|rise}: {taken as a level, reported as "  \
    "a mean|taken as levels, reported as means}")                                                                      \
  X(counter_no_number, loss, "counter {value|values} that {is not a number|are not numbers}: left out")                \
  X(counter_values_differ, loss,                                                                                       \
    "counter {record|records} whose number or kind of values differs from earlier records or the definition")          \
  X(counter_spread, odd,                                                                                               \
    "counter {difference|differences} over several enters and exits: charged where {it|they} {ends|end}")              \
  X(task_unknown, loss,                                                                                                \
    "task {switch|switches} or {completion|completions} of a task that was never created: called from where it ran")   \
  X(task_never_completed, odd, "{task|tasks} that {was|were} created and never completed")                             \
  X(thread_unknown, loss, "{thread|threads} that began and {was|were} never created: called from nowhere")             \
  X(thread_never_begun, odd, "{thread|threads} that {was|were} created and never began")                               \
  X(idle_too_long, odd,                                                                                                \
    "{thread|threads} whose idle time, by the records of teams, is longer than the run without {its|their} own time")  \
  X(order_forced, odd, "{event|events} that had to be placed before the cause waited for")                             \
  X(time_outside, loss,                                                                                                \
    "{location|locations} with damaged time stamps: far outside of the time that the trace says it covers")            \
  X(time_jump, odd,                                                                                                    \
    "{location|locations} with a gap 10,000 times as long as all else in the run: time stamps may be damaged")         \
  X(sum_too_large, loss,                                                                                               \
    "{metric|metrics} too large for 64 bits, by damaged time stamps or sizes: {its value means|their values mean} "    \
    "nothing")                                                                                                         \
  X(metric_left_out, odd,                                                                                              \
    "{metric|metrics} of a report left out, whole or in part: computed by a formula, or no {number|numbers}")

enum class DiagnosticSeverity : std::uint8_t { note, odd, loss };

enum class DiagnosticId : std::uint8_t {
#define X(id, severity, sentence) id,
  WAITSTATE_DIAGNOSTICS(X)
#undef X
};
inline constexpr int diagnostic_count = 0
#define X(id, severity, sentence) +1
    WAITSTATE_DIAGNOSTICS(X)
#undef X
    ;

std::string_view name(DiagnosticId id);
/// The sentence about `count` occurrences, without the number.
std::string sentence(DiagnosticId id, std::uint64_t count);
DiagnosticSeverity severity(DiagnosticId id);
std::string_view name(DiagnosticSeverity severity);

/// One occurrence. `location` and `time` may be absent (none, ~0).
struct DiagnosticPlace {
  LocationId location;
  Time time = ~Time{0};
  std::string text;  ///< details, e.g. the path of a file or the name of a region
  friend auto operator<=>(const DiagnosticPlace&, const DiagnosticPlace&) = default;
};

struct DiagnosticEntry {
  std::uint64_t count = 0;
  Ticks largest = 0;  ///< the largest error in ticks, for kinds that have a size (clock violations, time_backwards)
  std::vector<DiagnosticPlace> places;  ///< the first places in the order of location and time, at most max_places
};

/// Counts by kind. Adding is cheap after the first places; merging is commutative, so the number of threads changes
/// nothing.
class Diagnostics {
 public:
  // Defined in a source file, because the code generated for them is large.
  Diagnostics();
  Diagnostics(const Diagnostics&);
  Diagnostics(Diagnostics&&) noexcept;
  Diagnostics& operator=(const Diagnostics&);
  Diagnostics& operator=(Diagnostics&&) noexcept;
  ~Diagnostics();

  static constexpr std::size_t max_places = 5;

  /// The counts between two processes, sender and receiver.
  struct Pair {
    std::uint64_t count = 0;
    Ticks largest = 0;
  };

  void add(DiagnosticId id, DiagnosticPlace place, Ticks size = 0, std::uint64_t count = 1);
  /// True if another place of this kind would still be kept: lets callers skip composing its text.
  bool wants_place(DiagnosticId id) const { return (*this)[id].places.size() < max_places; }
  /// Like add(), for kinds that are counted per pair of processes too: clock_violation, send_unmatched, recv_unmatched.
  void add_between(DiagnosticId id, ProcessId sender, ProcessId receiver, DiagnosticPlace place, Ticks size = 0);
  /// Adds counts of a pair only, for reading a report back: add() counts the kind itself.
  void add_pair(DiagnosticId id, ProcessId sender, ProcessId receiver, const Pair& counted) {
    Pair& pair = pairs_[id][{sender, receiver}];
    pair.count += counted.count;
    if (counted.largest > pair.largest) pair.largest = counted.largest;
  }
  void merge(const Diagnostics& other);
  /// For the engine: brings what was counted to another process.
  template <class Archive>
  void travel(Archive& archive) {
    archive(pairs_);
    std::uint64_t size = entries_.size();
    archive(size);
    entries_.resize(size);
    for (DiagnosticEntry& e : entries_) {
      archive(e.count, e.largest);
      size = e.places.size();
      archive(size);
      e.places.resize(size);
      for (DiagnosticPlace& p : e.places) archive(p.location, p.time, p.text);
    }
  }

  const DiagnosticEntry& operator[](DiagnosticId id) const;
  using Pairs = std::map<std::pair<ProcessId, ProcessId>, Pair>;
  /// Counts of this kind by sender and receiver; empty for kinds that are not counted per pair.
  const Pairs& between(DiagnosticId id) const;
  /// True if anything of this severity was counted.
  bool any(DiagnosticSeverity severity) const;

 private:
  DiagnosticEntry& entry(DiagnosticId id);

  std::vector<DiagnosticEntry> entries_;  ///< by kind; empty while nothing was counted, because each location has
                                          ///< diagnostics
  std::map<DiagnosticId, Pairs> pairs_;
};

}  // namespace waitstate
