// The values that message queues have for each call path and location that posts receives (QueueValue).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "waitstate/result/message_queues.hpp"

namespace waitstate::analysis {

/// Index of a value that is not `none`.
constexpr std::size_t index_of(QueueValue v) { return static_cast<std::size_t>(v) - 1; }

struct QueuePlace {
  CallPathId path;
  LocationId location;
  std::array<std::int64_t, 2 * queue_values> values{};
};

class QueuePlaces {
 public:
  /// The reference is valid until the next call.
  QueuePlace& at(CallPathId path, LocationId location) {
    std::uint32_t& known = index_.find_or_insert({path.value, location.value});
    if (known == 0) {
      all_.push_back({path, location, {}});
      known = static_cast<std::uint32_t>(all_.size());
    }
    return all_[known - 1];
  }
  const std::vector<QueuePlace>& all() const { return all_; }

 private:
  struct PathKey {
    std::uint32_t path = 0, location = 0;
    bool operator==(const PathKey&) const = default;
    std::uint64_t hash() const { return util::spread(util::joined(path, location)); }
  };
  util::FlatMap<PathKey, std::uint32_t> index_;  ///< index into the values, plus 1
  std::vector<QueuePlace> all_;
};

}  // namespace waitstate::analysis
