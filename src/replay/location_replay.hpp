// Replays the events of one location, as they are decoded: region stack, call path, exclusive time and visits, and the
// calls with their communication and one-sided records for linking. Nothing here looks at another location, so any
// number of locations are replayed in parallel; this is the sink that the readers feed.
//
// This class decides which part is told of an event, and in which order; the parts have the state. They lie in it one
// after the other and know only those before them: what of an Enter concerns the stack, the profile and the calls is
// inline, and everything rarer is behind one test of a flag. Records of messages, collectives and files need no state
// and stand here.
//
// Invariants: times given on are never decreasing (a time stamp that runs backwards is counted and taken as the
// previous one); every enter is left exactly once, at the latest in end(true); exclusive times add up to last minus
// first time less what lies outside of every region. Cost per enter or exit: a few nanoseconds, no allocation unless a
// call path is new.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "replay/call_stack.hpp"
#include "replay/chunk/chunk.hpp"
#include "replay/counters/counter_replay.hpp"
#include "replay/device_replay.hpp"
#include "replay/event_row_writer.hpp"
#include "replay/exit_pairing.hpp"
#include "replay/for_causes/step_replay.hpp"
#include "replay/for_causes/work_replay.hpp"
#include "replay/matched_receives.hpp"
#include "replay/measurement_switch.hpp"
#include "replay/one_sided_replay.hpp"
#include "replay/open_calls.hpp"
#include "replay/profiles.hpp"
#include "replay/replay_context.hpp"
#include "replay/threads/parallel_id_replay.hpp"
#include "replay/threads/task_replay.hpp"
#include "replay/threads/team_replay.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::replay {

/// A region that a location is in.
struct OpenRegionOfLocation {
  RegionId region;
  Time enter = 0;
};

class LocationReplay {
 public:
  using Options = ReplayOptions;

  LocationReplay(const Definitions& definitions, LocationId location, const Options& options);
  LocationReplay(const LocationReplay&) = delete;  // parts refer to each other
  LocationReplay& operator=(const LocationReplay&) = delete;

  /// The chunk that the following events go into; it has to stay until the next begin() or end(true).
  void begin(Chunk& chunk);
  /// True if no call with communication records is open, so that the chunk may end here.
  bool closed() const { return calls_.none(); }
  /// Completes the chunk: at the end of the location (`last`), all open regions are left at its last event.
  void end(bool last);

  // Sink of the readers.
  void enter(Time t, RegionId region) {
    count(EventType::enter, t);
    if (is_enter_expected_) [[unlikely]]
      if (enter_expected(region)) return visit_in_no_time(t, region);
    enter_region(region.value);
    if (tells_enters_) note_enter(t);
  }
  [[gnu::always_inline]] void exit(Time t, RegionId region) {
    count(EventType::exit, t);
    std::uint32_t left = stack_.activity.current;
    if (stack_.top_is(region)) [[likely]]
      leave_region();
    else
      left = exit_out_of_order(region);
    if (tells_exits_) note_exit(t, left);
  }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail);
  void attribute_list(std::span<const ListedAttribute> list) {
    if (parallel_ids_.wants_lists()) parallel_ids_.attribute_list(list);
    if (exits_.wants_lists()) exits_.attribute_list(list);
    is_enter_expected_ = parallel_ids_.expects_enter() || exits_.expects_event() || exits_.awaits_enter();
    const bool own = parallel_ids_.wants_lists() || exits_.wants_lists();
    if (!own || context_.options.keep_attribute_lists) rows_.attribute_list(list);
  }
  /// True if attribute lists of such a trace have to be read even if no pattern wants them.
  static bool needs_lists(const Definitions& definitions) {
    return team_number_attribute(definitions).valid() || identity_attribute(definitions).valid();
  }

  LocationId location() const { return context_.location; }
  /// Profiles by the location's own call path numbers; 0 is the time outside of every region. What was done in segments
  /// is not among them: their profiles went with their chunks.
  std::span<const Profile> profiles() const { return profiles_.all(); }
  /// After the last end(): the sums of counters outside of segments, to be taken once.
  std::vector<PathCounter> take_counters() { return counters_.take_rest(); }
  /// Like take_counters(): how accumulated counters moved, in segments and outside of them.
  std::vector<std::pair<MetricMemberId, CounterMoves>> take_counter_moves() { return counters_.take_moves(); }
  const LocalCallTree& call_tree() const { return stack_.tree(); }
  std::uint64_t count(EventType type) const { return context_.count(type); }
  std::uint64_t event_count() const;
  Time first_time() const { return profiles_.first_time(); }
  Time last_time() const { return profiles_.now(); }
  PathInterval longest_jump() const { return profiles_.longest_jump(); }
  /// That it is in now, outermost first: also those in which tasks were interrupted, if they are to be left here.
  std::vector<OpenRegionOfLocation> open_regions() const;
  /// Program and arguments, as the first record that begins a program has them; empty if there is none.
  std::span<const StringId> command() const { return command_; }
  /// After the last end(): true if regions were still open then.
  bool ended_in_region() const { return ended_in_region_; }
  /// After the last end(): the location's own number of the innermost of these regions' call paths, and its enter; 0 if
  /// there was none, or it was in a segment of a team or task.
  std::uint32_t last_callpath() const { return last_callpath_; }
  Time last_enter() const { return last_enter_; }
  Diagnostics& diagnostics() { return context_.diagnostics; }

 private:
  void count(EventType type, Time t) {
    ++context_.counts[static_cast<std::size_t>(type)];
    if (const Ticks back = profiles_.advance(t, stack_.activity); back != 0) [[unlikely]]
      report_backwards(t, back);
  }
  void note_enter(Time t) {
    if (steps_.is_on()) steps_.enter(stack_.activity.current);
    if (context_.options.keep_events) rows_.add(context_.chunk->events, EventType::enter, t, stack_.activity.current);
  }
  void note_exit(Time t, std::uint32_t left) {
    if (steps_.is_on()) steps_.exit(left);
    if (counters_.wants_exits()) counters_.left(left);
    if (context_.options.keep_events) rows_.add(context_.chunk->events, EventType::exit, t, left);
  }
  void note_command(StringId program, std::span<const Value> arguments);
  bool enter_expected(RegionId region);
  void visit_in_no_time(Time t, RegionId region);
  void enter_region(std::uint64_t frame) {
    const std::uint32_t callpath = stack_.child(frame);
    if (stack_.followed()) [[unlikely]]
      enter_followed_region(frame, callpath);
    stack_.push(callpath, profiles_.now());
    Profile& profile = profiles_[callpath];
    ++profile.visits;
    if (profile.kind != Profile::Kind::plain) enter_call(profile.kind);
  }
  void enter_call(Profile::Kind kind) {
    const Activity& a = stack_.activity;
    calls_.note_before(stack_.activity);
    if (kind != Profile::Kind::mpi || a.longest_before_waits.length != 0 || context_.options.mpi_calls) [[unlikely]]
      enter_other_call(kind);
  }
  void enter_other_call(Profile::Kind kind);
  void leave_region() {
    const std::uint32_t callpath = stack_.activity.current;
    calls_.leave(stack_.activity);
    stack_.pop();
    if (stack_.followed()) [[unlikely]]
      leave_followed_region(callpath);
  }
  void enter_followed_region(std::uint64_t frame, std::uint32_t callpath);
  void leave_followed_region(std::uint32_t callpath);
  void leave_all_regions();
  template <class More, class Each>
  void give_up_tasks(More&& more, Each&& each);
  template <class More>
  void give_up_tasks(More&& more) {
    give_up_tasks(more, [] {});
  }
  void note_open_call();
  bool is_over(const Frame& call) const;
  std::uint32_t exit_out_of_order(RegionId region);
  std::uint32_t end_overlapped(std::size_t place);
  void report_backwards(Time t, Ticks by);
  RegionId region_of_context(std::uint64_t calling_context) const;
  void lock_record(EventType type, const std::uint64_t* attributes);
  CommRecord& add_record(EventType type);
  void message_record(EventType type, const std::uint64_t* attributes);
  void mark_as_matched(CommRecord& record) const;
  void collective_record(EventType type, const std::uint64_t* attributes);
  void file_record(IoHandleId handle, std::uint64_t bytes);

  ReplayContext context_;
  Profiles profiles_;
  CallStack stack_;
  OpenCalls calls_;
  ExitPairing exits_;
  MeasurementSwitch measurement_;
  CounterReplay counters_;
  OneSidedReplay one_sided_;
  DeviceReplay devices_;
  TeamReplay teams_;
  ParallelIdReplay parallel_ids_;
  TaskReplay tasks_;
  WorkReplay work_;
  StepReplay steps_;
  EventRowWriter rows_;
  const bool tells_enters_;  ///< to the steps or to the rows of events
  const bool tells_exits_;   ///< to these or to counters
  /// The next enter has a list that somebody here looks for, or its exit may have come before it.
  bool is_enter_expected_ = false;
  IoParadigmId mpi_io_;  ///< none if the trace does not define it
  bool ended_in_region_ = false;
  std::uint32_t last_callpath_ = 0;
  Time last_enter_ = 0;
  std::vector<StringId> command_;
  MatchedReceives matched_receives_;
  std::uint64_t message_ = MatchedReceives::no_message;  ///< number of the message that the current event receives
};

}  // namespace waitstate::replay
