#include "record/archive/unpaired.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace waitstate::record {
namespace {

constexpr std::uint32_t none = ~0u;

class Counter {
 public:
  explicit Counter(const Merged& m) : m_(m) {}

  void add(std::uint64_t rank, const UnrecordedLine& l) {
    const std::vector<std::uint64_t>& map = m_.processes[rank].maps[static_cast<std::size_t>(Table::comm)];
    if (l.comm >= map.size() || map[l.comm] >= m_.comms.size()) return;
    const auto comm = static_cast<std::uint32_t>(map[l.comm]);
    if (l.kind == UnrecordedKind::collective) {
      collectives_[comm][rank] += l.count;
      return;
    }
    const std::span<const std::uint64_t> peers = peers_of(comm, rank);
    if (l.peer >= peers.size()) return;
    const std::uint64_t peer = peers[l.peer];
    if (l.kind == UnrecordedKind::send)
      messages_[{comm, rank, peer, l.tag}].sends += l.count;
    else
      messages_[{comm, peer, rank, l.tag}].receives += l.count;
  }

  Unpaired result() const {
    Unpaired all;
    for (const auto& [channel, n] : messages_)
      all.messages += std::max(n.sends, n.receives) - std::min(n.sends, n.receives);
    for (const auto& [comm, by_rank] : collectives_) {
      const auto [least, most] = std::ranges::minmax_element(by_rank, {}, [](const auto& one) { return one.second; });
      all.collectives += most->second - (by_rank.size() < present(comm) ? 0 : least->second);
    }
    return all;
  }

 private:
  using Channel = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t>;  // sender, receiver, tag
  struct Ends {
    std::uint64_t sends = 0, receives = 0;
  };

  // Ranks in the world of those whom a member's ranks mean.
  std::span<const std::uint64_t> peers_of(std::uint32_t comm, std::uint64_t rank) const {
    const MergedComm& c = m_.comms[comm];
    const std::vector<std::uint64_t>& members = m_.groups[c.group].members;
    if (c.group_b == none) return members;
    return std::ranges::find(members, rank) == members.end() ? members : m_.groups[c.group_b].members;
  }

  // Members that left a part.
  std::size_t present(std::uint32_t comm) const {
    std::size_t n = 0;
    for (const std::uint32_t group : {m_.comms[comm].group, m_.comms[comm].group_b})
      if (group != none)
        for (const std::uint64_t rank : m_.groups[group].members)
          n += rank < m_.processes.size() && m_.processes[rank].present ? 1 : 0;
    return n;
  }

  const Merged& m_;
  std::map<Channel, Ends> messages_;
  std::map<std::uint32_t, std::map<std::uint64_t, std::uint64_t>> collectives_;  // by communicator and rank
};

}  // namespace

Unpaired count_unpaired(const std::vector<PartLines>& parts, const Merged& m) {
  Counter counter(m);
  for (const PartLines& part : parts)
    for_each_line(part, [&](const UnrecordedLine& l) { counter.add(part.process.rank, l); });
  return counter.result();
}

}  // namespace waitstate::record
