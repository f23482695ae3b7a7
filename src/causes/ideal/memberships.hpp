// The members of collective operations on an ideal machine, at the locations that they are: operations that block and
// that do not, among all or among neighbours, and those on windows, which are barriers. Who needs whom is known where
// the members of an operation meet (meetings.hpp).
//
// A membership has two halves, which come in any order: the step of its location, and the invitation. They find each
// other by location, communicator and number; on a window by the end instead of a number: of memberships that agree in
// that by the call path of the end, and if that agrees too the first step belongs to the first invitation. The request
// of an operation that does not block gives what others need, and its completion needs what they give; so do enter and
// exit of MPI_Init and MPI_Finalize. The only record of an operation that blocks does both.
//
// Cost: a look-up for each half. Memory: 100 bytes for each member of an operation that is open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/ideal/letters.hpp"
#include "causes/ideal/meetings.hpp"
#include "causes/ideal/operation.hpp"

namespace waitstate::causes {

class IdealMemberships {
 public:
  static constexpr std::uint32_t nothing = IdealClocks::nothing;

  IdealMemberships(IdealClocks& clocks, IdealPost& post) : clocks_(clocks), post_(post), groups_of_(post.parts()) {}

  /// Names a membership, in both its halves.
  struct Key {
    LocationId location;
    std::uint64_t on_what = 0;
    std::uint64_t number = 0;  ///< twice the operation's number, and one more if it does not block; else 0
    Time end = 0;              ///< the end of one without a number

    static Key numbered(LocationId l, std::uint64_t on_what, std::uint64_t number, bool nonblocking) {
      return {l, on_what, number * 2 + nonblocking, 0};
    }
    bool operator==(const Key&) const = default;
  };

  // ---- records, as locations come to them ----

  /// The membership that the record of an operation that blocks ends.
  std::uint32_t recorded(const Key& key, CallPathId callpath);
  /// The membership that begins with one record and ends with another one: called for both, which may be of two
  /// threads, in any order.
  std::uint32_t begun_or_ended(const Key& key);
  /// The location begins it.
  void issues(LocationId l, std::uint32_t number);

  // ---- operations ----

  void announce(const IdealNeeds& needs, std::span<const IdealMember> members) {
    meetings_.announce(needs, members, [this](std::uint32_t part, const auto& letter) { tell(part, letter); });
  }
  void take(const IdealInvitation& invitation);
  void take(const IdealInvited& member);
  void take(const IdealReadiness& readiness);
  void take(const IdealArrival& arrival) {
    meetings_.arrived(arrival, [this](std::uint32_t part, const auto& letter) { tell(part, letter); });
  }

  // ---- steps ----

  bool finishes(LocationId l, const IdealStep& step);
  bool meets(LocationId l, const IdealStep& step);

  bool is_unknown(const IdealStep& step) const { return memberships_[step.number].group == nothing; }
  /// A step that needs others goes on without. Nobody is invited any more if it is unknown.
  void give_up(const IdealStep& step);
  /// Members of operations that have been announced here, and that have not come.
  std::size_t announced_ahead() const { return meetings_.expected(); }

 private:
  struct Membership {
    LocationId location;
    CallPathId callpath;
    std::uint64_t on_what = 0, number = 0;
    Time end = 0;
    IdealTime arrival{}, ready{};
    std::uint32_t group = nothing, member = 0;
    std::uint32_t next = nothing;  ///< the next one of the same key that has no other half
    bool recorded = false, arrived = false;
    bool is_ready = false;       ///< all that it needs has come; not used where all need all
    bool issue_pending = false;  ///< the record that begins it is still to come
    bool unused = false;         ///< it is free when that has come
  };
  /// The members of an operation that this part has.
  struct Group {
    std::uint32_t from = 0, operation = 0;  ///< where they meet
    bool everybody = false, is_numbered = false, needs_are_unknown = false;
    Key key{};  ///< the key of each member, but for location and end
    std::uint32_t to_arrive = 0, to_leave = 0, to_be_ready = 0;
    IdealTime last{};  ///< where all need all: the latest arrival of these, and then of all
    std::vector<std::uint32_t> memberships{};
  };
  struct HashOfKey {
    std::size_t operator()(const Key& k) const {
      const std::uint64_t h =
          (k.end ^ (std::uint64_t{k.location.value} << 32 ^ k.on_what) ^ k.number * 0xc2b2ae3d27d4eb4fu) *
          0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };
  /// The memberships of one key: either all are recorded, or all invited.
  struct Unmatched {
    std::uint32_t first = nothing, last = nothing;
  };
  using UnmatchedHalves = std::unordered_map<Key, Unmatched, HashOfKey>;

  template <class Letter>
  void tell(std::uint32_t part, const Letter& letter) {
    if (part == post_.own())
      take(letter);
    else
      post_.write(part, letter);
  }

  // ---- halves ----

  /// The membership of the key that has the other half only, taken out: the first of that call path, or else the first;
  /// nothing if there is none.
  std::uint32_t take_half(const Key& key, CallPathId callpath, bool is_recorded);
  /// A half and the one before it, if it is not the first.
  std::uint32_t take_out(UnmatchedHalves::iterator found, std::uint32_t before, std::uint32_t number);
  std::uint32_t add(const Key& key, CallPathId callpath);
  void free(std::uint32_t number);

  // ---- who is where ----

  void arrive(const Membership& m);
  void leave(std::uint32_t number);
  void free_if_left(std::uint32_t group);

  IdealClocks& clocks_;
  IdealPost& post_;
  IdealMeetings meetings_{post_};
  std::vector<Membership> memberships_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> free_, free_groups_;
  std::vector<std::vector<std::uint32_t>> groups_of_;  ///< by part, and number of the operation there: the latest one
  std::uint32_t invited_ = nothing;                    ///< the group whose members are being told
  UnmatchedHalves unmatched_;                          ///< memberships that have one half only
  std::unordered_map<Key, std::uint32_t, HashOfKey> halves_;  ///< begun or ended, not both
};

}  // namespace waitstate::causes
