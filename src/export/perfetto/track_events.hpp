// Writes Perfetto's trace format: a sequence of protobuf messages, as far as a timeline needs them.
//
//   Trace { packet(1)* }                         each a TracePacket:
//   TracePacket { timestamp(8) trusted_packet_sequence_id(10) track_event(11) interned_data(12) sequence_flags(13)
//                 track_descriptor(60) }
//   TrackDescriptor { uuid(1) name(2) parent_uuid(5) counter(8) child_ordering(11) sibling_order_rank(12)
//                     description(14) sibling_merge_behavior(15) }
//   CounterDescriptor { unit(3) unit_name(6) }
//   TrackEvent { category_iids(3) debug_annotations(4) type(9) name_iid(10) track_uuid(11) counter_value(30)
//                double_counter_value(44) flow_ids(47) terminating_flow_ids(48) correlation_id(52) }
//   InternedData { event_categories(1) event_names(2) debug_annotation_names(3) }, each { iid(1) name(2) }
//   DebugAnnotation { name_iid(1) uint_value(3) int_value(4) double_value(5) string_value(6) }
//
// Source: protos/perfetto/trace/trace.proto, trace_packet.proto, track_event/*.proto and interned_data/*.proto of
// Perfetto 58.2, and its documents "Advanced guide to synthetic TrackEvent" and "Track events".
//
// Rules of the format that this class sees to:
// - Names stand once in each packet sequence, in the packet that uses them first, and have a number (iid) from then on.
//   The first packet of a sequence says that it begins without names (SEQ_INCREMENTAL_STATE_CLEARED), every packet that
//   it needs them.
// - Tracks have no process or thread of the operating system: those are drawn beside their parent and not below it, and
//   need numbers that no trace has. Tracks of one name would be merged below one parent, so each says that it is not.
// - A flow has a number of its own, which the event that it comes from has in flow_ids, and the one that it goes to in
//   terminating_flow_ids.
//
// Packets need not be in the order of time: readers sort them, and leave those of one time in the order of the file.
// Cost: some 20 to 30 bytes a packet. Memory: a bit for each name of each sequence.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace waitstate::exports {

/// Texts that get a number once, so that events name them by it.
class NameTable {
 public:
  std::uint32_t number(std::string_view name);
  const std::string& operator[](std::uint32_t number) const { return names_[number]; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class TrackEvents {
 public:
  using Uuid = std::uint64_t;
  using Sequence = std::uint32_t;  ///< from 1
  enum class Type : std::uint8_t { begin = 1, end = 2, instant = 3, counter = 4 };

  /// Counts bytes only if `out` is null.
  explicit TrackEvents(std::ostream* out) : out_(out) {}
  TrackEvents(const TrackEvents&) = delete;
  TrackEvents& operator=(const TrackEvents&) = delete;

  struct Track {
    Uuid uuid = 0, parent = 0;  ///< parent 0: none
    std::string name{};
    std::string description{};
    std::int32_t order = 0;  ///< among those of the same parent
    bool is_counter = false;
    std::string unit{};  ///< unit of a counter; may be empty
  };
  void add(const Track& track);

  // An event: start(), what it has, finish().
  void start(Sequence sequence, std::uint64_t nanoseconds, Type type, Uuid track);
  void name(std::uint32_t number);
  void category(std::uint32_t number);
  void annotation(std::uint32_t key, std::uint64_t value);
  /// A text that is the value of many annotations, by its number in texts().
  void annotation_text(std::uint32_t key, std::uint32_t text);
  void counter_value(std::int64_t value);
  void counter_value(double value);
  void flow_begins(std::uint64_t flow);
  void flow_ends(std::uint64_t flow);
  void correlation(std::uint64_t number);
  /// Returns the number of bytes of the packet.
  std::size_t finish();

  NameTable& names() { return names_; }
  NameTable& categories() { return categories_; }
  NameTable& keys() { return keys_; }
  NameTable& texts() { return texts_; }

  /// Hands everything to the stream; must be called at the end.
  void flush();
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t packets() const { return packets_; }

 private:
  enum Interned : std::uint8_t { interned_category, interned_name, interned_key };
  struct State {
    bool begun = false;
    std::vector<bool> known[3];  ///< by Interned: numbers that the sequence knows
  };
  std::uint64_t intern(Interned kind, const NameTable& table, std::uint32_t number);
  std::size_t write_packet();

  std::ostream* out_;
  NameTable names_, categories_, keys_, texts_;
  std::vector<State> sequences_;
  Sequence sequence_ = 0;
  std::uint64_t time_ = 0;
  std::string event_, interned_, packet_, buffer_;  ///< their memory is used again
  std::uint64_t bytes_ = 0, packets_ = 0;
};

}  // namespace waitstate::exports
