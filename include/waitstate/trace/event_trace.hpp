// Random access to every event of a trace in the one stream (EARL): event(pos), stack(loc, pos), queue(pos, src, dest).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "waitstate/pattern/rma.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate {

struct EventTraceOptions {
  unsigned threads = 0;          ///< threads that read; 0: one per core, at most 8; with several, one more prepares
                                 ///< memory
  std::size_t chunk_events = 0;  ///< number of events decoded of a location at a time; 0: chosen by the number of
                                 ///< locations
  bool attribute_lists = false;  ///< keep the events' attribute lists
  /// Called now and then by the reading thread, with the number of events read so far and an estimate of all. An
  /// exception that it throws ends the reading and leaves the constructor.
  std::function<void(std::uint64_t done, std::uint64_t announced)> progress{};
  /// Derive the starts and ends of one-sided transfers: put_1ts, put_1te, get_1to, get_1ts, get_1te; see RmaModel.
  bool transfers = false;
  RmaModel rma_model = RmaModel::automatic;
  /// Keep the epochs and operations of one-sided communication: EventTrace::epochs(). Takes about 200 bytes an
  /// operation and 100 a call.
  bool epochs = false;
};

/// A whole trace in memory: about 28 bytes an event for MPI traces. The stream is in order of time; where clocks or
/// equal time stamps would put an effect before its cause (a receive before its send, the end of a collective before
/// the start of a participant that it had to wait for), the effect is placed after its cause. Immutable and safe to use
/// from several threads once constructed.
class EventTrace {
 public:
  /// Reads an OTF2 archive or a notation file; throws TraceError.
  explicit EventTrace(const std::filesystem::path& path, const EventTraceOptions& options = {});
  ~EventTrace();
  EventTrace(EventTrace&&) noexcept;
  EventTrace& operator=(EventTrace&&) noexcept;

  /// Number of events; positions run from 0.
  Position size() const;
  /// The event at a position. Throws std::out_of_range beyond size().
  Event event(Position pos) const;
  /// The members that all types of events have, with the same values as in event(pos), for a fraction of its cost.
  Time time(Position pos) const;
  LocationId location(Position pos) const;
  EventType type(Position pos) const;
  Position enterptr(Position pos) const;
  /// The event in the notation, with its position and links.
  std::string literal(Position pos) const;

  /// Region stack of a location after the event at `pos` (default: the last one): positions of the open enters (and
  /// program_begin), outermost first; while the location executes a task, those of that task only.
  std::vector<Position> stack(LocationId loc, Position pos = no_position) const;
  /// Message queue after the event at `pos` (default: the last one): positions of the sends that have not been received
  /// yet, oldest first; only those sent by `src` and to `dest` where these are given. A send that the program cancels
  /// is never in it, because its message is never received.
  std::vector<Position> queue(Position pos = no_position, std::optional<LocationId> src = {},
                              std::optional<LocationId> dest = {}) const;

  /// Fences and other collectives on windows, access, exposure and lock epochs, and operations with their completions,
  /// by first_time() and last_time(). Epochs of which the trace lacks a part are left out and counted in diagnostics().
  /// The views belong to the trace. Throws UsageError if EventTraceOptions::epochs was not set.
  std::span<const OneSided> epochs() const;

  const Definitions& definitions() const;
  const CallTree& call_tree() const;
  const Diagnostics& diagnostics() const;
  /// Number of locations that the trace defines.
  std::size_t location_count() const { return definitions().locations.size(); }
  /// Seconds since the trace's first event.
  double seconds(Time t) const;
  /// Bytes of memory held for events, links, indexes and epochs (not definitions).
  std::size_t memory() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace waitstate
