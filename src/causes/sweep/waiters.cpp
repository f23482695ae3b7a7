#include "causes/sweep/waiters.hpp"

#include <utility>

namespace waitstate::causes {

Waiter& Waiters::add(PointId culprit) {
  const std::uint64_t own = key(culprit);
  auto told = told_.find(own);
  if (told == told_.end() && !spare_told_.empty()) {
    spare_told_.back().key() = own;
    told = told_.insert(std::move(spare_told_.back())).position;
    spare_told_.pop_back();
  } else if (told == told_.end()) {
    told = told_.try_emplace(own).first;
  }
  return told->second.emplace_back();
}

WorkSums::Paths Waiters::take_paths() {
  if (spare_paths_.empty()) return {};
  WorkSums::Paths paths = std::move(spare_paths_.back());
  spare_paths_.pop_back();
  return paths;
}

void Waiters::forget(Told::node_type told) {
  for (Waiter& w : told.mapped()) {
    if (spare_paths_.size() == most_spare) break;
    w.worked.clear();
    spare_paths_.push_back(std::move(w.worked));
  }
  told.mapped().clear();
  spare_told_.push_back(std::move(told));
}

}  // namespace waitstate::causes
