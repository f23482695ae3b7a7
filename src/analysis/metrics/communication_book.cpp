#include "analysis/metrics/communication_book.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace waitstate::analysis {

CommunicationBook::CommunicationBook(const Definitions& definitions) {
  const std::size_t processes = definitions.processes.size();
  processes_per_block_ =
      std::max<std::size_t>(1, (processes + Communication::max_blocks - 1) / Communication::max_blocks);
  for (const Location& l : definitions.locations)
    blocks_.push_back(l.process.valid() ? static_cast<std::uint32_t>(l.process.index() / processes_per_block_)
                                        : no_block);
}

void CommunicationBook::add(const CompletedReceives& r) {
  for (const Message& m : r.messages) {
    Communication::Sizes& size = sizes_[static_cast<std::size_t>(std::bit_width(m.bytes))];
    ++size.messages;
    size.bytes += m.bytes;
    const std::uint32_t sender = blocks_[m.sender.index()], receiver = blocks_[m.receiver.index()];
    if (sender == no_block || receiver == no_block) continue;
    Pending& next = pending_[next_pending_++ % pending_.size()];
    add_up(next);
    next = {{sender, receiver}, m.bytes, true};
    messages_.prefetch(next.key);
  }
}

void CommunicationBook::add_up(Pending& pending) {
  if (!std::exchange(pending.used, false)) return;
  Messages& sum = messages_.find_or_insert(pending.key);
  ++sum.count;
  sum.bytes += pending.bytes;
}

void CommunicationBook::add(const RmaOperation& o) {
  if (!o.target.valid()) return;
  const std::uint32_t origin = blocks_[o.origin.index()], target = blocks_[o.target.index()];
  if (origin == no_block || target == no_block) return;
  const bool get = o.kind == RmaOperationKind::get;
  if (!get || o.bytes_put != 0) {
    Transfers& there = transfers_.find_or_insert({origin, target});
    there.puts += !get;
    there.bytes_put += o.bytes_put;
  }
  if (get || o.bytes_got != 0) {
    Transfers& back = transfers_.find_or_insert({target, origin});
    back.gets += get;
    back.bytes_got += o.bytes_got;
  }
}

void CommunicationBook::add(const Collective& c, Ticks wait_ticks) {
  if (c.kind == CollectiveKind::init || c.kind == CollectiveKind::finalize) return;
  Communication::Operations& sum = operations_.find_or_insert({c.comm.value, static_cast<std::uint32_t>(c.op)});
  ++sum.operations;
  sum.calls += c.members.size();
  for (const CollectiveMember& m : c.members) {
    sum.bytes_sent += m.bytes_sent;
    sum.bytes_received += m.bytes_received;
    sum.ticks = add_ticks(sum.ticks, m.call->exit - m.call->enter);
  }
  sum.wait_ticks = add_ticks(sum.wait_ticks, static_cast<std::uint64_t>(wait_ticks));
}

void CommunicationBook::merge(CommunicationBook& other) {
  for (Pending& pending : other.pending_) other.add_up(pending);
  other.messages_.for_each([&](const PairKey& k, const Messages& more) {
    Messages& sum = messages_.find_or_insert(k);
    sum.count += more.count, sum.bytes += more.bytes;
  });
  other.transfers_.for_each([&](const PairKey& k, const Transfers& more) {
    Transfers& sum = transfers_.find_or_insert(k);
    sum.puts += more.puts, sum.bytes_put += more.bytes_put;
    sum.gets += more.gets, sum.bytes_got += more.bytes_got;
  });
  other.operations_.for_each([&](const PairKey& k, const Communication::Operations& more) {
    Communication::Operations& sum = operations_.find_or_insert(k);
    sum.operations += more.operations, sum.calls += more.calls;
    sum.bytes_sent += more.bytes_sent, sum.bytes_received += more.bytes_received;
    sum.ticks = add_ticks(sum.ticks, static_cast<std::uint64_t>(more.ticks));
    sum.wait_ticks = add_ticks(sum.wait_ticks, static_cast<std::uint64_t>(more.wait_ticks));
  });
  for (std::size_t width = 0; width < sizes_.size(); ++width) {
    sizes_[width].messages += other.sizes_[width].messages;
    sizes_[width].bytes += other.sizes_[width].bytes;
  }
}

// Pairs are sorted by sender first: senders are few, and the receivers of each fit into the caches.
std::vector<Communication::Pair> CommunicationBook::pairs() {
  for (Pending& pending : pending_) add_up(pending);
  std::vector<std::vector<Communication::Pair>> by_sender;
  const auto pair = [&](const PairKey& k) -> Communication::Pair& {
    if (by_sender.size() <= k.first) by_sender.resize(k.first + std::size_t{1});
    Communication::Pair& p = by_sender[k.first].emplace_back();
    p.sender = k.first, p.receiver = k.second;
    return p;
  };
  messages_.for_each([&](const PairKey& k, const Messages& sum) {
    Communication::Pair& p = pair(k);
    p.messages = sum.count, p.bytes = sum.bytes;
    if (const Transfers* const t = transfers_.find(k); t != nullptr)
      p.puts = t->puts, p.bytes_put = t->bytes_put, p.gets = t->gets, p.bytes_got = t->bytes_got;
  });
  transfers_.for_each([&](const PairKey& k, const Transfers& t) {
    if (messages_.find(k) != nullptr) return;
    Communication::Pair& p = pair(k);
    p.puts = t.puts, p.bytes_put = t.bytes_put, p.gets = t.gets, p.bytes_got = t.bytes_got;
  });
  messages_ = {}, transfers_ = {};
  std::vector<Communication::Pair> all;
  std::size_t size = 0;
  for (const auto& of_sender : by_sender) size += of_sender.size();
  all.reserve(size);
  for (auto& of_sender : by_sender) {
    std::sort(of_sender.begin(), of_sender.end(), [](const auto& a, const auto& b) { return a.receiver < b.receiver; });
    all.insert(all.end(), of_sender.begin(), of_sender.end());
    of_sender = {};
  }
  return all;
}

Communication CommunicationBook::finish() {
  Communication made;
  made.processes_per_block = processes_per_block_;
  made.pairs = pairs();
  for (std::size_t width = 0; width < sizes_.size(); ++width) {
    Communication::Sizes size = sizes_[width];
    if (size.messages == 0) continue;
    size.from = width == 0 ? 0 : std::uint64_t{1} << (width - 1);
    size.to = width == 64 ? ~std::uint64_t{0} : std::uint64_t{1} << width;
    made.sizes.push_back(size);
  }
  operations_.for_each([&](const PairKey& k, Communication::Operations sum) {
    sum.comm = CommId{k.first}, sum.operation = static_cast<CollectiveOp>(k.second);
    made.collectives.push_back(sum);
  });
  std::sort(made.collectives.begin(), made.collectives.end(),
            [](const auto& a, const auto& b) { return std::tie(a.comm, a.operation) < std::tie(b.comm, b.operation); });
  return made;
}

}  // namespace waitstate::analysis
