// The definitions' part in one-sided communication of MPI: which windows are MPI's, which have several members, and
// which regions lock or unlock.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::causes {

class IdealWindows {
 public:
  explicit IdealWindows(const Definitions& definitions) {
    for (std::size_t w = 0; w < definitions.rma_wins.size(); ++w) {
      const CommId comm = definitions.rma_wins[w].comm;
      const bool of_mpi = definitions.is_of_mpi(RmaWinId{w});
      windows_.push_back({of_mpi, of_mpi && !definitions[comm].self && definitions[comm].members.size() > 1});
    }
    for (const Region& r : definitions.regions) {
      const std::string name = windows_.empty() ? std::string() : mpi_base_name(r.name);
      unlocks_.push_back(name == "win_unlock" || name == "win_unlock_all");
      locks_.push_back(unlocks_.back() || name == "win_lock" || name == "win_lock_all");
    }
  }

  /// There is a window of MPI.
  bool any() const {
    return std::any_of(windows_.begin(), windows_.end(), [](const Window& w) { return w.of_mpi; });
  }
  bool of_mpi(RmaWinId win) const { return win.index() < windows_.size() && windows_[win.index()].of_mpi; }
  /// It is MPI's, and has several members.
  bool meets(RmaWinId win) const { return win.index() < windows_.size() && windows_[win.index()].meets; }
  /// The region locks or unlocks; unlocks.
  bool locks(RegionId region) const { return region.index() < locks_.size() && locks_[region.index()]; }
  bool unlocks(RegionId region) const { return region.index() < unlocks_.size() && unlocks_[region.index()]; }

 private:
  struct Window {
    bool of_mpi, meets;
  };
  std::vector<Window> windows_;
  std::vector<bool> unlocks_, locks_;  ///< by region
};

}  // namespace waitstate::causes
