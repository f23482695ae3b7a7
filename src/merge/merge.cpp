// Long because a window and the placing of its events share one state.
#include "merge/merge.hpp"

#include <algorithm>
#include <utility>

#include "replay/chunk/attribute_record.hpp"
#include "util/radix_sort.hpp"

namespace waitstate::merge {

namespace {

// A window pays if it has several events of a location on average, but few of them in a row: if one has many, no other
// is looked for until so many times its events have been placed.
constexpr std::size_t fewest_of_a_location = 4, longest_runs = 3, windows_skipped = 30;
// In an entry of the window, the number of the location stands below the time.
constexpr unsigned location_bits = 16, time_bits = 64 - location_bits;
constexpr std::uint64_t location_mask = (std::uint64_t{1} << location_bits) - 1;
constexpr LocationHeap::Head never{~Time{0}, LocationId::none()};

}  // namespace

Merge::Merge(const Definitions& definitions, link::MergeFeed& feed, EventStore& store, EventConsumer* consumer,
             bool pin)
    : definitions_(definitions),
      feed_(feed),
      store_(store),
      consumer_(consumer),
      pin_(pin),
      streams_(definitions.locations.size()),
      slots_(store, pin),
      regions_(store, pin),
      collectives_(definitions) {
  for (std::size_t i = 0; i < streams_.size(); ++i) starved_.insert(LocationId{i});
}

void Merge::derive_transfers(const CallTree& call_tree, RmaModel model) {
  if (definitions_.rma_wins.empty()) return;
  transfers_ = std::make_unique<Transfers>(definitions_, call_tree, store_, model, pin_,
                                           [this](const EventStore::Input& e) { return place_derived(e); });
}

Position Merge::place_derived(EventStore::Input e) {
  const Stream& s = streams_[e.location.index()];
  if (!s.stack.regions.empty()) e.enterptr = s.stack.regions.back().enter;
  const Position pos = store_.append(e);
  if (consumer_ != nullptr) consumer_->event(pos, e.type);
  return pos;
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
  const bool begun = take_notes(step);
  if (step.location.valid()) add(step);
  if (begun || step.missing_count != missing_seen_) {
    missing_seen_ = step.missing_count;
    retry_waiting();
  }
  run();
  slots_.take_free(step.free_slots);
  collectives_.take_free(step);
  feed_.give_back(step);
}

void Merge::take_last(link::MergeStep& step) {
  complete_ = true;
  take(step);
}

// True if a collective operation has got a member that its other ones need not wait for.
bool Merge::take_notes(const link::MergeStep& step) {
  using Kind = link::MergeStep::Note::Kind;
  bool begun = false;
  slots_.grow(step.slots);
  for (const link::MergeStep::Note& n : step.notes) {
    switch (n.kind) {
      case Kind::slot_kept:
        slots_.keep(n.number);
        break;
      case Kind::slot_missing:
        slots_.miss(n.number);
        break;
      case Kind::slot_released:
        slots_.release(n.number);
        break;
      case Kind::member_begins:
      case Kind::member_ends:
        collectives_.begin_member(n.number, n.location, n.kind == Kind::member_begins);
        break;
      case Kind::member_joins:
        begun |= collectives_.join(n.number, n.other);
        break;
      case Kind::operation:
        collectives_.set(n.number, step.operations[n.other]);
        break;
      case Kind::operation_closed:
        collectives_.close(n.number);
        break;
    }
  }
  for (const link::MergeStep::LinkOf& l : step.links) streams_[l.location.index()].links.push_back(l.link);
  return begun;
}

void Merge::add(link::MergeStep& step) {
  Stream& s = streams_[step.location.index()];
  s.last = step.last;
  if (step.events.size() != 0) {
    Interval& interval = s.intervals.emplace_back();
    std::swap(interval.events, step.events);
    if (!spare_.empty()) {
      step.events = std::move(spare_.back());
      spare_.pop_back();
    }
    std::swap(interval.tasks, step.tasks);
    later_by(interval.events.size());
  }
  if (starved_.contains(step.location) && (!s.intervals.empty() || s.last)) {
    starved_.erase(step.location);
    begin_next(step.location);
  }
}

// --- whose turn it is ------------------------------------------------------------------------------------------------

// Schedules the location by its next event, if it has been read.
void Merge::begin_next(LocationId l) {
  Stream& s = streams_[l.index()];
  if (!s.intervals.empty() && s.next == s.intervals.front().events.size()) {
    s.intervals.front().events.clear();
    spare_.push_back(std::move(s.intervals.front().events));
    s.intervals.pop_front();
    s.next = s.next_task = 0;
  }
  if (s.intervals.empty()) {
    if (!s.last) starved_.insert(l);
    return;
  }
  s.rows = s.intervals.front().events.rows.data();
  s.count = s.intervals.front().events.size();
  s.key = std::max(s.key, s.rows[s.next].time);
  heads_.push({s.key, l});
}

// Goes on until a location's next event is not there yet, or its link.
void Merge::run() {
  while (starved_.empty()) {
    if (heads_.empty()) {
      if (waiting_.empty()) return;
      retry_waiting();
      if (!heads_.empty()) continue;
      const auto unknown = [&](LocationId l) {
        return !streams_[l.index()].has_link && streams_[l.index()].links.empty();
      };
      if (!complete_ && std::any_of(waiting_.begin(), waiting_.end(), unknown)) return;
      force_first();
      continue;
    }
    if (until_window_ == 0 && place_window()) continue;
    place_while_first(heads_.take(), never);
  }
}

// Lists the events of the locations in heads_ that come before any that has not been read: by location, each its time
// since the first of them above the number of the location in window_locations_. False if they are too few. A
// location's are all of its first interval, whose last event is not before the end of the window.
bool Merge::collect_window() {
  until_window_ = fewest_of_a_location * streams_.size();
  const Time begin = heads_.front().time;
  Time end = ~Time{0};
  window_locations_.clear();
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& s = streams_[i];
    if (s.intervals.empty()) continue;
    end = std::min(end, std::max(s.key, s.rows[s.count - 1].time));
    if (waiting_.contains(LocationId{i})) continue;  // but it may be woken, so its end counts
    window_locations_.push_back(LocationId{i});
  }
  if (end <= begin || (end - begin) >> time_bits != 0 || window_locations_.size() >> location_bits != 0) return false;
  window_.clear();
  for (std::size_t i = 0; i < window_locations_.size(); ++i) {
    const Stream& s = streams_[window_locations_[i].index()];
    Time key = s.key;
    for (std::size_t e = s.next; (key = std::max(key, s.rows[e].time)) < end; ++e)
      window_.push_back((key - begin) << location_bits | i);
  }
  if (window_.size() < fewest_of_a_location * window_locations_.size()) return false;
  util::radix_sort<10>(window_, window_scratch_, [](std::uint64_t entry) { return entry >> location_bits; });
  std::size_t runs = 1;
  for (std::size_t i = 1; i < window_.size(); ++i) runs += ((window_[i] ^ window_[i - 1]) & location_mask) != 0;
  const bool pays = window_.size() < longest_runs * runs;
  until_window_ = pays ? 0 : windows_skipped * window_.size();
  return pays;
}

// Places a window if there is one. While it is placed, heads_ holds those locations only whose next event has waited
// for its cause: they go on in between.
bool Merge::place_window() {
  if (!collect_window()) return false;
  const Time begin = heads_.front().time;
  heads_.clear();
  for (const LocationId l : window_locations_) streams_[l.index()].in_window = true;
  for (const std::uint64_t entry : window_) {
    const LocationId l = window_locations_[entry & location_mask];
    const LocationHeap::Head head{begin + (entry >> location_bits), l};
    while (!heads_.empty() && heads_.front() < head) place_while_first(heads_.take(), head);
    Stream& s = streams_[l.index()];
    if (!s.in_window) continue;
    s.key = head.time;
    if (place_if_ready(s, l)) continue;
    s.in_window = false;
    wait(l);
  }
  for (const LocationId l : window_locations_) {
    Stream& s = streams_[l.index()];
    if (!std::exchange(s.in_window, false)) continue;
    s.key = std::max(s.key, s.rows[s.next].time);
    heads_.push({s.key, l});
  }
  return true;
}

// Places the location's next event unless that has to wait for its cause.
inline bool Merge::place_if_ready(Stream& s, LocationId l) {
  const replay::EventRow& row = s.rows[s.next];
  if ((row.type == EventType::enter || row.type == EventType::exit) && !row.switches && transfers_ == nullptr)
    place_move(s, l);
  else if (ready(l))
    place(l);
  else
    return false;
  return true;
}

// Places events of the location, which has been taken, for as long as it stays the first one and comes before `until`.
void Merge::place_while_first(LocationId l, const LocationHeap::Head& until) {
  Stream& s = streams_[l.index()];
  const std::size_t first = s.next;
  for (;;) {
    if (!place_if_ready(s, l)) {
      later_by(s.next - first);
      heads_.leave();
      wait(l);
      return;
    }
    if (s.next == s.count) break;
    s.key = std::max(s.key, s.rows[s.next].time);
    if (const LocationHeap::Head head{s.key, l}; !(head < until) || !heads_.stays_first(head)) {
      later_by(s.next - first);
      heads_.put_back({s.key, l});
      return;
    }
  }
  heads_.leave();
  later_by(s.next - first);
  begin_next(l);
}

// True if the next event's causes have been placed, or will never come.
bool Merge::ready(LocationId l) {
  Stream& s = streams_[l.index()];
  const replay::EventRow& row = s.rows[s.next];
  if (!row.linked) return true;
  if (!s.has_link) {
    if (s.links.empty()) return false;
    s.link = s.links.front();
    s.links.pop_front();
    s.has_link = true;
  }
  switch (replay::without_list(row.type)) {
    case EventType::recv:
    case EventType::irecv:
      return !s.link.has_message() || slots_.known(s.link.message);
    case EventType::collective_end:
      return s.link.member == link::Link::none || collectives_.may_end(s.link.member) ||
             collectives_.never_completes(s.link.member);
    default:
      return true;
  }
}

void Merge::wait(LocationId l) {
  const Stream& s = streams_[l.index()];
  waiting_.insert(l);
  if (!s.has_link) return;
  if (s.link.has_message()) by_message_[s.link.message] = l;
  if (s.link.member != link::Link::none) by_collective_[collectives_.operation_of(s.link.member)].push_back(l);
}

void Merge::wake(LocationId l) {
  if (waiting_.erase(l) != 0) heads_.push({streams_[l.index()].key, l});
}

void Merge::retry_waiting() {
  std::vector<LocationId> woken;
  for (LocationId l : waiting_)
    if (ready(l)) woken.push_back(l);
  for (LocationId l : woken) {
    const link::Link& link = streams_[l.index()].link;
    by_message_.erase(link.message);
    if (link.member != link::Link::none) std::erase(by_collective_[collectives_.operation_of(link.member)], l);
    wake(l);
  }
}

// Everything waits for something: the trace contradicts itself. The earliest event goes first all the same.
void Merge::force_first() {
  const LocationId l = *std::min_element(waiting_.begin(), waiting_.end(), [&](LocationId a, LocationId b) {
    return std::pair{streams_[a.index()].key, a} < std::pair{streams_[b.index()].key, b};
  });
  const Stream& s = streams_[l.index()];
  diagnostics_.add(DiagnosticId::order_forced,
                   {l, s.key, std::string(name(replay::without_list(s.rows[s.next].type)))});
  by_message_.erase(s.link.message);
  if (s.link.member != link::Link::none) std::erase(by_collective_[collectives_.operation_of(s.link.member)], l);
  waiting_.erase(l);
  place(l);
  begin_next(l);
}

// Most events are enters and exits without attributes, with which there is nothing to do but open and close a region.
void Merge::place_move(Stream& s, LocationId l) {
  const replay::EventRow& row = s.rows[s.next];
  const EventType type = row.type;
  const CallPathId callpath{row.arg};
  const Position enter = regions_.enter_of(s.stack, type, callpath);
  const Position pos = store_.append_move(row.time, l, type, callpath, enter);
  ++s.next;
  const bool closes = type == EventType::exit && enter != no_position;
  if (type == EventType::enter) regions_.open(s.stack, pos, callpath);
  if (closes) OpenRegions::close(s.stack);
  if (consumer_ != nullptr) consumer_->event(pos, type);
  if (closes) regions_.let_go(enter);
}

void Merge::place(LocationId l) {
  Stream& s = streams_[l.index()];
  const Interval& interval = s.intervals.front();
  const std::size_t i = s.next;
  EventStore::Input e;
  const replay::EventRow& row = s.rows[i];
  e.time = row.time;
  e.location = l;
  e.type = row.type;
  const EventType type = replay::without_list(e.type);
  const bool moves = type == EventType::enter || type == EventType::exit;
  while (s.next_task != interval.tasks.size() && interval.tasks[s.next_task].event == i)
    regions_.switch_task(s.stack, definitions_[l].process, interval.tasks[s.next_task++]);
  if (moves && !replay::has_list(e.type)) {
    e.callpath = CallPathId{row.arg};
  } else {
    e.record = interval.events.bytes.data() + row.arg;
    if (moves || replay::is_stack_event(type))
      e.callpath = CallPathId{static_cast<std::uint32_t>(replay::read_number(e.record, 4))};
    // The record of an enter or exit is its list only; the call path stands for the region.
    e.record_size = moves ? replay::record_size(e.record - 4, type, true) - 4
                          : replay::record_size(e.record, type, replay::has_list(e.type));
  }
  e.enterptr = regions_.enter_of(s.stack, type, e.callpath);

  const bool has_link = s.has_link;
  const link::Link link = s.link;
  constexpr std::uint32_t none = link::Link::none;
  const bool send = type == EventType::send || type == EventType::isend;
  const bool receive = type == EventType::recv || type == EventType::irecv;
  e.cancelled = link.message == link::Link::cancelled;
  const bool starts_request =
      type == EventType::isend || type == EventType::irecv_request || type == EventType::nonblocking_collective_request;
  if (has_link) {
    if (receive && link.has_message()) e.sendptr = slots_.position(link.message);
    if (!starts_request && link.request != none) e.requestptr = slots_.position(link.request);
    if (type == EventType::collective_end && link.member != none) e.beginptr = collectives_.begin_position(link.member);
  }
  if (transfers_ != nullptr && replay::closes_region(type) && e.enterptr != no_position)
    transfers_->before_exit(l, e.enterptr, e.time);
  const Position pos = store_.append(e);
  if (row.switches && replay::closes_region(type) && e.enterptr == no_position)
    store_.set_other_stack(pos, s.stack.regions.empty() ? no_position : s.stack.regions.back().enter);
  ++s.next;
  if (has_link) {
    s.has_link = false;
    s.link = link::Link{};
  }

  const bool closes = replay::closes_region(type) && e.enterptr != no_position;
  if (replay::opens_region(type)) regions_.open(s.stack, pos, e.callpath);
  if (closes) OpenRegions::close(s.stack);
  if (queue_ != nullptr) {
    if (send && !e.cancelled) {
      queue_->sent(pos, l, store_.destination(pos));
      if (pin_) store_.pin_linked(pos);
    }
    if (e.sendptr != no_position) queue_->received(e.sendptr, store_.destination(e.sendptr));
  }
  if (has_link) {
    if (e.sendptr != no_position) store_.set_received(e.sendptr, pos);
    if (link.has_message() && !receive) {
      slots_.fill(link.message, pos);
      if (const auto it = by_message_.find(link.message); it != by_message_.end()) {
        const LocationId receiver = it->second;
        by_message_.erase(it);
        wake(receiver);
      }
    }
    if (starts_request && link.request != none) slots_.fill(link.request, pos);
    if (type == EventType::collective_begin && link.member != none) {
      const std::uint32_t collective = collectives_.operation_of(link.member);
      if (pin_) store_.pin_linked(pos);
      collectives_.place_begin(link.member, pos);
      const auto it = collective == none ? by_collective_.end() : by_collective_.find(collective);
      if (it != by_collective_.end() && !it->second.empty() &&
          (collectives_.may_end(streams_[it->second.front().index()].link.member) ||
           collectives_.is_scan(link.member))) {
        std::vector<LocationId> still;
        for (LocationId w : it->second) {
          if (collectives_.may_end(streams_[w.index()].link.member))
            wake(w);
          else
            still.push_back(w);
        }
        it->second = std::move(still);
        if (it->second.empty()) by_collective_.erase(it);
      }
    }
  }
  if (consumer_ != nullptr) consumer_->event(pos, type);
  if (transfers_ != nullptr && type >= EventType::rma_collective_end && type <= EventType::rma_op_complete_remote)
    transfers_->after(store_.event(pos));

  // What nothing refers to any more may go, now that the consumer has seen the event.
  if (closes) regions_.let_go(e.enterptr);
  if (queue_ != nullptr && pin_ && e.sendptr != no_position) store_.unpin_linked(e.sendptr);
  if (!has_link) return;
  if (receive && link.has_message()) slots_.release(link.message);
  if (!starts_request && link.request != none) slots_.release(link.request);
  if (type == EventType::collective_end && link.member != none) {
    if (pin_ && e.beginptr != no_position) store_.unpin_linked(e.beginptr);
    collectives_.placed_end(link.member);
  }
}

}  // namespace waitstate::merge
