#include "link/rma/lock_releases.hpp"

#include <utility>

namespace waitstate::link {

// Symmetric memory lies at other addresses on each process, but at the same place in its page.
static constexpr std::uint64_t page = 4096;

void LockReleases::released(LocationId l, const RmaLockRef& lock, Time t, CallRef call) {
  if (definitions_.is_of_mpi(lock.win)) return keep(lock, t, call);
  RmaLockRef by_name = lock;
  name(l, by_name);  // takes note of it; the release is kept by whatever name it
                     // will be asked for
  by_name = lock;
  by_name.lock %= page;
  keep(by_name, t, call);
  by_name = lock;
  by_name.target = by_number;
  keep(by_name, t, call);
}

void LockReleases::keep(RmaLockRef lock, Time t, CallRef call) {
  Releases& of_target = releases_.find_or_insert(key(lock));
  replace(lock.exclusive ? of_target.exclusive : of_target.shared, t, call);
  if (!lock.exclusive || !lock.target.valid() || lock.target == by_number) return;
  lock.target = ProcessId::none();  // for calls that lock all targets
  replace(releases_.find_or_insert(key(lock)).exclusive, t, call);
}

void LockReleases::replace(LastReleases& last, Time t, CallRef call) {
  calls_.keep(call);
  const auto owner = [&](CallRef c) { return process(calls_[c].call.location); };
  if (last[0].call != CallState::none && owner(last[0].call) != owner(call)) std::swap(last[0], last[1]);
  if (last[0].call != CallState::none) calls_.release(last[0].call);
  last[0] = {t, call};
}

// Takes note of the number of a lock; true if processes give the window's locks the same ones.
bool LockReleases::count_number(LocationId l, const RmaLockRef& lock) {
  Numbers& numbers = numbers_.find_or_insert(key({lock.win, ProcessId::none(), 0}));
  const auto count = [&](ProcessId of, std::uint64_t& counter) {
    bool& seen = numbers_seen_.find_or_insert(key({lock.win, of, lock.lock}));
    counter += !seen;
    seen = true;
  };
  count(process(l), numbers.of_processes);
  count(ProcessId::none(), numbers.distinct);
  return numbers.shared();
}

// Gives a lock of SHMEM the name that all processes know it by; false if a process has two of that name.
bool LockReleases::name(LocationId l, RmaLockRef& lock) {
  if (definitions_.is_of_mpi(lock.win)) return true;
  const std::uint64_t address = lock.lock;
  const bool by_its_number = count_number(l, lock);
  lock.lock %= page;
  Addresses& first = addresses_.find_or_insert(key({lock.win, process(l), lock.lock}));
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
bool LockReleases::find(LocationId l, const Call& call, RmaLockRef lock, Release& latest) {
  if (!name(l, lock)) return false;
  const auto consider = [&](const LastReleases& last) {
    for (const Release& r : last) {
      if (r.call == CallState::none || r.time <= call.enter || r.time > call.exit) continue;
      if (process(calls_[r.call].call.location) == process(l)) continue;
      if (latest.call == CallState::none || r.time > latest.time) latest = r;
    }
  };
  if (const Releases* const r = releases_.find(key(lock))) {
    consider(r->exclusive);
    if (lock.exclusive) consider(r->shared);
  }
  if (!lock.exclusive || !lock.target.valid()) return true;
  lock.target = ProcessId::none();
  if (const Releases* const r = releases_.find(key(lock))) consider(r->shared);
  return true;
}

}  // namespace waitstate::link
