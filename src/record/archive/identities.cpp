#include "record/archive/identities.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

namespace waitstate::record {
namespace {

struct Half {
  Numbers members, members_b;  // in the same order in both halves
  bool of_b = false;           // its own group is members_b
  std::int64_t tag = 0;
  // Said by its leader, unless that has left nothing.
  bool is_led = false;
  std::string peer;
  std::uint64_t leader = 0, other = 0, order = 0;
  std::uint32_t thread = 0;

  std::string whole;  // its identity and that of the other one, once that is known
};
using Halves = std::map<std::string, Half, std::less<>>;  // by identity

class Identities {
 public:
  explicit Identities(const std::vector<PartLines>& parts) {
    for (const PartLines& part : parts) read(part);
    for (bool changed = true; changed;) changed = pair_the_led() || pair_the_rest();
  }

  bool empty() const { return halves_.empty(); }

  std::uint64_t uncertain() const {
    std::uint64_t n = uncertain_;
    for (const auto& [identity, half] : halves_) n += half.whole.empty() ? 1 : 0;
    return n;
  }

  /// Nothing if it begins with a half whose other one is not known.
  std::optional<std::string> settled(std::string_view identity) const {
    for (std::size_t end = identity.size(); end != std::string_view::npos && end != 0;
         end = identity.rfind('.', end - 1)) {
      const auto half = halves_.find(identity.substr(0, end));
      if (half == halves_.end()) continue;
      if (half->second.whole.empty()) return std::nullopt;
      return half->second.whole + std::string(identity.substr(end));
    }
    return std::string(identity);
  }

 private:
  void read(const PartLines& part) {
    std::map<std::uint32_t, const InterLine*> inters;
    std::uint64_t order = 0;
    for (const AnyLine& line : part.lines) {
      if (const auto* const inter = std::get_if<InterLine>(&line)) inters[inter->number] = inter;
      const auto* const meets = std::get_if<MeetsLine>(&line);
      const auto inter = meets == nullptr ? inters.end() : inters.find(meets->comm);
      if (inter == inters.end()) continue;
      Half& half = halves_[inter->second->identity];
      half.members = inter->second->members;
      half.members_b = inter->second->members_b;
      half.of_b = std::ranges::find(half.members_b, part.process.rank) != half.members_b.end();
      half.tag = meets->tag;
      if (meets->peer.empty()) continue;
      half.is_led = true;
      half.peer = meets->peer;
      half.leader = meets->leader;
      half.other = meets->other;
      half.order = order++;
      half.thread = meets->thread;
    }
  }

  using Found = std::array<std::vector<Halves::iterator>, 2>;  // halves of either group

  static void pair(Halves::iterator a, Halves::iterator b) {
    a->second.whole = b->second.whole = "I:" + a->first + "|" + b->first;
  }

  // Halves whose leaders met in communicators that are known by now. True if there were any.
  bool pair_the_led() {
    using Meeting = std::tuple<Numbers, Numbers, std::int64_t, std::string, std::uint64_t, std::uint64_t>;
    std::map<Meeting, Found> meetings;
    for (auto h = halves_.begin(); h != halves_.end(); ++h) {
      const Half& half = h->second;
      if (!half.whole.empty() || !half.is_led) continue;
      const std::optional<std::string> peer = settled(half.peer);
      if (!peer) continue;
      const std::uint64_t of_a = half.of_b ? half.other : half.leader, of_b = half.of_b ? half.leader : half.other;
      meetings[{half.members, half.members_b, half.tag, *peer, of_a, of_b}][half.of_b ? 1 : 0].push_back(h);
    }
    bool any = false;
    for (auto& [meeting, found] : meetings) {
      std::set<std::uint32_t> threads[2];
      for (int side : {0, 1}) {
        std::ranges::sort(found[side], {}, [](const Halves::iterator& h) { return h->second.order; });
        for (const Halves::iterator& h : found[side]) threads[side].insert(h->second.thread);
      }
      const std::size_t n = std::min(found[0].size(), found[1].size());
      for (std::size_t i = 0; i < n; ++i) pair(found[0][i], found[1][i]);
      if (n > 0 && (threads[0].size() > 1 || threads[1].size() > 1)) uncertain_ += n;
      any = any || n > 0;
    }
    return any;
  }

  // Halves whose leader has left nothing, where there are only two. True if there were any.
  bool pair_the_rest() {
    std::map<std::tuple<Numbers, Numbers, std::int64_t>, Found> alike;
    for (auto h = halves_.begin(); h != halves_.end(); ++h)
      if (const Half& half = h->second; half.whole.empty())
        alike[{half.members, half.members_b, half.tag}][half.of_b ? 1 : 0].push_back(h);
    bool any = false;
    for (auto& [what, found] : alike) {
      if (found[0].size() != 1 || found[1].size() != 1) continue;
      if (found[0].front()->second.is_led && found[1].front()->second.is_led) continue;  // they met others
      pair(found[0].front(), found[1].front());
      any = true;
    }
    return any;
  }

  Halves halves_;
  std::uint64_t uncertain_ = 0;
};

}  // namespace

std::uint64_t settle_identities(std::vector<PartLines>& parts) {
  const Identities identities(parts);
  if (identities.empty()) return 0;
  const auto settle = [&](std::string& identity) {
    if (std::optional<std::string> settled = identities.settled(identity)) identity = std::move(*settled);
  };
  for (PartLines& part : parts)
    for (AnyLine& any : part.lines)
      std::visit(
          [&](auto& line) {
            if constexpr (requires { line.identity; }) settle(line.identity);
          },
          any);
  return identities.uncertain();
}

}  // namespace waitstate::record
