// Finds attributes of a single event by name, for users who look at events one by one. A linear search over at most six
// names: users who need speed read Event::attributes by position.
#include "waitstate/trace/event.hpp"

namespace waitstate {

std::optional<std::uint64_t> Event::get(std::string_view name) const {
  const auto specs = spec(type).attributes();
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].name == name) return attributes[i];
  return std::nullopt;
}

}  // namespace waitstate
