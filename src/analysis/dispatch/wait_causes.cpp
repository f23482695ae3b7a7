#include "analysis/dispatch/wait_causes.hpp"

#include <algorithm>
#include <span>

namespace waitstate::analysis {
namespace {

using CauseKind = WaitCause::Kind;

bool is_of(const Wait& wait, const Call& call) {
  return wait.location == call.location && wait.enter == call.enter && wait.callpath == call.callpath;
}

/// `culprit` is null if the wait is for nobody in particular.
bool set_cause(WaitCause& cause, CauseKind kind, const Call* culprit, CommId comm = {}) {
  cause.kind = kind;
  cause.comm = comm;
  if (culprit == nullptr) return true;
  cause.culprit_enter = culprit->enter;
  cause.culprit_exit = culprit->exit;
  return true;
}

/// Chooses the culprit's message that began last: the location did not wait that long for the others.
bool set_latest(std::span<const Message> messages, const Call* Message::*partner, const Wait& wait, WaitCause& cause) {
  const Message* latest = nullptr;
  for (const Message& m : messages)
    if (m.*partner != nullptr && (m.*partner)->location == wait.culprit &&
        (latest == nullptr || (m.*partner)->enter > (latest->*partner)->enter))
      latest = &m;
  if (latest == nullptr) return false;
  cause.sent = latest->send_time;
  cause.received = latest->recv_time;
  cause.bytes = latest->bytes;
  cause.tag = latest->tag;
  return set_cause(cause, CauseKind::message, latest->*partner, latest->comm);
}

/// Finds the calls of an operation: the one that waited, and the one that it waited for. `call_of` returns the call of
/// a member.
template <class Members, class CallOf>
bool set_operation(const Members& members, CallOf&& call_of, CauseKind kind, CommId comm, const Wait& wait,
                   WaitCause& cause) {
  const Call* culprit = nullptr;
  bool waited = false;
  for (const auto& member : members) {
    const Call& call = call_of(member);
    if (call.location == wait.culprit) culprit = &call;
    waited = waited || is_of(wait, call);
  }
  return waited && set_cause(cause, kind, culprit, comm);
}

bool set_collective(const Collective& c, const Wait& wait, WaitCause& cause) {
  return set_operation(
      c.members, [](const CollectiveMember& m) -> const Call& { return *m.call; }, CauseKind::collective, c.comm, wait,
      cause);
}

}  // namespace

bool cause_in(const CompletedReceives& e, const Wait& wait, WaitCause& cause) {
  return is_of(wait, e.call) && set_latest(e.messages, &Message::send, wait, cause);
}

bool cause_in(const CompletedSends& e, const Wait& wait, WaitCause& cause) {
  return is_of(wait, e.call) && set_latest(e.messages, &Message::recv_post, wait, cause);
}

bool cause_in(const Overtaken& e, const Wait& wait, WaitCause& cause) {
  if (wait.location != e.wait.location || wait.enter != e.wait.enter) return false;
  cause.kind = CauseKind::message;
  cause.sent = e.send_time;
  cause.received = e.recv_time;
  cause.bytes = e.bytes;
  cause.tag = e.tag;
  cause.comm = e.comm;
  cause.culprit_enter = e.send_enter;
  cause.culprit_exit = e.send_exit;
  return true;
}

bool cause_in(const Collective& e, const Wait& wait, WaitCause& cause) {
  if (e.kind != CollectiveKind::init && e.kind != CollectiveKind::finalize) cause.operation = e.op;
  return set_collective(e, wait, cause);
}

bool cause_in(const CompletedCollectives& e, const Wait& wait, WaitCause& cause) {
  if (!is_of(wait, e.call)) return false;
  const CollectiveCompletion* latest = nullptr;
  for (const CollectiveCompletion& c : e.completions)
    if (c.awaited != nullptr && c.awaited->location == wait.culprit &&
        (latest == nullptr || c.awaited->enter > latest->awaited->enter))
      latest = &c;
  if (latest == nullptr) return false;
  cause.operation = latest->op;
  return set_cause(cause, CauseKind::collective, latest->awaited, latest->comm);
}

bool cause_in(const TeamBarrier& e, const Wait& wait, WaitCause& cause) {
  return set_operation(
      e.members, [](const Call* call) -> const Call& { return *call; }, CauseKind::team, {}, wait, cause);
}

bool cause_in(const TaskIdle& e, const Wait& wait, WaitCause& cause) {
  cause.kind = CauseKind::task;
  return is_of(wait, e.call);
}

bool cause_in(const DeviceWait& e, const Wait& wait, WaitCause& cause) {
  const auto part = std::find_if(e.parts.begin(), e.parts.end(),
                                 [&](const DeviceWait::ActivityWait& p) { return p.end > wait.begin; });
  if (!is_of(wait, e.call) || part == e.parts.end()) return false;
  cause.kind = CauseKind::device;
  cause.culprit_exit = part->end;
  return true;
}

bool cause_in(const LockAcquired& e, const Wait& wait, WaitCause& cause) {
  return is_of(wait, e.call) && set_cause(cause, CauseKind::lock, &e.released);
}

bool cause_in(const RmaCollective& e, const Wait& wait, WaitCause& cause) {
  return set_collective(e.collective, wait, cause);
}

bool cause_in(const RmaAccessEpoch& e, const Wait& wait, WaitCause& cause) {
  for (const RmaAccessTarget& t : e.targets)
    if (t.post.location == wait.culprit) return set_cause(cause, CauseKind::transfer, &t.post);
  return false;
}

bool cause_in(const RmaExposureEpoch& e, const Wait& wait, WaitCause& cause) {
  if (!is_of(wait, e.wait)) return false;
  for (const RmaExposureOrigin& o : e.origins)
    if (o.complete.location == wait.culprit) return set_cause(cause, CauseKind::transfer, &o.complete);
  return false;
}

bool cause_in(const RmaPassiveCall& e, const Wait& wait, WaitCause& cause) {
  if (!is_of(wait, e.call)) return false;
  if (e.released != nullptr && e.released->location == wait.culprit && wait.begin < e.release_time)
    return set_cause(cause, CauseKind::lock, e.released);
  for (const RmaProgressGap& g : e.gaps)
    if (g.next.location == wait.culprit && g.end > wait.begin) {
      set_cause(cause, CauseKind::transfer, &g.next);
      cause.culprit_exit = WaitCause::none;  // the call may still be open, depending on how far the trace is read
      return true;
    }
  return false;
}

bool cause_in(const RmaWaitChange& e, const Wait& wait, WaitCause& cause) {
  return is_of(wait, e.call) && e.changed != nullptr && e.changed->location == wait.culprit &&
         set_cause(cause, CauseKind::transfer, e.changed);
}

}  // namespace waitstate::analysis
