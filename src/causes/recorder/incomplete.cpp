#include "causes/recorder/incomplete.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "causes/recorder/added_points.hpp"
#include "patterns/rules/latest.hpp"

namespace waitstate::causes {

void IncompleteOperations::add(const link::IncompletePart& part) {
  if (part.kind == CollectiveKind::finalize) {
    ++to_.ends_known;
    return;
  }
  const Call& c = part.call;
  parts_.push_back({part.number, part.comm, part.kind, part.moves_data, c.number, c.location, c.callpath, c.enter,
                    c.exit, part.begin, part.end});
}

void IncompleteOperations::join(const IncompleteOperations& other) {
  other.parts_.each(0, other.parts_.size(), [&](const Part& p) { parts_.push_back(p); });
}

bool IncompleteOperations::meets(std::span<const PartName> names) const {
  if (names.size() < 2) return false;
  Time first_end = ~Time{0}, last_begin = 0;
  bool moves_data = false;
  const CollectiveKind kind = parts_[names.front().part].kind;
  for (const PartName& n : names) {
    const Part p = parts_[n.part];
    if (p.kind != kind) return false;  // they do not say which operation it was
    moves_data = moves_data || p.moves_data;
    first_end = std::min(first_end, p.end), last_begin = std::max(last_begin, p.begin);
  }
  if (kind == CollectiveKind::all_to_all) return moves_data && first_end > last_begin;
  return kind == CollectiveKind::init || kind == CollectiveKind::barrier;
}

void IncompleteOperations::finish() {
  std::vector<PartName> names;
  std::size_t number = 0;
  parts_.each(0, parts_.size(), [&](const Part& p) { names.push_back({p.comm, p.number, number++}); });
  std::sort(names.begin(), names.end(), [&](const PartName& a, const PartName& b) {
    return std::tie(a.comm, a.number, a.part) < std::tie(b.comm, b.number, b.part);
  });
  AddedPoints added(to_);
  for (auto first = names.begin(); first != names.end();) {
    const auto last = std::find_if(
        first, names.end(), [&](const PartName& n) { return n.comm != first->comm || n.number != first->number; });
    const std::span<const PartName> operation(first, last);
    first = last;
    if (!meets(operation)) continue;
    std::vector<LocationId> members;
    Time first_end = ~Time{0}, last_begin = 0;
    for (const PartName& n : operation) {
      const Part p = parts_[n.part];
      members.push_back(p.location);
      first_end = std::min(first_end, p.end), last_begin = std::max(last_begin, p.begin);
    }
    const std::uint32_t group = to_.groups.add(std::move(members));
    for (const PartName& n : operation) {
      const Part of = parts_[n.part];
      Point p;
      p.kind = PointKind::incomplete;
      p.location = of.location, p.callpath = of.callpath, p.call = of.call;
      p.enter = of.enter, p.record = of.end;
      p.total = ticks_from(of.enter, of.exit);
      p.completion = patterns::completion_ticks(of.end, first_end, last_begin);
      p.group = group;
      added.add(p);
    }
  }
  added.put_in_order();
}

}  // namespace waitstate::causes
