// Decodes the events of locations into sinks.
//
// Four of five records are time stamps, enters and exits; they are decoded here, in one loop without calls, straight into
// the sink. All other events share one routine driven by the table of event types: a record holds the attributes of its
// type in their order (point-to-point events have communicator and tag swapped), each as wide as its kind says.
//
// Every record is checked against the end of its chunk, and every chunk against the end of its file, before it is read: the
// events before the first damage are delivered exactly, nothing after it. A location keeps its place (chunk, offset, time)
// when its file and buffer are taken away because too many are open; it costs one read of a chunk to go on.
#pragma once

#include <bit>
#include <cstring>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "otf2/archive.hpp"
#include "otf2/chunk_file.hpp"
#include "otf2/local_definitions.hpp"
#include "waitstate/event.hpp"

namespace waitstate::otf2 {

/// What does not depend on the sink. Not to be used by itself.
class EventDecoder {
 public:
  /// True if nothing more will come from this location: its file has ended or is damaged, or it was not asked for.
  bool at_end(LocationId loc) const;
  /// Events of this location so far.
  std::uint64_t events_read(LocationId loc) const;
  /// What was damaged or odd; of a location complete when it is at its end.
  Diagnostics& diagnostics() { return diagnostics_; }
  /// Files open at the moment.
  std::size_t open_files() const { return recently_used_.size(); }

 protected:
  EventDecoder(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
               std::size_t max_open);

  static constexpr std::uint8_t enter_record = 12, exit_record = 13;

  struct Location {
    LocationId id;
    ChunkFile file;
    std::uint64_t chunk = 0;
    std::size_t offset = 0;  ///< of the next record in the chunk, while the file is closed
    ByteReader in;           ///< at the next record, while the file is open
    std::list<Location*>::iterator recent;
    bool started = false, ended = false;

    LocalDefinitions local;
    std::vector<std::uint32_t> own_regions;  ///< local region numbers → ids, where the location has a dense map
    std::span<const std::uint32_t> regions;  ///< the first local region numbers → ids
    Time time = 0;
    std::uint64_t events = 0, undefined = 0, unknown = 0;
    std::string first_undefined;
  };

  /// A decoded event, valid until the next one.
  struct Decoded {
    EventType type = EventType::unknown;
    std::uint64_t attributes[6];
    std::vector<Value> tail;
  };

  enum class Step : std::uint8_t { event, nothing, ended };

  Location* find(LocationId loc) const {
    return loc.index() < slots_.size() ? slots_[loc.index()].get() : nullptr;
  }
  /// Makes l.in readable; false if the location has ended.
  bool open(Location& l);
  /// Decodes one record of any kind at `in`, moving behind it.
  Step step(Location& l, ByteReader& in);
  RegionId region(Location& l, std::uint32_t local);
  void end(Location& l, const std::string& damage);

  Decoded decoded_;
  std::vector<ListedAttribute> list_;
  bool keep_lists_;

 private:
  void start(Location& l);
  void close(Location& l);
  std::uint32_t resolve(Location& l, RefKind kind, std::uint64_t local);
  Step decode(Location& l, std::uint8_t record_type, ByteReader& in);
  bool read_list(Location& l, ByteReader in);
  bool read_fields(Location& l, ByteReader& in);

  const Archive& archive_;
  std::size_t max_open_;
  std::vector<std::unique_ptr<Location>> slots_;  // by location; empty for those not asked for
  std::list<Location*> recently_used_;            // with open files; the latest first
  Diagnostics diagnostics_;
};

/// Reads events of the given locations. One thread at a time; several readers of one archive work in parallel.
template <class Sink>
class EventReader : public EventDecoder {
 public:
  /// `archive` must outlive the reader. With keep_attribute_lists, Sink::attribute_list is called before events that have
  /// a list. At most max_open files are open, each with a buffer of a chunk (at most 16 MiB, usually 1 MiB).
  EventReader(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
              std::size_t max_open = 64)
      : EventDecoder(archive, locations, keep_attribute_lists, max_open) {}

  /// Decodes up to max_events events of loc into sink; returns how many: fewer only if the location has ended. What the
  /// sink throws comes through; the location cannot be read further then.
  std::size_t read(LocationId loc, Sink& sink, std::size_t max_events);
};

template <class Sink>
std::size_t EventReader<Sink>::read(LocationId loc, Sink& sink, std::size_t max_events) {
  Location* const l = find(loc);
  if (!l || !open(*l)) return 0;

  ByteReader in = l->in;
  const bool fast = !in.big_endian() && std::endian::native == std::endian::little;
  std::size_t n = 0;
  while (n < max_events) {
    if (const std::uint8_t* p = in.position(); fast && in.left() > 9 && p[0] == mark::timestamp) {
      Time local;
      std::memcpy(&local, p + 1, sizeof local);
      l->time = l->local.clock(local);
      in.skip(9);
      continue;
    }
    // The common case: an enter or exit whose number has at most four bytes, not at the end of the chunk.
    if (const std::uint8_t* p = in.position(); fast && in.left() > 6 && (p[0] & 0xfe) == enter_record && p[1] <= 4) {
      std::uint32_t local;
      std::memcpy(&local, p + 2, sizeof local);
      local &= static_cast<std::uint32_t>((std::uint64_t{1} << (8 * p[1])) - 1);
      in.skip(2u + p[1]);
      const std::uint32_t id = local < l->regions.size() ? l->regions[local] : undefined32;
      const RegionId r = id != undefined32 ? RegionId{id} : region(*l, local);
      if (keep_lists_ && !list_.empty()) {
        sink.attribute_list(std::span<const ListedAttribute>(list_));
        list_.clear();
      }
      if (p[0] == enter_record)
        sink.enter(l->time, r);
      else
        sink.exit(l->time, r);
      ++n;
      ++l->events;
      continue;
    }
    const Step s = step(*l, in);
    if (s == Step::ended) return n;
    if (s == Step::nothing) continue;
    if (!list_.empty()) {
      sink.attribute_list(std::span<const ListedAttribute>(list_));
      list_.clear();
    }
    if (decoded_.type == EventType::enter)
      sink.enter(l->time, RegionId{decoded_.attributes[0]});
    else if (decoded_.type == EventType::exit)
      sink.exit(l->time, RegionId{decoded_.attributes[0]});
    else
      sink.event(decoded_.type, l->time, decoded_.attributes, std::span<const Value>(decoded_.tail));
    ++n;
    ++l->events;
  }
  l->in = in;
  return n;
}

}  // namespace waitstate::otf2
