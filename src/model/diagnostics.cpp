// Counts damage by kind. The kept places are the smallest in (location, time, text) order, not the first to arrive, so
// that the counts of several threads can be merged in any order with the same result.
#include "waitstate/trace/diagnostics.hpp"

#include <algorithm>
#include <string>

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

std::string sentence(DiagnosticId id, std::uint64_t count) {
  std::string_view rest = kinds[static_cast<int>(id)].sentence;
  std::string text;
  for (auto open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    const auto bar = rest.find('|', open), close = rest.find('}', bar);
    text += rest.substr(0, open);
    text += count == 1 ? rest.substr(open + 1, bar - open - 1) : rest.substr(bar + 1, close - bar - 1);
    rest.remove_prefix(close + 1);
  }
  return text.append(rest);
}

std::string_view name(DiagnosticSeverity s) {
  return s == DiagnosticSeverity::loss ? "loss" : s == DiagnosticSeverity::odd ? "odd" : "note";
}
DiagnosticSeverity severity(DiagnosticId id) { return kinds[static_cast<int>(id)].severity; }

Diagnostics::Diagnostics() = default;
Diagnostics::Diagnostics(const Diagnostics&) = default;
Diagnostics::Diagnostics(Diagnostics&&) noexcept = default;
Diagnostics& Diagnostics::operator=(const Diagnostics&) = default;
Diagnostics& Diagnostics::operator=(Diagnostics&&) noexcept = default;
Diagnostics::~Diagnostics() = default;

DiagnosticEntry& Diagnostics::entry(DiagnosticId id) {
  if (entries_.empty()) entries_.resize(diagnostic_count);
  return entries_[static_cast<std::size_t>(id)];
}

const DiagnosticEntry& Diagnostics::operator[](DiagnosticId id) const {
  static const DiagnosticEntry none;
  return entries_.empty() ? none : entries_[static_cast<std::size_t>(id)];
}

void Diagnostics::add(DiagnosticId id, DiagnosticPlace place, Ticks size, std::uint64_t count) {
  if (count == 0) return;
  DiagnosticEntry& e = entry(id);
  e.count += count;
  e.largest = std::max(e.largest, size);
  keep(e.places, std::move(place));
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
  for (std::size_t i = 0; i < other.entries_.size(); ++i) {
    DiagnosticEntry& e = entry(static_cast<DiagnosticId>(i));
    e.count += other.entries_[i].count;
    e.largest = std::max(e.largest, other.entries_[i].largest);
    for (const DiagnosticPlace& place : other.entries_[i].places) keep(e.places, place);
  }
  for (const auto& [id, pairs] : other.pairs_)
    for (const auto& [processes, counted] : pairs) {
      Pair& pair = pairs_[id][processes];
      pair.count += counted.count;
      pair.largest = std::max(pair.largest, counted.largest);
    }
}

bool Diagnostics::any(DiagnosticSeverity severity) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].count != 0 && kinds[i].severity == severity) return true;
  return false;
}

}  // namespace waitstate
