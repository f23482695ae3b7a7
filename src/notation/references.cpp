// Checks one reference against the size of its table or, where lines are implied, against the limit for those.
#include "notation/references.hpp"

#include <algorithm>

namespace waitstate::notation {

void References::tables_complete() {
  tables_complete_ = true;
  locations_implied_ = definitions_.locations.empty();
  world_implied_ = definitions_.comms.empty();
}

void References::check_kept() {
  for (const Kept& k : kept_) check(k.table, k.index, k.place);
  kept_.clear();
}

void References::check(Table table, std::uint64_t index, const TextPlace& place) {
  const std::size_t size = table_size(definitions_, table);
  if (index < size) return;
  if (table == Table::location && locations_implied_) {
    if (index >= max_implied_locations)
      fail(path_, place,
           "location " + std::to_string(index) + " is too large: without location lines at most " +
               std::to_string(max_implied_locations - 1));
    implied_locations_ = std::max<std::size_t>(implied_locations_, index + 1);
    return;
  }
  if (table == Table::comm && world_implied_ && index == 0) {
    world_used_ = true;
    return;
  }
  const std::string name(keyword(table));
  std::string message = name + " " + std::to_string(index) + " is not defined: ";
  if (size == 0)
    message += "there is no " + name + " line";
  else
    message += "the last one is " + name + " " + std::to_string(size - 1);
  fail(path_, place, message);
}

}  // namespace waitstate::notation
