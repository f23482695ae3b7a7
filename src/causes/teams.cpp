#include "causes/teams.hpp"

namespace waitstate::causes {

std::optional<Time> Teams::last_join(LocationId master) const {
  const auto found = threads.find(master);
  if (found == threads.end() || !found->second.has_joined || found->second.in) return std::nullopt;
  return found->second.joined;
}

std::vector<LocationId> Teams::masters() const {
  std::vector<LocationId> all;
  for (const auto& [location, thread] : threads)
    if (thread.has_forked) all.push_back(location);
  return all;
}

}  // namespace waitstate::causes
