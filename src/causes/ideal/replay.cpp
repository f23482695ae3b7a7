#include "causes/ideal/replay.hpp"

#include <algorithm>
#include <exception>

#include "util/helpers.hpp"

namespace waitstate::causes {

IdealReplay::IdealReplay(const Definitions& definitions, const StepLog& log, Announcements& announcements,
                         const util::StopCheck& stop)
    : announcements_(announcements), run_(definitions, log, announcements, stop) {
  announcements.all_read();
}

IdealReplay::~IdealReplay() = default;

void IdealReplay::run(std::size_t threads, bool always_divides) {
  std::unique_ptr<Mail<IdealLetter>> mail;
  const auto play = [&](std::size_t part) {
    try {
      parts_[part]->play(*mail, [this] { return all_stand(); });
    } catch (...) {
      mail->fail(std::current_exception());
    }
  };
  util::Helpers helpers(run_.most_parts(threads, always_divides), play);
  divide(helpers.count() + 1);
  mail = std::make_unique<Mail<IdealLetter>>(parts_.size());
  helpers.go();
  play(0);
  helpers.join();
  mail->rethrow_failure();
}

// Banks next to each other, about as many in each part.
void IdealReplay::divide(std::size_t parts) {
  const std::size_t banks = run_.log.banks();
  const auto first_bank = [&](std::size_t part) { return part * banks / parts; };
  run_.divide(parts, first_bank);
  for (std::size_t part = 0; part < parts; ++part)
    parts_.push_back(std::make_unique<IdealPart>(
        run_, part, parts, Announcements::Reader(announcements_, first_bank(part), first_bank(part + 1))));
}

// One part does this while the others wait: true if somebody goes on.
bool IdealReplay::all_stand() {
  bool any = false;
  for (const auto& part : parts_) any = part->read_on() || any;
  return any || give_up(true) || give_up(false);
}

// Either those of which nobody has told what they need; or else all that stand: what they need is known, and the step
// of somebody who stands as well.
bool IdealReplay::give_up(bool only_unknown) {
  std::vector<std::vector<LocationId>> standing;
  bool any = false;
  for (const auto& part : parts_) {
    standing.push_back(part->standing(only_unknown));
    any = any || !standing.back().empty();
  }
  for (std::size_t part = 0; part < parts_.size(); ++part)
    for (const LocationId l : standing[part]) parts_[part]->give_up(l, only_unknown);
  return any;
}

void IdealReplay::each_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const {
  for (const auto& part : parts_)
    for (const auto& [where, ticks] : part->clocks().waits())
      visit(CallPathId{static_cast<std::size_t>(where >> 32)}, LocationId{where & 0xffffffffu}, ticks);
}

IdealLosses IdealReplay::losses() const {
  IdealLosses sum{.without_neighbours = announcements_.without_neighbours(),
                  .has_windows = announcements_.windows().any()};
  for (const auto& part : parts_) part->add_losses(sum);
  return sum;
}

}  // namespace waitstate::causes
