#include "link/rma/away/asking_calls.hpp"

#include <utility>

#include "link/rma/passive_target.hpp"

namespace waitstate::link {

std::uint32_t AskingCalls::add(CallRef call, RmaWinId win, std::span<const ProcessId> targets) {
  const std::uint32_t id = asking_.acquire();
  Asking& asking = asking_[id];
  asking.call = call;
  asking.win = win;
  asking.targets.assign(targets.begin(), targets.end());
  asking.answers_left = targets.size();
  calls_.keep(call);
  enters_.insert(calls_[call].call.enter);
  exits_.insert(calls_[call].call.exit);
  return id;
}

void AskingCalls::found(std::uint32_t id, CallRef released, Time release_time, bool all_known) {
  Asking& asking = asking_[id];
  asking.released = released;
  asking.release_time = release_time;
  asking.all_known = all_known;
  if (released != CallState::none) calls_.keep(released);
  in_order_.push_back(id);
}

Time AskingCalls::from(std::uint32_t id) const {
  const Asking& asking = asking_[id];
  return asking.released == CallState::none ? calls_[asking.call].call.enter : asking.release_time;
}

void AskingCalls::gap(std::uint32_t id, Time begin, Time end, const Call& next) {
  Asking& asking = asking_[id];
  asking.gaps.push_back({begin, end, &asking.next.emplace_back(next)});
}

void AskingCalls::answered(std::uint32_t id) {
  --asking_[id].answers_left;
  for (; !in_order_.empty() && asking_[in_order_.front()].answers_left == 0; in_order_.pop_front())
    deliver(in_order_.front());
}

void AskingCalls::deliver(std::uint32_t id) {
  Asking& asking = asking_[id];
  const Call& call = calls_[asking.call].call;
  deliver_passive_call(listener_, definitions_, call, asking.win,
                       asking.released == CallState::none ? nullptr : &calls_[asking.released].call,
                       asking.release_time, asking.all_known, joined_.join(asking.gaps, from(id), call.exit));
  enters_.erase(enters_.find(call.enter));
  exits_.erase(exits_.find(call.exit));
  calls_.release(asking.call);
  if (asking.released != CallState::none) calls_.release(asking.released);
  asking = {};
  asking_.release(id);
}

}  // namespace waitstate::link
