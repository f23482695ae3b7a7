#include "link/rma/away/one_sided_receiver.hpp"

namespace waitstate::link {

void OneSidedReceiver::take(const PassiveStep& r) {
  using Action = PassiveStep::Action;
  PassiveTarget& passive = *parts_.passive;
  const CallRef call = adopted_[r.call];
  switch (r.action) {
    case Action::uses:
      return passive.uses(r.location, call, r.lock, r.progress);
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

void OneSidedReceiver::take(const EpochStep& r) {
  using Action = EpochStep::Action;
  RmaEpochs& epochs = *parts_.epochs;
  if (epochs_.size() <= r.slot) epochs_.resize(r.slot + std::size_t{1});
  std::uint32_t& epoch = epochs_[r.slot];
  switch (r.action) {
    case Action::start:
      epoch = epochs.start(r.location, r.win, r.group, adopted_[r.call], r.time);
      break;
    case Action::post:
      epoch = epochs.post(r.location, r.win, r.group, adopted_[r.call], r.time);
      break;
    case Action::complete:
      epochs.complete(epoch, adopted_[r.call]);
      break;
    case Action::wait:
      epochs.wait(epoch, adopted_[r.call]);
      break;
    case Action::give_up_access:
      epochs.give_up_access(epoch);
      break;
    case Action::give_up_exposure:
      epochs.give_up_exposure(epoch);
      break;
  }
}

void OneSidedReceiver::take(const EpochAccess& r) {
  RmaStart start = r.start;
  start.call = adopted_[start.call];
  parts_.epochs->access(epochs_[r.slot], start);
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

void OneSidedReceiver::end_chunk() {
  for (const CallRef call : adopted_) calls_.release(call);
  adopted_.clear(), mpi_enters_.clear(), mpi_exits_.clear();
}

}  // namespace waitstate::link
