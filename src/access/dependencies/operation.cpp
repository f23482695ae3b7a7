#include "access/dependencies/operation.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::access {

namespace {

class OperationStep : public DependencyStep {
 public:
  using DependencyStep::DependencyStep;

  void add(const std::vector<OperationPart>& parts, std::size_t group_a, std::optional<std::size_t> root,
           std::optional<PointKind> kind) {
    std::vector<VertexIndex> arrivals, departures;
    std::vector<LocationId> all;
    for (const OperationPart& p : parts) {
      arrivals.push_back(parts_.add({VertexKind::arrival, p.call, p.begin, p.begin_pos}));
      departures.push_back(parts_.add({VertexKind::departure, p.call, p.end, p.end_pos}));
      all.push_back(parts_.calls[p.call].location);
    }
    const bool for_root = kind == PointKind::one_to_n || (kind == PointKind::shmem_collective && root);
    const Waits w = group_a == 0 ? waits(parts, root, kind) : Waits{};
    std::vector<Ticks> wait(parts.size());
    Time first_end = ~Time{0}, last_begin = 0;
    for (const auto& [i, t] : w.members) {
      wait[i] = t;
      if (!for_root || i != w.culprit) first_end = std::min(first_end, parts[i].end);
      last_begin = std::max(last_begin, parts[i].begin);
    }
    if (w.culprit) last_begin = parts[*w.culprit].begin;
    for (const auto& [i, t] : w.members) {
      std::vector<LocationId> met;
      for (const auto& [j, other] : w.members)
        if (j != i && (!for_root || i == w.culprit || j == w.culprit)) met.push_back(all[j]);
      std::sort(met.begin(), met.end());
      const Time since = std::max(first_end, std::min(last_begin, parts[i].end));
      parts_.point(departures[i], kind, t, std::max<Ticks>(0, DependencyParts::ticks(since, parts[i].end)),
                   std::move(met));
      if (kind != PointKind::window && kind != PointKind::shmem_collective) parts_.graph[departures[i]].members = all;
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = 0; j < parts.size(); ++j) {
        const bool needed = needs(parts, group_a, root, kind, i, j);
        const bool awaited = kind != PointKind::finalize && w.culprit == j && wait[i] > 0;
        if (needed || awaited) parts_.edge(arrivals[j], departures[i], EdgeKind::collective, awaited);
      }
    if (!parts_.all_waits) return;
    if (group_a == 0 && !kind) scan(parts);
    if (group_a != 0) between_groups(parts, group_a, root, kind);
    if (root) late_receivers(parts, group_a, *root, kind);
  }

 private:
  // True if member i needs member j, by the data that go from j to i.
  static bool needs(const std::vector<OperationPart>& parts, std::size_t group_a, std::optional<std::size_t> root,
                    std::optional<PointKind> kind, std::size_t i, std::size_t j) {
    if (i == j || parts[j].begin > parts[i].end) return false;
    if (group_a != 0 && (i < group_a) == (j < group_a)) return false;
    const bool sends = parts[j].sent > 0, receives = parts[i].received > 0;
    if (!kind) return j < i && sends;  // Scan, Exscan
    switch (*kind) {
      case PointKind::init:
      case PointKind::finalize:
      case PointKind::barrier:
        return true;
      case PointKind::n_to_n:
        return sends && receives;
      case PointKind::one_to_n:
        return root == j && receives;
      case PointKind::n_to_one:
        return root == i && sends;
      default:  // operations that move no data between members
        return false;
    }
  }

  struct Waits {
    std::optional<std::size_t> culprit;
    std::vector<std::pair<std::size_t, Ticks>> members;  ///< members that have a point
  };
  static Ticks wait_for(const OperationPart& p, const OperationPart& culprit) {
    return std::max<Ticks>(0, DependencyParts::ticks(p.begin, std::min(culprit.begin, p.end)));
  }
  template <class Counts>
  static std::optional<std::size_t> latest(const std::vector<OperationPart>& parts, Counts&& counts) {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (counts(parts[i]) && (!last || parts[i].begin > parts[*last].begin)) last = i;
    return last;
  }

  static bool all_overlap(const std::vector<OperationPart>& parts) {
    Time first_end = ~Time{0}, last_begin = 0;
    for (const OperationPart& p : parts)
      first_end = std::min(first_end, p.end), last_begin = std::max(last_begin, p.begin);
    return first_end > last_begin;
  }

  Waits waits(const std::vector<OperationPart>& parts, std::optional<std::size_t> root,
              std::optional<PointKind> kind) const {
    Waits w;
    const auto everybody = [](const OperationPart&) { return true; };
    const auto senders = [](const OperationPart& p) { return p.sent > 0; };
    const auto for_culprit = [&](bool all, bool receivers) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const Ticks t =
            i == w.culprit || (receivers && parts[i].received == 0) ? 0 : wait_for(parts[i], parts[*w.culprit]);
        if (all || t > 0) w.members.emplace_back(i, t);
      }
      if (!all && !w.members.empty()) w.members.emplace_back(*w.culprit, 0);
    };
    if (!kind) return w;
    switch (*kind) {
      case PointKind::init:
        for (std::size_t i = 0; i < parts.size(); ++i) w.members.emplace_back(i, 0);
        break;
      case PointKind::finalize:
      case PointKind::barrier:
        w.culprit = latest(parts, everybody);
        for_culprit(true, false);
        break;
      case PointKind::n_to_n: {
        if (!parts_.all_waits && (parts[0].op == CollectiveOp::alltoallv || parts[0].op == CollectiveOp::alltoallw))
          break;
        if (std::none_of(parts.begin(), parts.end(),
                         [](const OperationPart& p) { return p.sent > 0 || p.received > 0; }))
          break;
        const bool overlap = all_overlap(parts);
        w.culprit = overlap ? latest(parts, everybody) : latest(parts, senders);
        if (w.culprit) for_culprit(overlap, !overlap);
        break;
      }
      case PointKind::window:
        if (!all_overlap(parts)) break;
        w.culprit = latest(parts, everybody);
        for_culprit(true, false);
        break;
      case PointKind::shmem_collective:
        w.culprit = root ? root : latest(parts, everybody);
        for_culprit(!root, false);
        break;
      case PointKind::one_to_n:
        w.culprit = root;
        if (w.culprit) for_culprit(false, true);
        break;
      case PointKind::n_to_one:
        w.culprit = latest(parts, senders);
        if (!root || !w.culprit || w.culprit == root) break;
        if (const Ticks t = wait_for(parts[*root], parts[*w.culprit]); t > 0) w.members = {{*root, t}, {*w.culprit, 0}};
        break;
      default:
        break;
    }
    return w;
  }

  /// A wait of one member for another one, as a pair of its own.
  void one_for_another(PointKind kind, const OperationPart& waiting, const OperationPart& awaited) {
    if (const Ticks t = wait_for(waiting, awaited); t > 0)
      parts_.add_pair(kind, t, {VertexKind::request, awaited.call, awaited.begin, awaited.begin_pos},
                      {VertexKind::completion, waiting.call, waiting.end, waiting.end_pos});
  }

  // Each member waits for the last one of the other group that it needs.
  void between_groups(const std::vector<OperationPart>& parts, std::size_t group_a, std::optional<std::size_t> root,
                      std::optional<PointKind> kind) {
    if (kind == PointKind::n_to_n &&
        std::none_of(parts.begin(), parts.end(), [](const OperationPart& p) { return p.sent > 0 || p.received > 0; }))
      return;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::optional<std::size_t> last;
      for (std::size_t j = 0; j < parts.size(); ++j) {
        const bool other_group = (i < group_a) != (j < group_a), receives = parts[i].received > 0,
                   sends = parts[j].sent > 0;
        const bool counts = kind == PointKind::barrier || (kind == PointKind::n_to_n && receives && sends) ||
                            (kind == PointKind::one_to_n && root == j && receives) ||
                            (kind == PointKind::n_to_one && root == i && sends);
        if (other_group && counts && (!last || parts[j].begin > parts[*last].begin)) last = j;
      }
      if (last) one_for_another(*kind, parts[i], parts[*last]);
    }
  }

  // Senders wait for a root that receives, and a root that sends waits for the last receiver.
  void late_receivers(const std::vector<OperationPart>& parts, std::size_t group_a, std::size_t root,
                      std::optional<PointKind> kind) {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i == root || (group_a != 0 && (i < group_a) == (root < group_a))) continue;
      if (kind == PointKind::n_to_one && parts[i].sent > 0 && parts[i].end > parts[root].begin)
        one_for_another(PointKind::late_root, parts[i], parts[root]);
      if (kind == PointKind::one_to_n && parts[i].received > 0 && parts[i].begin < parts[root].end &&
          (!last || parts[i].begin > parts[*last].begin))
        last = i;
    }
    if (last) one_for_another(PointKind::late_members, parts[root], parts[*last]);
  }

  // Each member waits for the last one up to its own rank.
  void scan(const std::vector<OperationPart>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto last = latest({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i) + 1},
                               [](const OperationPart& p) { return p.sent > 0; });
      if (last && *last != i) one_for_another(PointKind::scan, parts[i], parts[*last]);
    }
  }
};

}  // namespace

OperationPart operation_part(std::size_t call, const Event& end) {
  // Attributes: op, com, root, sent, received.
  return {call,
          end.time,
          end.time,
          end.pos,
          end.pos,
          end.attributes[3],
          end.attributes[4],
          end.attributes[2],
          static_cast<CollectiveOp>(end.attributes[0])};
}

void add_operation(DependencyParts& parts, const std::vector<OperationPart>& all, std::size_t group_a,
                   std::optional<std::size_t> root, std::optional<causes::PointKind> kind) {
  OperationStep(parts).add(all, group_a, root, kind);
}

}  // namespace waitstate::access
