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

PassiveDoor::PassiveDoor(const Definitions& definitions, Calls& calls, PassiveTarget* here, Port* port,
                         std::vector<OneSidedSender*> senders, bool wants_polls)
    : calls_(calls),
      here_(here),
      port_(port),
      worker_(port == nullptr ? 0 : port->worker()),
      senders_(std::move(senders)),
      used_(definitions.locations.size()),
      progress_(own_locations(definitions, port), definitions.locations.size()) {
  for (std::size_t w = 0; w < definitions.rma_wins.size(); ++w) of_mpi_.push_back(definitions.is_of_mpi(RmaWinId{w}));
  if (wants_polls) reads_.emplace(definitions, calls);
}

void PassiveDoor::use(LocationId l, CallRef call, const RmaLockRef& lock, bool progress) {
  UsedLocks& u = used_[l.index()];
  if (u.call != call) {
    tell(l, u);
    u.call = call;
    calls_.keep(call);
  }
  if (!u.uses.empty() && u.uses.back().lock == lock)
    u.uses.back().progress |= progress;
  else
    u.uses.push_back({lock, progress});
}

// Where all that it needs is known.
WorkerId PassiveDoor::place(const std::vector<Use>& uses) const {
  if (!of_one_target(uses.front().lock)) return meeting;
  const WorkerId first = port_->homes().of(uses.front().lock.target);
  const bool one = std::all_of(uses.begin(), uses.end(), [&](const Use& u) {
    return of_one_target(u.lock) && port_->homes().of(u.lock.target) == first;
  });
  return one ? first : meeting;
}

void PassiveDoor::tell(LocationId l, UsedLocks& used) {
  if (used.call == CallState::none) return;
  const WorkerId to = place(used.uses);
  for (const Use& u : used.uses) {
    if (to == worker_)
      here_->uses(l, used.call, u.lock, u.progress);
    else
      post_lock(to, Action::uses, l, used.call, u.lock, u.progress, 0);
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
  if (port_ != nullptr) {
    UsedLocks& u = used_[l.index()];
    if (bound == ~Time{0}) {
      tell(l, u);
    } else if (u.call != CallState::none) {
      bound = std::min(bound, calls_[u.call].call.exit);
      open = std::min(open, calls_[u.call].call.enter);
    }
  }
  progress_.hold_back(l, bound, open);
}

void PassiveDoor::end_chunk(LocationId l, std::span<const Call> enters, std::span<const Time> exits, Time up_to,
                            Time open_since, bool at_end) {
  here_->mpi_calls(l, enters, exits);
  if (worker_ != meeting && (!enters.empty() || !exits.empty())) {
    for (const Call& call : enters) senders_[meeting]->post(MpiEnter{call});
    for (const Time t : exits) senders_[meeting]->post(MpiExit{t});
  }
  progress_.read(l, up_to, open_since, at_end);
}

void PassiveDoor::tell_progress() {
  if (!progress_.due()) return;
  const PassiveProgress::Promise promise = progress_.promise();
  for (OneSidedSender* const sender : senders_)
    if (sender != nullptr) sender->post(PassivePromise{promise.bound, promise.open});
  here_->promised(worker_, promise);
}

}  // namespace waitstate::link
