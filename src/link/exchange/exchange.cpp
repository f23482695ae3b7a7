#include "link/exchange/exchange.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

namespace waitstate::link {

// Whoever shows how far everybody is, and asks whether to go on, does so at least that often.
static constexpr std::chrono::milliseconds longest_wait{100};

// Messages of other peers wake nobody.
static constexpr std::chrono::microseconds until_next_look{100};

Exchange::Exchange(std::size_t workers, std::uint64_t seed, OwnWorkers own)
    : delays_(seed != 0), own_(own), inboxes_(workers), state_(workers) {
  for (auto& inbox : inboxes_) {
    inbox = std::make_unique<Inbox>(workers);
    inbox->delay.seed(static_cast<std::uint32_t>(++seed));
  }
}

void Exchange::post(WorkerId from, WorkerId to, Batch batch) {
  ++state_[from].posted;
  if (own_.has(to)) return arrived(from, to, std::move(batch));
  remote_->send(from, to, batch, [this, from, lives = lives_] {
    if (*lives) --state_[from].posted;
  });
}

void Exchange::arrived(WorkerId from, WorkerId to, Batch batch) {
  Inbox& inbox = *inboxes_[to];
  const std::lock_guard lock(inbox.mutex);
  inbox.batches[from].push_back(std::move(batch));
  inbox.any = true;
  inbox.arrived.notify_one();
}

std::vector<std::vector<Batch>> Exchange::take(WorkerId worker) {
  if (remote_ != nullptr) remote_->poll();
  Inbox& inbox = *inboxes_[worker];
  if (!inbox.any) return {};
  std::vector<std::vector<Batch>> taken(workers());
  {
    const std::lock_guard lock(inbox.mutex);
    inbox.any = false;
    if (delays_)
      take_some(inbox, taken);
    else
      taken.swap(inbox.batches);
  }
  for (WorkerId from = 0; from < workers(); ++from) {
    const std::size_t n = taken[from].size();
    if (n != 0 && own_.has(from) && state_[from].posted.fetch_sub(n) > most_posted) wake(*inboxes_[from]);
  }
  return taken;
}

void Exchange::take_some(Inbox& inbox, std::vector<std::vector<Batch>>& taken) const {
  for (WorkerId from = 0; from < workers(); ++from) {
    std::vector<Batch>& all = inbox.batches[from];
    const std::size_t n = all.empty() ? 0 : inbox.delay() % (all.size() + 1);
    std::move(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), std::back_inserter(taken[from]));
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    inbox.any = inbox.any || !all.empty();
  }
}

void Exchange::wake(Inbox& inbox) {
  const std::lock_guard lock(inbox.mutex);
  inbox.woken = true;
  inbox.arrived.notify_one();
}

void Exchange::publish(WorkerId worker, Ticks progress) {
  const Ticks before = state_[worker].progress.exchange(progress);
  if (before == progress || waiting_ == 0 || before > least_progress()) return;
  for (WorkerId w = own_.first; w < own_.last; ++w)
    if (w != worker) wake(*inboxes_[w]);
}

Ticks Exchange::least_own_progress() const {
  Ticks least = std::numeric_limits<Ticks>::max();
  for (WorkerId w = own_.first; w < own_.last; ++w) least = std::min(least, state_[w].progress.load());
  return least;
}

Ticks Exchange::least_progress() const {
  const Ticks own = least_own_progress();
  return remote_ == nullptr ? own : std::min(own, remote_->least_progress());
}

void Exchange::wait(WorkerId worker, Ticks least_progress_seen) {
  ++waiting_;
  {
    Inbox& inbox = *inboxes_[worker];
    std::unique_lock lock(inbox.mutex);
    if (!inbox.any && !inbox.woken && !stopped_ && least_progress() == least_progress_seen)
      inbox.arrived.wait_for(lock, remote_ == nullptr ? longest_wait : until_next_look,
                             [&] { return inbox.any || inbox.woken || stopped_; });
    inbox.woken = false;
  }
  --waiting_;
}

void Exchange::stop() {
  stopped_ = true;
  for (auto& inbox : inboxes_) wake(*inbox);
}

}  // namespace waitstate::link
