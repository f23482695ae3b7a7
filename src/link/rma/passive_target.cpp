#include "link/rma/passive_target.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace waitstate::link {

namespace {
// Enters, ascending. Calls come in that order, and are delivered in it, unless one lies in another.
void undelivered(std::deque<Time>& enters, Time t) {
  const bool last = enters.empty() || enters.back() <= t;
  enters.insert(last ? enters.end() : std::upper_bound(enters.begin(), enters.end(), t), t);
}
void delivered(std::deque<Time>& enters, Time t) {
  if (enters.front() == t)
    enters.pop_front();
  else
    enters.erase(std::lower_bound(enters.begin(), enters.end(), t));
}

// Puts `value` in the place of a heap's first entry, which is the least one.
template <class T>
void replace_first(std::vector<T>& heap, const T& value) {
  std::size_t place = 0;
  for (std::size_t child = 1; child < heap.size(); child = 2 * place + 1) {
    if (child + 1 < heap.size() && heap[child] > heap[child + 1]) ++child;
    if (!(value > heap[child])) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = value;
}
}  // namespace

PassiveTarget::PassiveTarget(const Definitions& definitions, Calls& calls, Listener& listener, std::size_t workers)
    : definitions_(definitions),
      calls_(calls),
      listener_(listener),
      locations_(definitions.locations.size()),
      promises_(workers, {0, 0}),
      releases_(definitions, calls),
      changes_(calls),
      polls_(definitions, calls, listener),
      gaps_(definitions) {}

// --- what locations did
// ----------------------------------------------------------------------------------------------

std::uint32_t PassiveTarget::add(Kind kind, LocationId l, Time t, CallRef call) {
  const std::uint32_t id = items_.acquire_stale();
  Item& item = items_[id];
  item.kind = kind;
  item.location = l;
  item.call = call;
  item.waits = none;
  item.found.reset();
  item.asking = none;
  util::empty_for_reuse(item.more);
  calls_.keep(call);
  LocationState& location = locations_[l.index()];
  if (!std::exchange(location.any, true)) acting_.push_back(l);
  place({t, kind, l, location.items++, id});
  return id;
}

void PassiveTarget::place(const Step& step) {
  util::FrontQueue<Step>& steps = locations_[step.location.index()].steps;
  std::size_t at = steps.size();
  for (unsigned moved = 0; at != 0 && steps[at - 1] > step; --at)
    if (++moved > most_moved) return late_steps_.push(step);
  steps.insert(at, step);
}

void PassiveTarget::uses(LocationId l, CallRef call, const RmaLockRef& lock, bool progress, std::uint32_t asking) {
  LocationState& location = locations_[l.index()];
  if (location.last_item == none || location.last_call != CallKey(calls_[call].call)) {
    location.last_item = add(Kind::call, l, calls_[call].call.exit, call);
    items_[location.last_item].first = {lock, progress};
    items_[location.last_item].asking = asking;
    location.last_call = CallKey(calls_[call].call);
    undelivered(location.undelivered, calls_[call].call.enter);
    return;
  }
  Item& item = items_[location.last_item];
  if (item.first.lock == lock) {
    item.first.progress |= progress;
    return;
  }
  const auto at = std::lower_bound(item.more.begin(), item.more.end(), lock,
                                   [](const Use& u, const RmaLockRef& k) { return u.lock < k; });
  if (at != item.more.end() && at->lock == lock)
    at->progress |= progress;
  else
    item.more.insert(at, {lock, progress});
}

void PassiveTarget::released(LocationId l, Time t, CallRef call, const RmaLockRef& lock) {
  items_[add(Kind::release, l, t, call)].first = {lock, false};
}

void PassiveTarget::released_own(LocationId l, Time t, CallRef call) {
  const LocationState& location = locations_[l.index()];
  if (location.last_item == none || location.last_call != CallKey(calls_[call].call)) return;
  const std::uint32_t waits = location.last_item;
  items_[add(Kind::own_release, l, t, call)].waits = waits;
}

void PassiveTarget::written(LocationId l, CallRef call, RmaWinId win, LocationId target) {
  if (!target.valid() || process(target) == process(l)) return;
  items_[add(Kind::write, l, calls_[call].call.enter, call)].memory = change(win, process(target), LocationId::none());
}

void PassiveTarget::notifies(LocationId l, CallRef call, RmaWinId win, LocationId target) {
  if (!target.valid() || process(target) == process(l)) return;
  items_[add(Kind::write, l, calls_[call].call.enter, call)].memory = change(win, process(target), l);
}

void PassiveTarget::polled(LocationId l, CallRef completed, Time t, Poll& poll) {
  items_[add(Kind::poll, l, t, completed)].poll = polls_.add(poll);
}

void PassiveTarget::write_started(LocationId l, CallRef call, RmaWinId win, LocationId target) {
  items_[add(Kind::polled_write, l, calls_[call].call.enter, call)].memory =
      change(win, process(target), LocationId::none());
}

void PassiveTarget::write_completed(LocationId l, CallRef call, RmaWinId win, LocationId target, Time t) {
  items_[add(Kind::polled_write_done, l, t, call)].memory = change(win, process(target), LocationId::none());
}

void PassiveTarget::waits_for_change(LocationId l, CallRef call, RmaWinId win, LocationId origin) {
  items_[add(Kind::wait_change, l, calls_[call].call.exit, call)].memory = change(win, process(l), origin);
}

// --- one order of time
// -----------------------------------------------------------------------------------------------

void PassiveTarget::promised(WorkerId from, const PassiveProgress::Promise& promise) {
  promises_[from] = promise;
  if (until_sweep_-- != 0) return;
  until_sweep_ = promises_.size() / 2;
  PassiveProgress::Promise least;
  for (const PassiveProgress::Promise& p : promises_)
    least = {std::min(least.bound, p.bound), std::min(least.open, p.open), std::min(least.asking, p.asking)};
  sweep(least.bound);
  // Calls that are not delivered yet may ask for what was before: since the first of them was entered.
  for (const LocationId l : acting_)
    if (const LocationState& s = locations_[l.index()]; !s.undelivered.empty())
      least.open = std::min(least.open, s.undelivered.front());
  gaps_.forget_before(least.open, std::min(least.bound, least.asking));
}

void PassiveTarget::finish() {
  sweep(~Time{0});
  polls_.finish();
}

void PassiveTarget::sweep(Time before) {
  const auto due = [&](const Step& t) { return t.time < before || before == ~Time{0}; };
  heads_.clear();
  for (const LocationId l : acting_)
    if (const LocationState& s = locations_[l.index()]; !s.steps.empty() && due(s.steps.front()))
      heads_.push_back(s.steps.front());
  std::make_heap(heads_.begin(), heads_.end(), std::greater<>());
  for (;;) {
    if (!late_steps_.empty() && due(late_steps_.top()) && (heads_.empty() || heads_.front() > late_steps_.top())) {
      const Step step = late_steps_.top();
      late_steps_.pop();
      take(step);
      continue;
    }
    if (heads_.empty()) return;
    const Step step = heads_.front();
    util::FrontQueue<Step>& steps = locations_[step.location.index()].steps;
    steps.pop_front();
    if (!steps.empty() && due(steps.front())) {
      replace_first(heads_, steps.front());
    } else {
      const Step last = heads_.back();
      heads_.pop_back();
      if (!heads_.empty()) replace_first(heads_, last);
    }
    take(step);
  }
}

void PassiveTarget::take(const Step& step) {
  Item& item = items_[step.item];
  LocationState& location = locations_[item.location.index()];
  if (location.last_item == step.item) location.last_item = none;
  const Call& call = calls_[item.call].call;
  switch (item.kind) {
    case Kind::release:
      releases_.released(item.location, item.first.lock, step.time, item.call);
      break;
    case Kind::own_release:
      // If time stamps run backwards the call may be delivered already.
      if (Item& waits = items_[item.waits];
          waits.kind == Kind::call && waits.call != none && same_call(calls_[waits.call].call, call)) {
        forget(waits);
        waits.found = find(waits);
        if (waits.found->latest.call != none) calls_.keep(waits.found->latest.call);
      }
      break;
    case Kind::write:
      changes_.changed(item.memory, item.call);
      break;
    case Kind::polled_write:
      polls_.write_started(item.memory.win, item.memory.target, item.call);
      break;
    case Kind::polled_write_done:
      polls_.write_completed(item.memory.win, item.memory.target, item.call, step.time);
      break;
    case Kind::poll:
      polls_.polled(item.location, item.poll, step.time);
      break;
    case Kind::call:
      deliver(item);
      delivered(location.undelivered, call.enter);
      break;
    case Kind::wait_change:
      listener_.rma_wait_change({call, item.memory.win, changes_.during(call, item.memory)});
      break;
  }
  calls_.release(std::exchange(item.call, CallState::none));
  items_.release(step.item);
}

PassiveTarget::Found PassiveTarget::find(const Item& item) {
  const Call& call = calls_[item.call].call;
  Found found;
  for_each_use(item,
               [&](const Use& u) { found.all_known &= releases_.find(item.location, call, u.lock, found.latest); });
  return found;
}

void PassiveTarget::forget(Item& item) {
  if (item.found && item.found->latest.call != none) calls_.release(item.found->latest.call);
  item.found.reset();
}

void PassiveTarget::deliver(Item& item) {
  const Call& call = calls_[item.call].call;
  const auto [latest, all_known] = item.found ? *item.found : find(item);
  if (item.asking != none) {
    asking_->found(item.location, item.asking, latest, all_known);
    return forget(item);
  }
  const bool waited = latest.call != none;
  const Time from = waited ? latest.time : call.enter;
  gaps_.begin(from, call.exit);
  for_each_use(item, [&](const Use& u) {
    const ProcessId target = u.lock.target;
    if (u.progress && target.valid() && target != process(item.location)) gaps_.add_target(target);
  });
  deliver_passive_call(listener_, definitions_, call, item.first.lock.win, waited ? &calls_[latest.call].call : nullptr,
                       latest.time, all_known, joined_.join(gaps_.gaps(), from, call.exit));
  forget(item);
}

void deliver_passive_call(Listener& listener, const Definitions& definitions, const Call& call, RmaWinId win,
                          const Call* released, Time release_time, bool lock_known,
                          std::span<const RmaProgressGap> gaps) {
  const CommId comm = definitions.rma_wins[win.index()].comm;
  listener.rma_passive_call({call, win, comm.valid() ? definitions[comm].paradigm : Paradigm::unknown, released,
                             release_time, lock_known, gaps});
}

}  // namespace waitstate::link
