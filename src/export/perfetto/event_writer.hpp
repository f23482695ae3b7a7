// Writes regions, messages, one-sided transfers and counters of a stream of events to a timeline.
//
// A region instance is a slice on the track of its thread. A thread may execute tasks between, whose regions do not
// nest with its own: an instance goes to the track on which its caller is innermost, else to a free track. So tasks
// that take turns have a track each, and a task that continues on another thread stays on its own. Kernels of one
// stream overlap, and each has the first free track.
//
// If short instances are left out, it is not known at the enter of one whether it will be shown. It is shown as soon as
// its location has events that far behind its enter, or a time that is to be kept (KeptTimes) is reached. Callers begin
// before what they call, so the shown ones of a track are always its outermost ones, and are written in the order of
// their begins.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "access/event_stream.hpp"
#include "analysis/focus.hpp"
#include "export/perfetto/kept_times.hpp"
#include "export/perfetto/tracks.hpp"
#include "export/time_scale.hpp"
#include "merge/placer.hpp"

namespace waitstate::exports {

/// The regions and messages that are shown.
struct Shown {
  enum class Messages : std::uint8_t { none, awaited, all };
  static constexpr Ticks only_kept = std::numeric_limits<Ticks>::max();

  Messages messages = Messages::all;
  Ticks shortest = 0;  ///< region instances that are shorter are left out; only_kept: all but at kept times
  bool counters = true;
  bool only_around = false;  ///< messages, transfers and counters too are shown at kept times only
};

/// The numbers of things that are shown, and left out.
struct EventCounts {
  std::uint64_t regions = 0, regions_left_out = 0;
  std::uint64_t messages = 0, messages_left_out = 0, messages_before_send = 0;
  std::uint64_t transfers = 0, counter_values = 0;
};

class EventWriter final : public merge::EventConsumer {
 public:
  /// `kept` may be null. `measured`: receives the bytes of what is left out; null unless that is asked for.
  struct Sizes {
    std::uint64_t by_length[65] = {};  ///< region instances, by the bits of their ticks
    std::uint64_t messages = 0;        ///< messages that no wait waited for
  };
  EventWriter(access::EventStream& stream, analysis::FocusFilter& focus, const TimeScale& time, TrackEvents& out,
              Tracks& tracks, KeptTimes* kept, const Shown& shown, Sizes* sizes = nullptr);

  void event(Position pos, EventType type) override;
  void left_at_once() override;
  /// After the last event.
  void finish();

  const EventCounts& counts() const { return counts_; }
  /// Number of the next flow, so that others may have some.
  std::uint64_t& next_flow() { return next_flow_; }

 private:
  struct Operation {
    CollectiveOp op{};
    CommId comm;
    LocationId root;
    std::uint64_t sent = 0, received = 0, instance = 0;
    bool has_instance = false;
  };
  struct Open {
    Position enter;
    Time time;
    CallPathId callpath;
    bool shown = false, hidden = false;  ///< hidden: outside of the chosen region
    std::uint32_t bytes = 0;             ///< bytes of its begin
    std::unique_ptr<Operation> operation{};
  };
  struct Lane {
    std::vector<Open> open;
    std::size_t decided = 0;  ///< the outermost ones that are shown or hidden
  };
  struct OfLocation {
    Time now = 0;
    bool begun = false, chosen = true, at_kept = false;
    std::vector<Lane> lanes;
    std::map<CommId, std::uint64_t> operations;  ///< blocking collectives so far
  };
  struct Place {
    LocationId location;
    std::size_t lane;
  };
  /// Whether what a call did lies in the chosen part. A report counts it by the enter of the call (Focus), wherever its
  /// time lies; what happened in the chosen time is shown in any case, and says so if no report counts it.
  struct InPart {
    bool region = false;  ///< it was done in the chosen region
    bool counts = false;  ///< the report of the part counts it
  };
  struct Ends {
    InPart first, last;
  };

  OfLocation& advance(LocationId l, Time t);
  void enter(const Event& e, OfLocation& at);
  void exit(const Event& e, OfLocation& at);
  void close(Place place, Time t, bool was_left);
  void show(LocationId l, std::size_t lane, bool kept);
  bool is_shown(const Open& open, Time now, bool kept) const;
  std::size_t write_begin(const Open& open, Place place);
  std::size_t write_end(const Open& open, Place place, Time t, bool was_left);
  Place lane_for(const Event& e, OfLocation& at);
  /// Null if it is not open; else `place` is where it is.
  Open* find_open(Position enter, LocationId l, Place& place);
  void note_operation(const Event& e, OfLocation& at);
  void message(const Event& receive, OfLocation& at);
  std::size_t write_message(const Event& send, const Event& receive, Time received, const Ends& ends);
  void transfer(const Event& end, bool shown);
  void counters(const Event& e);
  bool is_chosen(LocationId l) const;
  bool is_chosen(LocationId l, Time t, const InPart& in) const;
  InPart in_part(const Event& e, const OfLocation& at);
  void note_start(const Event& e, const OfLocation& at);
  /// Tells whether the send of a message, or the start of a transfer, that has now ended lies in the part.
  InPart take_start(Position start);
  std::uint32_t region_name(CallPathId callpath);
  std::uint32_t region_category(CallPathId callpath);
  std::uint32_t comm_text(CommId comm);

  access::EventStream& stream_;
  const Definitions& definitions_;
  analysis::FocusFilter& focus_;
  const TimeScale& time_;
  TrackEvents& out_;
  Tracks& tracks_;
  KeptTimes* const kept_;
  const Shown shown_;
  Sizes* const sizes_;
  const Time from_, to_;
  std::vector<OfLocation> locations_;
  Place latest_{};                                 ///< the place of the region that was entered last
  std::vector<std::uint32_t> names_, categories_;  ///< by call path, plus one
  std::vector<std::uint32_t> comms_;               ///< by communicator, plus one
  std::unordered_set<Position> atomics_;           ///< starts of transfers of atomic operations that have not ended
  Position last_atomic_ = no_position;
  std::unordered_map<Position, InPart> starts_;  ///< sends and starts of transfers; empty if all of the run is shown
  std::uint64_t next_flow_ = 1;
  EventCounts counts_;
  // Names and keys that all events share.
  const std::uint32_t send_, receive_, put_, get_, atomic_, message_category_, rma_category_;
  const std::uint32_t bytes_key_, tag_key_, communicator_key_, partner_key_, note_key_, counted_key_, operation_key_,
      instance_key_, root_key_, sent_key_, received_key_, window_key_;
  const std::uint32_t never_left_, received_early_, completed_early_, does_not_count_;  ///< texts
};

}  // namespace waitstate::exports
