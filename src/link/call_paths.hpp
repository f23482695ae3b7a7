// From a location's own call path numbers to the call paths of the whole trace.
//
// Most numbers stand for one call path each. Those below a team root do not: the same interval of a worker's own tree
// is called from wherever the master has forked the team, another place every time. So such a tree is attached: per
// call path of a fork there is a table from number to call path, filled as numbers come up. What a thread executes of a
// task is attached in the same way to where the task was, and may leave regions that were entered elsewhere. Cost: an
// index into a table. Memory: a table per location and call path that forked, however often.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "link/exchange/shared_call_tree.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/call_tree.hpp"

namespace waitstate::link {

class CallPaths {
 public:
  /// `shared`: of several workers, else null.
  CallPaths(CallTree& call_tree, std::size_t locations, SharedCallTree* shared = nullptr)
      : call_tree_(call_tree), shared_(shared), locations_(locations) {}

  void add(LocationId l, const replay::NewCallPath& p) {
    Location& location = locations_[l.index()];
    if (p.team_root && location.team_root == 0) location.team_root = p.number;
    if (location.team_root != 0) location.recorded.push_back(p);
    const bool in_team = p.team_root || (p.parent != 0 && location.in_team(p.parent));
    CallPathId id;
    if (!in_team) {
      id = find_or_add({location.ids[p.parent], p.region, p.program});
      call_tree_.seen(id, l, p.number);
    } else {
      location.below_root.resize(p.number - location.team_root + 1);
      location.below_root[p.number - location.team_root] = true;
    }
    location.ids.push_back(id);
  }

  /// Outside of segments; none for 0 and for what is below a team root.
  CallPathId at(LocationId l, std::uint32_t number) const { return locations_[l.index()].ids[number]; }
  /// Like at(), for all numbers: an array that is indexed by them.
  const CallPathId* all(LocationId l) const { return locations_[l.index()].ids.data(); }

  static constexpr std::uint32_t not_attached = ~std::uint32_t{0};
  /// Number of the location's attachment for teams that were forked in that call path (none: it is not known), or tasks
  /// that were there, `open` of whose regions are open: the innermost ones of that call path.
  std::uint32_t attachment(LocationId l, CallPathId where, std::uint32_t open = 0) {
    Location& location = locations_[l.index()];
    const auto [it, added] = location.attachment_of.try_emplace(
        std::uint64_t{open} << 32 | where.value, static_cast<std::uint32_t>(location.attachments.size()));
    if (added) location.attachments.push_back({where, open, {}});
    return it->second;
  }
  /// In a segment with that attachment, or outside of segments with not_attached.
  CallPathId at(LocationId l, std::uint32_t attachment, std::uint32_t number) {
    Location& location = locations_[l.index()];
    if (attachment == not_attached || !location.in_team(number)) return location.ids[number];
    Attachment& a = location.attachments[attachment];
    const std::size_t i = number - location.team_root;
    if (location.recorded[i].team_root) return a.where;
    if (a.ids.size() <= i) a.ids.resize(location.recorded.size());
    if (!a.ids[i].valid()) find(l, location, a, i);
    return a.ids[i];
  }

  /// The call path that an event's number stands for there: of an exit from outside of a task's segment the region that
  /// it left.
  CallPathId of_event(LocationId l, std::uint32_t attachment, std::uint32_t number) {
    return is_up(l, number) ? left(l, attachment, number).callpath : at(l, attachment, number);
  }
  /// True for the root of a segment's call paths, which stands for where the segment is attached.
  bool is_root(LocationId l, std::uint32_t number) const {
    const Location& location = locations_[l.index()];
    return location.in_team(number) && location.recorded[number - location.team_root].team_root;
  }
  /// False if the location has had no segments so far.
  bool has_attachments(LocationId l) const { return locations_[l.index()].team_root != 0; }

  /// The effect of exits that left regions from outside of a task's segment, up to `number`.
  struct Left {
    std::uint32_t regions = 0;  ///< number of regions that were left
    std::uint32_t inside = 0;   ///< number of regions that were still open inside the one that the last exit left
    bool matched = true;        ///< the last exit was of an open region
    CallPathId callpath;        ///< call path of the region that the last exit left
    std::uint32_t open = 0;     ///< number of regions that may still be left
  };
  Left left(LocationId l, std::uint32_t attachment, std::uint32_t number) const {
    const Location& location = locations_[l.index()];
    if (attachment == not_attached || !location.in_team(number)) return {};
    return left(location, location.attachments[attachment], number - location.team_root);
  }
  /// The outermost call path on the way to this one that ends in the same region.
  CallPathId outermost(CallPathId callpath) {
    if (!callpath.valid()) return callpath;
    if (outermost_.size() <= callpath.index()) outermost_.resize(call_tree_.size());
    CallPathId& found = outermost_[callpath.index()];
    if (found.valid()) return found;
    found = callpath;
    for (CallPathId p = call_tree_[callpath].parent; p.valid(); p = call_tree_[p].parent)
      if (call_tree_[p].region == call_tree_[callpath].region && call_tree_[callpath].region.valid()) found = p;
    return found;
  }
  /// True if the number stands for a call path less the region that an exit left.
  bool is_up(LocationId l, std::uint32_t number) const {
    const Location& location = locations_[l.index()];
    return location.in_team(number) && location.recorded[number - location.team_root].up;
  }

 private:
  struct Attachment {
    CallPathId where;
    std::uint32_t open = 0;       ///< regions that may be left
    std::vector<CallPathId> ids;  ///< by number less the team root's
  };
  struct Location {
    std::vector<CallPathId> ids{CallPathId::none()};  ///< by number
    std::uint32_t team_root = 0;                      ///< 0: there are no segments
    std::vector<replay::NewCallPath> recorded;        ///< from the team root on
    std::vector<bool> below_root;                     ///< for each of `recorded`, whether it is below the team root
    std::vector<Attachment> attachments;
    std::unordered_map<std::uint64_t, std::uint32_t> attachment_of;  ///< by call path of the fork, and open regions

    bool in_team(std::uint32_t number) const {
      return team_root != 0 && number >= team_root && number - team_root < below_root.size() &&
             below_root[number - team_root];
    }
  };

  CallPathId find_or_add(const CallPath& path) {
    return shared_ == nullptr ? call_tree_.find_or_add(path) : shared_->find_or_add(path, call_tree_);
  }

  void find(LocationId l, const Location& location, Attachment& a, std::size_t i) {
    std::vector<std::size_t> missing;  // up to an ancestor that is known
    for (; !location.recorded[i].team_root && !a.ids[i].valid(); i = location.recorded[i].parent - location.team_root)
      missing.push_back(i);
    CallPathId id = location.recorded[i].team_root ? a.where : a.ids[i];
    for (; !missing.empty(); missing.pop_back()) {
      const replay::NewCallPath& p = location.recorded[missing.back()];
      if (p.up) {
        id = a.where;
        for (std::uint32_t n = left(location, a, missing.back()).regions; n != 0; --n) id = call_tree_[id].parent;
        a.ids[missing.back()] = id;
        continue;
      }
      id = a.ids[missing.back()] = find_or_add({id, p.region, p.program});
      call_tree_.seen(id, l, p.number);
    }
  }

  // Exits in a row are few: as many as a task has regions open when it is interrupted.
  Left left(const Location& location, const Attachment& a, std::size_t i) const {
    std::vector<RegionId> exits;  // from the last on
    for (; location.recorded[i].up; i = location.recorded[i].parent - location.team_root)
      exits.push_back(location.recorded[i].region);
    Left found;
    CallPathId at = a.where;
    for (; !exits.empty(); exits.pop_back()) {
      CallPathId open = at;
      std::uint32_t steps = 0;
      const std::uint32_t most = a.open - found.regions;
      while (steps < most && exits.back().valid() && call_tree_[open].region != exits.back())
        open = call_tree_[open].parent, ++steps;
      found.matched = steps < most;
      found.inside = found.matched ? steps : 0;
      found.callpath = found.matched ? open : CallPathId::none();
      if (!found.matched) continue;
      found.regions += steps + 1;
      at = call_tree_[open].parent;
    }
    found.open = a.open - found.regions;
    return found;
  }

  CallTree& call_tree_;
  SharedCallTree* const shared_;
  util::PagedTable<Location> locations_;
  std::vector<CallPathId> outermost_;  ///< by call path, as far as asked for
};

}  // namespace waitstate::link
