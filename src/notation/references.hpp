// Checks that everything that a line refers to is defined, so that later stages need not check it.
//
// Definition lines may refer to tables that come later in the file, so their references are kept and checked at the
// end; those of events are checked at once. Two things need no definition: locations if the file has no location lines
// (then the largest one in use says how many there are), and communicator 0 if it has no comm lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "notation/scanner.hpp"
#include "notation/tables.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::notation {

class References {
 public:
  /// Limit for locations without location lines: more than anybody writes by hand, but few enough that one short line
  /// cannot ask for a million, since the analysis of each takes several KiB of memory.
  static constexpr std::uint64_t max_implied_locations = 1u << 14;

  References(const Definitions& definitions, const std::string& path) : definitions_(definitions), path_(path) {}

  /// Records that definition `index` of `table` is referred to at `place`.
  void use(Table table, std::uint64_t index, const TextPlace& place) {
    if (tables_complete_)
      check(table, index, place);
    else
      kept_.push_back({table, index, place});
  }
  /// Says that all definition lines have been read: from now on references are checked as they come.
  void tables_complete();
  /// Says that all event lines have been read: checks the references of the definition lines.
  void check_kept();

  /// Number of locations in use that no line defines.
  std::size_t implied_locations() const { return implied_locations_; }
  /// True if communicator 0 is used and no line defines it.
  bool world_used() const { return world_used_; }

 private:
  struct Kept {
    Table table;
    std::uint64_t index;
    TextPlace place;
  };
  void check(Table table, std::uint64_t index, const TextPlace& place);

  const Definitions& definitions_;
  const std::string& path_;
  std::vector<Kept> kept_;
  bool tables_complete_ = false, locations_implied_ = false, world_implied_ = false;
  std::size_t implied_locations_ = 0;
  bool world_used_ = false;
};

}  // namespace waitstate::notation
