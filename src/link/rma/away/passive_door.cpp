#include "link/rma/away/passive_door.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace waitstate::link {

namespace {
std::vector<LocationId> own_locations(const Definitions& definitions, const Port* port) {
  if (port != nullptr) return port->homes().locations(port->worker());
  std::vector<LocationId> all;
  for (std::size_t l = 0; l < definitions.locations.size(); ++l) all.push_back(LocationId{l});
  return all;
}
}  // namespace

PassiveDoor::PassiveDoor(const Definitions& definitions, Calls& calls, Listener& listener, PassiveTarget* here,
                         Port* port, std::vector<OneSidedSender*> senders, bool wants_polls)
    : definitions_(definitions),
      calls_(calls),
      here_(here),
      port_(port),
      worker_(port == nullptr ? 0 : port->worker()),
      senders_(std::move(senders)),
      used_(definitions.locations.size()),
      progress_(own_locations(definitions, port), definitions.locations.size()),
      asking_(definitions, calls, listener) {
  if (here != nullptr && port != nullptr) here->answer_to(*this);
  for (std::size_t w = 0; w < definitions.rma_wins.size(); ++w) of_mpi_.push_back(definitions.is_of_mpi(RmaWinId{w}));
  if (wants_polls) reads_.emplace(definitions, calls);
}

void PassiveDoor::uses(LocationId l, CallRef call, const RmaLockRef& lock, bool progress) {
  UsedLocks& u = untold(l, call);
  if (!u.uses.empty() && u.uses.back().lock == lock)
    u.uses.back().progress |= progress;
  else
    u.uses.push_back({lock, progress});
}

// Tells the calls that are over before this one is entered, or that lie in it.
PassiveDoor::UsedLocks& PassiveDoor::untold(LocationId l, CallRef call) {
  UsingCalls& used = used_[l.index()];
  std::size_t first = used.depth;
  while (first != 0 && used.calls[first - 1].call != call) --first;
  if (first == 0)
    for (first = used.depth; first != 0 && is_over(used.calls[first - 1].call, call);) --first;
  if (first != used.depth) tell_from(l, first);
  if (first != 0 && used.calls[first - 1].call == call) return used.calls[first - 1];
  if (used.depth == most_untold) {
    tell(l, used.calls.front());
    std::rotate(used.calls.begin(), used.calls.begin() + 1, used.calls.end());
    --used.depth;
  }
  if (used.calls.size() == used.depth) used.calls.emplace_back();
  UsedLocks& u = used.calls[used.depth++];
  u.call = call;
  calls_.keep(call);
  return u;
}

// A call without length at the end of another one may lie in that.
bool PassiveDoor::is_over(CallRef of, CallRef before) const {
  const Call &a = calls_[of].call, &b = calls_[before].call;
  return a.exit < b.enter || (a.exit == b.enter && b.exit != b.enter);
}

void PassiveDoor::tell_from(LocationId l, std::size_t first) {
  UsingCalls& used = used_[l.index()];
  for (std::size_t i = first; i < used.depth; ++i) tell(l, used.calls[i]);
  used.depth = first;
}

// Where all that it needs is known.
WorkerId PassiveDoor::place(const std::vector<Use>& uses) const {
  if (port_ == nullptr) return worker_;
  if (!of_one_target(uses.front().lock)) return meeting;
  const WorkerId first = port_->homes().of(uses.front().lock.target);
  const bool one = std::all_of(uses.begin(), uses.end(), [&](const Use& u) {
    return of_one_target(u.lock) && port_->homes().of(u.lock.target) == first;
  });
  return one ? first : meeting;
}

void PassiveDoor::tell(LocationId l, UsedLocks& used) {
  const WorkerId to = place(used.uses);
  const std::uint32_t asking = ask(l, used, to);
  for (const Use& u : used.uses) {
    if (to == worker_)
      here_->uses(l, used.call, u.lock, u.progress, asking);
    else
      post_lock(to, Action::uses, l, used.call, u.lock, u.progress, 0, asking);
  }
  for (const Time t : used.own_releases) {
    if (to == worker_)
      here_->released_own(l, t, used.call);
    else
      post_lock(to, Action::released_own, l, used.call, {}, false, t);
  }
  calls_.release(std::exchange(used.call, CallState::none));
  used.uses.clear(), used.own_releases.clear();
}

// The number of the call if it needs targets whose home is another worker than the place, else no_one.
std::uint32_t PassiveDoor::ask(LocationId l, const UsedLocks& used, WorkerId place) {
  if (port_ == nullptr) return no_one;
  bool elsewhere = false;
  targets_.clear();
  for (const Use& u : used.uses) {
    const ProcessId target = u.lock.target;
    if (!u.progress || !target.valid() || target == definitions_[l].process) continue;
    elsewhere |= port_->homes().of(target) != place;
    targets_.push_back(target);
  }
  if (!elsewhere) return no_one;
  std::sort(targets_.begin(), targets_.end());
  targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
  return asking_.add(used.call, used.uses.front().lock.win, targets_);
}

void PassiveDoor::found(LocationId caller, std::uint32_t asking, const LockReleases::Release& latest, bool all_known) {
  const WorkerId to = home(caller);
  if (to == worker_) return released(asking, latest.call, latest.time, all_known);
  const bool any = latest.call != CallState::none;
  OneSidedSender& sender = *senders_[to];
  const std::uint32_t number = any ? sender.call(latest.call) : 0;
  sender.post(FoundRelease{asking, any, all_known, number, latest.time});
}

void PassiveDoor::released(std::uint32_t asking, CallRef released, Time release_time, bool all_known) {
  asking_.found(asking, released, release_time, all_known);
  const Time from = asking_.from(asking), exit = asking_.exit(asking);
  std::size_t here = 0;
  for (const ProcessId target : asking_.targets(asking)) {
    if (const WorkerId to = port_->homes().of(target); to != worker_) {
      senders_[to]->post(GapQuestion{asking, target, from, exit});
      continue;
    }
    for (const ProgressGap& g : here_->gaps_of(target, from, exit)) asking_.gap(asking, g.begin, g.end, *g.next);
    ++here;
  }
  for (; here != 0; --here) asking_.answered(asking);  // the last one delivers the call
}

void PassiveDoor::asked(WorkerId by, const GapQuestion& q) {
  for (const ProgressGap& g : here_->gaps_of(q.target, q.from, q.exit))
    senders_[by]->post(GapAnswer{q.asking, g.begin, g.end, *g.next});
  senders_[by]->post(GapsEnd{q.asking});
}

// A release of all targets concerns calls of each single one.
void PassiveDoor::release(LocationId l, Time t, CallRef call, const RmaLockRef& lock) {
  const auto tell_one = [&](WorkerId to) {
    if (to == worker_)
      here_->released(l, t, call, lock);
    else
      post_lock(to, Action::released, l, call, lock, false, t);
  };
  tell_one(meeting);
  if (of_one_target(lock)) {
    if (const WorkerId to = port_->homes().of(lock.target); to != meeting) tell_one(to);
  } else if (of_mpi(lock.win)) {
    for (WorkerId w = 0; w < port_->workers(); ++w)
      if (w != meeting) tell_one(w);
  }
}

void PassiveDoor::polled(LocationId l, CallRef completed, Time t, Poll& poll) {
  const ReadMemory& m = poll.memory;
  const WorkerId to = port_ == nullptr ? worker_ : port_->homes().of(m.owner);
  if (to == worker_) return here_->polled(l, completed, t, poll);
  OneSidedSender& sender = *senders_[to];
  for (const CallRef call : poll.calls) {
    const std::uint32_t number = sender.call(call);
    sender.post(PollCall{number});
    calls_.release(call);
  }
  poll.calls.clear();
  const std::uint32_t number = sender.call(completed);
  sender.post(PollRecord{l, number, m.win, m.owner, m.callpath, m.bytes, poll.loop, poll.start, t});
}

// A call of which some records are held back is told later.
void PassiveDoor::hold_back(LocationId l, Time bound, Time open) {
  UsingCalls& used = used_[l.index()];
  if (bound == ~Time{0}) tell_from(l, 0);
  for (std::size_t i = 0; i < used.depth; ++i) {
    bound = std::min(bound, calls_[used.calls[i].call].call.exit);
    open = std::min(open, calls_[used.calls[i].call].call.enter);
  }
  progress_.hold_back(l, bound, open);
}

void PassiveDoor::end_chunk(LocationId l, std::span<const Call> enters, std::span<const Time> exits, Time up_to,
                            Time open_since, bool at_end) {
  here_->mpi_calls(l, enters, exits);
  progress_.read(l, up_to, open_since, at_end);
}

void PassiveDoor::tell_progress() {
  if (!progress_.due()) return;
  PassiveProgress::Promise promise = progress_.promise();
  promise.open = std::min(promise.open, asking_.least_enter());
  promise.asking = asking_.least_exit();
  for (OneSidedSender* const sender : senders_)
    if (sender != nullptr) sender->post(PassivePromise{promise});
  here_->promised(worker_, promise);
}

}  // namespace waitstate::link
