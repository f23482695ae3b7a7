// Which open region an exit ends if it is not one of the innermost region.
//
// Recorders write such exits for reasons that ask for different things:
//
//   open further out       the regions inside it were never left (an exception, longjmp): they are left with it; but
//                          kernels of one stream may overlap, and go on (LocationReplay::end_overlapped())
//   left like that before  regions that overlap, A B A B: nothing is left any more
//   not open, a rename     a task runtime names a task anew while it runs: the exit ends what the enter began
//   not open, its enter    a visit of no time by a recorder that sorts exits before enters of equal time: it is over
//   follows at that tick   as soon as it is entered
//   not open, else         its enter is missing: nothing is left
//
// A recorder that gives regions an identity says which it is: an attribute of enter and exit ("GUID" of APEX) that no
// other open region has. That is believed before names. Without one, an exit of a task (RegionRole::task) while a task
// is innermost is a rename; and so is one after which a region around the innermost is left at once: an enter without
// exit and an exit without enter, one after the other, are a pair. The time between the two is given back then.
//
// Everything here happens at exits that are out of order, apart from the note of an identity at enters that have one.
// Memory: an entry for each open region with an identity, and for at most 64 that were left inside another, or whose
// enters may follow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "replay/call_stack.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::replay {

/// The attribute that tells one visit of a region from all others, by its name: GUID, task GUID or task id, however
/// that is spelt; none if the trace has none.
AttributeId identity_attribute(const Definitions& definitions);

class ExitPairing {
 public:
  explicit ExitPairing(CallStack& stack);

  /// The trace may have identities: attribute lists are looked through.
  bool wants_lists() const { return attribute_.valid(); }
  /// The list of the next event.
  void attribute_list(std::span<const ListedAttribute> list);
  /// The next event has an identity.
  bool expects_event() const { return expected_; }
  /// A region is entered; the stack does not have it yet.
  void enter();
  /// The next event is none that enters or leaves a region.
  void forget() { expected_ = false; }

  /// An exit of `region`, which is not innermost: the place in the stack of the region that it ends, if any. Those
  /// inside it are to be left first.
  std::optional<std::size_t> ended(RegionId region);
  /// Exits have ended nothing, and their enters may still follow.
  bool awaits_enter() const { return unpaired_ || !ahead_.empty(); }
  /// A region is entered: true if it has been left already, at the same time.
  bool was_left_ahead(RegionId region);
  /// The innermost region is about to be left, because the one at `place` is.
  void leave_inside(std::size_t place);
  /// No event follows.
  void finish();

 private:
  struct Late {  ///< a region that was left inside another, whose exit may still come
    RegionId region;
    std::size_t depth;  ///< depth of the stack afterwards
    Time around = 0;    ///< enter of the region that was innermost then
  };
  struct Unpaired {  ///< an exit that ended nothing; its enter is missing, unless it was a rename
    RegionId region;
    std::size_t depth = 0;  ///< depth of the stack
    Time enter = 0;         ///< enter of the innermost region
    Time time = 0;
    std::uint64_t stack_events = 0, switches = 0;  ///< so far
  };

  std::optional<std::uint64_t> identity() const;
  std::optional<std::uint64_t> identity_of(std::size_t place) const;
  struct Identified {  ///< the open regions of an identity
    std::size_t count = 0;
    std::size_t place = 0;  ///< place of one of them
  };
  Identified identified(std::uint64_t identity) const;
  std::optional<std::size_t> place_of(RegionId region, bool has_identity) const;
  bool was_late(RegionId region);
  void leave_ahead(RegionId region, Time time);
  bool is_task(RegionId region) const;
  bool pairs_with_innermost() const;
  void report_unpaired();
  void report_ahead();
  RegionId region_at(std::size_t place) const { return stack_.region(stack_.activity.stack[place].callpath); }

  CallStack& stack_;
  const AttributeId attribute_;
  bool expected_ = false;
  std::uint64_t identity_ = 0;      ///< identity of the expected event
  std::uint64_t stack_events_ = 0;  ///< at its attribute list
  std::vector<Late> late_;
  std::optional<Unpaired> unpaired_;
  struct Ahead {  ///< another exit that ended nothing
    RegionId region;
    Time time = 0;
  };
  std::vector<Ahead> ahead_;  ///< all at the same time
};

}  // namespace waitstate::replay
