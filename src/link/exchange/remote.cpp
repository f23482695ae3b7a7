#include "link/exchange/remote.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

namespace waitstate::link {

namespace {

struct BatchHead {
  WorkerId from = 0, to = 0;
  Time promise = 0;
  std::uint64_t call_paths = 0;
};

/// Asks for a number; without a path, for those that the peer does not know.
struct Question {
  std::uint64_t known = 0;
  CallPath path;
  bool has_path = false;
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

template <class T>
T value_of(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

Remote::Remote(peers::Peers& peers, std::size_t workers, RemoteListener& listener)
    : peers_(peers),
      workers_(workers),
      listener_(listener),
      of_peers_(static_cast<std::size_t>(peers.size())),
      told_(of_peers_.size()),
      telling_(of_peers_.size()) {
  for (std::size_t peer = 0; peer < of_peers_.size(); ++peer)
    if (const OwnWorkers own = OwnWorkers::of(&peers_, static_cast<int>(peer), workers); own.first == own.last)
      of_peers_[peer].least = std::numeric_limits<Ticks>::max();  // it has nothing to read
}

void Remote::send(WorkerId from, WorkerId to, const Batch& batch, std::function<void()> taken) {
  const BatchHead head{from, to, batch.promise, batch.call_paths};
  std::vector<std::byte> bytes(sizeof head + batch.size);
  std::memcpy(bytes.data(), &head, sizeof head);
  if (batch.size != 0) std::memcpy(bytes.data() + sizeof head, batch.bytes.get(), batch.size);
  int peer = 0;
  while (!OwnWorkers::of(&peers_, peer, workers_).has(to)) ++peer;
  peers_.send(peer, peers::Kind::batch, bytes, std::move(taken));
}

void Remote::poll() {
  const std::unique_lock lock(polling_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  while (const auto message = peers_.receive()) handle(*message);
  tell_progress();
}

void Remote::handle(const peers::Peers::Received& message) {
  switch (message.kind) {
    case peers::Kind::batch:
      return take_batch(message.bytes);
    case peers::Kind::progress: {
      const auto progress = value_of<Progress>(message.bytes);
      if (peers_.rank() == 0) {
        of_peers_[static_cast<std::size_t>(message.from)] = progress;
      } else {
        others_least_ = progress.least;
        others_events_ = progress.events;
      }
      return;
    }
    case peers::Kind::call_path: {
      const auto question = value_of<Question>(message.bytes);
      const std::vector<CallPath> paths =
          listener_.answer(question.has_path ? std::optional(question.path) : std::nullopt, question.known);
      return peers_.send(message.from, peers::Kind::call_paths, std::as_bytes(std::span(paths)));
    }
    case peers::Kind::call_paths: {
      std::vector<CallPath> paths(message.bytes.size() / sizeof(CallPath));
      std::memcpy(paths.data(), message.bytes.data(), message.bytes.size());
      const std::lock_guard lock(answer_mutex_);
      answer_ = std::move(paths);
      return;
    }
    case peers::Kind::data:
      return peers_.keep(message);
    case peers::Kind::end:
      return;
  }
}

void Remote::take_batch(std::span<const std::byte> bytes) {
  const auto head = value_of<BatchHead>(bytes);
  Batch batch{nullptr, bytes.size() - sizeof head, head.promise, head.call_paths};
  if (batch.size != 0) {
    batch.bytes = std::make_unique_for_overwrite<std::byte[]>(Batch::capacity);
    std::memcpy(batch.bytes.get(), bytes.data() + sizeof head, batch.size);
  }
  listener_.arrived(head.from, head.to, std::move(batch));
}

// A peer is told again once it has taken the previous message.
void Remote::tell(int to, const Progress& progress) {
  const auto peer = static_cast<std::size_t>(to);
  if (told_[peer] == progress || telling_[peer]) return;
  told_[peer] = progress;
  telling_[peer] = true;
  peers_.send(to, peers::Kind::progress, bytes_of(progress), [this, peer, lives = lives_] {
    if (*lives) telling_[peer] = false;
  });
}

// Peer 0 tells each peer about all others, so no peer waits for a number that it has reported itself.
void Remote::tell_progress() {
  const Progress own{listener_.least_own_progress(), own_events_};
  if (peers_.rank() != 0) return tell(0, own);
  of_peers_[0] = own;
  std::size_t last = 0;  // the peer that is least far
  Ticks least_of_others = std::numeric_limits<Ticks>::max();
  std::uint64_t events = 0;
  for (std::size_t p = 0; p < of_peers_.size(); ++p) {
    if (of_peers_[p].least < of_peers_[last].least) last = p;
    events += of_peers_[p].events;
  }
  for (std::size_t p = 0; p < of_peers_.size(); ++p)
    if (p != last) least_of_others = std::min(least_of_others, of_peers_[p].least);
  const auto others_than = [&](std::size_t peer) {
    return Progress{peer == last ? least_of_others : of_peers_[last].least, events - of_peers_[peer].events};
  };
  const Progress others = others_than(0);
  others_least_ = others.least;
  others_events_ = others.events;
  for (std::size_t peer = 1; peer < of_peers_.size(); ++peer) tell(static_cast<int>(peer), others_than(peer));
}

std::vector<CallPath> Remote::ask(std::size_t known, const std::optional<CallPath>& path) {
  Question question;
  question.known = known;
  question.has_path = path.has_value();
  if (path) question.path = *path;
  peers_.send(0, peers::Kind::call_path, bytes_of(question));
  for (;;) {
    poll();
    {
      const std::lock_guard lock(answer_mutex_);
      if (answer_) return *std::exchange(answer_, std::nullopt);
    }
    if (listener_.stopped()) throw ExchangeStopped{};
    std::this_thread::sleep_for(std::chrono::microseconds(10));
  }
}

}  // namespace waitstate::link
