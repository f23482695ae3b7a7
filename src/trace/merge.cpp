#include "trace/merge.hpp"

#include <algorithm>
#include <utility>

#include "trace/attribute_record.hpp"
#include "trace/radix_sort.hpp"

namespace waitstate::trace {

namespace {

// A window pays if it has several events of a location on average, but few of them in a row: if one has many, no other
// is looked for so many times.
constexpr std::size_t fewest_of_a_location = 4, longest_runs = 3, windows_skipped = 30;
// In an entry of the window, the number of the location stands below the time.
constexpr unsigned location_bits = 16, time_bits = 64 - location_bits;
constexpr std::uint64_t location_mask = (std::uint64_t{1} << location_bits) - 1;
constexpr LocationHeap::Head never{~Time{0}, LocationId::none()};

}  // namespace

Merge::Merge(Linker& linker, Diagnostics& diagnostics, EventStore& store, EventConsumer* consumer,
             std::size_t locations, bool pin)
    : linker_(linker), diagnostics_(diagnostics), store_(store), consumer_(consumer), pin_(pin), streams_(locations) {
  for (std::size_t i = 0; i < locations; ++i) starved_.insert(LocationId{i});
  if (locations != 0) needs_ = LocationId{0};
}

void Merge::derive_transfers(const Definitions& definitions, const CallTree& call_tree, RmaModel model) {
  if (definitions.rma_wins.empty()) return;
  transfers_ = std::make_unique<Transfers>(definitions, call_tree, store_, model, pin_,
                                           [this](const EventStore::Input& e) { return place_derived(e); });
}

Position Merge::place_derived(EventStore::Input e) {
  const Stream& s = streams_[e.location.index()];
  if (!s.stack.empty()) e.enterptr = s.stack.back().pos;
  const Position pos = store_.append(e);
  if (consumer_ != nullptr) consumer_->event(pos, e.type);
  return pos;
}

void Merge::add(Chunk& chunk) {
  Stream& s = streams_[chunk.location.index()];
  s.last = chunk.last;
  if (chunk.events.size() != 0) {
    Stretch& stretch = s.stretches.emplace_back();
    std::swap(stretch.events, chunk.events);
    if (!spare_.empty()) {
      chunk.events = std::move(spare_.back());
      spare_.pop_back();
    }
    for (const CommRecord& r : chunk.records) stretch.linked.push_back(r.event);
    stretch.segments = chunk.segment_events;
    stretch.tasks = chunk.task_events;
    added_ += stretch.events.size();
  }
  if (starved_.contains(chunk.location) && (!s.stretches.empty() || s.last)) {
    starved_.erase(chunk.location);
    begin_next(chunk.location);
  }
  if (linker_.losses() != losses_seen_) retry_waiting();
}

// Schedules the location by its next event, if it has been read.
void Merge::begin_next(LocationId l) {
  Stream& s = streams_[l.index()];
  if (!s.stretches.empty() && s.next == s.stretches.front().events.size()) {
    s.stretches.front().events.clear();
    spare_.push_back(std::move(s.stretches.front().events));
    s.stretches.pop_front();
    s.next = s.next_linked = s.next_segment = s.next_task = 0;
  }
  if (s.stretches.empty()) {
    if (!s.last) starved_.insert(l);
    return;
  }
  find_special(s);
  s.key = std::max(s.key, s.stretches.front().events.time[s.next]);
  heads_.push({s.key, l});
}

void Merge::find_special(Stream& s) {
  const Stretch& stretch = s.stretches.front();
  s.next_special = stretch.events.size();
  if (s.next_linked != stretch.linked.size())
    s.next_special = std::min<std::size_t>(s.next_special, stretch.linked[s.next_linked]);
  if (s.next_segment != stretch.segments.size())
    s.next_special = std::min<std::size_t>(s.next_special, stretch.segments[s.next_segment]);
  if (s.next_task != stretch.tasks.size())
    s.next_special = std::min<std::size_t>(s.next_special, stretch.tasks[s.next_task].event);
}

void Merge::run() {
  needs_ = LocationId::none();
  for (;;) {
    if (!starved_.empty()) {
      needs_ = *starved_.begin();
      return;
    }
    if (heads_.empty()) {
      if (waiting_.empty()) return;
      retry_waiting();
      if (!heads_.empty()) continue;
      for (LocationId l : waiting_)
        if (!linker_.has_link(l) && !streams_[l.index()].has_link && linker_.lagging_thread(l).valid()) {
          needs_ = linker_.lagging_thread(l);
          return;
        }
      force_first();
      continue;
    }
    if (added_ >= fewest_of_a_location * streams_.size() && place_window()) continue;
    place_while_first(heads_.take(), never);
  }
}

void Merge::finish() { run(); }

// Lists the events of the locations in heads_ that come before any that has not been read: by location, each its time
// since the first of them above the number of the location in window_locations_. False if they are too few. A
// location's are all of its first stretch, whose last event is not before the end of the window.
bool Merge::collect_window() {
  added_ = 0;
  if (windows_off_ != 0) return --windows_off_, false;
  const Time begin = heads_.front().time;
  Time end = ~Time{0};
  window_locations_.clear();
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& s = streams_[i];
    if (s.stretches.empty()) continue;
    end = std::min(end, std::max(s.key, s.stretches.front().events.time.back()));
    if (waiting_.contains(LocationId{i})) continue;  // but it may be woken, so its end counts
    window_locations_.push_back(LocationId{i});
  }
  if (end <= begin || (end - begin) >> time_bits != 0 || window_locations_.size() >> location_bits != 0) return false;
  window_.clear();
  for (std::size_t i = 0; i < window_locations_.size(); ++i) {
    const Stream& s = streams_[window_locations_[i].index()];
    const std::vector<Time>& times = s.stretches.front().events.time;
    Time key = s.key;
    for (std::size_t e = s.next; (key = std::max(key, times[e])) < end; ++e)
      window_.push_back((key - begin) << location_bits | i);
  }
  if (window_.size() < fewest_of_a_location * window_locations_.size()) return false;
  radix_sort<10>(window_, window_scratch_, [](std::uint64_t entry) { return entry >> location_bits; });
  std::size_t runs = 1;
  for (std::size_t i = 1; i < window_.size(); ++i) runs += ((window_[i] ^ window_[i - 1]) & location_mask) != 0;
  if (window_.size() < longest_runs * runs) return true;
  windows_off_ = windows_skipped;
  return false;
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
    set_aside(l);
  }
  for (const LocationId l : window_locations_) {
    Stream& s = streams_[l.index()];
    if (!std::exchange(s.in_window, false)) continue;
    s.key = std::max(s.key, s.stretches.front().events.time[s.next]);
    heads_.push({s.key, l});
  }
  return true;
}

// Places the location's next event unless that has to wait for its cause.
inline bool Merge::place_if_ready(Stream& s, LocationId l) {
  const EventType type = s.stretches.front().events.type[s.next];
  if ((type == EventType::enter || type == EventType::exit) && s.next < s.next_special && transfers_ == nullptr)
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
  const EventColumns& events = s.stretches.front().events;
  for (;;) {
    if (!place_if_ready(s, l)) {
      heads_.leave();
      set_aside(l);
      return;
    }
    if (s.next == events.size()) break;
    s.key = std::max(s.key, events.time[s.next]);
    if (const LocationHeap::Head head{s.key, l}; !(head < until) || !heads_.stays_first(head)) {
      heads_.put_back({s.key, l});
      return;
    }
  }
  heads_.leave();
  begin_next(l);
}

// True if the next event's causes have been placed, or will never come.
bool Merge::ready(LocationId l) {
  Stream& s = streams_[l.index()];
  const Stretch& stretch = s.stretches.front();
  if (s.next_linked == stretch.linked.size() || stretch.linked[s.next_linked] != s.next) return true;
  if (!s.has_link) {
    if (!linker_.has_link(l)) return false;
    s.link = linker_.take_link(l);
    s.has_link = true;
  }
  switch (without_list(stretch.events.type[s.next])) {
    case EventType::recv:
    case EventType::irecv:
      return s.link.message == Pool<int>::none || linker_.position(s.link.message) != no_position ||
             linker_.missing(s.link.message);
    case EventType::collective_end:
      return s.link.member == Pool<int>::none || linker_.collectives().may_end(s.link.member) ||
             linker_.collectives().never_completes(s.link.member);
    default:
      return true;
  }
}

void Merge::set_aside(LocationId l) {
  const Stream& s = streams_[l.index()];
  waiting_.insert(l);
  if (!s.has_link) return;
  if (s.link.message != Pool<int>::none) by_message_[s.link.message] = l;
  if (s.link.member != Pool<int>::none) by_collective_[linker_.collectives().operation_of(s.link.member)].push_back(l);
}

void Merge::wake(LocationId l) {
  if (waiting_.erase(l) != 0) heads_.push({streams_[l.index()].key, l});
}

void Merge::retry_waiting() {
  losses_seen_ = linker_.losses();
  std::vector<LocationId> woken;
  for (LocationId l : waiting_)
    if (ready(l)) woken.push_back(l);
  for (LocationId l : woken) {
    const Link& link = streams_[l.index()].link;
    by_message_.erase(link.message);
    if (link.member != Pool<int>::none) std::erase(by_collective_[linker_.collectives().operation_of(link.member)], l);
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
                   {l, s.key, std::string(name(without_list(s.stretches.front().events.type[s.next])))});
  by_message_.erase(s.link.message);
  if (s.link.member != Pool<int>::none) std::erase(by_collective_[linker_.collectives().operation_of(s.link.member)], l);
  waiting_.erase(l);
  place(l);
  begin_next(l);
}

// A task's open regions are its own, on whatever location it goes on.
void Merge::switch_task(LocationId l, const TaskEvent& t) {
  Stream& s = streams_[l.index()];
  const TaskKey key{linker_.process(l), t.team, t.task, t.thread};
  if (t.begins) {
    if (t.aside) {
      s.aside.push_back({std::move(s.stack), s.graft});
      s.stack.clear();
    }
    s.graft = linker_.take_task_graft(l);
    if (const auto open = tasks_.find(key); open != tasks_.end()) {
      s.stack = std::move(open->second);
      tasks_.erase(open);
    }
    return;
  }
  if (t.completed && pin_)
    for (const OpenRegion& r : s.stack) store_.unpin(r.pos);
  if (!t.completed && !s.stack.empty()) tasks_[key] = std::move(s.stack);
  s.stack.clear();
  if (!t.aside) return;
  s.stack = std::move(s.aside.back().stack);
  s.graft = s.aside.back().graft;
  s.aside.pop_back();
}

// The open enter that the event belongs to; opens and closes region instances.
Position Merge::enter_of(Stream& s, EventType type, CallPathId callpath) {
  if (!closes_region(type)) return s.stack.empty() ? no_position : s.stack.back().pos;
  if (!callpath.valid()) return no_position;
  const auto open =
      std::find_if(s.stack.rbegin(), s.stack.rend(), [&](const OpenRegion& r) { return r.callpath == callpath; });
  if (open == s.stack.rend()) return no_position;
  const Position enter = open->pos;
  while (s.stack.back().pos != enter) {
    if (pin_) store_.unpin(s.stack.back().pos);
    s.stack.pop_back();
  }
  return enter;
}

// Most events are enters and exits without attributes, with which there is nothing to do but open and close a region.
void Merge::place_move(Stream& s, LocationId l) {
  const EventColumns& events = s.stretches.front().events;
  const EventType type = events.type[s.next];
  const std::uint32_t number = events.arg[s.next];
  const CallPathId callpath = number == 0 ? CallPathId::none() : linker_.call_path(l, s.graft, number);
  const Position enter = enter_of(s, type, callpath);
  const Position pos = store_.append_move(events.time[s.next], l, type, callpath, enter);
  ++s.next;
  if (type == EventType::enter) {
    s.stack.push_back({pos, callpath});
    if (pin_) store_.pin(pos);
  }
  if (consumer_ != nullptr) consumer_->event(pos, type);
  if (type == EventType::exit && enter != no_position) {
    if (pin_) store_.unpin(enter);
    s.stack.pop_back();
  }
}

void Merge::place(LocationId l) {
  Stream& s = streams_[l.index()];
  const Stretch& stretch = s.stretches.front();
  const EventColumns& events = stretch.events;
  const std::size_t i = s.next;
  EventStore::Input e;
  e.time = events.time[i];
  e.location = l;
  e.type = events.type[i];
  const EventType type = without_list(e.type);
  const bool moves = type == EventType::enter || type == EventType::exit;
  if (s.next_segment != stretch.segments.size() && stretch.segments[s.next_segment] == i) {
    s.graft = linker_.take_graft(l);
    ++s.next_segment;
  }
  while (s.next_task != stretch.tasks.size() && stretch.tasks[s.next_task].event == i)
    switch_task(l, stretch.tasks[s.next_task++]);
  std::uint32_t callpath = 0;
  if (moves && !has_list(e.type)) {
    callpath = events.arg[i];
  } else {
    e.record = events.bytes.data() + events.arg[i];
    if (moves || is_stack_event(type)) callpath = static_cast<std::uint32_t>(read_number(e.record, 4));
    // The record of an enter or exit is its list only; the call path stands for the region.
    e.record_size = moves ? record_size(e.record - 4, type, true) - 4 : record_size(e.record, type, has_list(e.type));
  }
  e.callpath = callpath == 0 ? CallPathId::none() : linker_.call_path(l, s.graft, callpath);
  e.enterptr = enter_of(s, type, e.callpath);

  const bool has_link = s.has_link;
  const Link link = s.link;
  constexpr std::uint32_t none = Pool<int>::none;
  const bool receive = type == EventType::recv || type == EventType::irecv;
  const bool starts_request =
      type == EventType::isend || type == EventType::irecv_request || type == EventType::nonblocking_collective_request;
  if (has_link) {
    if (receive && link.message != none) e.sendptr = linker_.position(link.message);
    if (!starts_request && link.request != none) e.requestptr = linker_.position(link.request);
    if (type == EventType::collective_end && link.member != none) e.beginptr = linker_.collectives().begin_position(link.member);
  }
  if (transfers_ != nullptr && closes_region(type) && e.enterptr != no_position)
    transfers_->before_exit(l, e.enterptr, e.time);
  const Position pos = store_.append(e);
  ++s.next;
  if (has_link) {
    s.has_link = false;
    s.link = Link{};
    ++s.next_linked;
  }
  find_special(s);

  if (opens_region(type)) {
    s.stack.push_back({pos, e.callpath});
    if (pin_) store_.pin(pos);
  }
  if (has_link) {
    if (e.sendptr != no_position) store_.set_received(e.sendptr, pos);
    if (link.message != none) {
      if (receive) {
        linker_.drop_place(link.message);
      } else {
        if (pin_) store_.pin_linked(pos);
        linker_.place(link.message, pos);
        if (const auto it = by_message_.find(link.message); it != by_message_.end()) {
          const LocationId receiver = it->second;
          by_message_.erase(it);
          wake(receiver);
        }
      }
    }
    if (starts_request && link.request != none) {
      if (pin_) store_.pin_linked(pos);
      linker_.place(link.request, pos);
    }
    if (type == EventType::collective_begin && link.member != none) {
      const std::uint32_t collective = linker_.collectives().operation_of(link.member);
      if (pin_) store_.pin_linked(pos);
      linker_.collectives().place_begin(link.member, pos);
      const auto it = collective == none ? by_collective_.end() : by_collective_.find(collective);
      if (it != by_collective_.end() && !it->second.empty() &&
          (linker_.collectives().may_end(streams_[it->second.front().index()].link.member) || linker_.collectives().is_scan(link.member))) {
        std::vector<LocationId> still;
        for (LocationId w : it->second) {
          if (linker_.collectives().may_end(streams_[w.index()].link.member))
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
  if (closes_region(type) && e.enterptr != no_position) {
    if (pin_) store_.unpin(e.enterptr);
    s.stack.pop_back();
  }
  if (!has_link) return;
  if (pin_ && e.sendptr != no_position) store_.unpin_linked(e.sendptr);
  if (!starts_request && link.request != none) {
    if (pin_ && e.requestptr != no_position && type != EventType::request_test) store_.unpin_linked(e.requestptr);
    linker_.drop_place(link.request);
  }
  if (type == EventType::collective_end && link.member != none) {
    if (pin_ && e.beginptr != no_position) store_.unpin_linked(e.beginptr);
    linker_.collectives().placed_end(link.member);
  }
}

}  // namespace waitstate::trace
