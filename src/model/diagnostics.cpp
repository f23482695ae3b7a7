// Counting of damage by kind. The kept places are the smallest in (location, time, text) order, never the first in time
// of arrival, so that merging the counts of several threads gives the same result in any order.
#include "waitstate/diagnostics.hpp"

#include <algorithm>

namespace waitstate {
namespace {

struct Kind {
  std::string_view name;
  DiagnosticSeverity severity;
  std::string_view sentence;
};

constexpr Kind kinds[] = {
#define X(id, severity, sentence) {#id, DiagnosticSeverity::severity, sentence},
    WAITSTATE_DIAGNOSTICS(X)
#undef X
};

void keep(std::vector<DiagnosticPlace>& places, DiagnosticPlace place) {
  if (places.size() == Diagnostics::max_places && !(place < places.back())) return;
  places.insert(std::upper_bound(places.begin(), places.end(), place), std::move(place));
  if (places.size() > Diagnostics::max_places) places.pop_back();
}

}  // namespace

std::string_view name(DiagnosticId id) { return kinds[static_cast<int>(id)].name; }
std::string_view sentence(DiagnosticId id) { return kinds[static_cast<int>(id)].sentence; }
DiagnosticSeverity severity(DiagnosticId id) { return kinds[static_cast<int>(id)].severity; }

Diagnostics::Diagnostics() = default;
Diagnostics::Diagnostics(const Diagnostics&) = default;
Diagnostics::Diagnostics(Diagnostics&&) noexcept = default;
Diagnostics& Diagnostics::operator=(const Diagnostics&) = default;
Diagnostics& Diagnostics::operator=(Diagnostics&&) noexcept = default;
Diagnostics::~Diagnostics() = default;

void Diagnostics::add(DiagnosticId id, DiagnosticPlace place, Ticks size, std::uint64_t count) {
  if (count == 0) return;
  DiagnosticEntry& entry = entries_[static_cast<int>(id)];
  entry.count += count;
  entry.largest = std::max(entry.largest, size);
  keep(entry.places, std::move(place));
}

void Diagnostics::add_between(DiagnosticId id, ProcessId sender, ProcessId receiver, DiagnosticPlace place,
                              Ticks size) {
  add(id, std::move(place), size);
  Pair& pair = pairs_[id][{sender, receiver}];
  ++pair.count;
  pair.largest = std::max(pair.largest, size);
}

const Diagnostics::Pairs& Diagnostics::between(DiagnosticId id) const {
  static const Pairs none;
  const auto it = pairs_.find(id);
  return it == pairs_.end() ? none : it->second;
}

void Diagnostics::merge(const Diagnostics& other) {
  for (int i = 0; i < diagnostic_count; ++i) {
    entries_[i].count += other.entries_[i].count;
    entries_[i].largest = std::max(entries_[i].largest, other.entries_[i].largest);
    for (const DiagnosticPlace& place : other.entries_[i].places) keep(entries_[i].places, place);
  }
  for (const auto& [id, pairs] : other.pairs_)
    for (const auto& [processes, counted] : pairs) {
      Pair& pair = pairs_[id][processes];
      pair.count += counted.count;
      pair.largest = std::max(pair.largest, counted.largest);
    }
}

bool Diagnostics::any(DiagnosticSeverity severity) const {
  for (int i = 0; i < diagnostic_count; ++i)
    if (entries_[i].count != 0 && kinds[i].severity == severity) return true;
  return false;
}

}  // namespace waitstate
