// The facts about operations, epochs and locks that linking finds, as the replay on an ideal machine needs them: who
// took part in each operation, and what it was; which calls an epoch waited for; which lock a call waited for. Each
// worker keeps what it is told until the trace has been read; beyond a limit of memory that goes into scratch files.
//
// They come in no order that matters: a step and what is said of it find each other whichever is known first. The
// replay reads on when somebody stands at a step of which nothing is known so far, but not far ahead of the locations.
// Memory: 40 bytes an operation, 32 a member, 64 an epoch, 24 a partner of it, 56 a call under a lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "causes/ideal/epochs.hpp"
#include "causes/ideal/operation.hpp"
#include "causes/ideal/windows.hpp"
#include "link/listener.hpp"
#include "util/spill/spilled_vector.hpp"
#include "waitstate/pattern/compound_events.hpp"

namespace waitstate::causes {

/// Is told the announcements.
class AnnouncementListener {
 public:
  virtual ~AnnouncementListener() = default;
  virtual void operation(const IdealNeeds& needs, std::span<const IdealMember> members) = 0;
  /// See IdealEpochs.
  virtual void epoch(const IdealCall& stands_at, Time until, const IdealCall& own,
                     std::span<const IdealCall> partners) = 0;
  virtual void passive(const IdealCall& call, bool is_gate, std::span<const IdealEpochs::Release> releases) = 0;
};

class Announcements {
  struct Bank;
  struct Operations;

 public:
  static constexpr Interests interests = Interests{interest_collective} | interest_other_collective |
                                         interest_rma_collective | interest_rma_access_epoch |
                                         interest_rma_exposure_epoch | interest_rma_passive_call;

  Announcements(const Definitions& definitions, std::size_t spill_beyond);

  /// The number, on its communicator, of the operation that is noted next.
  void number_next(std::uint64_t number) { number_ = number; }
  void note(const Collective& c);
  void note(const OtherCollective& c);
  void note(const RmaCollective& r);
  void note(const RmaAccessEpoch& e);
  void note(const RmaExposureEpoch& e);
  void note(const RmaPassiveCall& r);
  /// The operation is not complete, so it will not be told.
  void note(const link::IncompletePart& part);

  /// Takes over what another worker was told.
  void join(Announcements& other);
  /// Brings it to those of another process that have nothing.
  template <class Archive>
  void travel(Archive& archive) {
    Bank& own = *banks_.front();
    for (Operations* const o : {&own.world, &own.operations}) archive(o->operations, o->members, o->neighbours);
    archive(own.epochs, own.partners, own.passive[0].calls, own.passive[1].calls, incomplete_, without_neighbours_);
  }

  // When the trace has been read.
  void all_read();
  /// One for each worker whose announcements have been joined.
  std::size_t banks() const { return banks_.size(); }
  /// Somebody who goes once through the announcements of workers next to each other; several threads may do so, each
  /// through those of other workers.
  class Reader {
   public:
    /// The banks [first, last).
    Reader(Announcements& of, std::size_t first, std::size_t last)
        : banks_(std::span(of.banks_).subspan(first, last - first)) {}
    /// Tells the next few of each worker; false if there are no more.
    bool read_on(AnnouncementListener& listener);

   private:
    void read_operation(Operations& from, AnnouncementListener& listener);
    void read_epoch(Bank& bank, AnnouncementListener& listener);
    bool read_passive(AnnouncementListener& listener);

    std::span<const std::unique_ptr<Bank>> banks_;
    // Scratch of read_on().
    std::vector<IdealMember> members_;
    std::vector<std::uint32_t> neighbours_;
    std::vector<IdealCall> partners_;
    std::vector<IdealEpochs::Release> releases_;
  };
  /// True of a blocking operation that is not complete.
  bool is_incomplete(std::uint64_t on_what, std::uint64_t number) const {
    return !lacking_.empty() && lacking_.contains({on_what, number});
  }
  /// Parts in operations among neighbours that the trace does not name.
  std::int64_t without_neighbours() const { return without_neighbours_; }
  const IdealWindows& windows() const { return windows_; }

 private:
  struct Operation {
    IdealNeeds needs;
    std::uint32_t members = 0;
  };
  struct Member {
    Time begin = 0, end = 0;
    LocationId location;
    CallPathId callpath;
    std::uint32_t neighbours = 0;
    bool sends = false, receives = false;
  };
  struct Epoch {
    IdealCall stands_at, own;
    Time until = 0;
    std::uint32_t partners = 0;
  };
  struct Passive {
    IdealCall call, by;
    Time time = 0;
    Time exit = 0;  ///< when the call was left
    bool is_gate = false, waited = false;
    bool comes_before(const Passive& o) const;
  };
  /// Calls in the order of their exits. A worker's come in two such orders: those of which one worker knows all, and
  /// those of which several do.
  struct PassiveCalls {
    explicit PassiveCalls(std::size_t spill_beyond) : calls(spill_beyond) {}
    void push_back(const Passive& call) {
      calls.push_back(call);
      last = call;
    }
    util::SpilledVector<Passive> calls;
    Passive last;
    std::size_t next = 0;  ///< how far they have been read
  };
  struct Incomplete {
    std::uint64_t on_what = 0, number = 0;
    bool operator==(const Incomplete&) const = default;
    struct Hash {
      std::size_t operator()(const Incomplete& i) const {
        return static_cast<std::size_t>((i.on_what << 40 ^ i.number) * 0x9e3779b97f4a7c15u >> 7);
      }
    };
  };
  struct Operations {
    explicit Operations(std::size_t spill_beyond)
        : operations(spill_beyond), members(spill_beyond), neighbours(spill_beyond) {}
    bool is_read() const { return operation == operations.size(); }
    util::SpilledVector<Operation> operations;
    util::SpilledVector<Member> members;
    util::SpilledVector<std::uint32_t> neighbours;
    // How far they have been read.
    std::size_t operation = 0, member = 0, neighbour = 0;
  };
  struct Bank {
    explicit Bank(std::size_t spill_beyond)
        : world(spill_beyond),
          operations(spill_beyond),
          epochs(spill_beyond),
          partners(spill_beyond),
          passive{PassiveCalls(spill_beyond), PassiveCalls(spill_beyond)} {}
    void add(const Passive& call);
    Operations world;  ///< MPI_Init and MPI_Finalize: linking tells them last, but all stand at the first of them
    Operations operations;
    util::SpilledVector<Epoch> epochs;
    util::SpilledVector<IdealCall> partners;
    PassiveCalls passive[2];
    // How far they have been read.
    std::size_t epoch = 0, partner = 0;
  };

  static void add(Operations& to, const IdealNeeds& needs, std::size_t members);
  static void add(Operations& to, const Call& call, Time begin, Time end, bool sends, bool receives,
                  std::span<const std::uint32_t> neighbours = {});
  template <class Partners, class CallOf>
  void add_epoch(const IdealCall& stands_at, Time until, const IdealCall& own, const Partners& partners,
                 CallOf&& call_of);
  const IdealWindows windows_;
  std::vector<std::unique_ptr<Bank>> banks_;
  util::SpilledVector<Incomplete> incomplete_;
  std::unordered_set<Incomplete, Incomplete::Hash> lacking_;  ///< `incomplete_` as a set, when all has been read
  std::int64_t without_neighbours_ = 0;
  std::uint64_t number_ = 0;  ///< the next operation's
};

}  // namespace waitstate::causes
