// Tells the merge which ends of collective operations may be placed, given the begins that have been placed. A member's
// end waits for the begins that it had to wait for by the operation's kind.
//
// Members and operations are known by the numbers of MergeFeed; numbers to which nothing refers any more are collected
// until they are taken. Cost: constant per begin and end (for scans, a search among the members).
#pragma once

#include <cstdint>
#include <vector>

#include "link/merge_feed.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::merge {

class CollectiveOrder {
 public:
  static constexpr std::uint32_t none = link::Link::none;

  explicit CollectiveOrder(const Definitions& definitions) : definitions_(definitions) {}

  // The next four functions take over the notes of MergeStep::Note.
  void begin_member(std::uint32_t member, LocationId l, bool begins);
  /// True if others need not wait for this member any more: its begin has been placed, or is not in the trace.
  bool join(std::uint32_t member, std::uint32_t operation);
  void set(std::uint32_t operation, const link::MergeStep::CollectiveOperation& now);
  void close(std::uint32_t operation);

  Position begin_position(std::uint32_t member) const { return members_[member].begin; }
  void place_begin(std::uint32_t member, Position p);
  /// True once all begins have been placed that this part's end had to wait for.
  bool may_end(std::uint32_t member) const;
  /// True if some of these begins cannot come any more.
  bool never_completes(std::uint32_t member) const;
  void placed_end(std::uint32_t member) { drop(member); }
  /// Number of the operation, for waking those that wait for it; none if it has no other members.
  std::uint32_t operation_of(std::uint32_t member) const { return members_[member].operation; }
  bool is_scan(std::uint32_t member) const;

  /// Numbers that have become free since they were last taken.
  void take_free(link::MergeStep& step) {
    step.free_members.swap(free_members_);
    step.free_operations.swap(free_operations_);
  }

 private:
  struct Member {
    std::uint32_t operation = none;
    Position begin = no_position;
    LocationId location;
    std::uint32_t holds = 0;  ///< number of its begin and end records that are still to be placed
    bool begun = false;       ///< its begin has been placed, or is not in the trace: no member waits for it
  };
  struct OpenOperation {
    link::MergeStep::CollectiveOperation is;
    bool closed = false;
    bool root_begun = false;
    std::uint32_t members = 0;  ///< members that have joined and are still to be placed
    std::uint32_t begun = 0;
    std::uint32_t leading_begun = 0;  ///< scans: ranks 0 … leading_begun - 1 have begun
    std::vector<bool> begun_ranks;    ///< scans only
  };

  void count_begin(const Member& m);
  void drop(std::uint32_t member);
  void release(std::uint32_t operation);

  const Definitions& definitions_;
  std::vector<Member> members_;
  std::vector<OpenOperation> operations_;
  std::vector<std::uint32_t> free_members_, free_operations_;
};

}  // namespace waitstate::merge
