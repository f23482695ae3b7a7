// Locations whose next event waits for its cause, which is a send that has not been placed, or the begins of a
// collective operation.
//
// Cost: a search among the waiting locations for each that is added or removed.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "link/merge_feed.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::merge {

class WaitingLocations {
 public:
  /// The number of a send's slot, or of a collective operation; neither if it is not known.
  struct Cause {
    std::uint32_t message = link::Link::none, operation = link::Link::none;
    bool known() const { return message != link::Link::none || operation != link::Link::none; }
  };

  bool empty() const { return waiting_.empty(); }
  bool contains(LocationId l) const { return waiting_.contains(l); }
  /// Pairs of a location and its cause, in the order of locations.
  const std::map<LocationId, Cause>& all() const { return waiting_; }

  void add(LocationId l, const Cause& cause);
  /// Removes a location, whatever it waits for.
  void remove(LocationId l);
  /// Removes the location that waits for this send and returns it; none if no location does.
  LocationId take_receiver(std::uint32_t message);
  /// Locations that wait for begins of the operation, in the order in which they came.
  const std::vector<LocationId>& members(std::uint32_t operation) const;
  /// Removes the locations that wait for begins of the operation and for which may(location) holds, and calls
  /// wake(location).
  template <class May, class Wake>
  void take_members(std::uint32_t operation, May&& may, Wake&& wake) {
    const auto found = members_.find(operation);
    if (found == members_.end()) return;
    std::erase_if(found->second, [&](LocationId l) {
      if (!may(l)) return false;
      waiting_.erase(l);
      wake(l);
      return true;
    });
    if (found->second.empty()) members_.erase(found);
  }

 private:
  std::map<LocationId, Cause> waiting_;
  std::unordered_map<std::uint32_t, LocationId> receivers_;             ///< by message
  std::unordered_map<std::uint32_t, std::vector<LocationId>> members_;  ///< by operation
};

}  // namespace waitstate::merge
