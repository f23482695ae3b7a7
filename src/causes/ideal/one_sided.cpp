#include "causes/ideal/one_sided.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace waitstate::causes {

bool IdealOneSided::meets(const replay::StepRecord& window) const {
  const CollectiveOp op = window.op;
  return windows_.meets(RmaWinId{window.on}) &&
         (op == CollectiveOp::barrier || creates_handle(op) || op == CollectiveOp::destroy_handle ||
          op == CollectiveOp::deallocate || op == CollectiveOp::destroy_handle_and_deallocate);
}

void IdealOneSided::sync(LocationId l, const replay::StepRecord& r, IdealClocks& clocks) {
  const RmaWinId win{r.on};
  if (!windows_.of_mpi(win)) return;
  const OpenCall call = calls_[l];
  const auto of = [&](IdealCall::Does does) { return IdealCall{does, l, win, call.enter, call.number}; };
  const CallPathId callpath{r.callpath};
  State& s = state(l, r);
  switch (call.region.index() < definitions_.regions.size() ? definitions_[call.region].mpi_function
                                                            : MpiFunction::none) {
    case MpiFunction::win_start:
      s.access = true;
      return;
    case MpiFunction::win_post:
      s.exposure = true;
      return epochs_.give(l, epochs_.gives(of(IdealCall::posts)));
    case MpiFunction::win_complete:
      if (!std::exchange(s.access, false)) return;
      epochs_.give(l, epochs_.gives(of(IdealCall::completes)));
      return clocks.push(l, {IdealStep::pass, epochs_.stands(of(IdealCall::completes)), callpath});
    case MpiFunction::win_wait:
    case MpiFunction::win_test:
      if (!std::exchange(s.exposure, false)) return;
      return clocks.push(l, {IdealStep::pass, epochs_.stands(of(IdealCall::waits)), callpath});
    default:
      ++without_function_;
  }
}

void IdealOneSided::lock(LocationId l, const replay::StepRecord& r) {
  if (!windows_.of_mpi(RmaWinId{r.on})) return;
  const OpenCall in = calls_[l];
  std::vector<Lock>& locks = state(l, r).locks;
  const auto is_asked = [&](const Lock& k) { return k.target == r.other && k.number == r.number && !k.is_acquired; };
  switch (r.type) {
    case EventType::rma_acquire_lock:
      if (const auto asked = std::find_if(locks.begin(), locks.end(), is_asked); asked != locks.end()) {
        asked->is_acquired = true;
        break;
      }
      [[fallthrough]];
    case EventType::rma_request_lock:
      if (locks.size() == most_locks) locks.erase(locks.begin());
      locks.push_back({r.other, r.number, l, in.enter, r.type == EventType::rma_acquire_lock});
      break;
    case EventType::rma_try_lock: {
      const auto asked = std::find_if(locks.begin(), locks.end(), [&](const Lock& k) {
        return is_asked(k) && k.location == l && k.enter == in.enter;
      });
      if (asked != locks.end()) locks.erase(asked);
      return;
    }
    default: {
      const auto held = std::find_if(locks.rbegin(), locks.rend(),
                                     [&](const Lock& k) { return k.target == r.other && k.number == r.number; });
      if (held == locks.rend()) return;
      locks.erase(std::next(held).base());
    }
  }
  if (!windows_.locks(in.region)) return;
  const CallPathId callpath{r.callpath};
  const auto [found, is_new] = lock_calls_.try_emplace(l);
  LockCall& call = found->second;
  if (is_new || call.enter != in.enter || call.number != in.number || call.callpath != callpath)
    call = {in.enter, in.number, callpath, windows_.unlocks(in.region)};
  if (r.type == EventType::rma_release_lock) call.releases = true, call.release_time = r.time;
}

void IdealOneSided::exit_lock(LocationId l, const replay::StepRecord& r, IdealClocks& clocks) {
  const auto found = lock_calls_.find(l);
  const CallPathId callpath{r.callpath};
  if (found == lock_calls_.end() || found->second.enter != r.other || found->second.number != r.number ||
      found->second.callpath != callpath)
    return;
  const LockCall call = found->second;
  lock_calls_.erase(found);
  const IdealCall of{call.unlocks ? IdealCall::unlocks : IdealCall::locks, l, RmaWinId::none(), call.enter,
                     call.number};
  clocks.push(l,
              {IdealStep::pass, call.releases ? epochs_.unlocks(of, call.release_time) : epochs_.stands(of), callpath});
}

}  // namespace waitstate::causes
