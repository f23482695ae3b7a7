// Decodes the events of locations, from the files of an OTF2 archive into sinks.
//
// The OTF2 library, which reads the global definitions, is not used here: decoding was a third of an analysis, and the
// library's buffers, one of a chunk for each open location, were most of its memory; it trusts its files, so that each
// had to be walked record by record before the library could read it. That walk knew the format almost as well as a
// decoder has to. So we decode in the same walk, four to five times as fast, and every read stays within the bounds of
// its record. The library's result is the reference: tests/otf2/library_events_test.cpp compares event by event.
//
// A file is a sequence of chunks (format.hpp) of records: marks, time stamps (valid for all records up to the next),
// attribute lists (of the event that follows) and events. Numbers of definitions and times go through the location's
// local definitions. Most of a trace - time stamp, enter, leave - is decoded by a loop in this header straight into the
// sink (run()); ordinary records of the other types by one function that is driven by the table of event types
// (ordinary()); everything else - marks, ends of the window, long records, damage - one by one (step()).
//
// Damage: the events before the first record that is incomplete or not valid are delivered, and none behind it.
//
// Cost: about 13 ns an event (tests/bench/stages.cpp, stage decode; the library: 53 to 61 ns). Memory: a window of at
// most 64 KiB that all locations of a reader share - longer for a longer record, at most a chunk - and a few hundred
// bytes a location. Up to `max_open` files stay open, each a descriptor and nothing else; the one used least recently
// is closed, and reopened where it was left.
#pragma once

#include <cstring>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "otf2/archive.hpp"
#include "otf2/definitions/local.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::otf2 {

/// Reads an unsigned number of 8 bytes in the file's byte order.
template <bool big_endian>
std::uint64_t full64(const std::uint8_t* p) {
  std::uint64_t value = 0;
  std::memcpy(&value, p, sizeof value);
  return big_endian == (std::endian::native == std::endian::big) ? value : __builtin_bswap64(value);
}

/// Masks by byte count: the bytes to keep of eight.
inline constexpr std::array<std::uint64_t, 9> low_bytes = [] {
  std::array<std::uint64_t, 9> masks{};
  for (unsigned i = 1; i < 9; ++i) masks[i] = masks[i - 1] << 8 | 0xff;
  return masks;
}();

/// A number of `size` bytes, at most 8. Always reads 8 bytes.
template <bool big_endian>
std::uint64_t sized(const std::uint8_t* p, unsigned size) {
  if constexpr (big_endian)
    return size == 0 ? 0 : full64<true>(p) >> (64 - 8 * size);
  else
    return full64<false>(p) & low_bytes[size];
}

/// A place between two events of a location, from which another decoder of the same archive can continue.
struct EventPlace {
  std::uint64_t position = 0, chunk = 0;
  std::uint64_t events = 0;  ///< number of events before it
  Time time = 0, last_time = ~Time{0};
  bool in_chunk = false, big_endian = false, stamped = false;
};

/// The part of EventReader that does not depend on the sink. Not to be used by itself.
class EventDecoder {
 public:
  ~EventDecoder();
  /// True if nothing more will come from this location: its file has ended or is damaged, or it was not asked for.
  bool at_end(LocationId loc) const;
  /// The place of a location, for use between two calls of read(). The location must not be at its end.
  EventPlace place(LocationId loc) const;
  void go_to(LocationId loc, const EventPlace& place);
  /// Damage and oddities; complete for a location when it is at its end.
  Diagnostics& diagnostics() { return diagnostics_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Number of event files open at the moment.
  std::size_t open_files() const { return open_.size(); }

 private:
  template <class Sink>
  friend class EventReader;
  struct Delivery {
    void (*enter)(void* sink, Time t, RegionId region);
    void (*exit)(void* sink, Time t, RegionId region);
    void (*event)(void* sink, EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail);
    void (*list)(void* sink, std::span<const ListedAttribute> list);
  };

  EventDecoder(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
               std::size_t max_open, const Delivery& delivery);

  struct Location {
    LocationId id;
    int file = -1;               ///< descriptor, or -1 if closed
    std::uint64_t position = 0;  ///< position of the next byte in the file
    std::uint64_t chunk = 0;     ///< position at which the chunk begins
    bool in_chunk = false;       ///< the chunk's header has been read
    bool big_endian = false;
    bool stamped = false;  ///< a time stamp has been read for the next record
    bool started = false, ended = false, missing = false;
    Time time = 0;              ///< time of the latest time stamp, corrected
    Time last_time = ~Time{0};  ///< time of the latest event
    std::uint64_t events = 0, undefined = 0, unknown = 0;
    std::string first_undefined;
    LocalDefinitions local;
    std::list<Location*>::iterator place;  ///< position in open_
  };

  /// Longest time stamp, type and length, and contents of a record whose length is one byte; and the most that
  /// unchecked reading may read behind it: six numbers of nine bytes.
  static constexpr std::ptrdiff_t longest_ordinary = 9 + 2 + 254;
  static constexpr std::size_t padding = 80;
  static constexpr std::uint8_t enter_record = 12, leave_record = 13;

  Location* start(LocationId loc, void* sink, std::size_t max_events);
  std::size_t step(Location& l);
  void pause(Location& l) {
    l.position = window_end_ - static_cast<std::uint64_t>(end_ - at_);
    paused_ = &l;
  }
  const std::uint8_t* ordinary(Location& l, const std::uint8_t* record);
  bool contents(Location& l, EventType type, const std::uint8_t* p, const std::uint8_t* next);
  template <EventType type>
  bool plain(Location& l, const std::uint8_t* p, const std::uint8_t* next);
  bool unknown(Location& l, const std::uint8_t* p, const std::uint8_t* next);
  bool metric(Location& l, const std::uint8_t* p, const std::uint8_t* next);
  bool program_begin(Location& l, const std::uint8_t* p, const std::uint8_t* next);
  bool attribute_list(Location& l, const std::uint8_t* p, const std::uint8_t* next);
  void begin_chunk(Location& l);
  bool has(Location& l, std::uint64_t n) { return static_cast<std::uint64_t>(end_ - at_) >= n || fetch(l, n); }
  bool fetch(Location& l, std::uint64_t n);
  void stop(Location& l, const char* why);
  std::uint64_t chunk_end(const Location& l) const { return l.chunk + chunk_size_; }
  std::uint64_t left_in_chunk(const Location& l) const {
    return chunk_end(l) - window_end_ + static_cast<std::uint64_t>(end_ - at_);
  }

  RegionId region(Location& l, std::uint64_t local) {
    const std::uint64_t ref = l.local.global(RefKind::region, local);
    const std::uint32_t id = regions_.find(ref);
    return RegionId{id != RefTable::none ? id : unresolved(l, RefKind::region, ref)};
  }
  Location* find(LocationId loc) const {
    return loc.index() < locations_.size() ? locations_[loc.index()].get() : nullptr;
  }
  bool open(Location& l);
  void close(Location& l);
  bool close_another(int error);
  bool read_local_definitions(Location& l);
  void end(Location& l, const std::string& damage);
  /// Our number of a definition. If there is no such definition, it is counted, and none is returned.
  std::uint32_t resolve(Location& l, RefKind kind, std::uint64_t ref) {
    const std::uint32_t id = references_[kind].find(ref);
    return id != RefTable::none ? id : unresolved(l, kind, ref);
  }
  std::uint32_t unresolved(Location& l, RefKind kind, std::uint64_t ref);
  /// Resolves a rank of a communicator (or a root, which may be one of three special numbers) to a location.
  std::uint64_t locate(Location& l, CommId comm, std::uint64_t rank, bool root, bool count) {
    if (comm.index() < comms_.size()) [[likely]] {
      const Comm& c = comms_[comm.index()];
      if (!c.self && !c.inter() && rank < c.members.size() && c.members[rank].valid()) return c.members[rank].value;
    }
    return locate_other(l, comm, rank, root, count);
  }
  std::uint64_t locate_other(Location& l, CommId comm, std::uint64_t rank, bool root, bool count);

  const Archive& archive_;
  const References& references_;
  const RefTable& regions_;
  const std::vector<Comm>& comms_;
  const bool keep_lists_;
  const std::size_t max_open_;
  const std::uint64_t chunk_size_;
  const Delivery delivery_;
  void* sink_ = nullptr;
  std::vector<std::unique_ptr<Location>> locations_;  ///< by LocationId; null for locations that were not asked for
  std::list<Location*> open_;                         ///< most recently used first

  // The window: bytes of the current chunk of the location that is being read, or was read last (`paused_`).
  std::vector<std::uint8_t> window_;
  const std::uint8_t* at_ = nullptr;   ///< the next byte to decode
  const std::uint8_t* end_ = nullptr;  ///< the end of the bytes in memory
  std::uint64_t window_end_ = 0;       ///< the file's position at end_
  std::size_t fetch_size_ = 0;
  const Location* paused_ = nullptr;  ///< the location whose window is kept while nothing is read; null after a failure
  int read_error_ = 0;
  bool file_ended_ = false;

  std::vector<ListedAttribute> list_;
  std::vector<Value> tail_;
  Diagnostics diagnostics_;
};

}  // namespace waitstate::otf2
