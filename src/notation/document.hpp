// A trace in text, an event a line: what tests, examples, bug reports and `waitstate print` use.
//
//     # a comment; blank lines are ignored, and what follows a # behind a blank (but not #3, the region of that index)
//     clock resolution=1000000000 offset=0 length=500
//     recorder creator="Score-P 8.4" properties=("SCOREP::X"="1")
//     location 0 name="Master thread" process=0
//     region 3 name=main role=function paradigm=compiler file="/apps/p2p.c" begin=19 end=25
//     metric_member 0 name=PAPI_TOT_CYC properties=(a=uint64:5,"b c"=string:"x",d=double:0x1.8p+1)
//     0 100 enter MPI_Send
//     0 110 send dest=1 tag=7 com=0 len=8
//     0 130 exit
//     1 140 exit #3 @2=uint64:18205
//     1 150 metric metric=0 values=(uint64:1,double:0x1p+0)
//     1 160 program_begin "/apps/p2p" args=("2","5000")
//
// Definition lines are: a table's keyword (Definitions::for_each_table), an index that counts from 0 in each table, and
// fields (T::fields); a field left out has its default, `ref` that of the index. They may stand anywhere in the file.
// Event lines are: location, time, type, and attributes (event_type.hpp), in any order. A number or hex32 left out is
// 0, `root` none, `com` 0, the region of an exit unknown; every other attribute has to be given.
//
// Values: numbers (also 0x…); enumerators by name, by number where they have none; references by index, or `none`;
// texts in quotes with \" \\ \n \t \xHH, or bare if they are a word of letters, digits and _!$.:/+- that starts with no
// digit; lists (a,b,c); typed values type:value, a double best in hexadecimal, which loses nothing; properties
// name=type:value.
//
// What is obvious may be left out:
//   - region lines: a name that no line defines is a region from its first use on, classified by its name;
//   - location lines: locations 0 to the largest in use exist, each a process of its own, "Rank 0", "Rank 1", …;
//   - process lines: each location is a process of its own;
//   - comm lines: communicator 0 is MPI_COMM_WORLD, the first CPU thread of each process;
//   - groups: `comm 1 name=halves members=(0,2)` lists locations, `members=all` is everybody and `members=self` each
//     process alone; `members_b` is the other side of an inter-communicator; `paradigm=openmp` makes it a thread team:
//         comm 0 name=MPI_COMM_WORLD members=all
//         comm 1 name=halves members=(0,2)
//         comm 2 name=team paradigm=openmp members=(0,1)
//
// Strings are numbered in the order of their use: Definitions::strings is the one table that has no lines. All
// references are checked, so that a Document never names a definition that it does not have.
//
// Cost: parsing is one pass over the definition lines and one over the event lines; the text is not kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "notation/event_stream.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::notation {

class Document {
 public:
  /// Reads a whole notation text; errors name it `path`. Throws TraceError, with path and line as its path().
  static Document parse(std::string_view text, const std::string& path = "notation");
  /// Reads a file. Throws TraceError.
  static Document read(const std::filesystem::path& path);
  /// Whether a file that begins with `first_bytes` is probably in this notation: printable text in which the first line
  /// that is neither blank nor a comment begins with a keyword or a number. A few kilobytes are enough.
  static bool looks_like(std::string_view first_bytes);

  /// The definitions, finished (Definitions::finish).
  const Definitions& definitions() const { return definitions_; }
  /// Number of events of a location, 0 if it has none or does not exist.
  std::size_t event_count(LocationId location) const {
    return location.index() < streams_.size() ? streams_[location.index()].size() : 0;
  }

  /// Passes the next events of `location` to `sink` in the order of their lines, at most `max_events`, and returns how
  /// many: 0 at the end. Attribute lists are always delivered. Different locations may be read at the same time.
  template <class Sink>
  std::size_t read(LocationId location, Sink& sink, std::size_t max_events) {
    return location.index() < streams_.size() ? streams_[location.index()].read(sink, max_events) : 0;
  }
  /// True if read() has delivered all events of this location.
  bool at_end(LocationId location) const {
    return location.index() >= streams_.size() || streams_[location.index()].at_end();
  }
  /// The place at which the location is being read, from which reading can continue.
  EventStream::Cursor place(LocationId location) const {
    return location.index() < streams_.size() ? streams_[location.index()].place() : EventStream::Cursor{};
  }
  void go_to(LocationId location, const EventStream::Cursor& place) {
    if (location.index() < streams_.size()) streams_[location.index()].go_to(place);
  }
  /// Returns to the first event of every location.
  void rewind() {
    for (EventStream& stream : streams_) stream.rewind();
  }

 private:
  Definitions definitions_;
  std::vector<EventStream> streams_;  ///< indexed by location
};

}  // namespace waitstate::notation
