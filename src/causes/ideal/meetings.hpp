// Where the members of collective operations meet on an ideal machine: the operations that one part of the replay has
// been told of (announcements.hpp). It invites the members, of this part and of others, hears when they have come
// (memberships.hpp), and tells those that need them.
//
// Invariant: a member needs only those that began before its end. Cost: constant for a member where all need all, else
// a look at the other members. Memory: of an operation at which somebody is still to come, 64 bytes a member, unless
// all need all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/ideal/letters.hpp"
#include "causes/ideal/operation.hpp"

namespace waitstate::causes {

class IdealMeetings {
 public:
  explicit IdealMeetings(const IdealPost& post) : post_(post), members_of_(post.parts()) {}

  /// Invites. tell(part, letter) for what each part has to know.
  template <class Tell>
  void announce(const IdealNeeds& needs, std::span<const IdealMember> members, Tell&& tell) {
    const std::uint32_t number = begin(needs, members);
    // The own part comes last: what it tells of its members may make those of others ready, who have to know of it.
    for (std::uint32_t part = 0; part < members_of_.size(); ++part)
      if (part != post_.own()) invite(number, part, members, tell);
    invite(number, post_.own(), members, tell);
  }
  /// Members have come to the operation.
  template <class Tell>
  void arrived(const IdealArrival& a, Tell&& tell) {
    IdealOperation& o = operations_[a.operation];
    o.last.advance(a.at);
    o.to_arrive -= a.count, expected_ -= a.count;
    const auto ready = [&](std::uint32_t part, std::uint32_t place, const IdealTime& at) {
      tell(part, IdealReadiness{post_.own(), a.operation, place, at});
    };
    if (!o.everybody) {
      o.for_each_needing(a.member, [&](IdealMemberState& needing) {
        needing.ready.advance(a.at);
        if (--needing.missing == 0) ready(needing.part, needing.place, needing.ready);
      });
    }
    if (o.to_arrive > 0) return;
    if (o.everybody)
      for (const std::uint32_t part : o.parts) ready(part, 0, o.last);
    end(a.operation);
  }

  /// Members that have not come yet.
  std::size_t expected() const { return expected_; }

 private:
  std::uint32_t begin(const IdealNeeds& needs, std::span<const IdealMember> members);
  void end(std::uint32_t number);

  template <class Tell>
  void invite(std::uint32_t number, std::uint32_t part, std::span<const IdealMember> members, Tell&& tell) {
    const std::vector<std::uint32_t>& of_part = members_of_[part];
    if (of_part.empty()) return;
    const IdealOperation& o = operations_[number];
    const IdealNeeds& needs = o.needs_of;
    const bool everybody = o.everybody;
    tell(part, IdealInvitation{.on_what = needs.on_what,
                               .number = needs.number,
                               .from = post_.own(),
                               .operation = number,
                               .members = static_cast<std::uint32_t>(of_part.size()),
                               .is_numbered = needs.is_numbered,
                               .nonblocking = needs.nonblocking,
                               .everybody = everybody,
                               .needs_are_unknown = needs.neighbourhood && needs.nobody});
    // The last one may end the operation.
    for (const std::uint32_t m : of_part)
      tell(part, IdealInvited{.end = members[m].end,
                              .location = members[m].location,
                              .callpath = members[m].callpath,
                              .member = m,
                              .needs_nobody = !everybody && needs_nobody_[m] != 0});
  }

  const IdealPost& post_;
  std::vector<IdealOperation> operations_;
  std::vector<std::uint32_t> free_;
  std::size_t expected_ = 0;
  // Scratch of announce().
  std::vector<std::vector<std::uint32_t>> members_of_;  ///< by part
  std::vector<std::uint8_t> needs_nobody_;              ///< by member, unless all need all
};

}  // namespace waitstate::causes
