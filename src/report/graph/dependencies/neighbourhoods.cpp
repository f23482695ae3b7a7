#include "report/graph/dependencies/neighbourhoods.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

namespace waitstate::report {

namespace {

using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours of_grid(const Definitions& definitions, const CartTopology& topology, std::size_t size) {
  using Place = std::vector<std::uint64_t>;
  std::vector<Place> places(size);
  const std::size_t entry = topology.dimensions.size() + 1;
  for (auto e = topology.coordinates.begin(); std::distance(e, topology.coordinates.end()) >= std::ptrdiff_t(entry);
       e += std::ptrdiff_t(entry))
    if (*e < size) places[*e].assign(std::next(e), e + std::ptrdiff_t(entry));
  Neighbours neighbours(size);
  for (std::size_t rank = 0; rank < size; ++rank)
    for (std::size_t d = 0; d < places[rank].size(); ++d) {
      if (topology.dimensions[d].index() >= definitions.cart_dimensions.size()) continue;
      const CartDimension& dimension = definitions.cart_dimensions[topology.dimensions[d].index()];
      for (const std::int64_t step : {-1, 1}) {
        auto to = static_cast<std::int64_t>(places[rank][d]) + step;
        if (dimension.periodicity == CartPeriodicity::true_ && dimension.size != 0)
          to = (to + dimension.size) % dimension.size;
        if (to < 0 || to >= dimension.size) continue;
        Place place = places[rank];
        place[d] = static_cast<std::uint64_t>(to);
        if (const auto found = std::find(places.begin(), places.end(), place); found != places.end())
          neighbours[rank].push_back(static_cast<std::size_t>(found - places.begin()));
      }
    }
  return neighbours;
}

std::optional<Neighbours> of_graph(const Definitions& definitions, const Comm& comm) {
  const std::string name = "WAITSTATE::SOURCES::" + std::to_string(comm.ref);
  Neighbours neighbours;
  for (const LocationId member : comm.members) {
    if (!member.valid() || !definitions[member].process.valid()) return std::nullopt;
    const std::vector<Property>& all = definitions[definitions[member].process].properties;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Property& p) { return p.name == name; });
    if (found == all.end() || found->value.type != ValueType::string || found->value.bits >= definitions.strings.size())
      return std::nullopt;
    std::istringstream ranks(definitions.strings[found->value.bits]);
    std::vector<std::size_t>& own = neighbours.emplace_back();
    for (std::string text; std::getline(ranks, text, ',');) {
      std::size_t rank = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
      if (error != std::errc{} || end != text.data() + text.size() || rank >= comm.members.size()) return std::nullopt;
      own.push_back(rank);
    }
  }
  return neighbours;
}

}  // namespace

std::optional<Neighbours> neighbours_of(const Definitions& definitions, CommId comm) {
  const Comm& c = definitions[comm];
  for (const CartTopology& topology : definitions.cart_topologies)
    if (topology.comm == comm) return of_grid(definitions, topology, c.members.size());
  return of_graph(definitions, c);
}

}  // namespace waitstate::report
