// Engine: one-sided communication. What patterns receive, and the numbers and bytes of operations, which need none.
#include "analysis/engine.hpp"
#include "analysis/engine_dispatch.hpp"

namespace waitstate::analysis {

link::Listener::RmaInterests Engine::rma_interests() const {
  RmaInterests wants;
  wants.operations = (interests_ & interest_rma_operation) != 0;
  wants.epochs = (interests_ & (interest_rma_collective | interest_rma_access_epoch | interest_rma_exposure_epoch |
                                interest_rma_lock_epoch)) != 0;
  wants.passive = (interests_ & (interest_rma_passive_call | interest_rma_wait_change)) != 0;
  wants.model = rma_model_;
  return wants;
}

void Engine::rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got) {
  if (!focus_.has(call.enter)) return;
  add(rma_counts_[static_cast<int>(kind)], call.callpath, call.location, 1);
  if (bytes_put != 0) add(bytes_put_, call.callpath, call.location, static_cast<std::int64_t>(bytes_put));
  if (bytes_got != 0) add(bytes_get_, call.callpath, call.location, static_cast<std::int64_t>(bytes_got));
}

void Engine::rma_operation(const RmaOperation& o) {
  each(
      rma_operations_, "rma_operation_callback", [&](Pattern& p, Context& c) { p.rma_operation_callback(o, c); },
      [&] { return place(o.origin, o.start); });
}

void Engine::rma_collective(const RmaCollective& r) {
  if (rma_collectives_.empty()) return;
  open_operation(r.collective.members.size());
  each(
      rma_collectives_, "rma_collective_callback", [&](Pattern& p, Context& c) { p.rma_collective_callback(r, c); },
      [&] { return place(r.collective.members.front().call->location, r.collective.members.front().begin); });
  close_operation();
}

void Engine::rma_access_epoch(const RmaAccessEpoch& e) {
  each(
      rma_access_epochs_, "rma_access_epoch_callback",
      [&](Pattern& p, Context& c) { p.rma_access_epoch_callback(e, c); },
      [&] { return place(e.start.location, e.start.enter); });
}

void Engine::rma_exposure_epoch(const RmaExposureEpoch& e) {
  each(
      rma_exposure_epochs_, "rma_exposure_epoch_callback",
      [&](Pattern& p, Context& c) { p.rma_exposure_epoch_callback(e, c); },
      [&] { return place(e.post.location, e.post.enter); });
}

void Engine::rma_lock_epoch(const RmaLockEpoch& e) {
  each(
      rma_lock_epochs_, "rma_lock_epoch_callback", [&](Pattern& p, Context& c) { p.rma_lock_epoch_callback(e, c); },
      [&] { return place(e.locked.location, e.locked.enter); });
}

void Engine::rma_passive_call(const RmaPassiveCall& r) {
  each(
      rma_passive_calls_, "rma_passive_call_callback",
      [&](Pattern& p, Context& c) { p.rma_passive_call_callback(r, c); },
      [&] { return place(r.call.location, r.call.enter); });
}

void Engine::rma_wait_change(const RmaWaitChange& r) {
  each(
      rma_wait_changes_, "rma_wait_change_callback", [&](Pattern& p, Context& c) { p.rma_wait_change_callback(r, c); },
      [&] { return place(r.call.location, r.call.enter); });
}

}  // namespace waitstate::analysis
