#include "peers/peers.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace waitstate::peers {

namespace {

/// Waits for messages that do not come at once, in growing steps.
class Patience {
 public:
  void wait() {
    std::this_thread::sleep_for(std::chrono::microseconds(step_));
    if (step_ < longest) step_ *= 2;
  }

 private:
  static constexpr int longest = 2000;
  int step_ = 20;
};

struct Ended {
  int code = 0;
  std::string text;
  template <class Archive>
  void travel(Archive& archive) {
    archive(code, text);
  }
  std::vector<std::byte> bytes() {
    std::vector<std::byte> all;
    ArchiveWriter writer(
        [&](const std::vector<std::byte>& piece) { all.insert(all.end(), piece.begin(), piece.end()); });
    writer(*this);
    writer.flush();
    return all;
  }
};

}  // namespace

Peers::Peers(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)),
      rank_(transport_->rank()),
      size_(transport_->size()),
      on_this_machine_(transport_->on_this_machine()),
      ended_(static_cast<std::size_t>(size_)),
      early_(static_cast<std::size_t>(size_)) {}

void Peers::send(int to, Kind kind, std::span<const std::byte> bytes, std::function<void()> taken) {
  std::vector<std::byte> message(sizeof kind + bytes.size());
  std::memcpy(message.data(), &kind, sizeof kind);
  if (!bytes.empty()) std::memcpy(message.data() + sizeof kind, bytes.data(), bytes.size());
  const std::lock_guard lock(mutex_);
  transport_->send(to, std::move(message), std::move(taken));
}

std::optional<Peers::Received> Peers::receive(int from) {
  std::optional<Message> message;
  {
    const std::lock_guard lock(mutex_);
    message = transport_->receive(from);
  }
  if (!message) return std::nullopt;
  Received received{message->from, {}, {}};
  std::memcpy(&received.kind, message->bytes.data(), sizeof received.kind);
  message->bytes.erase(message->bytes.begin(), message->bytes.begin() + sizeof received.kind);
  received.bytes = std::move(message->bytes);
  if (received.kind != Kind::end) return received;
  ended_[static_cast<std::size_t>(received.from)] = true;
  Ended ended;
  ArchiveReader reader([&] { return std::move(received.bytes); });
  reader(ended);
  if (ended.code != 0) throw PeerFailed(ended.code, ended.text);
  return receive(from);
}

// Messages of other peers stay in the queue: some may have begun something that this peer has not. Meanwhile the
// receiver sends nothing except data, and the message that it has failed.
void Peers::put(int to, std::vector<std::byte> piece) {
  constexpr int most_on_their_way = 4;
  for (Patience patience; pieces_ == most_on_their_way; patience.wait())
    if (std::optional<Received> received = receive(to); received && received->kind == Kind::data)
      keep(std::move(*received));
  ++pieces_;
  send(to, Kind::data, piece, [this] { --pieces_; });
}

std::vector<std::byte> Peers::next_piece(int from) {
  auto& early = early_[static_cast<std::size_t>(from)];
  if (!early.empty()) {
    std::vector<std::byte> piece = std::move(early.front());
    early.pop_front();
    return piece;
  }
  for (Patience patience;; patience.wait())
    while (std::optional<Received> received = receive(from))  // anything else is too late to matter
      if (received->kind == Kind::data) return std::move(received->bytes);
}

ArchiveWriter Peers::writer_to(int to) {
  return ArchiveWriter([this, to](std::vector<std::byte> piece) { put(to, std::move(piece)); });
}

ArchiveReader Peers::reader_from(int from) {
  return ArchiveReader([this, from] { return next_piece(from); });
}

void Peers::tell_all(const std::function<void(ArchiveWriter&)>& write) {
  for (int to = 0; to < size_; ++to) {
    if (to == rank_) continue;
    ArchiveWriter writer = writer_to(to);
    write(writer);
    writer.flush();
  }
}

bool Peers::end(int code, const std::string& text, std::chrono::milliseconds after_failure) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point latest = code == 0 ? Clock::time_point::max() : Clock::now() + after_failure;
  const std::vector<std::byte> bytes = Ended{code, text}.bytes();
  for (int to = 0; to < size_; ++to)
    if (to != rank_) send(to, Kind::end, bytes);
  ended_[static_cast<std::size_t>(rank_)] = true;
  const auto all_have = [&] { return std::find(ended_.begin(), ended_.end(), false) == ended_.end(); };
  for (Patience patience; !all_have() || !transport_->all_taken();) {
    try {
      if (receive()) {
        patience = Patience();
        continue;
      }
    } catch (const PeerFailed&) {  // everybody ends anyway
      continue;
    }
    if (Clock::now() > latest) return false;
    patience.wait();
  }
  return true;
}

}  // namespace waitstate::peers
