// From a location's own call path numbers to the call paths of the whole trace.
//
// Most numbers stand for one call path each. Those below a team root do not: the same stretch of a worker's own tree is
// called from wherever the master has forked the team, another place every time. So such a tree is grafted: per call
// path of a fork there is a table from number to call path, filled as numbers come up. Cost: an index into a table.
// Memory: a table per location and call path that forked, however often.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/chunk.hpp"
#include "waitstate/call_tree.hpp"

namespace waitstate::trace {

class CallPaths {
 public:
  CallPaths(CallTree& call_tree, std::size_t locations) : call_tree_(call_tree), locations_(locations) {}

  void add(LocationId l, const NewCallPath& p) {
    Location& location = locations_[l.index()];
    if (p.team_root && location.team_root == 0) location.team_root = p.number;
    if (location.team_root != 0) location.recorded.push_back(p);
    const bool in_team = p.team_root || (p.parent != 0 && location.in_team(p.parent));
    CallPathId id;
    if (!in_team) {
      id = call_tree_.find_or_add({location.ids[p.parent], p.region, p.program});
      call_tree_.seen(id, l, p.number);
    } else {
      location.below_root.resize(p.number - location.team_root + 1);
      location.below_root[p.number - location.team_root] = true;
    }
    location.ids.push_back(id);
  }

  /// Outside of segments; none for 0 and for what is below a team root.
  CallPathId at(LocationId l, std::uint32_t number) const { return locations_[l.index()].ids[number]; }

  static constexpr std::uint32_t no_graft = ~std::uint32_t{0};
  /// Number of the location's graft for teams that were forked in that call path (none: it is not known).
  std::uint32_t graft(LocationId l, CallPathId fork) {
    Location& location = locations_[l.index()];
    const auto [it, added] =
        location.graft_of.try_emplace(fork.value, static_cast<std::uint32_t>(location.grafts.size()));
    if (added) location.grafts.push_back({fork, {}});
    return it->second;
  }
  /// In a segment with that graft, or outside of segments with no_graft.
  CallPathId at(LocationId l, std::uint32_t graft, std::uint32_t number) {
    Location& location = locations_[l.index()];
    if (graft == no_graft || !location.in_team(number)) return location.ids[number];
    Graft& g = location.grafts[graft];
    const std::size_t i = number - location.team_root;
    if (i == 0) return g.fork;
    if (g.ids.size() <= i) g.ids.resize(location.recorded.size());
    if (!g.ids[i].valid()) find(l, location, g, i);
    return g.ids[i];
  }

 private:
  struct Graft {
    CallPathId fork;
    std::vector<CallPathId> ids;  ///< by number less the team root's
  };
  struct Location {
    std::vector<CallPathId> ids{CallPathId::none()};  ///< by number
    std::uint32_t team_root = 0;                      ///< 0: there are no segments
    std::vector<NewCallPath> recorded;                ///< from the team root on
    std::vector<bool> below_root;                     ///< of those, whether they are below it
    std::vector<Graft> grafts;
    std::unordered_map<std::uint32_t, std::uint32_t> graft_of;  ///< by call path of the fork

    bool in_team(std::uint32_t number) const {
      return team_root != 0 && number >= team_root && number - team_root < below_root.size() &&
             below_root[number - team_root];
    }
  };

  void find(LocationId l, const Location& location, Graft& g, std::size_t i) {
    std::vector<std::size_t> missing;  // up to an ancestor that is known
    for (; i != 0 && !g.ids[i].valid(); i = location.recorded[i].parent - location.team_root) missing.push_back(i);
    CallPathId id = i == 0 ? g.fork : g.ids[i];
    for (; !missing.empty(); missing.pop_back()) {
      const NewCallPath& p = location.recorded[missing.back()];
      id = g.ids[missing.back()] = call_tree_.find_or_add({id, p.region, p.program});
      call_tree_.seen(id, l, p.number);
    }
  }

  CallTree& call_tree_;
  std::vector<Location> locations_;
};

}  // namespace waitstate::trace
