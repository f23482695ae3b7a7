#include "causes/ideal/part.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace waitstate::causes {

namespace {

/// Records by which all locations together may be ahead of the one that is least far.
constexpr std::size_t most_ahead = std::size_t{1} << 16;
/// Members of operations, and gates, that are announced before their locations come to them; more only if all stand.
constexpr std::size_t most_announced_ahead = std::size_t{1} << 14;
/// A part may be ahead of others by this part of the trace, however many messages have not been received yet.
constexpr Time leads = 4096;
/// Messages of other parts that are received before these are told.
constexpr std::int64_t told_at_once = 256;

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

bool is_of_operation(const IdealStep& step) { return step.kind == IdealStep::meet || step.kind == IdealStep::finish; }

}  // namespace

IdealRun::IdealRun(const Definitions& definitions_of, const StepLog& steps, const Announcements& announced,
                   const util::StopCheck& check)
    : definitions(definitions_of),
      log(steps),
      announcements(announced),
      stop(check),
      readers(definitions.locations.size()),
      places(definitions.locations.size()),
      world_calls(2 * definitions.processes.size()),
      part_of(definitions.locations.size()),
      world_size(world_size_of(definitions)),
      longest(static_cast<Time>(std::max<Ticks>(definitions.clock.length, 0))),
      at_once(std::clamp<std::size_t>(most_ahead / std::max<std::size_t>(readers.size(), 1), 1, 64)) {
  const std::vector<Time> begins = begins_of_processes(definitions, log);
  for (std::size_t l = 0; l < places.size(); ++l) places[l].process_begins = places[l].recorded = begins[l];
}

std::size_t IdealRun::most_parts(std::size_t threads, bool always_divides) const {
  if (announcements.windows().any()) return 1;
  const std::size_t most = std::min(log.banks(), threads);
  if (always_divides) return most;
  constexpr std::size_t steps_per_thread = std::size_t{1} << 14;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::min({most, cores, 1 + log.size() / steps_per_thread});
}

void IdealRun::divide(std::size_t parts, const std::function<std::size_t(std::size_t)>& first_bank) {
  for (std::size_t l = 0; l < part_of.size(); ++l) {
    std::uint32_t part = 0;
    while (part + 1 < parts && first_bank(part + 1) <= log.bank_of(LocationId{l})) ++part;
    part_of[l] = part;
  }
}

IdealPart::IdealPart(IdealRun& run, std::size_t number, std::size_t parts, Announcements::Reader&& announcements)
    : run_(run),
      definitions_(run.definitions),
      number_(static_cast<std::uint32_t>(number)),
      most_announced_ahead_(most_announced_ahead / parts),
      reader_(std::move(announcements)),
      post_(number_, parts, run.part_of),
      clocks_(run.places),
      one_sided_(definitions_, run.announcements.windows(), clocks_) {
  for (std::size_t l = 0; l < run.part_of.size(); ++l)
    if (run.part_of[l] == number_) locations_.push_back(LocationId{l});
}

// ---- locations go on ----

void IdealPart::play(Mail<IdealLetter>& mail, const std::function<bool()>& all_stand) {
  for (const LocationId l : locations_) clocks_.queue(l);
  for (;;) {
    take_mail(mail);
    const LocationId l = clocks_.next();
    if (!l.valid()) {
      if (read_ahead()) continue;
      post_.send_all(mail);
      if (!mail.wait(number_, all_stand)) return;
      continue;
    }
    run_.stop();
    const Time since_begin = std::min(clocks_.since_begin(l), run_.longest);
    if (!mail.go_on(number_, run_.longest - since_begin + 1, run_.longest / leads)) return;
    go_on(l);
    post_.send_some(mail);
  }
}

// A message that has been sent needs memory until it is received.
void IdealPart::take_mail(Mail<IdealLetter>& mail) {
  if (messages_.received_letters() >= told_at_once) mail.judged(messages_.take_received_letters());
  if (!mail.has(number_)) return;
  mail.take(number_, letters_);
  std::int64_t judged = 0;
  for (const IdealLetter& letter : letters_) {
    if (!std::holds_alternative<IdealSent>(letter)) ++judged;
    std::visit([this](const auto& l) { take(l); }, letter);
  }
  letters_.clear();
  mail.judged(judged);
}

bool IdealPart::read_ahead() {
  return memberships_.announced_ahead() + one_sided_.epochs().announced_ahead() < most_announced_ahead_ && read_on();
}

// Until the location stands, or others are behind it after some records.
void IdealPart::go_on(LocationId l) {
  const ProcessId process = definitions_[l].process;
  const bool in_turns = process.valid() && definitions_[process].locations.size() > 1;
  for (std::size_t n = 1; do_step(l); ++n) {
    const auto r = run_.readers[l.index()].next(run_.log, l);
    if (!r) return;
    come_to(l, *r);
    if ((in_turns || n >= run_.at_once) && !clocks_.is_least_far(l)) return clocks_.queue(l);
  }
}

// False if the location stands.
bool IdealPart::do_step(LocationId l) {
  const IdealStep* const step = clocks_.step(l);
  if (step == nullptr) return true;
  if (!does(l, *step)) {
    clocks_.stand(l);
    if (is_unknown(*step)) read_ahead();
    return false;
  }
  clocks_.step_done(l);
  return true;
}

std::vector<LocationId> IdealPart::standing(bool only_unknown) const {
  std::vector<LocationId> found;
  for (const LocationId l : locations_)
    if (clocks_.stands(l) && (!only_unknown || is_unknown(*clocks_.step(l)))) found.push_back(l);
  return found;
}

void IdealPart::give_up(LocationId l, bool is_unknown) {
  const IdealStep step = *clocks_.step(l);
  clocks_.lose(l);
  if (is_of_operation(step)) memberships_.give_up(step);
  if (step.kind == IdealStep::pass) one_sided_.epochs().give_up(step);
  if (step.kind == IdealStep::receive) messages_.give_up(step);
  ++(!is_unknown ? in_circles_ : is_of_operation(step) ? lost_members_ : lost_epochs_);
  clocks_.step_done(l);
  clocks_.wake(l);
}

// ---- records ----

void IdealPart::come_to(LocationId l, const Record& r) {
  using enum Record::Kind;
  if (r.kind == begin) return clocks_.begin(l, r.time);
  clocks_.move(l, r.time, r.outside);
  switch (r.kind) {
    case begin:
      return;
    case send:
      return give_message(l, r);
    case receive:
      if (r.other == Record::none) return clocks_.lose(l);
      return push(l, IdealStep::receive, messages_.half(r.other), r);
    case operation:
    case completion:
      return come_to_operation(l, r);
    case request:
      if (r.number == Record::none || !synchronises(r)) return;  // nobody needs it
      return memberships_.issues(
          l, memberships_.begun_or_ended(Key::numbered(LocationId{r.other}, ideal_key(CommId{r.on}), r.number, true)));
    case enter_world:
      return come_to_world(l, r);
    case exit_world:
      return leave_world(l, r);
    case window:
      if (one_sided_.meets(r))
        push(l, IdealStep::meet,
             memberships_.recorded({l, ideal_key(RmaWinId{r.on}), 0, r.time}, CallPathId{r.callpath}), r);
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

void IdealPart::give_message(LocationId l, const Record& r) {
  const std::uint64_t name = Record::name(l, run_.readers[l.index()].number());
  const LocationId to{r.other};
  const std::uint32_t part = to.index() < run_.part_of.size() ? run_.part_of[to.index()] : number_;
  if (part == number_)
    messages_.sent(name, clocks_.now(l), false);
  else
    post_.write(part, IdealSent{name, clocks_.now(l)});
}

// True of an operation in which a member may need others.
bool IdealPart::synchronises(const Record& r) const {
  const CommId comm{r.on};
  if (comm.index() >= definitions_.comms.size() || (kind(r.op) == CollectiveKind::other && !creates_handle(r.op)))
    return false;
  const Comm& of_comm = definitions_[comm];
  return !of_comm.self && of_comm.members.size() + of_comm.members_b.size() >= 2;
}

void IdealPart::come_to_operation(LocationId l, const Record& r) {
  const bool nonblocking = r.kind == Record::Kind::completion;
  if (!synchronises(r)) return;
  if (nonblocking && r.other == Record::none) {
    ++without_request_;
    return clocks_.lose(l);
  }
  const std::uint64_t on = ideal_key(CommId{r.on});
  if (r.number == Record::none || (!nonblocking && run_.announcements.is_incomplete(on, r.number))) {
    ++lost_members_;
    return clocks_.lose(l);
  }
  const Key key = Key::numbered(l, on, r.number, nonblocking);
  if (nonblocking) return push(l, IdealStep::finish, memberships_.begun_or_ended(key), r);
  push(l, IdealStep::meet, memberships_.recorded(key, CallPathId{r.callpath}), r);
}

// MPI_Init and MPI_Finalize, the first of each process. They begin with the enter, as others may be waited for in them.
void IdealPart::come_to_world(LocationId l, const Record& r) {
  const ProcessId process = definitions_[l].process;
  if (!process.valid() || definitions_[process].rank < 0 || run_.world_size < 2) return;
  IdealRun::WorldCall& call = run_.world_calls[2 * process.index() + r.number];
  const std::uint64_t on = ideal_key(CommId::none());
  if (call.location.valid() || run_.announcements.is_incomplete(on, r.number)) return;
  call = {l, r.time};
  memberships_.issues(l, memberships_.begun_or_ended(Key::numbered(l, on, r.number, false)));
}

void IdealPart::leave_world(LocationId l, const Record& r) {
  const ProcessId process = definitions_[l].process;
  if (!process.valid()) return;
  IdealRun::WorldCall& call = run_.world_calls[2 * process.index() + r.number];
  const std::uint64_t on = ideal_key(CommId::none());
  if (definitions_[process].rank >= 0 && run_.world_size > 1 && run_.announcements.is_incomplete(on, r.number)) {
    if (call.location.valid()) return;
    call.location = l;
    ++lost_members_;
    return clocks_.lose(l);
  }
  if (call.location != l || call.enter != r.other) return;
  push(l, IdealStep::finish, memberships_.begun_or_ended(Key::numbered(l, on, r.number, false)), r);
}

// ---- what linking has found ----

void IdealPart::operation(const IdealNeeds& needs, std::span<const IdealMember> members) {
  memberships_.announce(needs, members);
}

void IdealPart::epoch(const IdealCall& stands_at, Time until, const IdealCall& own,
                      std::span<const IdealCall> partners) {
  one_sided_.epochs().epoch(stands_at, until, own, partners);
}

void IdealPart::passive(const IdealCall& call, bool is_gate, std::span<const IdealEpochs::Release> releases) {
  one_sided_.epochs().waited(call, is_gate, releases);
}

// ---- steps ----

bool IdealPart::does(LocationId l, const IdealStep& step) {
  switch (step.kind) {
    case IdealStep::receive:
      return messages_.receives(l, step);
    case IdealStep::finish:
      return memberships_.finishes(l, step);
    case IdealStep::pass:
      return one_sided_.epochs().passes(l, step);
    case IdealStep::meet:
      break;
  }
  return memberships_.meets(l, step);
}

bool IdealPart::is_unknown(const IdealStep& step) const {
  return is_of_operation(step) ? memberships_.is_unknown(step)
                               : step.kind == IdealStep::pass && one_sided_.epochs().is_unknown(step);
}

// ---- results ----

void IdealPart::add_losses(IdealLosses& sum) const {
  sum.outside_of_calls += clocks_.waits_outside_of_calls();
  sum.parts += lost_members_;
  sum.in_circles += in_circles_;
  sum.without_request += without_request_;
  sum.without_function += one_sided_.without_function();
  sum.epochs += lost_epochs_;
  sum.forgotten += one_sided_.epochs().forgotten_needs();
}

}  // namespace waitstate::causes
