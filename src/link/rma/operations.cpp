#include "link/rma/operations.hpp"

namespace waitstate::link {

Operations::Operations(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
                       PassiveDoor& passive)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      passive_(passive),
      wanted_(listener.wanted()) {}

void Operations::start(Pending& pending, std::uint64_t match, bool locked, const StartedOperation& operation) {
  if (pending.size() == most_pending) forget(pending);
  calls_.keep(operation.start.call);
  operations_.add(pending, match, locked, operation);
}

void Operations::complete_matching(Pending& pending, LocationId l, const replay::RmaRecord& r, CallRef call) {
  operations_.take_matching(
      pending, r.match,
      [&](const StartedOperation& o) {
        return r.type == EventType::rma_op_complete_remote || !needs_target(r.win, o.start.kind);
      },
      [&](const StartedOperation& o, bool locked) {
        complete(o, locked, l, r, call);
        calls_.release(o.start.call);
      });
}

void Operations::complete(const StartedOperation& o, bool locked, LocationId l, const replay::RmaRecord& r,
                          CallRef call) {
  if (wanted_.passive() && locked && of_mpi(r.win)) {
    passive_.uses(l, call, lock_ref(r.win, o.start.target, o.lock, o.exclusive), true);
    if (o.writes) passive_.write_completed(l, o.start.call, r.win, o.start.target, r.time);
    passive_.read_completed(l, o.start.call, call, r.time);
  }
  if (!wanted_.operations()) return;
  const Call& own = calls_[o.start.call].call;
  const bool without_call = own.enter == own.exit && r.type != EventType::rma_collective_end;
  if (!basic(r.win) || without_call)
    deliver(o, r.win, call, r.time);
  else
    deliver(o, r.win, o.start.call, call == o.start.call ? r.time : own.exit);
}

void Operations::deliver(const StartedOperation& o, RmaWinId win, CallRef call, Time t) {
  listener_.rma_operation({o.start.kind, win, o.origin, o.start.target, o.start.bytes_put, o.start.bytes_got,
                           calls_[o.start.call].call, o.time, calls_[call].call, t});
}

void Operations::forget(Pending& pending) {
  for (const bool locked : {false, true})
    operations_.take_all(
        pending, locked, [](const StartedOperation&) { return true; },
        [&](const StartedOperation& o, bool) {
          diagnostics_.add(DiagnosticId::rma_incomplete, {o.origin, o.time, "an operation that never completes"});
          calls_.release(o.start.call);
        });
}

}  // namespace waitstate::link
