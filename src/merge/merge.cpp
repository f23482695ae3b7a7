#include "merge/merge.hpp"

#include <utility>

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::merge {

namespace {
constexpr LocationHeap::Head never{~Time{0}, LocationId::none()};
}  // namespace

Merge::Merge(const Definitions& definitions, link::MergeFeed& feed, EventStore& store, EventConsumer* consumer,
             bool pin)
    : feed_(feed), streams_(definitions.locations.size()), placer_(definitions, streams_, store, consumer, pin) {
  for (std::size_t i = 0; i < streams_.size(); ++i) starved_.insert(LocationId{i});
}

std::vector<Position> Merge::stack(LocationId l) const {
  std::vector<Position> enters;
  if (l.index() >= streams_.size()) return enters;
  const auto& regions = streams_[l.index()].stack.regions;
  enters.reserve(regions.size());
  for (const RegionStack::Open& r : regions) enters.push_back(r.enter);
  return enters;
}

// --- what linking tells ----------------------------------------------------------------------------------------------

void Merge::take(link::MergeStep& step) {
  const bool wakes = take_notes(step);
  if (step.location.valid()) add(step);
  if (wakes || step.missing_count != missing_seen_) {
    missing_seen_ = step.missing_count;
    retry_waiting();
  }
  run();
  placer_.slots().take_free(step.free_slots);
  placer_.collectives().take_free(step);
  feed_.give_back(step);
}

void Merge::take_last(link::MergeStep& step) {
  complete_ = true;
  take(step);
}

// True if another location may have waited for the note: a collective operation has got a member that the others need
// not wait for, or another location's event has got its link.
bool Merge::take_notes(const link::MergeStep& step) {
  using Kind = link::MergeStep::Note::Kind;
  LinkSlots& slots = placer_.slots();
  CollectiveOrder& collectives = placer_.collectives();
  bool wakes = false;
  slots.grow(step.slots);
  for (const link::MergeStep::Note& n : step.notes) {
    switch (n.kind) {
      case Kind::slot_kept:
        slots.keep(n.number);
        break;
      case Kind::slot_missing:
        slots.miss(n.number);
        break;
      case Kind::slot_released:
        slots.release(n.number);
        break;
      case Kind::member_begins:
      case Kind::member_ends:
        collectives.begin_member(n.number, n.location, n.kind == Kind::member_begins);
        break;
      case Kind::member_joins:
        wakes |= collectives.join(n.number, n.other);
        break;
      case Kind::operation:
        collectives.set(n.number, step.operations[n.other]);
        break;
      case Kind::operation_closed:
        collectives.close(n.number);
        break;
    }
  }
  for (const link::MergeStep::LinkOf& l : step.links) {
    streams_[l.location.index()].links.push_back(l.link);
    wakes |= l.location != step.location && waiting_.contains(l.location);
  }
  return wakes;
}

void Merge::add(link::MergeStep& step) {
  LocationStream& s = streams_[step.location.index()];
  s.last = step.last;
  if (const std::size_t events = step.events.size(); events != 0) {
    s.add(step.events, step.tasks);
    if (!spare_.empty()) {
      step.events = std::move(spare_.back());
      spare_.pop_back();
    }
    window_.later_by(events);
  }
  if (starved_.contains(step.location) && (!s.intervals.empty() || s.last)) {
    starved_.erase(step.location);
    begin_next(step.location);
  }
}

// --- whose turn it is ------------------------------------------------------------------------------------------------

// Schedules the location by its next event, if it has been read.
void Merge::begin_next(LocationId l) {
  LocationStream& s = streams_[l.index()];
  if (s.begin_next(spare_))
    heads_.push({s.advance_key(), l});
  else if (!s.last)
    starved_.insert(l);
}

// Continues until the next event of a location, or its link, is not there yet.
void Merge::run() {
  while (starved_.empty()) {
    if (heads_.empty()) {
      if (waiting_.empty()) return;
      retry_waiting();
      if (!heads_.empty()) continue;
      const auto unknown = [&](const auto& waiting) {
        const LocationStream& s = streams_[waiting.first.index()];
        return !s.has_link && s.links.empty();
      };
      if (!complete_ && std::any_of(waiting_.all().begin(), waiting_.all().end(), unknown)) return;
      force_first();
      continue;
    }
    if (window_.due() && place_window()) continue;
    place_while_first(heads_.take(), never);
  }
}

// Places a window if there is one. While it is placed, heads_ holds only the locations whose next event has waited for
// its cause: they continue in between.
bool Merge::place_window() {
  if (!window_.collect(streams_, waiting_, heads_.front().time)) return false;
  heads_.clear();
  for (const LocationId l : window_.locations()) streams_[l.index()].in_window = true;
  window_.each([&](const LocationHeap::Head& head) {
    while (!heads_.empty() && heads_.front() < head) place_while_first(heads_.take(), head);
    LocationStream& s = streams_[head.location.index()];
    if (!s.in_window) return;
    s.key = head.time;
    if (place_if_ready(s, head.location)) return;
    s.in_window = false;
    wait(head.location);
  });
  for (const LocationId l : window_.locations()) {
    LocationStream& s = streams_[l.index()];
    if (std::exchange(s.in_window, false)) heads_.push({s.advance_key(), l});
  }
  return true;
}

// Places the location's next event unless that has to wait for its cause.
inline bool Merge::place_if_ready(LocationStream& s, LocationId l) {
  if (placer_.only_moves(s.row()))
    placer_.place_move(s, l);
  else if (ready(l))
    place(s, l);
  else
    return false;
  return true;
}

// Places events of the location, which has been taken, for as long as it stays the first one and comes before `until`.
void Merge::place_while_first(LocationId l, const LocationHeap::Head& until) {
  LocationStream& s = streams_[l.index()];
  const std::size_t first = s.next;
  for (;;) {
    if (!place_if_ready(s, l)) {
      window_.later_by(s.next - first);
      heads_.leave();
      wait(l);
      return;
    }
    if (s.next == s.count) break;
    if (const LocationHeap::Head head{s.advance_key(), l}; !(head < until) || !heads_.stays_first(head)) {
      window_.later_by(s.next - first);
      heads_.put_back(head);
      return;
    }
  }
  heads_.leave();
  window_.later_by(s.next - first);
  begin_next(l);
}

void Merge::place(LocationStream& s, LocationId l) {
  const Placer::Placed placed = placer_.place(s, l);
  if (placed.message != link::Link::none)
    if (const LocationId receiver = waiting_.take_receiver(placed.message); receiver.valid()) wake(receiver);
  if (placed.member != link::Link::none) wake_members(placed.member);
}

// --- who waits -------------------------------------------------------------------------------------------------------

// True if the causes of the next event have been placed, or will never come.
bool Merge::ready(LocationId l) {
  LocationStream& s = streams_[l.index()];
  return !s.row().linked || (s.find_link() && placer_.causes_placed(s));
}

void Merge::wait(LocationId l) {
  const LocationStream& s = streams_[l.index()];
  WaitingLocations::Cause cause;
  if (s.has_link && s.link.has_message()) cause.message = s.link.message;
  if (s.has_link && s.link.member != link::Link::none)
    cause.operation = placer_.collectives().operation_of(s.link.member);
  waiting_.add(l, cause);
}

void Merge::wake(LocationId l) { heads_.push({streams_[l.index()].key, l}); }

// Wakes the locations that waited for the start of this member, which has been placed. In a scan each waits for other
// members; otherwise all wait for the same ones.
void Merge::wake_members(std::uint32_t begun) {
  const CollectiveOrder& collectives = placer_.collectives();
  const std::uint32_t operation = collectives.operation_of(begun);
  if (operation == link::Link::none) return;
  const auto may_end = [&](LocationId l) { return collectives.may_end(streams_[l.index()].link.member); };
  const std::vector<LocationId>& members = waiting_.members(operation);
  if (members.empty() || (!may_end(members.front()) && !collectives.is_scan(begun))) return;
  waiting_.take_members(operation, may_end, [&](LocationId l) { wake(l); });
}

// Wakes the locations that need not wait any more. A location whose link has come waits for the event that the link
// names.
void Merge::retry_waiting() {
  std::vector<LocationId> woken, linked;
  for (const auto& [l, cause] : waiting_.all()) {
    if (ready(l))
      woken.push_back(l);
    else if (!cause.known() && streams_[l.index()].has_link)
      linked.push_back(l);
  }
  for (const LocationId l : woken) {
    waiting_.remove(l);
    wake(l);
  }
  for (const LocationId l : linked) {
    waiting_.remove(l);
    wait(l);
  }
}

// Everything waits for something: the trace contradicts itself. The earliest event is placed nevertheless.
void Merge::force_first() {
  const auto& all = waiting_.all();
  const LocationId l = std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
                         return streams_[a.first.index()].key < streams_[b.first.index()].key;
                       })->first;
  LocationStream& s = streams_[l.index()];
  diagnostics_.add(DiagnosticId::order_forced, {l, s.key, std::string(name(replay::without_list(s.row().type)))});
  waiting_.remove(l);
  place(s, l);
  begin_next(l);
}

}  // namespace waitstate::merge
