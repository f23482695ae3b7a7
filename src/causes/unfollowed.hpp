// The waits that are known, but followed only with the parameter all_waits: where the critical path passes one of them
// it may be another one, and the costs of delays lack what caused them.
//
// Memory: 32 bytes a wait, spilled; of pieces of the critical path 24 bytes each, while these are compared.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "causes/kinds.hpp"
#include "util/spill/spilled_vector.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::causes {

/// A stretch of the critical path on one location, without the wait that it begins after.
struct PathPiece {
  LocationId location;
  Time from = 0, to = 0;
};

struct UnfollowedWait {
  LocationId location;
  CallPathId callpath;
  Time begin = 0, end = 0;
};

class UnfollowedWaits {
 public:
  explicit UnfollowedWaits(std::size_t spill_beyond) {
    waits_.push_back(std::make_unique<util::SpilledVector<UnfollowedWait>>(spill_beyond));
  }

  /// Takes over the waits of another worker.
  void join(UnfollowedWaits& other);

  template <class Archive>
  void travel(Archive& archive) {
    archive(*waits_.front(), longest_);
  }

  /// A wait of that kind, which ended at `end`.
  void add(PointKind kind, LocationId location, CallPathId callpath, Time end, Ticks ticks);

  bool empty() const {
    return std::all_of(waits_.begin(), waits_.end(), [](const auto& of_worker) { return of_worker->empty(); });
  }
  /// The call path of the longest wait of that type, of several that of the least location, begin and call path; none
  /// if there is none.
  CallPathId longest(DelayType type) const { return longest_[static_cast<std::size_t>(type)].callpath; }
  /// The call path of the wait of which the longest part lies in one of these pieces; none if there is none.
  CallPathId longest_in(std::vector<PathPiece> pieces) const;
  /// visit(const UnfollowedWait&) of all.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const auto& of_worker : waits_) of_worker->each(0, of_worker->size(), visit);
  }

 private:
  void find_longest(DelayType type, const UnfollowedWait& wait);

  std::vector<std::unique_ptr<util::SpilledVector<UnfollowedWait>>> waits_;  ///< by worker
  std::array<UnfollowedWait, delay_type_count> longest_{};
};

}  // namespace waitstate::causes
