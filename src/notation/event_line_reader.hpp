// Reads event lines, e.g.
//
//     0 110 send dest=1 tag=7 com=0 len=8
//     0 120 exit MPI_Send @3=uint64:18205
//
// Types and attributes come from the table in event_type.hpp. The definition lines must have been read before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "notation/event_stream.hpp"
#include "notation/references.hpp"
#include "notation/scanner.hpp"
#include "notation/value_reader.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate::notation {

class EventLineReader {
 public:
  EventLineReader(Definitions& definitions, References& references);

  /// Appends the event of a line to the stream of its location, which is added if necessary.
  void read_line(Scanner& s, std::vector<EventStream>& streams);

 private:
  struct Named {
    RegionId region;  ///< the first region of that name
    std::size_t count = 0;
  };
  RegionId region(Scanner& s);
  void read_attributes(Scanner& s, const EventTypeSpec& type);
  void read_named(Scanner& s, const EventTypeSpec& type, std::size_t column);
  void read_listed(Scanner& s);
  std::uint64_t attribute(Scanner& s, const AttributeSpec& attribute);
  void add_missing(Scanner& s, const EventTypeSpec& type);

  Definitions& definitions_;
  References& references_;
  ValueReader values_;
  std::unordered_map<std::string, Named> regions_;
  // The event of the current line.
  std::array<std::uint64_t, 6> attributes_{};
  unsigned given_ = 0;  ///< bit i: attribute i was given; the bit behind the last attribute: the tail
  std::vector<Value> tail_;
  std::vector<ListedAttribute> list_;
};

}  // namespace waitstate::notation
