// Replays the events of one location, as they are decoded: region stack, call path, exclusive time and visits, and the
// calls with their communication records for the linker. Nothing here looks at another location, so any number of
// locations are replayed in parallel; this is the Sink that the readers feed.
//
// Invariants: times given on are never decreasing (a time stamp that runs backwards is counted and taken as the
// previous one); every enter is left exactly once, at the latest in finish(); exclusive times add up to last minus
// first time less what lies outside of every region. Cost per enter or exit: a few nanoseconds, no allocation unless a
// call path is new.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trace/chunk.hpp"
#include "trace/local_call_tree.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/diagnostics.hpp"
#include "waitstate/event.hpp"

namespace waitstate::trace {

/// What one location alone tells about a call path.
struct Profile {
  Ticks time = 0;  ///< exclusive of callees
  std::uint64_t visits = 0;
  bool communicates = false;      ///< its region is a call of MPI
  bool of_world = false;          ///< its region is MPI_Init or MPI_Finalize
  std::uint64_t sends = 0;        ///< messages sent with at least one byte
  std::uint64_t empty_sends = 0;  ///< messages sent with zero bytes
  std::uint64_t bytes_sent = 0;
  std::uint64_t collectives[4] = {};  ///< blocking, by bytes: none, sent only, received only, both
  std::uint64_t collective_bytes_sent = 0, collective_bytes_received = 0;
};

class LocationReplay {
 public:
  struct Options {
    bool keep_events = false;           ///< fill Chunk::events
    bool keep_attribute_lists = false;  ///< with keep_events: attribute lists too
    Time from = 0, to = ~Time{0};       ///< what profiles cover; see Focus
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
  void attribute_list(std::span<const ListedAttribute> list) { list_.assign(list.begin(), list.end()); }

  LocationId location() const { return location_; }
  /// Profiles by the location's own call path numbers; 0 is the time outside of every region.
  std::span<const Profile> profiles() const { return past_window_ ? window_profiles_ : profiles_; }
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
    std::uint32_t call;  ///< index into the chunk's calls, no_call if nothing was communicated yet
  };
  static constexpr std::uint32_t no_call = ~std::uint32_t{0};

  struct Before {
    std::uint32_t callpath = 0;
    Time begin = 0, end = 0;
  };

  // A parallel region's time runs from fork to join: what the master spends in between outside of the region itself is
  // the region's, not its caller's.
  struct Fork {
    std::size_t depth;           ///< of the stack at the fork
    std::uint32_t parallel = 0;  ///< call path of the parallel region, 0 before it is entered
    Ticks outside = 0;  ///< time of call path 0 at the fork: what comes on top until the region is entered is its own
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
    const Time stretch = t - last_time_;
    time = add_ticks(time, stretch);
    if (stretch > longest_) {
      longest_ = stretch;
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
    if (!forks_.empty()) [[unlikely]]
      enter_team(frame, callpath);
    stack_.push_back({last_time_, callpath, no_call});
    current_ = account_ = callpath;
    Profile& profile = profiles_[callpath];
    ++profile.visits;
    if (profile.communicates) enter_call(profile);
  }
  // What was done before a call has to be noted when it is entered: whether it communicates shows only later.
  void enter_call(const Profile& profile) {
    before_ = {longest_path_, longest_end_ - longest_, longest_end_};
    if (profile.of_world) [[unlikely]]
      world_depth_ = stack_.size();
  }
  void pop() {
    const Frame& top = stack_.back();
    if (stack_.size() == world_depth_) [[unlikely]]
      leave_world_call(top);
    if (top.call != no_call) [[unlikely]]
      close_call(top);
    const std::uint32_t left = top.callpath;
    stack_.pop_back();
    current_ = account_ = stack_.empty() ? 0 : stack_.back().callpath;
    if (!forks_.empty() && forks_.back().parallel == left && forks_.back().depth == stack_.size()) [[unlikely]]
      account_ = left;
  }

  CallRecord call_record(const Frame& frame, RegionId region) const;
  void leave_world_call(const Frame& frame);
  void cross_boundary();
  Profile* counts_of(const CallRecord& call);
  void fork();
  void enter_team(std::uint64_t frame, std::uint32_t callpath);
  void join();
  void advance_unusual(Time t);
  void add_call_path(std::uint64_t frame);
  void close_call(const Frame& frame);
  std::uint32_t exit_out_of_order(RegionId region);
  std::uint32_t call_of_record();
  CommRecord& add_record(EventType type);
  void message_record(EventType type, const std::uint64_t* attributes);
  void collective_record(EventType type, const std::uint64_t* attributes);
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
  std::vector<Fork> forks_;    ///< forked and not joined
  Time last_time_ = 0;
  Time longest_ = 0, longest_end_ = 0;  ///< the longest stretch since the last call with records ended
  std::uint32_t longest_path_ = 0;
  Before before_;                           ///< that stretch at the enter of the current call
  std::size_t world_depth_ = ~std::size_t{0};  ///< of the stack within MPI_Init or MPI_Finalize
  Time boundary_ = ~Time{0};                ///< where the chosen time begins, then where it ends
  bool in_window_ = false, past_window_ = false;
  std::vector<Profile> window_profiles_;    ///< profiles_ when the chosen time ended
  Time first_time_ = 0;
  bool started_ = false;
  std::uint32_t open_calls_ = 0;
  std::vector<ListedAttribute> list_;
  std::array<std::uint64_t, event_type_count> counts_{};
  Diagnostics diagnostics_;
};

}  // namespace waitstate::trace
