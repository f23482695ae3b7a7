// Tells functions apart by their names, where their region classes do not.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::patterns {

/// Functions whose names, in lower case, contain one of `has` and none of `has_not`.
struct NamesWith {
  std::vector<std::string_view> has{""}, has_not{};

  bool operator()(const Region& region) const {
    std::string name = region.name;
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const auto contains = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    return std::any_of(has.begin(), has.end(), contains) && std::none_of(has_not.begin(), has_not.end(), contains);
  }
};

inline bool starts_nonblocking(const Region& region) {
  const std::string_view name = region.name;
  return name.size() > 5 && (name[4] == 'I' || name[4] == 'i');  // MPI_I…, mpi_i…
}

/// Functions with a root that gets something from all, in which all get something from all, and with a root that gives
/// something to all.
inline NamesWith all_to_one_functions() {
  return {.has = {"reduce", "gather"}, .has_not = {"allreduce", "reduce_scatter", "reduce_local", "allgather"}};
}
inline NamesWith nxn_functions() { return {.has = {"allreduce", "allgather", "alltoall", "reduce_scatter"}}; }
inline NamesWith one_to_all_functions() { return {.has = {"bcast", "scatter"}, .has_not = {"reduce_scatter"}}; }

}  // namespace waitstate::patterns
