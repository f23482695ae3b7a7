#include "causes/ideal/replay.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

namespace {

std::size_t world_size_of(const Definitions& definitions) {
  return static_cast<std::size_t>(std::count_if(definitions.processes.begin(), definitions.processes.end(),
                                                [](const LocationGroup& process) { return process.rank >= 0; }));
}

// The first event of each location's process.
std::vector<Time> begins_of_processes(const Definitions& definitions, const StepLog& log) {
  std::vector<Time> of_process(definitions.processes.size() + 1, ~Time{0}), begins;
  const auto place = [&](const Location& l) {
    return l.process.valid() ? l.process.index() : definitions.processes.size();
  };
  for (std::size_t l = 0; l < definitions.locations.size(); ++l)
    if (const auto first = StepLog::Reader().next(log, LocationId{l})) {
      Time& begin = of_process[place(definitions.locations[l])];
      begin = std::min(begin, first->time);
    }
  for (const Location& l : definitions.locations) begins.push_back(of_process[place(l)]);
  return begins;
}

bool is_part(const IdealStep& step) { return step.kind == IdealStep::part || step.kind == IdealStep::finish; }

}  // namespace

IdealReplay::IdealReplay(const Definitions& definitions, const StepLog& log, Announcements& announcements)
    : definitions_(definitions),
      log_(log),
      announcements_(announcements),
      readers_(definitions.locations.size()),
      clocks_(begins_of_processes(definitions, log)),
      one_sided_(definitions, announcements.windows(), clocks_),
      world_calls_(2 * definitions.processes.size()),
      world_size_(world_size_of(definitions)),
      at_once_(std::clamp<std::size_t>(most_ahead / std::max<std::size_t>(readers_.size(), 1), 1, 64)) {}

// ---- locations go on ----

void IdealReplay::run() {
  announcements_.all_read();
  for (std::size_t l = 0; l < readers_.size(); ++l) clocks_.queue(LocationId{l});
  do {
    do
      for (LocationId l = clocks_.next(); l.valid(); l = clocks_.next()) go_on(l);
    while (announcements_.read_on(*this));
  } while (give_up(true) || give_up(false));
}

// Until the location stands, or others are behind it after some records.
void IdealReplay::go_on(LocationId l) {
  const ProcessId process = definitions_[l].process;
  const bool in_turns = process.valid() && definitions_[process].locations.size() > 1;
  for (std::size_t n = 1; do_steps(l); ++n) {
    const auto r = readers_[l.index()].next(log_, l);
    if (!r) return;
    come_to(l, *r);
    if ((in_turns || n >= at_once_) && !clocks_.is_least_far(l)) return clocks_.queue(l);
  }
}

// False if the location stands.
bool IdealReplay::do_steps(LocationId l) {
  while (const IdealStep* const step = clocks_.step(l)) {
    if (!does(l, *step)) {
      clocks_.stand(l);
      if (is_unknown(*step) &&
          operations_.announced_ahead() + one_sided_.epochs().announced_ahead() < most_announced_ahead)
        announcements_.read_on(*this);
      return false;
    }
    clocks_.step_done(l);
  }
  return true;
}

// Either those of which nobody has told what they need; or else all that stand: what they need is known, and the step
// of somebody who stands as well.
bool IdealReplay::give_up(bool only_unknown) {
  bool any = false;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    const LocationId l{i};
    if (!clocks_.stands(l) || (only_unknown && !is_unknown(*clocks_.step(l)))) continue;
    const IdealStep step = *clocks_.step(l);
    clocks_.lose(l);
    if (is_part(step)) operations_.give_up(step);
    if (step.kind == IdealStep::pass) one_sided_.epochs().give_up(step);
    if (step.kind == IdealStep::receive) messages_.give_up(step);
    ++(!only_unknown ? in_circles_ : is_part(step) ? lost_parts_ : lost_epochs_);
    clocks_.step_done(l);
    clocks_.wake(l);
    any = true;
  }
  return any;
}

// ---- records ----

void IdealReplay::come_to(LocationId l, const Record& r) {
  using enum Record::Kind;
  if (r.kind == begin) return clocks_.begin(l, r.time);
  clocks_.move(l, r.time, r.outside);
  switch (r.kind) {
    case begin:
      return;
    case send:
      return push(l, IdealStep::send, messages_.half(Record::name(l, readers_[l.index()].number())), r);
    case receive:
      if (r.other == Record::none) return push(l, IdealStep::lack, IdealClocks::nothing, r);
      return push(l, IdealStep::receive, messages_.half(r.other), r);
    case operation:
    case completion:
      return come_to_operation(l, r);
    case request:
      if (r.number == Record::none || !synchronises(r)) return;  // nobody needs it
      return push(
          l, IdealStep::issue,
          operations_.begun_or_ended(PartKey::numbered(LocationId{r.other}, ideal_key(CommId{r.on}), r.number, true)),
          r);
    case enter_world:
      return come_to_world(l, r);
    case exit_world:
      return leave_world(l, r);
    case window:
      if (one_sided_.meets(r))
        push(l, IdealStep::part,
             operations_.recorded({l, ideal_key(RmaWinId{r.on}), 0, r.time}, CallPathId{r.callpath}), r);
      return;
    case call:
      return one_sided_.call(l, r);
    case sync:
      return one_sided_.sync(l, r, clocks_);
    case lock:
      return one_sided_.lock(l, r);
    case exit_lock:
      return one_sided_.exit_lock(l, r, clocks_);
  }
}

// True of an operation in which a member may need others.
bool IdealReplay::synchronises(const Record& r) const {
  const CommId comm{r.on};
  if (comm.index() >= definitions_.comms.size() || (kind(r.op) == CollectiveKind::other && !creates_handle(r.op)))
    return false;
  const Comm& of_comm = definitions_[comm];
  return !of_comm.self && of_comm.members.size() + of_comm.members_b.size() >= 2;
}

void IdealReplay::come_to_operation(LocationId l, const Record& r) {
  const bool nonblocking = r.kind == Record::Kind::completion;
  if (!synchronises(r)) return;
  if (nonblocking && r.other == Record::none) {
    ++without_request_;
    return push(l, IdealStep::lack, IdealClocks::nothing, r);
  }
  const std::uint64_t on = ideal_key(CommId{r.on});
  if (r.number == Record::none || (!nonblocking && announcements_.is_incomplete(on, r.number))) {
    ++lost_parts_;
    return push(l, IdealStep::lack, IdealClocks::nothing, r);
  }
  const PartKey key = PartKey::numbered(l, on, r.number, nonblocking);
  if (nonblocking) return push(l, IdealStep::finish, operations_.begun_or_ended(key), r);
  push(l, IdealStep::part, operations_.recorded(key, CallPathId{r.callpath}), r);
}

// MPI_Init and MPI_Finalize, the first of each process. They begin with the enter, as others may be waited for in them.
void IdealReplay::come_to_world(LocationId l, const Record& r) {
  const ProcessId process = definitions_[l].process;
  if (!process.valid() || definitions_[process].rank < 0 || world_size_ < 2) return;
  WorldCall& call = world_calls_[2 * process.index() + r.number];
  const std::uint64_t on = ideal_key(CommId::none());
  if (call.location.valid() || announcements_.is_incomplete(on, r.number)) return;
  call = {l, r.time};
  push(l, IdealStep::issue, operations_.begun_or_ended(PartKey::numbered(l, on, r.number, false)), r);
}

void IdealReplay::leave_world(LocationId l, const Record& r) {
  const ProcessId process = definitions_[l].process;
  if (!process.valid()) return;
  WorldCall& call = world_calls_[2 * process.index() + r.number];
  const std::uint64_t on = ideal_key(CommId::none());
  if (definitions_[process].rank >= 0 && world_size_ > 1 && announcements_.is_incomplete(on, r.number)) {
    if (call.location.valid()) return;
    call.location = l;
    ++lost_parts_;
    return push(l, IdealStep::lack, IdealClocks::nothing, r);
  }
  if (call.location != l || call.enter != r.other) return;
  push(l, IdealStep::finish, operations_.begun_or_ended(PartKey::numbered(l, on, r.number, false)), r);
}

// ---- what linking has found ----

void IdealReplay::operation(const IdealNeeds& needs, std::span<const IdealMember> members) {
  operations_.announce(needs, members);
}

void IdealReplay::epoch(const IdealCall& stands_at, Time until, const IdealCall& own,
                        std::span<const IdealCall> partners) {
  one_sided_.epochs().epoch(stands_at, until, own, partners);
}

void IdealReplay::passive(const IdealCall& call, bool is_gate, std::span<const IdealEpochs::Release> releases) {
  one_sided_.epochs().waited(call, is_gate, releases);
}

// ---- steps ----

bool IdealReplay::does(LocationId l, const IdealStep& step) {
  switch (step.kind) {
    case IdealStep::send:
      messages_.sends(l, step.number);
      return true;
    case IdealStep::receive:
      return messages_.receives(l, step);
    case IdealStep::issue:
      operations_.issues(l, step.number);
      return true;
    case IdealStep::finish:
      return operations_.finishes(l, step);
    case IdealStep::give:
      one_sided_.epochs().give(l, step.number);
      return true;
    case IdealStep::pass:
      return one_sided_.epochs().passes(l, step);
    case IdealStep::lack:
      clocks_.lose(l);
      return true;
    case IdealStep::part:
      break;
  }
  return operations_.takes_part(l, step);
}

bool IdealReplay::is_unknown(const IdealStep& step) const {
  return is_part(step) ? operations_.is_unknown(step)
                       : step.kind == IdealStep::pass && one_sided_.epochs().is_unknown(step);
}

// ---- results ----

void IdealReplay::each_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const {
  for (const auto& [where, ticks] : clocks_.waits())
    visit(CallPathId{static_cast<std::size_t>(where >> 32)}, LocationId{where & 0xffffffffu}, ticks);
}

IdealLosses IdealReplay::losses() const {
  return {.outside_of_calls = clocks_.waits_outside_of_calls(),
          .parts = lost_parts_,
          .in_circles = in_circles_,
          .without_request = without_request_,
          .without_neighbours = announcements_.without_neighbours(),
          .has_windows = announcements_.windows().any(),
          .without_function = one_sided_.without_function(),
          .epochs = lost_epochs_,
          .forgotten = one_sided_.epochs().forgotten_needs()};
}

}  // namespace waitstate::causes
