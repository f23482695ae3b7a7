// Replays the events of one location, as they are decoded: region stack, call path, exclusive time and visits, and the
// calls with their communication and one-sided records for the linker. Nothing here looks at another location, so any
// number of locations are replayed in parallel; this is the Sink that the readers feed.
//
// Invariants: times given on are never decreasing (a time stamp that runs backwards is counted and taken as the
// previous one); every enter is left exactly once, at the latest in finish(); exclusive times add up to last minus
// first time less what lies outside of every region. Cost per enter or exit: a few nanoseconds, no allocation unless a
// call path is new. Thread teams (location_replay_teams.cpp) cost nothing where there are none but a test of a flag.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "replay/chunk.hpp"
#include "replay/local_call_tree.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/diagnostics.hpp"
#include "waitstate/event.hpp"

namespace waitstate::replay {

/// The attribute in which a recorder that writes no team records says which team the enter of an implicit task belongs
/// to; none if the trace has no such attribute. Its lists are needed then.
AttributeId team_number_attribute(const Definitions& definitions);

class LocationReplay {
 public:
  struct Options {
    bool keep_events = false;           ///< fill Chunk::events
    bool keep_attribute_lists = false;  ///< with keep_events: attribute lists too
    bool library_calls = false;         ///< fill Chunk::library_enters and library_exits
    Time from = 0, to = ~Time{0};       ///< what profiles cover; see Focus
    bool counters = false;              ///< add up METRIC events
    bool device_calls = false;          ///< fill Chunk::device_records
  };

  LocationReplay(const Definitions& definitions, LocationId location, Options options);

  /// The chunk that the following events go into; it has to stay until the next begin() or finish().
  void begin(Chunk& chunk);
  /// True if no call with communication records is open, so that the chunk may end here.
  bool closed() const { return open_calls_ == 0; }
  /// Completes the chunk: at the end of the location (`last`), all open regions are left at its last event.
  void end(bool last);

  // Sink of the readers.
  void enter(Time t, RegionId region) {
    ++counts_[static_cast<int>(EventType::enter)];
    advance(t);
    if (numbered_) [[unlikely]]
      enter_numbered(region);
    push(region.value, t);
    if (options_.keep_events) keep(EventType::enter, t, current_);
  }
  void exit(Time t, RegionId region) {
    ++counts_[static_cast<int>(EventType::exit)];
    advance(t);
    std::uint32_t left = current_;
    if (!stack_.empty() && (tree_.frame(current_) == region.value || !region.valid())) [[likely]]
      pop();
    else
      left = exit_out_of_order(region);
    if (options_.keep_events) keep(EventType::exit, t, left);
  }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail);
  void attribute_list(std::span<const ListedAttribute> list) {
    list_.assign(list.begin(), list.end());
    if (team_attribute_.valid()) find_team_number();
  }

  LocationId location() const { return location_; }
  /// Profiles by the location's own call path numbers; 0 is the time outside of every region. What was done in segments
  /// is not among them: their profiles went with their chunks.
  std::span<const Profile> profiles() const { return past_window_ ? window_profiles_ : profiles_; }
  /// After the last end(): the sums of counters outside of segments, to be taken once.
  std::vector<PathCounter> take_counters();
  const LocalCallTree& call_tree() const { return tree_; }
  std::uint64_t count(EventType type) const { return counts_[static_cast<int>(type)]; }
  std::uint64_t event_count() const;
  Time first_time() const { return first_time_; }
  Time last_time() const { return last_time_; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  struct Frame {
    Time enter;
    std::uint32_t callpath;
    std::uint32_t call;  ///< index into the chunk's calls, no_call if nothing was communicated yet; with is_sync, into
                         ///< its sync_calls
  };
  static constexpr std::uint32_t no_call = ~std::uint32_t{0}, is_sync = std::uint32_t{1} << 31;

  struct Before {
    std::uint32_t callpath = 0;
    Time begin = 0, end = 0;
  };

  // A parallel region's time runs from fork to join: what the master spends in between outside of the region itself is
  // the region's, not its caller's.
  struct Fork {
    std::size_t depth;       ///< of the stack at the fork
    std::uint32_t callpath;  ///< of the fork
    std::uint32_t requested = 0;
    Time time = 0;
    Time since = 0;              ///< since when the master has been outside of the parallel region
    std::uint32_t parallel = 0;  ///< call path of the parallel region, 0 before it is entered
    std::size_t teams = 0;       ///< open at the fork
    bool outside = true;         ///< time is not charged to anything for the moment
    bool recorded = false;       ///< the parallel region was: `parallel` is its call path and not the caller's
    bool begun = false;          ///< the master has begun its part in the team
  };
  struct Segment {
    std::uint32_t number = 0;
    std::uint32_t parallel =
        0;  ///< call path of the region entered first: of a task any, else if it is a parallel region
    bool entered = false;
    std::uint32_t exits = 0;   ///< of a task: of regions that were entered before it
    Time enter = 0, exit = 0;  ///< of what was outermost in it: the first enter, the latest exit
  };
  // What a thread does between two task switches, and comes back to after them.
  struct Activity {
    std::vector<Frame> stack;
    std::vector<Fork> forks;
    std::vector<bool> teams;
    Segment segment;
    std::vector<std::uint32_t> touched;
    std::uint32_t current = 0, account = 0, base = 0, longest_path = 0;
    Time longest = 0, longest_end = 0, folded = 0;
    Before before, folded_before;
    std::size_t watched_depth = ~std::size_t{0};
  };
  // The task that is executed, if segment_ is a task's.
  struct Task {
    CommId team;
    std::uint64_t number = 0;
    Time begin = 0;
    bool thread = false;  ///< it is what a created thread does, all of it
  };
  void advance(Time t) {
    if (t < last_time_ || t >= boundary_) [[unlikely]] {
      advance_unusual(t);
      return;
    }
    account_until(t);
  }
  void account_until(Time t) {
    Ticks& time = profiles_[account_].time;
    const Time interval = t - last_time_;
    time = add_ticks(time, interval);
    if (interval > longest_) {
      longest_ = interval;
      longest_path_ = account_;
      longest_end_ = t;
    }
    last_time_ = t;
  }
  void push(std::uint64_t frame, Time) {
    bool added = false;
    const std::uint32_t callpath = tree_.child(current_, frame, added);
    if (added) [[unlikely]]
      add_call_path(frame);
    if (in_teams_) [[unlikely]]
      enter_in_team(frame, callpath);
    stack_.push_back({last_time_, callpath, no_call});
    current_ = account_ = callpath;
    Profile& profile = profiles_[callpath];
    ++profile.visits;
    if (profile.kind != Profile::Kind::plain) enter_call(profile.kind);
  }
  // What was done before a call has to be noted when it is entered: whether it communicates shows only later.
  void enter_call(Profile::Kind kind) {
    before_ = {longest_path_, longest_end_ - longest_, longest_end_};
    if (kind != Profile::Kind::mpi || folded_ != 0 || options_.library_calls) [[unlikely]]
      enter_other_call(kind);
  }
  void pop() {
    const Frame& top = stack_.back();
    if (stack_.size() == watched_depth_) [[unlikely]]
      leave_watched_call(top);
    if (top.call != no_call) [[unlikely]]
      close_call(top);
    stack_.pop_back();
    current_ = account_ = stack_.empty() ? base_ : stack_.back().callpath;
    if (in_teams_) [[unlikely]]
      leave_in_team();
  }

  CallRecord call_record(const Frame& frame, RegionId region) const;
  void watch_call(Profile::Kind kind);
  void leave_watched_call(const Frame& frame);
  bool copies_are_one_sided(RmaWinId win) const;
  void cross_boundary();
  void forget_profiles();
  Profile* counts_of(const CallRecord& call);
  void enter_other_call(Profile::Kind kind);
  void fork(std::uint32_t requested);
  void join();
  void find_team_number();
  void enter_numbered(RegionId region);
  void leave_numbered();
  struct Numbered;
  void move_time(const Numbered& fork, Ticks Profile::*share);
  void note_library_call(const Frame& frame);
  bool is_wait_of_caller(Profile::Kind kind) const;
  void begin_serial();
  void end_serial();
  void note_serial(std::uint32_t callpath, Time begin, Time end);
  void begin_team(CommId team);
  void end_team();
  void begin_segment();
  void end_segment();
  void enter_in_team(std::uint64_t frame, std::uint32_t callpath);
  void leave_in_team();
  void touch(std::uint32_t callpath);
  std::uint32_t take_profiles(std::vector<PathProfile>& to);
  std::uint32_t take_counters(std::vector<PathCounter>& to);
  Profile::Kind device_kind(const Region& region) const;
  void enter_device_call();
  void device_copy(const RmaRecord& record);
  void counter_record(MetricId metric, std::span<const Value> values);
  void task_record(EventType type, CommId team, std::uint64_t task, bool implicit);
  void thread_record(EventType type, CommId contingent, std::uint64_t sequence);
  void begin_task(CommId team, std::uint64_t task, bool thread);
  void end_task(bool completed, bool aside);
  void end_tasks();
  bool put_off(Frame& frame);
  void take_up_calls();
  TaskRecord& add_task_record(TaskRecord::Kind kind, CommId team, std::uint64_t task);
  void swap_activity(Activity& a);
  std::uint32_t exit_outside_segment(RegionId region);
  bool in_task() const { return (segment_.number & TaskRecord::task_segment) != 0; }
  /// In a task, and not in a team that it has forked.
  bool task_is_innermost() const { return in_task() && !task_.thread && forks_.empty() && teams_.empty(); }
  Ticks in_window(Time from, Time to) const;
  Profile& booked(std::uint32_t callpath);
  void settle(const Fork& fork, Ticks Profile::*share);
  void lock_record(TeamRecord::Kind kind, Paradigm paradigm, std::uint64_t lock, std::uint64_t order);
  std::uint32_t sync_call(Frame& frame);
  TeamRecord& add_team_record(TeamRecord::Kind kind);
  void update_in_teams() {
    in_teams_ = !forks_.empty() || segment_.number != 0 || !numbered_forks_.empty() || !numbered_parts_.empty();
  }
  void advance_unusual(Time t);
  void add_call_path(std::uint64_t frame);
  void close_call(const Frame& frame);
  std::uint32_t exit_out_of_order(RegionId region);
  std::uint32_t call_of_record(bool one_sided = false, RmaWinId win = RmaWinId::none());
  std::uint32_t callpath_of_record();
  CommRecord& add_record(EventType type);
  void message_record(EventType type, const std::uint64_t* attributes);
  void collective_record(EventType type, const std::uint64_t* attributes);
  void rma_record(EventType type, const std::uint64_t* attributes);
  void file_record(IoHandleId handle, std::uint64_t bytes);
  Time open_since() const;
  void keep(EventType type, Time t, std::uint32_t callpath);
  void keep_with_attributes(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail,
                            std::uint32_t callpath, bool with_callpath);
  void report(DiagnosticId id, std::uint64_t frame);
  std::string region_name(std::uint64_t frame) const;

  const Definitions& definitions_;
  LocationId location_;
  Options options_;
  Chunk* chunk_ = nullptr;
  LocalCallTree tree_;
  std::vector<Frame> stack_;
  std::vector<Profile> profiles_;
  std::uint32_t current_ = 0;  ///< call path of the innermost open region
  std::uint32_t account_ = 0;  ///< call path that time is charged to: current_, but for fork and join
  std::uint32_t base_ = 0;     ///< call path where the stack is empty: 0, in a segment the team root
  bool in_teams_ = false;      ///< forks_ or a segment are open
  std::vector<Fork> forks_;    ///< forked and not joined
  std::vector<bool> teams_;    ///< begun and not ended; true: as a segment
  // Teams that are known by numbers in attribute lists.
  struct Numbered {
    std::uint64_t number;
    std::size_t depth;  ///< of the stack before the region was entered
    // Of a parallel region that the location has forked:
    Time since = 0;              ///< it was entered, or its implicit task left
    std::uint64_t events = 0;    ///< enters and exits until then
    std::uint32_t callpath = 0;  ///< 0 before the implicit task
    bool begun = false;          ///< its implicit task has
  };
  AttributeId team_attribute_;                          ///< none: the trace has no such teams
  bool numbered_ = false;                               ///< the next enter has a number: `team_number_`
  std::uint64_t team_number_ = 0, numbered_after_ = 0;  ///< numbered_after_: how many exits
  std::vector<Numbered> numbered_forks_;                ///< parallel regions that the location has forked and not left
  std::vector<Numbered> numbered_parts_;  ///< parts in such regions, on locations that begin no segments with them
  bool has_forked_ = false;               ///< outside of teams
  Time serial_begin_ = 0;                 ///< of the time since the latest such fork was joined
  std::uint32_t serial_path_ = 0;         ///< of its longest interval, as far as calls have been closed
  Time serial_interval_ = 0;              ///< length of that; all ones while teams are open
  Segment segment_;                       ///< the open one; number 0 if there is none
  std::uint32_t segments_ = 0;            ///< begun so far
  std::uint32_t team_root_ = 0;           ///< call path, 0 if there has been no segment
  std::vector<Activity> aside_;           ///< that tasks interrupt, the innermost last
  Task task_;
  std::vector<Task> tasks_aside_;    ///< that tasks interrupt: those of a team that a task has forked
  std::uint32_t task_segments_ = 0;  ///< begun so far
  std::uint32_t task_root_ = 0;      ///< call path, 0 if there has been no task
  std::vector<std::uint32_t> touched_,
      touched_in_;  ///< call paths of the open segment; by call path its latest segment
  Time last_time_ = 0;
  Before library_;                      ///< the longest call of MPI since the last barrier, lock call, … ended
  Time longest_ = 0, longest_end_ = 0;  ///< the longest interval since the last call with records (or barrier, …) ended
  std::uint32_t longest_path_ = 0;
  Before before_;         ///< that interval at the enter of the current call
  Time folded_ = 0;       ///< length of folded_before_
  Before folded_before_;  ///< the longest since the last call of MPI, barriers and lock calls passed over
  /// Depth of the stack within MPI_Init or MPI_Finalize; with library_calls, within the outermost call of MPI.
  std::size_t watched_depth_ = ~std::size_t{0};
  bool in_library_ = false;   ///< an enter of library_enters has no exit yet
  Time boundary_ = ~Time{0};  ///< where the chosen time begins, then where it ends
  bool in_window_ = false, past_window_ = false;
  std::vector<Profile> window_profiles_;  ///< profiles_ when the chosen time ended
  Time first_time_ = 0;
  bool started_ = false;
  std::uint32_t open_calls_ = 0;
  bool record_added_ = false;  ///< for the event that is kept next
  struct OpenCopy {
    Time begin = 0;
    std::uint32_t callpath = 0;
  };
  using CopyKey = std::pair<RmaWinId, std::uint64_t>;
  std::map<CopyKey, OpenCopy> open_copies_;  ///< of a stream: by window and number
  /// A call for the next chunk, and what the last one said of it.
  struct PutOff {
    CallRecord call;
    std::vector<TeamRecord> records;
    std::vector<TaskTime> times;
  };
  std::vector<PutOff> put_off_;
  IoParadigmId mpi_io_;                         ///< none if the trace does not define it
  std::unique_ptr<LocationCounters> counters_;  ///< from the first METRIC event on, if asked for
  std::vector<ListedAttribute> list_;
  std::array<std::uint64_t, event_type_count> counts_{};
  Diagnostics diagnostics_;
};

}  // namespace waitstate::replay
