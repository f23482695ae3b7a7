// Rma: single operations, from their start to the record, or the end of their epoch, that completes them.
#include <algorithm>

#include "trace/rma.hpp"

namespace waitstate::trace {

void Rma::start(LocationId l, const RmaRecord& r, std::uint32_t call) {
  RmaStart s;
  s.kind = r.type == EventType::rma_put   ? RmaOperationKind::put
           : r.type == EventType::rma_get ? RmaOperationKind::get
                                          : RmaOperationKind::atomic;
  s.target = r.remote;
  s.bytes_put = r.bytes;
  s.bytes_got = r.received;
  s.call = call;
  listener_.rma_started(calls_[call].call, s.kind, s.bytes_put, s.bytes_got);
  if (!interests_.any()) return;
  if (!s.target.valid()) {
    diagnostics_.add(DiagnosticId::peer_unknown, {l, r.time, {}});
    return;
  }
  WindowState& w = window(l, r.win);
  Pending p{s, l, r.time};
  const auto lock = std::find_if(w.locks.rbegin(), w.locks.rend(), [&](const Lock& k) {
    return of_mpi(r.win) && (!k.target.valid() || k.target == s.target);
  });
  if (lock != w.locks.rend()) {
    lock->accesses.add(calls_, s);
    p.locked = true;
    p.exclusive = lock->type == LockType::exclusive;
    if (interests_.passive) passive_.uses(l, call, lock_ref(r.win, s.target, lock->number, p.exclusive), true);
  } else if (w.access == none || !epochs_.access(w.access, s)) {
    if (interests_.epochs) w.accesses.add(calls_, s);
  }
  if (interests_.passive && !of_mpi(r.win) && s.kind != RmaOperationKind::get)
    passive_.written(l, call, r.win, s.target);
  if (!interests_.operations && !(interests_.passive && p.locked)) return;
  if (w.pending_count == most_pending) forget_pending(w);
  const std::uint32_t id = pending_.acquire();
  pending_[id] = p;
  calls_.hold(call);
  PendingList& list = w.pending.find_or_insert({r.match});
  (list.tail == none ? list.head : pending_[list.tail].next) = id;
  list.tail = id;
  ++w.pending_count;
}

RmaLockRef Rma::lock_ref(RmaWinId win, LocationId target, std::uint64_t number, bool exclusive) const {
  return {win, target.valid() ? definitions_[target].process : ProcessId::none(), number, exclusive};
}

void Rma::complete(WindowState& w, LocationId l, const RmaRecord& r, std::uint32_t call) {
  PendingList* const found = w.pending.find({r.match});
  if (found == nullptr) return;  // complete already: a second record says that it is so at the target too
  PendingList rest;
  for (std::uint32_t id = found->head; id != none;) {
    const Pending p = pending_[id];
    if (r.type != EventType::rma_op_complete_remote && needs_target(r.win, p.start.kind)) {
      (rest.tail == none ? rest.head : pending_[rest.tail].next) = id;
      rest.tail = id;
      pending_[id].next = none;
    } else {
      complete(p, l, r, call);
      calls_.drop(p.start.call);
      pending_.release(id);
      --w.pending_count;
    }
    id = p.next;
  }
  *found = rest;
  if (rest.head == none) w.pending.erase({r.match});
}

void Rma::complete(const Pending& p, LocationId l, const RmaRecord& r, std::uint32_t call) {
  if (interests_.passive && p.locked && of_mpi(r.win))
    passive_.uses(l, call, lock_ref(r.win, p.start.target, 0, p.exclusive), true);
  if (!interests_.operations) return;
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

// Completes what no record has completed, by what ends its epoch.
void Rma::complete_rest(WindowState& w, LocationId l, const RmaRecord& r, std::uint32_t call, bool locked,
                        LocationId target) {
  if (w.pending_count == 0) return;
  std::vector<std::uint32_t> ended;
  std::vector<std::uint64_t> empty;
  w.pending.for_each([&](const Match& match, PendingList& list) {
    PendingList rest;
    for (std::uint32_t id = list.head; id != none;) {
      const Pending& p = pending_[id];
      const std::uint32_t next = p.next;
      if (p.locked == locked && (!target.valid() || p.start.target == target)) {
        ended.push_back(id);
      } else {
        (rest.tail == none ? rest.head : pending_[rest.tail].next) = id;
        rest.tail = id;
        pending_[id].next = none;
      }
      id = next;
    }
    list = rest;
    if (list.head == none) empty.push_back(match.number);
  });
  for (const std::uint64_t match : empty) w.pending.erase({match});
  w.pending_count -= ended.size();
  for (const std::uint32_t id : ended) {
    complete(pending_[id], l, r, call);
    calls_.drop(pending_[id].start.call);
    pending_.release(id);
  }
}

void Rma::forget_pending(WindowState& w) {
  w.pending.for_each([&](const Match&, PendingList& list) {
    for (std::uint32_t id = list.head; id != none;) {
      const Pending p = pending_[id];
      diagnostics_.add(DiagnosticId::rma_incomplete, {p.origin, p.time, "an operation that never completes"});
      calls_.drop(p.start.call);
      pending_.release(id);
      id = p.next;
    }
  });
  w.pending = {};
  w.pending_count = 0;
}

}  // namespace waitstate::trace
