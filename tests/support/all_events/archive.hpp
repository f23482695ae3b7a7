// Writing a small OTF2 archive: definitions collected first and written last, events counted as they are written.
//
// A location's definition holds its number of events, so the global definitions can only be written once all events
// are; but events need the references of definitions, and mapping tables their number. So definitions are collected as
// closures (in any order, which is how a trace with definitions out of order is made) and written on close().
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace all_events {

/// Throws with OTF2's own words if a call failed.
void check(OTF2_ErrorCode code, std::string_view doing);

class Definitions {
 public:
  /// `first` and `stride`: references of strings, for traces whose references are not dense.
  explicit Definitions(OTF2_StringRef first = 0, OTF2_StringRef stride = 1) : next_(first), stride_(stride) {}

  /// Reference of a string, defined right here if it is new.
  OTF2_StringRef string(const std::string& text);
  std::size_t string_count() const { return strings_.size(); }

  /// Adds what `write(writer)` writes.
  void add(std::function<OTF2_ErrorCode(OTF2_GlobalDefWriter*)> write) { records_.push_back(std::move(write)); }
  /// Adds one record by OTF2's function for it; arguments are copied, so no arrays here. At least one argument, for
  /// otherwise a closure would be taken for such a function, and wrapped in another one without end.
  template <class Function, class First, class... Arguments>
  void add(Function function, First first, Arguments... arguments) {
    add([=](OTF2_GlobalDefWriter* w) { return function(w, first, arguments...); });
  }
  void reverse();
  void write(OTF2_GlobalDefWriter* writer) const;

 private:
  OTF2_StringRef next_, stride_;
  std::unordered_map<std::string, OTF2_StringRef> strings_;
  std::vector<std::function<OTF2_ErrorCode(OTF2_GlobalDefWriter*)>> records_;
};

enum class Mapping : std::uint8_t { none, dense, sparse };

/// Local references of a location: where it has mapping tables, the global ones counted backwards.
class LocalIds {
 public:
  using Sizes = std::array<std::uint64_t, OTF2_MAPPING_MAX>;  ///< definitions of each mapped kind; 0: not mapped

  LocalIds(Mapping mapping, const Sizes& sizes) : mapping_(mapping), sizes_(sizes) {}

  std::uint32_t operator()(OTF2_MappingType kind, std::uint64_t global) const {
    return static_cast<std::uint32_t>(mapping_ == Mapping::none || !sizes_[kind] ? global : sizes_[kind] - 1 - global);
  }
  void write(OTF2_DefWriter* writer) const;

 private:
  Mapping mapping_;
  Sizes sizes_;
};

/// One location's events, ten ticks apart.
class Stream {
 public:
  Stream(OTF2_EvtWriter* writer, std::uint64_t start) : writer_(writer), time_(start) {}

  /// Writes one event: `name` is its name in the text notation, `function` is OTF2's writer, followed by its arguments
  /// after the time.
  template <class Function, class... Arguments>
  void write(const char* name, Function function, Arguments... arguments) {
    check(function(writer_, attributes_.get(), time_ += 10, arguments...), name);
    ++counts_[name];
  }
  /// Attributes of the next event; OTF2 empties the list when it has written that.
  OTF2_AttributeList* attributes() { return attributes_.get(); }
  /// Nothing happens before `time`.
  void wait_until(std::uint64_t time) { time_ = time_ > time ? time_ : time; }

  std::uint64_t now() const { return time_; }
  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  struct DeleteList {
    void operator()(OTF2_AttributeList* list) const { OTF2_AttributeList_Delete(list); }
  };
  OTF2_EvtWriter* writer_;
  std::unique_ptr<OTF2_AttributeList, DeleteList> attributes_{OTF2_AttributeList_New()};
  std::uint64_t time_;
  std::map<std::string, std::uint64_t> counts_;
};

class Archive {
 public:
  /// Creates `directory`/`name`.otf2 and what belongs to it; the directory must not hold one yet.
  Archive(std::string directory, const std::string& name);

  /// The events of a location; the reference stays valid until close().
  Stream& events(OTF2_LocationRef location, std::uint64_t start = 1000);
  /// A clock offset (ticks to add) of a location, for its file of local definitions.
  void clock_offset(OTF2_LocationRef location, std::uint64_t time, std::int64_t offset);
  void local_ids(OTF2_LocationRef location, const LocalIds& ids);
  /// Adds local definitions of a location, which `write` writes behind the usual ones.
  void local_definitions(OTF2_LocationRef location, std::function<void(OTF2_DefWriter*)> write);
  /// Number of events written so far to that location.
  std::uint64_t count(OTF2_LocationRef location) const;
  /// A location's definition, with its number of events as of close().
  void define_location(Definitions& definitions, OTF2_LocationRef ref, const std::string& name, OTF2_LocationType type,
                       OTF2_LocationGroupRef group);
  OTF2_Archive* handle() const { return archive_.get(); }

  /// Writes local and global definitions and records.csv (`location,event,count`), e.g. `4294967296,enter,2`.
  void close(const Definitions& definitions);

 private:
  struct Location {
    std::unique_ptr<Stream> stream;
    std::vector<std::pair<std::uint64_t, std::int64_t>> offsets;
    std::unique_ptr<LocalIds> ids;
    std::function<void(OTF2_DefWriter*)> others;
  };
  struct CloseArchive {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
  };
  std::string directory_;
  std::unique_ptr<OTF2_Archive, CloseArchive> archive_;
  std::map<OTF2_LocationRef, Location> locations_;
};

}  // namespace all_events
