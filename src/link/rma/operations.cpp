// Rma: single operations, from their start to the record, or the end of their epoch, that completes them.
#include <algorithm>

#include "link/rma/rma.hpp"

namespace waitstate::link {

void Rma::start(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  RmaStart s;
  s.kind = r.type == EventType::rma_put   ? RmaOperationKind::put
           : r.type == EventType::rma_get ? RmaOperationKind::get
                                          : RmaOperationKind::atomic;
  s.target = r.remote;
  s.bytes_put = r.bytes;
  s.bytes_got = r.received;
  s.call = call;
  listener_.rma_started(calls_[call].call, s.kind, s.bytes_put, s.bytes_got);
  if (!wanted_.one_sided()) return;
  if (!s.target.valid()) {
    diagnostics_.add(DiagnosticId::peer_unknown, {l, r.time, {}});
    return;
  }
  WindowState& w = window(l, r.win);
  Pending p{s, l, r.time, 0, false};
  const auto lock = std::find_if(w.locks.rbegin(), w.locks.rend(), [&](const Lock& k) {
    return of_mpi(r.win) && (!k.target.valid() || k.target == s.target);
  });
  const bool locked = lock != w.locks.rend();
  if (locked) {
    lock->accesses.add(calls_, s);
    p.lock = lock->number;
    p.exclusive = lock->type == LockType::exclusive;
    if (wanted_.passive()) passive_.uses(l, call, lock_ref(r.win, s.target, lock->number, p.exclusive), true);
  } else {
    if (!w.unnamed.empty())
      if (const RmaUnnamed::Epoch* const e = w.unnamed.operate(groups_, s.target))
        start_access(w, l, r.win, e->group, e->call);
    if ((w.access == none || !epochs_.access(w.access, s)) && wanted_.epochs()) w.accesses.add(calls_, s);
  }
  if (wanted_.passive() && !of_mpi(r.win) && s.kind != RmaOperationKind::get)
    passive_.written(l, call, r.win, s.target);
  if (!wanted_.operations() && !(wanted_.passive() && locked)) return;
  if (w.pending.size() == most_pending) forget_pending(w);
  calls_.hold(call);
  pending_.add(w.pending, r.match, locked, p);
}

RmaLockRef Rma::lock_ref(RmaWinId win, LocationId target, std::uint64_t number, bool exclusive) const {
  return {win, target.valid() ? definitions_[target].process : ProcessId::none(), number, exclusive};
}

// An id that nothing waits for: complete already, and a second record says that it is so at the target too.
void Rma::complete_matching(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  pending_.take_matching(
      w.pending, r.match,
      [&](const Pending& p) {
        return r.type == EventType::rma_op_complete_remote || !needs_target(r.win, p.start.kind);
      },
      [&](const Pending& p, bool locked) {
        complete(p, locked, l, r, call);
        calls_.drop(p.start.call);
      });
}

void Rma::complete(const Pending& p, bool locked, LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  if (wanted_.passive() && locked && of_mpi(r.win))
    passive_.uses(l, call, lock_ref(r.win, p.start.target, p.lock, p.exclusive), true);
  if (!wanted_.operations()) return;
  const Call& own = calls_[p.start.call].call;
  const bool without_call = own.enter == own.exit && r.type != EventType::rma_collective_end;
  if (!basic(r.win) || without_call)
    deliver(p, r.win, call, r.time);
  else
    deliver(p, r.win, p.start.call, call == p.start.call ? r.time : own.exit);
}

void Rma::deliver(const Pending& p, RmaWinId win, std::uint32_t call, Time t) {
  listener_.rma_operation({p.start.kind, win, p.origin, p.start.target, p.start.bytes_put, p.start.bytes_got,
                           calls_[p.start.call].call, p.time, calls_[call].call, t});
}

void Rma::forget_pending(WindowState& w) {
  for (const bool locked : {false, true})
    pending_.take_all(
        w.pending, locked, [](const Pending&) { return true; },
        [&](const Pending& p, bool) {
          diagnostics_.add(DiagnosticId::rma_incomplete, {p.origin, p.time, "an operation that never completes"});
          calls_.drop(p.start.call);
        });
}

}  // namespace waitstate::link
