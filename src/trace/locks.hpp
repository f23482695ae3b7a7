// Who had a lock before: every acquisition of a lock carries a number, and its release the same one, so that owners can
// be put in order without comparing clocks. An acquisition meets the release with the number before its own, whichever
// is read first; a thread that acquires a lock several times (nested) is one owner from its first number to its last.
//
// Cost: two hash lookups a record. Memory: locks that are held, and per lock what has not met: normally its first
// acquisition and its last release.
#pragma once

#include "trace/calls.hpp"
#include "trace/chunk.hpp"
#include "trace/flat_map.hpp"
#include "trace/link_listener.hpp"
#include "waitstate/definitions.hpp"

namespace waitstate::trace {

class Locks {
 public:
  Locks(const Definitions& definitions, Calls& calls, LinkListener* listener)
      : definitions_(definitions), calls_(calls), listener_(listener) {}

  /// A record of kind acquire or release of that location, in the call.
  void add(LocationId l, const TeamRecord& r, std::uint32_t call);

 private:
  static constexpr std::uint32_t none = CallState::none;

  struct Key {
    std::uint64_t lock = 0, who = 0;  ///< who: of held_ the location; of meetings_ the process and the number
    bool operator==(const Key&) const = default;
    std::uint64_t hash() const {
      const std::uint64_t h = (lock ^ who * 0x9e3779b97f4a7c15u) * 0xc2b2ae3d27d4eb4fu;
      return (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
    }
  };
  struct Held {
    std::uint32_t depth = 0, last = 0;  ///< acquisitions not released yet, number of the latest one
  };
  /// A release, and the acquisition with the number after it: the one that came first waits here.
  struct Meeting {
    std::uint32_t acquired = none, released = none;  ///< calls
    Time acquire_time = 0, release_time = 0;
  };

  void meet(const Key& key, std::uint32_t acquired, std::uint32_t released, Time t);

  const Definitions& definitions_;
  Calls& calls_;
  LinkListener* listener_;
  FlatMap<Key, Held> held_;
  FlatMap<Key, Meeting> meetings_;
};

}  // namespace waitstate::trace
