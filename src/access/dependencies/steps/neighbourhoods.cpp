#include "access/dependencies/steps/neighbourhoods.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

namespace waitstate::access {

Neighbourhoods::Neighbours Neighbourhoods::of_grid(const CartTopology& topology, std::size_t size) const {
  using Coordinates = std::vector<std::uint64_t>;
  std::vector<Coordinates> places(size);
  const std::size_t entry = topology.dimensions.size() + 1;
  for (auto e = topology.coordinates.begin(); std::distance(e, topology.coordinates.end()) >= std::ptrdiff_t(entry);
       e += std::ptrdiff_t(entry))
    if (*e < size) places[*e].assign(std::next(e), e + std::ptrdiff_t(entry));
  std::map<Coordinates, std::size_t> rank_at;
  for (std::size_t rank = 0; rank < size; ++rank) rank_at.emplace(places[rank], rank);
  Neighbours neighbours(size);
  for (std::size_t rank = 0; rank < size; ++rank)
    for (std::size_t d = 0; d < places[rank].size(); ++d) {
      if (topology.dimensions[d].index() >= definitions_.cart_dimensions.size()) continue;
      const CartDimension& dimension = definitions_.cart_dimensions[topology.dimensions[d].index()];
      for (const std::int64_t step : {-1, 1}) {
        auto to = static_cast<std::int64_t>(places[rank][d]) + step;
        if (dimension.periodicity == CartPeriodicity::true_ && dimension.size != 0)
          to = (to + dimension.size) % dimension.size;
        if (to < 0 || to >= dimension.size) continue;
        Coordinates place = places[rank];
        place[d] = static_cast<std::uint64_t>(to);
        if (const auto found = rank_at.find(place); found != rank_at.end()) neighbours[rank].push_back(found->second);
      }
    }
  return neighbours;
}

std::optional<Neighbourhoods::Neighbours> Neighbourhoods::of_graph(const Comm& comm) const {
  const std::string name = "WAITSTATE::SOURCES::" + std::to_string(comm.ref);
  Neighbours neighbours;
  for (const LocationId member : comm.members) {
    if (!member.valid() || !definitions_[member].process.valid()) return std::nullopt;
    const std::vector<Property>& all = definitions_[definitions_[member].process].properties;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Property& p) { return p.name == name; });
    if (found == all.end() || found->value.type != ValueType::string ||
        found->value.bits >= definitions_.strings.size())
      return std::nullopt;
    std::istringstream ranks(definitions_.strings[found->value.bits]);
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

const std::optional<Neighbourhoods::Neighbours>& Neighbourhoods::of(CommId comm) {
  const auto [known, is_new] = known_.try_emplace(comm);
  if (!is_new) return known->second;
  const Comm& c = definitions_[comm];
  const auto& all = definitions_.cart_topologies;
  const auto grid = std::find_if(all.begin(), all.end(), [&](const CartTopology& t) {
    return t.comm == comm && !t.dimensions.empty() && !t.coordinates.empty();
  });
  return known->second = grid == all.end() ? of_graph(c) : of_grid(*grid, c.members.size());
}

}  // namespace waitstate::access
