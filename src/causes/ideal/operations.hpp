// Collective operations on an ideal machine: blocking and non-blocking ones, among all or among neighbours, and those
// on windows, which are barriers.
//
// A member's part has two halves, in any order: the record in the stream, at which its location does a step, and the
// operation, which tells who needs whom. They find each other by location, communicator or window, begin and end; of
// parts that agree in all of these by the call path of the end, and if that agrees too the first record belongs to the
// first operation. Of a non-blocking one the request gives what others need, and the completion needs it; of a blocking
// one its only record does both.
//
// Invariant: a member needs only those that began before its end. Cost: constant for a part where all need all, else a
// look at the other members. Memory: 100 bytes a part of an operation that is open; of those whose operation never came
// the last `most_pending` are remembered.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causes/ideal/clocks.hpp"

namespace waitstate::causes {

/// Who needs whom in an operation.
struct IdealNeeds {
  CollectiveKind kind{};
  std::uint32_t root = Collective::no_root, group_a = 0;
  bool nobody = false;  ///< needs anybody
  bool nonblocking = false;
  bool neighbourhood = false;
};
/// A member of an operation.
struct IdealMember {
  LocationId location;  ///< at which it ends
  CallPathId callpath;  ///< of the call in which it ends
  Time begin = 0, end = 0;
  bool sends = true, receives = true;
  std::span<const std::uint32_t> neighbours{};  ///< whose data it needs
};

class IdealOperations {
 public:
  static constexpr std::uint32_t nothing = IdealClocks::nothing;

  explicit IdealOperations(IdealClocks& clocks) : clocks_(clocks) {}

  void clear() {
    parts_.clear(), operations_.clear(), free_parts_.clear(), free_operations_.clear();
    unmatched_.clear(), given_up_parts_.clear(), issued_.clear();
    given_up_ = 0;
  }

  /// What an operation is on; of MPI_Init and MPI_Finalize no communicator.
  static std::uint64_t on(CommId comm) { return comm.value; }
  static std::uint64_t on(RmaWinId win) { return std::uint64_t{1} << 63 | win.value; }

  // ---- records ----

  /// The part of which that is the end.
  std::uint32_t recorded(const Event& e, std::uint64_t on_what) {
    const PartKey key{e.loc, on_what, 0, e.time};
    std::uint32_t p = announced(key, e.callpath);
    if (p == nothing) p = add(key, e.callpath, take_unused(parts_, free_parts_));
    parts_[p].recorded = true;
    return p;
  }
  /// The part of a non-blocking operation that the request at this position begins; or of a call, by its enter.
  std::uint32_t issued(waitstate::Position request, Time begin) {
    const std::uint32_t p = take_unused(parts_, free_parts_);
    parts_[p].begin = begin, parts_[p].issue_pending = true;
    issued_.emplace_hint(issued_.end(), request, p);
    if (issued_.size() > IdealClocks::most_pending) {
      free(issued_.begin()->second);
      issued_.erase(issued_.begin());
    }
    return p;
  }
  /// The same at its end; nothing if the request is not known.
  std::uint32_t finished(waitstate::Position request, const Event& end, std::uint64_t on_what, bool nonblocking) {
    const std::uint32_t p = take_request(request);
    if (p == nothing) return nothing;
    const PartKey key{end.loc, on_what, nonblocking ? parts_[p].begin + 1 : 0, end.time};
    parts_[p].recorded = true;
    const std::uint32_t other = announced(key, end.callpath);
    if (other == nothing) return add(key, end.callpath, p);
    Part& part = parts_[p];
    part.location = end.loc, part.operation = parts_[other].operation, part.member = parts_[other].member;
    operations_[part.operation].members[part.member].part = p;
    free_parts_.push_back(other);
    if (part.arrived) arrive(part);
    return p;
  }
  /// Nobody needs it.
  void drop_request(waitstate::Position request) {
    if (const std::uint32_t p = take_request(request); p != nothing) free(p);
  }

  // ---- operations ----

  void announce(const IdealNeeds& needs, std::uint64_t on_what, std::span<const IdealMember> members) {
    const std::uint32_t number = take_unused(operations_, free_operations_);
    Operation& o = operations_[number];
    o.needs_of = needs;
    Time first_end = ~Time{0}, last_begin = 0;
    bool all_move = needs.kind == CollectiveKind::all_to_all;
    for (const IdealMember& m : members) {
      o.members.push_back({m.begin, m.end, m.sends, m.receives});
      first_end = std::min(first_end, m.end), last_begin = std::max(last_begin, m.begin);
      all_move = all_move && m.sends && m.receives;
    }
    const bool all_kind = needs.kind == CollectiveKind::init || needs.kind == CollectiveKind::finalize ||
                          needs.kind == CollectiveKind::barrier || all_move;
    o.everybody = needs.group_a == 0 && !needs.neighbourhood && !needs.nobody && all_kind && first_end >= last_begin;
    if (needs.neighbourhood && !needs.nobody) o.tell_neighbours(members);
    if (!o.everybody)
      for (std::uint32_t i = 0; i < o.members.size(); ++i)
        o.for_each_needing(i, [&](Member& needing) { ++needing.missing; });
    for (std::uint32_t i = 0; i < o.members.size(); ++i) {
      const PartKey key{members[i].location, on_what, needs.nonblocking ? members[i].begin + 1 : 0, members[i].end};
      std::uint32_t p = known(key, members[i].callpath);
      if (p == nothing) p = add(key, members[i].callpath, take_unused(parts_, free_parts_));
      o.members[i].part = p;
      parts_[p].operation = number, parts_[p].member = i;
    }
    for (std::uint32_t i = 0; i < o.members.size(); ++i) {
      const Part& p = parts_[o.members[i].part];
      if (p.arrived) arrive(p);
      if (p.arrived) clocks_.wake(p.location);
      if (given_up_parts_.erase(p.given_up) != 0) leave(o.members[i].part);
    }
  }

  // ---- steps ----

  void issues(LocationId l, std::uint32_t number) {
    Part& p = parts_[number];
    p.issue_pending = false;
    if (p.unused) return free(number);
    if (p.arrived) return;  // its end was given up
    p.arrived = true, p.arrival = clocks_.now(l);
    if (p.operation != nothing) arrive(p);
    if (p.location.valid() && p.location != l) clocks_.wake(p.location);
  }
  bool finishes(LocationId l, const IdealStep& step) {
    const Part& p = parts_[step.number];
    if (p.operation == nothing || !p.arrived) return false;
    const Operation& o = operations_[p.operation];
    const Member& m = o.members[p.member];
    if (o.everybody ? o.arrived < o.members.size() : m.missing > 0) return false;
    clocks_.wait(l, o.everybody ? o.last : m.ready, step.callpath);
    leave(step.number);
    return true;
  }
  bool takes_part(LocationId l, const IdealStep& step) {
    Part& p = parts_[step.number];
    if (!p.arrived) {
      p.arrived = true, p.arrival = clocks_.now(l);
      if (p.operation != nothing) arrive(p);
    }
    return finishes(l, step);
  }

  bool is_unknown(const IdealStep& step) const { return parts_[step.number].operation == nothing; }
  /// A step that needs others goes on without.
  void give_up(const IdealStep& step) {
    ++given_up_;
    Part& p = parts_[step.number];
    if (!p.arrived) {  // a non-blocking one that another thread began, and did not come to
      p.arrived = true, p.arrival = clocks_.now(p.location);
      if (p.operation != nothing) arrive(p);
    }
    if (p.operation == nothing)
      give_up_part(step.number);
    else
      leave(step.number);
  }
  /// How often that was.
  std::int64_t given_up() const { return given_up_; }

 private:
  struct Part {
    LocationId location;
    CallPathId callpath;
    std::uint64_t on_what = 0;
    Time begin = 0, end = 0, arrival = 0;
    std::uint32_t operation = nothing, member = 0;
    std::uint32_t next = nothing;  ///< unmatched one of the same key
    std::uint64_t given_up = 0;    ///< number of it, 0 if it is not
    bool recorded = false, arrived = false;
    bool issue_pending = false;  ///< of a non-blocking one: the step that begins it is still to come
    bool unused = false;         ///< ... and then it is free
  };
  struct PartKey {
    LocationId location;
    std::uint64_t on_what;
    Time begin;  ///< of a non-blocking one plus one, else 0
    Time end;
    bool operator==(const PartKey&) const = default;
  };
  struct HashOfPart {
    std::size_t operator()(const PartKey& k) const {
      const std::uint64_t h =
          (k.end ^ (std::uint64_t{k.location.value} << 32 ^ k.on_what) ^ k.begin * 0xc2b2ae3d27d4eb4fu) *
          0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };
  /// Of one key, either recorded or announced by the operation.
  struct Unmatched {
    std::uint32_t first = nothing, last = nothing;
  };
  struct Member {
    Time begin, end;
    bool sends, receives;
    std::uint32_t part = nothing, missing = 0;  ///< missing: members that it needs and that have not arrived
    Time ready = 0;
  };
  struct Operation {
    IdealNeeds needs_of;
    std::uint32_t arrived = 0, left = 0;
    bool everybody = false;  ///< needs everybody
    Time last = 0;           ///< arrival
    std::vector<Member> members{};
    std::vector<std::uint32_t> needing{}, needing_begin{};  ///< whose neighbour a member is

    void tell_neighbours(std::span<const IdealMember> all) {
      needing_begin.assign(all.size() + 2, 0);
      for (const IdealMember& m : all)
        for (const std::uint32_t n : m.neighbours) ++needing_begin[n + 2];
      for (std::size_t i = 2; i < needing_begin.size(); ++i) needing_begin[i] += needing_begin[i - 1];
      needing.resize(needing_begin.back());
      for (std::uint32_t i = 0; i < all.size(); ++i)
        for (const std::uint32_t n : all[i].neighbours) needing[needing_begin[n + 1]++] = i;
      needing_begin.pop_back();
    }
    bool needs(std::uint32_t i, std::uint32_t j) const {
      const Member &to = members[i], &from = members[j];
      const std::uint32_t group_a = needs_of.group_a;
      if (i == j || from.begin > to.end || (group_a != 0 && (i < group_a) == (j < group_a))) return false;
      switch (needs_of.kind) {
        case CollectiveKind::all_to_all:
          return from.sends && to.receives;
        case CollectiveKind::one_to_all:
          return j == needs_of.root && to.receives;
        case CollectiveKind::all_to_one:
          return i == needs_of.root && from.sends;
        case CollectiveKind::scan:
          return j < i && from.sends;
        default:
          return true;
      }
    }
    /// All members that need one; of neighbours as often as they are that.
    template <class F>
    void for_each_needing(std::uint32_t one, F&& f) {
      if (needs_of.nobody) return;
      if (needs_of.neighbourhood) {
        for (std::uint32_t k = needing_begin[one]; k < needing_begin[one + 1]; ++k)
          if (needs(needing[k], one)) f(members[needing[k]]);
        return;
      }
      const std::uint32_t root = needs_of.root;
      if (needs_of.kind == CollectiveKind::one_to_all && one != root) return;
      const bool only_root = needs_of.kind == CollectiveKind::all_to_one;
      if (only_root && root >= members.size()) return;
      for (std::uint32_t i = only_root ? root : 0; i < (only_root ? root + 1 : members.size()); ++i)
        if (needs(i, one)) f(members[i]);
    }
  };

  // ---- halves ----

  /// The part of the key that is an operation's, or that is recorded, taken out: the first of that call path, or else
  /// the first; nothing if there is none.
  std::uint32_t announced(const PartKey& key, CallPathId callpath) { return take(key, callpath, false); }
  std::uint32_t known(const PartKey& key, CallPathId callpath) { return take(key, callpath, true); }
  std::uint32_t take(const PartKey& key, CallPathId callpath, bool is_recorded) {
    const auto found = unmatched_.find(key);
    if (found == unmatched_.end() || parts_[found->second.first].recorded != is_recorded) return nothing;
    std::uint32_t looked_at = 0;  // a few are enough, and damaged traces may have many
    for (std::uint32_t before = nothing, p = found->second.first; p != nothing && looked_at < 16; ++looked_at) {
      if (parts_[p].callpath == callpath) return take_out(found, before, p);
      before = std::exchange(p, parts_[p].next);
    }
    return take_out(found, nothing, found->second.first);
  }
  using UnmatchedParts = std::unordered_map<PartKey, Unmatched, HashOfPart>;
  /// A part and the one before it, if it is not the first.
  std::uint32_t take_out(UnmatchedParts::iterator found, std::uint32_t before, std::uint32_t p) {
    Unmatched& parts = found->second;
    (before == nothing ? parts.first : parts_[before].next) = parts_[p].next;
    if (parts.last == p) parts.last = before;
    if (parts.first == nothing) unmatched_.erase(found);
    return p;
  }
  std::uint32_t add(const PartKey& key, CallPathId callpath, std::uint32_t p) {
    Part& part = parts_[p];
    part.callpath = callpath;
    part.location = key.location, part.on_what = key.on_what, part.begin = key.begin, part.end = key.end;
    Unmatched& unmatched = unmatched_[key];
    (unmatched.first == nothing ? unmatched.first : parts_[unmatched.last].next) = p;
    unmatched.last = p, part.next = nothing;
    return p;
  }
  std::uint32_t take_request(waitstate::Position request) {
    const auto found = issued_.find(request);
    if (found == issued_.end()) return nothing;
    const std::uint32_t p = found->second;
    issued_.erase(found);
    return p;
  }
  void free(std::uint32_t p) {
    if (parts_[p].issue_pending)
      parts_[p].unused = true;
    else
      free_parts_.push_back(p);
  }

  // ---- who is where ----

  void arrive(const Part& p) {
    Operation& o = operations_[p.operation];
    ++o.arrived;
    o.last = std::max(o.last, p.arrival);
    if (o.everybody) {
      if (o.arrived == o.members.size())
        for (const Member& m : o.members) clocks_.wake(parts_[m.part].location);
      return;
    }
    o.for_each_needing(p.member, [&](Member& needing) {
      needing.ready = std::max(needing.ready, p.arrival);
      if (--needing.missing == 0) clocks_.wake(parts_[needing.part].location);
    });
  }
  void leave(std::uint32_t number) {
    const std::uint32_t operation = parts_[number].operation;
    Operation& o = operations_[operation];
    if (++o.left < o.members.size()) return;
    for (const Member& m : o.members) free(m.part);
    o.members.clear();
    free_operations_.push_back(operation);
  }

  // Its operation may still come: the last `most_pending` wait for that.
  void give_up_part(std::uint32_t number) {
    parts_[number].given_up = given_up_parts_.empty() ? 1 : given_up_parts_.rbegin()->first + 1;
    given_up_parts_.emplace(parts_[number].given_up, number);
    if (given_up_parts_.size() <= IdealClocks::most_pending) return;
    const Part& oldest = parts_[given_up_parts_.begin()->second];
    given_up_parts_.erase(given_up_parts_.begin());
    const auto found = unmatched_.find({oldest.location, oldest.on_what, oldest.begin, oldest.end});
    free(take_out(found, nothing, found->second.first));
  }

  IdealClocks& clocks_;
  std::vector<Part> parts_;
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> free_parts_, free_operations_;
  UnmatchedParts unmatched_;                               ///< of which record or operation is not known
  std::map<std::uint64_t, std::uint32_t> given_up_parts_;  ///< in that order, unmatched
  std::map<waitstate::Position, std::uint32_t> issued_;    ///< parts of non-blocking operations, by their requests
  std::int64_t given_up_ = 0;
};

}  // namespace waitstate::causes
