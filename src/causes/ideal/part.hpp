// A part of the replay on an ideal machine (replay.hpp says what it computes): some locations, on a thread of its own.
//
// If a location needs one of another part, letters go between these (letters.hpp): a message goes to the part of its
// receiver, and the members of an operation of several parts meet at the part whose announcements have it
// (meetings.hpp). With one part there are no letters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "causes/ideal/announcements.hpp"
#include "causes/ideal/clocks.hpp"
#include "causes/ideal/letters.hpp"
#include "causes/ideal/memberships.hpp"
#include "causes/ideal/messages.hpp"
#include "causes/ideal/one_sided.hpp"
#include "causes/ideal/step_log.hpp"
#include "util/stop_check.hpp"
#include "waitstate/pattern/causes.hpp"

namespace waitstate::causes {

/// The run, as all parts see it. Each looks at its own locations and processes only.
struct IdealRun {
  struct WorldCall {
    LocationId location{};  ///< none: it has not come
    Time enter = 0;
  };

  IdealRun(const Definitions& definitions, const StepLog& log, const Announcements& announcements,
           const util::StopCheck& check);
  /// How many parts there may be: see IdealReplay::run().
  std::size_t most_parts(std::size_t threads, bool always_divides) const;
  /// first_bank(part) is the first bank of a part.
  void divide(std::size_t parts, const std::function<std::size_t(std::size_t)>& first_bank);

  const Definitions& definitions;
  const StepLog& log;
  const Announcements& announcements;
  const util::StopCheck& stop;
  std::vector<StepLog::Reader> readers;  ///< by location
  std::vector<IdealPlace> places;        ///< by location
  std::vector<WorldCall> world_calls;    ///< by process, twice: MPI_Init, MPI_Finalize
  std::vector<std::uint32_t> part_of;    ///< by location
  std::size_t world_size;
  Time longest = 0;     ///< time from the first event of the trace to the last one
  std::size_t at_once;  ///< records of a location before the others are looked at
};

class IdealPart final : private AnnouncementListener {
 public:
  IdealPart(IdealRun& run, std::size_t number, std::size_t parts, Announcements::Reader&& announcements);

  /// Until all locations of all parts have come to their ends. When all stand one part calls `all_stand`, which returns
  /// true if somebody goes on.
  void play(Mail<IdealLetter>& mail, const std::function<bool()>& all_stand);
  // While all stand.
  /// Some announcements; false if there are no more.
  bool read_on() { return reader_.read_on(*this); }
  /// The locations that stand; with `only_unknown` those whose needs nobody has announced.
  std::vector<LocationId> standing(bool only_unknown) const;
  /// One of these goes on.
  void give_up(LocationId l, bool is_unknown);

  // Afterwards.
  const IdealClocks& clocks() const { return clocks_; }
  void add_losses(IdealLosses& sum) const;

 private:
  using Record = replay::StepRecord;
  using Key = IdealMemberships::Key;

  void operation(const IdealNeeds& needs, std::span<const IdealMember> members) override;
  void epoch(const IdealCall& stands_at, Time until, const IdealCall& own,
             std::span<const IdealCall> partners) override;
  void passive(const IdealCall& call, bool is_gate, std::span<const IdealEpochs::Release> releases) override;

  void take_mail(Mail<IdealLetter>& mail);
  void take(const IdealSent& sent) { messages_.sent(sent.send, sent.at, true); }
  template <class Letter>
  void take(const Letter& letter) {
    memberships_.take(letter);
  }
  bool read_ahead();

  void go_on(LocationId l);
  bool do_step(LocationId l);
  void come_to(LocationId l, const Record& r);
  void give_message(LocationId l, const Record& r);
  void come_to_operation(LocationId l, const Record& r);
  void come_to_world(LocationId l, const Record& r);
  void leave_world(LocationId l, const Record& r);
  bool synchronises(const Record& r) const;
  void push(LocationId l, IdealStep::Kind kind, std::uint32_t number, const Record& r) {
    clocks_.push(l, {kind, number, CallPathId{r.callpath}});
  }
  bool does(LocationId l, const IdealStep& step);
  bool is_unknown(const IdealStep& step) const;

  IdealRun& run_;
  const Definitions& definitions_;
  const std::uint32_t number_;
  const std::size_t most_announced_ahead_;  ///< members of operations, and gates; more only if all stand
  Announcements::Reader reader_;
  IdealPost post_;
  IdealClocks clocks_;
  IdealMessages messages_{clocks_};
  IdealMemberships memberships_{clocks_, post_};
  IdealOneSided one_sided_;
  std::vector<LocationId> locations_;
  std::vector<IdealLetter> letters_;                                                        ///< scratch of take_mail()
  std::int64_t without_request_ = 0, lost_members_ = 0, lost_epochs_ = 0, in_circles_ = 0;  ///< as IdealLosses has them
};

}  // namespace waitstate::causes
