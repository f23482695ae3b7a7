// Decodes the events of locations with the OTF2 library, into sinks.
//
// One OTF2_Reader per EventReader, used by one thread at a time: the library then needs no locks, and several
// EventReaders of one archive run in parallel. Local definitions (id maps, clock offsets) are read before a location's
// first event; the library then applies them, so callbacks see global numbers and corrected times. Enter and leave,
// most of a trace, go from the library's callback straight into the sink; the other event types share one callback
// template that is driven by the table of event types (event_reader.cpp).
//
// The library is not safe on damaged files (it reads on behind the end of a chunk that is cut off, and decodes what it
// finds there). So each chunk is checked before the library sees it (event_file_check.hpp), and the library is asked
// for exactly as many events as are whole: the events before the first damage are delivered, nothing after it. The
// check, with the reading of the file that it takes, is about a tenth of an analysis.
//
// An open location costs the library a file descriptor and a buffer of a chunk, so only `max_open` are open at a time;
// the one used least recently is closed, and opened again at its place when it is its turn (one read of a chunk).
#pragma once

#include <exception>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <otf2/otf2.h>

#include "otf2/archive.hpp"
#include "otf2/event_file_check.hpp"
#include "otf2/library.hpp"
#include "waitstate/event.hpp"

namespace waitstate::otf2 {

/// What does not depend on the sink. Not to be used by itself.
class EventDecoder {
 public:
  ~EventDecoder();
  /// True if nothing more will come from this location: its file has ended or is damaged, or it was not asked for.
  bool at_end(LocationId loc) const;
  /// What was damaged or odd; of a location complete when it is at its end.
  Diagnostics& diagnostics() { return diagnostics_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Event files open at the moment.
  std::size_t open_files() const { return open_.size(); }

 private:
  template <class Sink>
  friend class EventReader;
  using Deliver = void (*)(void* sink, EventType type, Time t, const std::uint64_t* attributes,
                           std::span<const Value> tail);
  using DeliverList = void (*)(void* sink, std::span<const ListedAttribute> list);

  EventDecoder(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
               std::size_t max_open, OTF2_EvtReaderCallback_Enter enter, OTF2_EvtReaderCallback_Leave leave,
               Deliver deliver, DeliverList deliver_list);

  struct Location {
    EventDecoder* decoder = nullptr;
    void* sink = nullptr;
    const RefTable* regions = nullptr;
    LocationId id;
    std::uint64_t ref = 0;
    OTF2_EvtReader* reader = nullptr;  ///< while open
    EventFileCheck check;
    std::uint64_t checked = 0;  ///< events that are known to be whole and have not been read
    std::uint64_t events = 0, undefined = 0, unknown = 0;
    std::string first_undefined;
    Time last_time = ~Time{0};
    bool started = false, ended = false;
    std::list<Location*>::iterator place;  ///< in open_
  };

  // For the callbacks, which know a Location only.
  bool keep_lists() const { return keep_lists_; }
  void list(Location& l, OTF2_AttributeList* list);
  void fail() { failure_ = std::current_exception(); }

  std::size_t read_events(LocationId loc, void* sink, std::size_t max_events);
  /// Id of a region number that is not in the table, counted.
  static RegionId undefined_region(Location& l, std::uint32_t ref);

  friend struct EventCallbacks;

  Location* find(LocationId loc) const {
    return loc.index() < locations_.size() ? locations_[loc.index()].get() : nullptr;
  }
  bool open(Location& l);
  void close(Location& l);
  void read_local_definitions(Location& l);
  void end(Location& l, const std::string& damage);
  std::uint32_t resolve(Location& l, RefKind kind, std::uint64_t ref);
  std::uint64_t locate(Location& l, CommId comm, std::uint64_t rank, bool root, bool count);

  const Archive& archive_;
  const bool keep_lists_;
  const std::size_t max_open_;
  const Deliver deliver_;
  const DeliverList deliver_list_;
  std::unique_ptr<LibraryReader> library_;
  OTF2_EvtReaderCallbacks* callbacks_ = nullptr;
  std::vector<std::unique_ptr<Location>> locations_;  ///< by LocationId; null for those not asked for
  std::list<Location*> open_;                         ///< most recently used first
  std::vector<std::uint8_t> buffer_;                  ///< scratch of the checks
  std::vector<ListedAttribute> list_;
  std::vector<Value> tail_;
  Diagnostics diagnostics_;
  std::exception_ptr failure_;  ///< what a sink threw in a callback
};

template <class Sink>
class EventReader : public EventDecoder {
 public:
  /// Reads these locations of the archive, which must outlive the reader. At most `max_open` event files are open at
  /// once.
  EventReader(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
              std::size_t max_open = 256)
      : EventDecoder(archive, locations, keep_attribute_lists, max_open, &enter, &leave, &deliver, &deliver_list) {}

  /// Decodes up to max_events events of `loc` into `sink`; returns how many. Fewer only at its end: then at_end(loc) is
  /// true. Rethrows what the sink throws.
  std::size_t read(LocationId loc, Sink& sink, std::size_t max_events) { return read_events(loc, &sink, max_events); }

 private:
  template <class F>
  static OTF2_CallbackCode guarded(void* user, Time time, OTF2_RegionRef ref, OTF2_AttributeList* list, F&& f) {
    Location& l = *static_cast<Location*>(user);
    try {
      if (l.decoder->keep_lists()) [[unlikely]]
        l.decoder->list(l, list);
      const std::uint32_t id = l.regions->find(ref);
      l.last_time = time;
      f(*static_cast<Sink*>(l.sink), id != RefTable::none ? RegionId{id} : undefined_region(l, ref));
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      l.decoder->fail();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }
  static OTF2_CallbackCode enter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                 OTF2_AttributeList* list, OTF2_RegionRef ref) {
    return guarded(user, time, ref, list, [&](Sink& sink, RegionId region) { sink.enter(time, region); });
  }
  static OTF2_CallbackCode leave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                 OTF2_AttributeList* list, OTF2_RegionRef ref) {
    return guarded(user, time, ref, list, [&](Sink& sink, RegionId region) { sink.exit(time, region); });
  }
  static void deliver(void* sink, EventType type, Time t, const std::uint64_t* attributes,
                      std::span<const Value> tail) {
    static_cast<Sink*>(sink)->event(type, t, attributes, tail);
  }
  static void deliver_list(void* sink, std::span<const ListedAttribute> list) {
    static_cast<Sink*>(sink)->attribute_list(list);
  }
};

}  // namespace waitstate::otf2
