#include "link/rma/passive_target.hpp"

#include <algorithm>
#include <functional>

namespace waitstate::link {

namespace {
// Symmetric memory lies at other addresses on each process, but at the same place in its page.
constexpr std::uint64_t page = 4096;

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

RmaPassive::RmaPassive(const Definitions& definitions, Calls& calls, Listener& listener)
    : definitions_(definitions), calls_(calls), listener_(listener), locations_(definitions.locations.size()) {}

bool RmaPassive::of_mpi(RmaWinId win) const {
  const CommId comm = definitions_.rma_wins[win.index()].comm;
  return comm.valid() && definitions_[comm].paradigm == Paradigm::mpi;
}

// --- what locations did ----------------------------------------------------------------------------------------------

std::uint32_t RmaPassive::add(Kind kind, LocationId l, Time t, std::uint32_t call, const Use& use) {
  const std::uint32_t id = items_.acquire_stale();
  Item& item = items_[id];
  item.kind = kind;
  item.location = l;
  item.call = call;
  item.first = use;
  util::empty_for_reuse(item.more);
  calls_.hold(call);
  place({t, kind, l, locations_[l.index()].items++, id});
  return id;
}

void RmaPassive::place(const Turn& turn) {
  util::FrontQueue<Turn>& turns = locations_[turn.location.index()].turns;
  std::size_t at = turns.size();
  for (unsigned moved = 0; at != 0 && turns[at - 1] > turn; --at)
    if (++moved > most_moved) return strays_.push(turn);
  turns.insert(at, turn);
}

void RmaPassive::uses(LocationId l, std::uint32_t call, const RmaLockRef& lock, bool progress) {
  LocationState& location = locations_[l.index()];
  if (location.last_item == none || location.last_call != call) {
    location.last_item = add(Kind::call, l, calls_[call].call.exit, call, {lock, progress});
    location.last_call = call;
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

void RmaPassive::released(LocationId l, Time t, std::uint32_t call, const RmaLockRef& lock) {
  add(Kind::release, l, t, call, {lock, false});
}

void RmaPassive::written(LocationId l, std::uint32_t call, RmaWinId win, LocationId target) {
  if (!target.valid() || process(target) == process(l)) return;
  add(Kind::write, l, calls_[call].call.enter, call, {{win, process(target)}, false});
}

void RmaPassive::notifies(LocationId l, std::uint32_t call, RmaWinId win, LocationId target) {
  if (!target.valid() || process(target) == process(l)) return;
  add(Kind::write, l, calls_[call].call.enter, call, {{win, process(target), changes_of(l)}, false});
}

void RmaPassive::waits_for_change(LocationId l, std::uint32_t call, RmaWinId win, LocationId origin) {
  add(Kind::wait_change, l, calls_[call].call.exit, call, {{win, process(l), changes_of(origin)}, false});
}

// --- one order of time -----------------------------------------------------------------------------------------------

void RmaPassive::read(LocationId l, std::span<const Call> enters, std::span<const Time> exits, Time up_to,
                      Time open_since, bool at_end) {
  LocationState& location = locations_[l.index()];
  location.library.append(enters);
  for (const Time t : exits)
    if (location.left < location.library.size()) location.library[location.left++].exit = t;
  while (location.left > most_library) {  // the oldest two become one
    const Time enter = location.library.front().enter;
    location.library.pop_front();
    location.library.front().enter = enter;
    --location.left;
  }
  location.read = up_to;
  location.open_since = open_since;
  location.at_end = at_end;
  if (until_sweep_-- != 0) return;
  until_sweep_ = locations_.size() / 2;
  Time bound = ~Time{0}, open = ~Time{0};
  for (const LocationState& s : locations_) {
    bound = std::min(bound, s.held_back);
    if (!s.at_end) bound = std::min(bound, s.read);
  }
  sweep(bound);
  // Calls that are not delivered yet, or still open, may have been entered before.
  for (const LocationState& s : locations_) {
    open = std::min(open, s.held_open);
    if (!s.at_end) open = std::min(open, s.open_since);
    if (!s.undelivered.empty()) open = std::min(open, s.undelivered.front());
  }
  drop_library_before(open);
}

void RmaPassive::finish() { sweep(~Time{0}); }

void RmaPassive::sweep(Time before) {
  const auto due = [&](const Turn& t) { return t.time < before || before == ~Time{0}; };
  heads_.clear();
  for (LocationState& s : locations_)
    if (!s.turns.empty() && due(s.turns.front())) heads_.push_back(s.turns.front());
  std::make_heap(heads_.begin(), heads_.end(), std::greater<>());
  for (;;) {
    if (!strays_.empty() && due(strays_.top()) && (heads_.empty() || heads_.front() > strays_.top())) {
      const Turn turn = strays_.top();
      strays_.pop();
      take(turn);
      continue;
    }
    if (heads_.empty()) return;
    const Turn turn = heads_.front();
    util::FrontQueue<Turn>& turns = locations_[turn.location.index()].turns;
    turns.pop_front();
    if (!turns.empty() && due(turns.front())) {
      replace_first(heads_, turns.front());
    } else {
      const Turn last = heads_.back();
      heads_.pop_back();
      if (!heads_.empty()) replace_first(heads_, last);
    }
    take(turn);
  }
}

void RmaPassive::take(const Turn& turn) {
  const Item& item = items_[turn.item];
  LocationState& location = locations_[item.location.index()];
  if (location.last_item == turn.item) location.last_item = none;
  switch (item.kind) {
    case Kind::release:
    case Kind::write:
      remember(item, turn.time);
      break;
    case Kind::call:
      deliver(item);
      delivered(location.undelivered, calls_[item.call].call.enter);
      break;
    case Kind::wait_change:
      deliver_change(item);
      break;
  }
  calls_.drop(item.call);
  items_.release(turn.item);
}

void RmaPassive::drop_library_before(Time t) {
  for (LocationState& s : locations_)
    while (s.left != 0 && s.library.front().exit < t) {
      s.library.pop_front();
      --s.left;
    }
}

// --- what happened last ----------------------------------------------------------------------------------------------

void RmaPassive::replace(LastReleases& last, Time t, std::uint32_t call) {
  calls_.hold(call);
  const auto owner = [&](std::uint32_t c) { return process(calls_[c].call.location); };
  if (last[0].call != none && owner(last[0].call) != owner(call)) std::swap(last[0], last[1]);
  if (last[0].call != none) calls_.drop(last[0].call);
  last[0] = {t, call};
}

void RmaPassive::remember(const Item& item, Time t) {
  RmaLockRef lock = item.first.lock;
  if (item.kind == Kind::write) {
    std::uint32_t& last = writes_.find_or_insert(key(lock));
    calls_.hold(item.call);
    if (last != 0) calls_.drop(last - 1);
    last = item.call + 1;
    return;
  }
  const auto released = [&](RmaLockRef by_name) {
    Releases& of_target = releases_.find_or_insert(key(by_name));
    replace(by_name.exclusive ? of_target.exclusive : of_target.shared, t, item.call);
    if (!by_name.exclusive || !by_name.target.valid() || by_name.target == by_number) return;
    by_name.target = ProcessId::none();  // for those who lock all targets
    replace(releases_.find_or_insert(key(by_name)).exclusive, t, item.call);
  };
  if (of_mpi(lock.win)) return released(lock);
  known(item, lock);  // by whatever name it will be asked for
  lock = item.first.lock;
  lock.lock %= page;
  released(lock);
  lock = item.first.lock;
  lock.target = by_number;
  released(lock);
}

// Takes note of the number of a lock; true if processes give the window's locks the same ones.
bool RmaPassive::count_number(const Item& item, const RmaLockRef& lock) {
  Numbers& numbers = numbers_.find_or_insert(key({lock.win, ProcessId::none(), 0}));
  const auto count = [&](ProcessId of, std::uint64_t& counter) {
    bool& seen = numbers_seen_.find_or_insert(key({lock.win, of, lock.lock}));
    counter += !seen;
    seen = true;
  };
  count(process(item.location), numbers.of_processes);
  count(ProcessId::none(), numbers.distinct);
  return numbers.shared();
}

// Gives a lock of SHMEM the name that all processes know it by; false if a process has two of that name.
bool RmaPassive::known(const Item& item, RmaLockRef& lock) {
  if (of_mpi(lock.win)) return true;
  const std::uint64_t address = lock.lock;
  const bool by_its_number = count_number(item, lock);
  lock.lock %= page;
  Addresses& first = addresses_.find_or_insert(key({lock.win, process(item.location), lock.lock}));
  bool& ambiguous = ambiguous_.find_or_insert(key({lock.win, ProcessId::none(), lock.lock}));
  if (first.seen && first.lock != address) ambiguous = true;
  first = {address, true};
  if (ambiguous && by_its_number) {
    lock.target = by_number;
    lock.lock = address;
    return true;
  }
  return !ambiguous;
}

// A shared lock has to wait for exclusive ones only, an exclusive one for all on its target, and for locks of all
// targets.
void RmaPassive::find_release(const Item& item, const RmaLockRef& lock, Release& latest) {
  const auto consider = [&](const LastReleases& last) {
    for (const Release& r : last) {
      if (r.call == none || r.time <= calls_[item.call].call.enter || r.time > calls_[item.call].call.exit) continue;
      if (process(calls_[r.call].call.location) == process(item.location)) continue;
      if (latest.call == none || r.time > latest.time) latest = r;
    }
  };
  if (const Releases* const r = releases_.find(key(lock))) {
    consider(r->exclusive);
    if (lock.exclusive) consider(r->shared);
  }
  if (!lock.exclusive || !lock.target.valid()) return;
  RmaLockRef all = lock;
  all.target = ProcessId::none();
  if (const Releases* const r = releases_.find(key(all))) consider(r->shared);
}

// --- deliveries ------------------------------------------------------------------------------------------------------

void RmaPassive::deliver(const Item& item) {
  Release latest;
  bool all_known = true;
  const auto look = [&](const Use& u) {
    RmaLockRef lock = u.lock;
    if (known(item, lock))
      find_release(item, lock, latest);
    else
      all_known = false;
  };
  look(item.first);
  for (const Use& u : item.more) look(u);
  const Call& call = calls_[item.call].call;
  gaps_.clear();
  find_gaps(item, latest.call != none ? latest.time : call.enter);
  const RmaWinId win = item.first.lock.win;
  const CommId comm = definitions_.rma_wins[win.index()].comm;
  listener_.rma_passive_call({call, win, comm.valid() ? definitions_[comm].paradigm : Paradigm::unknown,
                              latest.call != none ? &calls_[latest.call].call : nullptr, latest.time, all_known,
                              gaps_});
}

// The times from `from` on in which targets were outside of MPI, without overlaps; of several targets the one whose
// time begins first counts.
void RmaPassive::find_gaps(const Item& item, Time from) {
  const Call& call = calls_[item.call].call;
  all_gaps_.clear();
  const auto look = [&](const Use& u) {
    const ProcessId target = u.lock.target;
    if (u.progress && target.valid() && target != process(item.location)) find_gaps(call, target, from);
  };
  look(item.first);
  for (const Use& u : item.more) look(u);
  std::sort(all_gaps_.begin(), all_gaps_.end(), [](const Gap& a, const Gap& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end != b.end ? a.end < b.end : a.next->location < b.next->location;
  });
  Time covered = from;
  for (const Gap& g : all_gaps_) {
    if (g.end <= covered) continue;
    gaps_.push_back({std::max(covered, g.begin), g.end, *g.next});
    covered = g.end;
  }
}

// Of one target: all of them if it was in MPI when the call was left, and so had to come for the last of them; else the
// first one, if it was outside at `from`.
void RmaPassive::find_gaps(const Call& call, ProcessId target, Time from) {
  // Time stamps of a damaged trace may run backwards: neither the call nor the library's calls need be in order.
  if (from >= call.exit) return;
  const auto behind = [](const util::FrontQueue<Call>& library, Time t) {
    return std::upper_bound(library.begin(), library.end(), t, [](Time time, const Call& c) { return time < c.enter; });
  };
  bool in_mpi_at_end = false;
  const Call* next = nullptr;  // entered first behind `from`
  bool outside = true;         // at `from`
  for (const LocationId t : definitions_[target].locations) {
    const auto& library = locations_[t.index()].library;
    const auto after = behind(library, from), end = behind(library, call.exit);
    if (after != library.begin() && (std::prev(after)->exit > from || std::prev(after)->enter == from)) outside = false;
    if (!(after < end)) continue;  // not entered in the call
    if (next == nullptr || after->enter < next->enter) next = &*after;
    in_mpi_at_end |= std::prev(end)->exit >= call.exit;
  }
  if (next == nullptr) return;
  if (!in_mpi_at_end) {
    if (outside) all_gaps_.push_back({from, next->enter, next});
    return;
  }
  inside_.clear();
  for (const LocationId t : definitions_[target].locations) {
    const auto& library = locations_[t.index()].library;
    auto c = behind(library, from);
    if (c != library.begin()) --c;
    for (const auto end = behind(library, call.exit); c < end; ++c) inside_.push_back(&*c);
  }
  if (definitions_[target].locations.size() > 1)
    std::sort(inside_.begin(), inside_.end(), [](const Call* a, const Call* b) {
      return a->enter != b->enter ? a->enter < b->enter : a->location < b->location;
    });
  Time covered = from;
  for (const Call* c : inside_) {
    if (c->enter > covered) all_gaps_.push_back({covered, c->enter, c});
    covered = std::max(covered, c->exit);
  }
}

void RmaPassive::deliver_change(const Item& item) {
  const Call& call = calls_[item.call].call;
  const RmaLockRef& memory = item.first.lock;
  const Call* changed = nullptr;
  if (const std::uint32_t* const last = writes_.find(key(memory))) changed = &calls_[*last - 1].call;
  if (changed != nullptr && (changed->enter >= call.exit || changed->exit <= call.enter)) changed = nullptr;
  listener_.rma_wait_change({call, memory.win, changed});
}

}  // namespace waitstate::link
