// All events of a trace in the one stream, one after the other, for a consumer that needs no more than one look at
// each: the same order and links as EventTrace has, but memory follows what is open - regions, messages, requests,
// one-sided transfers - and not the length of the trace.
//
//   EventStream stream("scorep_run");
//   stream.read(consumer, {});   // consumer.event(pos, type) for each; stream.event(pos) looks at it
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "merge/placer.hpp"
#include "waitstate/pattern/rma.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::access {

struct EventStreamOptions {
  unsigned threads = 0;                      ///< as in EventTraceOptions
  std::size_t chunk_events = 0;              ///< as in EventTraceOptions
  RmaModel rma_model = RmaModel::automatic;  ///< when the one-sided transfers end, whose events are derived
  bool attribute_lists = false;              ///< events have their attribute lists
  bool sends_may_be_cancelled = false;       ///< the trace has such records, and is read once more
  std::function<void(std::uint64_t done, std::uint64_t announced)> progress{};
};

class EventStream {
 public:
  /// Opens an OTF2 archive or a notation file; throws TraceError.
  explicit EventStream(const std::filesystem::path& path);
  ~EventStream();

  const Definitions& definitions() const;
  /// Reads the trace and tells the consumer of each event; may be called again. Exceptions of the consumer pass
  /// through.
  void read(merge::EventConsumer& consumer, const EventStreamOptions& options);

  // During read():
  /// The event of which the consumer is told, or an earlier one that it links to.
  Event event(Position pos) const;
  /// Every call path that an event so far has.
  const CallTree& call_tree() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace waitstate::access
