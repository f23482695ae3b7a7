// Collective operations on an ideal machine: blocking and non-blocking ones, among all or among neighbours, and those
// on windows, which are barriers.
//
// A member's part has two halves, in any order: the step of its location, and the operation, which tells who needs
// whom. They find each other by location, communicator and number; on a window by the end instead of a number: of parts
// that agree in that by the call path of the end, and if that agrees too the first step belongs to the first operation.
// The request of a non-blocking operation gives what others need, and its completion needs what they give; so do enter
// and exit of MPI_Init and MPI_Finalize. The only record of a blocking operation does both.
//
// Invariant: a member needs only those that began before its end. Cost: constant for a part where all need all, else a
// look at the other members. Memory: 100 bytes a part of an operation that is open; of those whose operation never came
// the last `most_kept` are remembered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/ideal/operation.hpp"

namespace waitstate::causes {

class IdealOperations {
 public:
  static constexpr std::uint32_t nothing = IdealClocks::nothing;
  static constexpr std::size_t most_kept = std::size_t{1} << 18;

  explicit IdealOperations(IdealClocks& clocks) : clocks_(clocks) {}

  /// Names a part, in both its halves.
  struct PartKey {
    LocationId location;
    std::uint64_t on_what = 0;
    std::uint64_t number = 0;  ///< twice the operation's number, and one more if it is non-blocking; else 0
    Time end = 0;              ///< the end of a part without a number

    static PartKey numbered(LocationId l, std::uint64_t on_what, std::uint64_t number, bool nonblocking) {
      return {l, on_what, number * 2 + nonblocking, 0};
    }
    bool operator==(const PartKey&) const = default;
  };

  // ---- steps, as locations come to them ----

  /// The part that a blocking operation's record ends.
  std::uint32_t recorded(const PartKey& key, CallPathId callpath);
  /// The part that begins with one record and ends with another one: called for both, which may be of two threads, in
  /// any order.
  std::uint32_t begun_or_ended(const PartKey& key);

  // ---- operations ----

  void announce(const IdealNeeds& needs, std::span<const IdealMember> members);

  // ---- steps ----

  void issues(LocationId l, std::uint32_t number);
  bool finishes(LocationId l, const IdealStep& step);
  bool takes_part(LocationId l, const IdealStep& step);

  bool is_unknown(const IdealStep& step) const { return parts_[step.number].operation == nothing; }
  /// A step that needs others goes on without.
  void give_up(const IdealStep& step);
  /// Parts of operations that have been announced, and to which their locations have not come.
  std::size_t announced_ahead() const { return announced_ahead_; }

 private:
  struct MemberPart {
    LocationId location;
    CallPathId callpath;
    std::uint64_t on_what = 0, number = 0;
    Time end = 0;
    IdealTime arrival{};
    std::uint32_t operation = nothing, member = 0;
    std::uint32_t next = nothing;  ///< the next unmatched one of the same key
    std::uint64_t given_up = 0;    ///< its number among those that were given up, 0 if it was not
    bool recorded = false, arrived = false;
    bool issue_pending = false;  ///< the step that begins a non-blocking one is still to come
    bool unused = false;         ///< it is free when that step has been done
  };
  struct HashOfPart {
    std::size_t operator()(const PartKey& k) const {
      const std::uint64_t h =
          (k.end ^ (std::uint64_t{k.location.value} << 32 ^ k.on_what) ^ k.number * 0xc2b2ae3d27d4eb4fu) *
          0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };
  /// The parts of one key: either all are recorded, or all announced by operations.
  struct Unmatched {
    std::uint32_t first = nothing, last = nothing;
  };
  // ---- halves ----

  /// The part of the key that is an operation's, or that is recorded, taken out: the first of that call path, or else
  /// the first; nothing if there is none.
  std::uint32_t announced(const PartKey& key, CallPathId callpath) { return take(key, callpath, false); }
  std::uint32_t known(const PartKey& key, CallPathId callpath) { return take(key, callpath, true); }
  std::uint32_t take(const PartKey& key, CallPathId callpath, bool is_recorded);
  using UnmatchedParts = std::unordered_map<PartKey, Unmatched, HashOfPart>;
  /// A part and the one before it, if it is not the first.
  std::uint32_t take_out(UnmatchedParts::iterator found, std::uint32_t before, std::uint32_t p);
  std::uint32_t add(const PartKey& key, CallPathId callpath, std::uint32_t p);
  void free(std::uint32_t p);

  // ---- who is where ----

  void arrive(const MemberPart& p);
  void leave(std::uint32_t number);

  void give_up_part(std::uint32_t number);

  IdealClocks& clocks_;
  std::vector<MemberPart> parts_;
  std::vector<IdealOperation> operations_;
  std::vector<std::uint32_t> free_parts_, free_operations_;
  UnmatchedParts unmatched_;                                       ///< parts whose record or operation is not known
  std::map<std::uint64_t, std::uint32_t> given_up_parts_;          ///< unmatched parts, by Part::given_up
  std::unordered_map<PartKey, std::uint32_t, HashOfPart> halves_;  ///< parts of which one of begin and end has come
  std::size_t announced_ahead_ = 0;
};

}  // namespace waitstate::causes
