#include "causes/ideal/one_sided.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace waitstate::causes {

IdealOneSided::IdealOneSided(const Definitions& definitions, const merge::EventStore& events, IdealClocks& clocks,
                             IdealOperations& operations)
    : definitions_(definitions), events_(events), operations_(operations), epochs_(clocks) {
  for (const RmaWin& w : definitions.rma_wins) {
    const bool of_mpi = w.comm.valid() && definitions[w.comm].paradigm == Paradigm::mpi;
    windows_.push_back({of_mpi, of_mpi && !definitions[w.comm].self && definitions[w.comm].members.size() > 1});
  }
  for (const Region& r : definitions.regions) {
    const std::string name = windows_.empty() ? std::string() : mpi_base_name(r.name);
    unlocks_.push_back(name == "win_unlock" || name == "win_unlock_all");
    locks_.push_back(unlocks_.back() || name == "win_lock" || name == "win_lock_all");
  }
}

bool IdealOneSided::record(const Event& e, const PushStep& push) {
  if (e.enterptr == waitstate::no_position) return false;
  switch (e.type) {
    case EventType::rma_collective_end:  // attributes: op, level, win
      if (const RmaWinId win{e.attributes[2]}; meets(win) && is_of_window(static_cast<CollectiveOp>(e.attributes[0])))
        push(IdealStep::part, operations_.recorded(e, IdealOperations::on(win)));
      return false;
    case EventType::rma_group_sync:  // attributes: level, win
      if (const RmaWinId win{e.attributes[1]}; of_mpi(win)) group_sync(e, win, push);
      return false;
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
    case EventType::rma_try_lock:
    case EventType::rma_release_lock:  // attributes: win, remote, lock
      if (const RmaWinId win{e.attributes[0]}; of_mpi(win)) return lock(e, win);
      return false;
    default:
      return false;
  }
}

bool IdealOneSided::exit(const Event& e, const PushStep& push) {
  const auto found = lock_calls_.find(e.loc);
  if (found == lock_calls_.end() || found->second.pos != e.enterptr) return false;
  const LockCall call = found->second;
  lock_calls_.erase(found);
  const IdealCall of{call.unlocks ? IdealCall::unlocks : IdealCall::locks, e.loc, RmaWinId::none(), call.enter};
  push(IdealStep::pass, call.releases ? epochs_.unlocks(of, call.release_time) : epochs_.stands(of));
  return true;
}

void IdealOneSided::access(const RmaAccessEpoch& e) {
  if (!of_mpi(e.win) || e.complete.function != MpiFunction::win_complete) return;
  const IdealCall complete{IdealCall::completes, e.complete.location, e.win, e.complete.enter};
  epochs_.epoch(complete, e.complete.exit, complete, e.targets, [&](const RmaAccessTarget& t) {
    return IdealCall{IdealCall::posts, t.post.location, e.win, t.post.enter};
  });
}

void IdealOneSided::exposure(const RmaExposureEpoch& e) {
  if (!of_mpi(e.win) || e.post.function != MpiFunction::win_post) return;
  const IdealCall post{IdealCall::posts, e.post.location, e.win, e.post.enter};
  const IdealCall wait{IdealCall::waits, e.wait.location, e.win, e.wait.enter};
  epochs_.epoch(wait, e.wait.exit, post, e.origins, [&](const RmaExposureOrigin& o) {
    return IdealCall{IdealCall::completes, o.complete.location, e.win, o.complete.enter};
  });
}

void IdealOneSided::passive(const RmaPassiveCall& r) {
  if (!of_mpi(r.win)) return;
  const bool unlocks = is(unlocks_, r.call);
  const IdealCall call{unlocks ? IdealCall::unlocks : IdealCall::locks, r.call.location, RmaWinId::none(),
                       r.call.enter};
  IdealEpochs::Release release{};
  const bool waited = r.released != nullptr && is(unlocks_, *r.released);
  if (waited)
    release = {{IdealCall::unlocks, r.released->location, RmaWinId::none(), r.released->enter}, r.release_time};
  epochs_.waited(call, is(locks_, r.call), unlocks, waited ? &release : nullptr);
}

bool IdealOneSided::has_windows() const {
  return std::any_of(windows_.begin(), windows_.end(), [](const Window& w) { return w.of_mpi; });
}

bool IdealOneSided::is(const std::vector<bool>& regions, const Call& call) {
  return call.region.index() < regions.size() && regions[call.region.index()];
}

bool IdealOneSided::is_of_window(CollectiveOp op) {
  return op == CollectiveOp::barrier || creates_handle(op) || op == CollectiveOp::destroy_handle ||
         op == CollectiveOp::deallocate || op == CollectiveOp::destroy_handle_and_deallocate;
}

IdealOneSided::State& IdealOneSided::state(const Event& e, RmaWinId win) {
  return states_[std::uint64_t{definitions_[e.loc].process.value} << 32 | win.value];
}

void IdealOneSided::group_sync(const Event& e, RmaWinId win, const PushStep& push) {
  const Event enter = events_.event(e.enterptr);
  const RegionId region = enter.region();
  State& s = state(e, win);
  switch (region.index() < locks_.size() ? definitions_[region].mpi_function : MpiFunction::none) {
    case MpiFunction::win_start:
      s.access = true;
      return;
    case MpiFunction::win_post:
      s.exposure = true;
      return push(IdealStep::give, epochs_.gives({IdealCall::posts, e.loc, win, enter.time}));
    case MpiFunction::win_complete:
      if (!std::exchange(s.access, false)) return;
      push(IdealStep::give, epochs_.gives({IdealCall::completes, e.loc, win, enter.time}));
      return push(IdealStep::pass, epochs_.stands({IdealCall::completes, e.loc, win, enter.time}));
    case MpiFunction::win_wait:
    case MpiFunction::win_test:
      if (!std::exchange(s.exposure, false)) return;
      return push(IdealStep::pass, epochs_.stands({IdealCall::waits, e.loc, win, enter.time}));
    default:
      ++without_function_;
  }
}

bool IdealOneSided::lock(const Event& e, RmaWinId win) {
  std::vector<Lock>& locks = state(e, win).locks;
  const std::uint64_t target = e.attributes[1], number = e.attributes[2];
  const auto is_asked = [&](const Lock& k) { return k.target == target && k.number == number && !k.is_acquired; };
  switch (e.type) {
    case EventType::rma_acquire_lock:
      if (const auto asked = std::find_if(locks.begin(), locks.end(), is_asked); asked != locks.end()) {
        asked->is_acquired = true;
        break;
      }
      [[fallthrough]];
    case EventType::rma_request_lock:
      if (locks.size() == most_locks) locks.erase(locks.begin());
      locks.push_back({target, number, e.enterptr, e.type == EventType::rma_acquire_lock});
      break;
    case EventType::rma_try_lock:
      if (const auto asked = std::find_if(locks.begin(), locks.end(),
                                          [&](const Lock& k) { return is_asked(k) && k.call == e.enterptr; });
          asked != locks.end())
        locks.erase(asked);
      return false;
    default: {
      const auto held = std::find_if(locks.rbegin(), locks.rend(),
                                     [&](const Lock& k) { return k.target == target && k.number == number; });
      if (held == locks.rend()) return false;
      locks.erase(std::next(held).base());
    }
  }
  const Event enter = events_.event(e.enterptr);
  if (const RegionId region = enter.region(); region.index() >= locks_.size() || !locks_[region.index()]) return false;
  LockCall& call = lock_calls_[e.loc];
  if (call.pos != e.enterptr) call = {e.enterptr, enter.time, unlocks_[enter.region().index()]};
  if (e.type == EventType::rma_release_lock) call.releases = true, call.release_time = e.time;
  return true;
}
}  // namespace waitstate::causes
