#include "causes/recorded.hpp"

#include <algorithm>

namespace waitstate::causes {

std::optional<std::string> Recorded::left_out() const {
  if (teams.has_others)
    return "the program has tasks without teams, or parts of thread teams whose fork is not in the trace: what they "
           "cause is not analysed";
  if (teams.has_tasks && !wanted.all_waits)
    return "the program has explicit tasks, which are analysed as causes only with the parameter "
           "critical_path.all_waits=1";
  return std::nullopt;
}

std::size_t Recorded::threads_beside(LocationId master) const {
  const std::vector<LocationId>& all = definitions[definitions[master].process].locations;
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](LocationId l) {
    return l != master && definitions[l].type == LocationType::cpu_thread && work.used(l);
  }));
}

void Recorded::share(unsigned readers) const {
  points.share(readers), groups.share(readers), teams.forks.share(readers), work.share(readers);
}

void Recorded::end_sharing() const {
  points.end_sharing(), groups.end_sharing(), teams.forks.end_sharing(), work.end_sharing();
}

}  // namespace waitstate::causes
