#include "link/rma/away/one_sided_receiver.hpp"

namespace waitstate::link {

void OneSidedReceiver::take(const PassiveStep& r) {
  using Action = PassiveStep::Action;
  PassiveTarget& passive = *parts_.passive;
  const CallRef call = adopted_[r.call];
  switch (r.action) {
    case Action::uses:
      return passive.uses(r.location, call, r.lock, r.progress, r.asking);
    case Action::released:
      return passive.released(r.location, r.time, call, r.lock);
    case Action::released_own:
      return passive.released_own(r.location, r.time, call);
    case Action::written:
      return passive.written(r.location, call, r.lock.win, r.other);
    case Action::notifies:
      return passive.notifies(r.location, call, r.lock.win, r.other);
    case Action::waits_for_change:
      return passive.waits_for_change(r.location, call, r.lock.win, r.other);
    case Action::write_started:
      return passive.write_started(r.location, call, r.lock.win, r.other);
    case Action::write_completed:
      return passive.write_completed(r.location, call, r.lock.win, r.other, r.time);
  }
}

void OneSidedReceiver::take(const FoundRelease& r) {
  parts_.passive_door->released(r.asking, r.any ? adopted_[r.call] : CallState::none, r.time, r.all_known);
}

void OneSidedReceiver::take(const PollCall& r) {
  calls_.keep(adopted_[r.call]);
  poll_.calls.push_back(adopted_[r.call]);
}

void OneSidedReceiver::take(const PollRecord& r) {
  poll_.memory = {r.win, r.owner, r.bytes, r.callpath};
  poll_.loop = r.loop;
  poll_.start = r.start;
  parts_.passive->polled(r.location, adopted_[r.completed], r.time, poll_);
}

void OneSidedReceiver::take(const ExposureRecord& r) {
  ExposurePart part = r.part;
  part.post = adopted_[part.post];
  parts_.epochs->accesses.exposed(from_, part);
}

void OneSidedReceiver::take(const CompletedAccess& r) {
  RmaAccesses::Entry accessed = r.accessed;
  const bool any = accessed.last != CallState::none;
  if (any) accessed.last = adopted_[accessed.last];
  parts_.epochs->exposures.completed(r.slot, adopted_[r.start], adopted_[r.complete], any ? &accessed : nullptr);
}

void OneSidedReceiver::take(const WindowAccess& r) {
  RmaAccesses::Entry entry = r.entry;
  entry.last = adopted_[entry.last];
  accesses_.append(calls_, entry);
}

void OneSidedReceiver::take(const WindowMember& r) {
  WindowMember member = r;
  member.call = adopted_[r.call];
  parts_.windows->end(member, accesses_);
}

void OneSidedReceiver::end_calls() {
  for (const CallRef call : adopted_) calls_.release(call);
  adopted_.clear();
}

}  // namespace waitstate::link
