#include "merge/placer.hpp"

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::merge {

namespace {

constexpr std::uint32_t none = link::Link::none;

bool is_receive(EventType t) { return t == EventType::recv || t == EventType::irecv; }
bool is_send(EventType t) { return t == EventType::send || t == EventType::isend; }
bool starts_request(EventType t) {
  return t == EventType::isend || t == EventType::irecv_request || t == EventType::nonblocking_collective_request;
}
bool is_one_sided(EventType t) { return t >= EventType::rma_collective_end && t <= EventType::rma_op_complete_remote; }
bool closes(const EventStore::Input& e) {
  return replay::closes_region(replay::without_list(e.type)) && e.enterptr != no_position;
}
Position innermost(const RegionStack& stack) {
  return stack.regions.empty() ? no_position : stack.regions.back().enter;
}

}  // namespace

LinkUse LinkUse::of(EventType type, const link::Link& link) {
  LinkUse use;
  if (link.has_message()) (is_receive(type) ? use.receives : use.sends) = link.message;
  (starts_request(type) ? use.starts : use.completes) = link.request;
  if (type == EventType::collective_begin) use.begins = link.member;
  if (type == EventType::collective_end) use.ends = link.member;
  use.cancelled = link.message == link::Link::cancelled;
  return use;
}

void Placer::derive_transfers(const CallTree& call_tree, RmaModel model) {
  if (definitions_.rma_wins.empty()) return;
  transfers_ = std::make_unique<Transfers>(definitions_, call_tree, store_, model, pin_,
                                           [this](const EventStore::Input& e) { return place_derived(e); });
}

Position Placer::place_derived(EventStore::Input e) {
  e.enterptr = innermost(streams_[e.location.index()].stack);
  const Position pos = store_.append(e);
  if (consumer_ != nullptr) consumer_->event(pos, e.type);
  return pos;
}

bool Placer::causes_placed(const LocationStream& s) const {
  if (!s.row().linked) return true;
  const LinkUse use = LinkUse::of(replay::without_list(s.row().type), s.link);
  if (use.receives != none) return slots_.known(use.receives);
  return use.ends == none || collectives_.may_end(use.ends) || collectives_.never_completes(use.ends);
}

inline void Placer::switch_tasks(LocationStream& s, LocationId l) {
  const auto& tasks = s.intervals.front().tasks;
  while (s.next_task != tasks.size() && tasks[s.next_task].event == s.next)
    regions_.switch_task(s.stack, definitions_[l].process, tasks[s.next_task++]);
}

inline EventStore::Input Placer::next_event(const LocationStream& s, LocationId l) {
  const replay::EventRow& row = s.row();
  const EventType type = replay::without_list(row.type);
  const bool moves = type == EventType::enter || type == EventType::exit;
  EventStore::Input e;
  e.time = row.time;
  e.location = l;
  e.type = row.type;
  if (moves && !replay::has_list(row.type)) {
    e.callpath = CallPathId{row.arg};
    return e;
  }
  e.record = s.intervals.front().events.bytes.data() + row.arg;
  if (moves || replay::is_stack_event(type))
    e.callpath = CallPathId{static_cast<std::uint32_t>(replay::read_number(e.record, 4))};
  // The record of an enter or exit is only its attribute list; the call path stands for the region.
  e.record_size = moves ? replay::record_size(e.record - 4, type, true) - 4
                        : replay::record_size(e.record, type, replay::has_list(row.type));
  return e;
}

inline void Placer::set_causes(EventStore::Input& e, const LinkUse& use) const {
  if (use.receives != none) e.sendptr = slots_.position(use.receives);
  if (use.completes != none) e.requestptr = slots_.position(use.completes);
  if (use.ends != none) e.beginptr = collectives_.begin_position(use.ends);
  e.cancelled = use.cancelled;
}

inline void Placer::update_regions(LocationStream& s, const EventStore::Input& e, Position pos) {
  if (replay::opens_region(replay::without_list(e.type))) regions_.open(s.stack, pos, e.callpath);
  if (closes(e)) OpenRegions::close(s.stack);
}

inline void Placer::update_queue(const EventStore::Input& e, Position pos) {
  if (is_send(replay::without_list(e.type)) && !e.cancelled) {
    queue_->sent(pos, e.location, store_.destination(pos));
    if (pin_) store_.pin_linked(pos);
  }
  if (e.sendptr != no_position) queue_->received(e.sendptr, store_.destination(e.sendptr));
}

inline Placer::Placed Placer::tell_effects(const EventStore::Input& e, const LinkUse& use, Position pos) {
  if (e.sendptr != no_position) store_.set_received(e.sendptr, pos);
  if (use.sends != none) slots_.fill(use.sends, pos);
  if (use.starts != none) slots_.fill(use.starts, pos);
  if (use.begins != none) {
    if (pin_) store_.pin_linked(pos);
    collectives_.place_begin(use.begins, pos);
  }
  return {use.sends, use.begins};
}

// Releases events in the store to which nothing refers any more, now that the consumer has seen the event.
inline void Placer::let_go(const EventStore::Input& e, const LinkUse& use) {
  if (closes(e)) regions_.let_go(e.enterptr);
  if (queue_ != nullptr && pin_ && e.sendptr != no_position) store_.unpin_linked(e.sendptr);
  if (use.receives != none) slots_.release(use.receives);
  if (use.completes != none) slots_.release(use.completes);
  if (use.ends != none) {
    if (pin_ && e.beginptr != no_position) store_.unpin_linked(e.beginptr);
    collectives_.placed_end(use.ends);
  }
}

Placer::Placed Placer::place(LocationStream& s, LocationId l) {
  switch_tasks(s, l);
  EventStore::Input e = next_event(s, l);
  const bool switches = s.row().switches, is_left_already = s.row().is_left_already;
  const EventType type = replay::without_list(e.type);
  e.enterptr = regions_.enter_of(s.stack, type, e.callpath);
  LinkUse use;
  if (s.has_link) {
    use = LinkUse::of(type, s.link);
    set_causes(e, use);
    s.has_link = false;
    s.link = link::Link{};
  }
  if (transfers_ != nullptr && closes(e)) transfers_->before_exit(l, e.enterptr, e.time);
  const Position pos = store_.append(e);
  ++s.next;
  if (switches && replay::closes_region(type) && e.enterptr == no_position)
    store_.set_other_stack(pos, innermost(s.stack));
  update_regions(s, e, pos);
  if (queue_ != nullptr) update_queue(e, pos);
  const Placed placed = tell_effects(e, use, pos);
  if (consumer_ != nullptr) consumer_->event(pos, type);
  if (transfers_ != nullptr && is_one_sided(type)) transfers_->after(store_.event(pos));
  let_go(e, use);
  if (is_left_already) {
    if (consumer_ != nullptr) consumer_->left_at_once();
    regions_.let_go(OpenRegions::close(s.stack));
    store_.set_other_stack(pos, innermost(s.stack));
  }
  return placed;
}

}  // namespace waitstate::merge
