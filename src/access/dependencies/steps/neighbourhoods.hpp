// The neighbours of each rank in neighbourhood collective operations (MPI_Neighbor_…, MPI_Ineighbor_…).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::access {

class Neighbourhoods {
 public:
  /// By rank those whose data it needs.
  using Neighbours = std::vector<std::vector<std::size_t>>;

  explicit Neighbourhoods(const Definitions& definitions) : definitions_(definitions) {}

  /// Of a Cartesian topology one step down and one up in each dimension, of a graph those that a property of each
  /// member's process names. Nothing if the trace does not say. Found out once a communicator.
  const std::optional<Neighbours>& of(CommId comm);

 private:
  Neighbours of_grid(const CartTopology& topology, std::size_t size) const;
  std::optional<Neighbours> of_graph(const Comm& comm) const;

  const Definitions& definitions_;
  std::map<CommId, std::optional<Neighbours>> known_;
};

}  // namespace waitstate::access
