#include "export/perfetto/event_writer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::exports {
namespace {

constexpr std::uint32_t no_name = ~std::uint32_t{0};

}  // namespace

EventWriter::EventWriter(access::EventStream& stream, analysis::FocusFilter& focus, const TimeScale& time,
                         TrackEvents& out, Tracks& tracks, KeptTimes* kept, const Shown& shown, Sizes* sizes)
    : stream_(stream),
      definitions_(stream.definitions()),
      focus_(focus),
      time_(time),
      out_(out),
      tracks_(tracks),
      kept_(kept),
      shown_(shown),
      sizes_(sizes),
      from_(focus.focus().from),
      to_(focus.focus().to),
      locations_(definitions_.locations.size()),
      send_(out.names().number("send")),
      receive_(out.names().number("receive")),
      put_(out.names().number("put")),
      get_(out.names().number("get")),
      atomic_(out.names().number("atomic")),
      message_category_(out.categories().number("message")),
      rma_category_(out.categories().number("rma")),
      bytes_key_(out.keys().number("bytes")),
      tag_key_(out.keys().number("tag")),
      communicator_key_(out.keys().number("communicator")),
      partner_key_(out.keys().number("partner")),
      note_key_(out.keys().number("note")),
      counted_key_(out.keys().number("counted")),
      operation_key_(out.keys().number("operation")),
      instance_key_(out.keys().number("instance")),
      root_key_(out.keys().number("root")),
      sent_key_(out.keys().number("bytes sent")),
      received_key_(out.keys().number("bytes received")),
      window_key_(out.keys().number("window")),
      never_left_(out.texts().number("never left: closed at the last event of the location, or of its caller")),
      received_early_(out.texts().number("received before it was sent, by the time stamps: no arrow")),
      completed_early_(out.texts().number("completed before it was started, by the time stamps: no arrow")),
      does_not_count_(out.texts().number("not in the report of this part: its call began before it, or elsewhere")) {
  for (std::size_t l = 0; l < locations_.size(); ++l) locations_[l].chosen = focus.has_location(LocationId{l});
  if (kept_ != nullptr) kept_->rewind();
}

bool EventWriter::is_chosen(LocationId l) const {
  return l.valid() && l.index() < locations_.size() && locations_[l.index()].chosen;
}

bool EventWriter::is_chosen(LocationId l, Time t, const InPart& in) const {
  return is_chosen(l) && in.region && (in.counts || focus_.has(t));
}

EventWriter::InPart EventWriter::in_part(const Event& e, const OfLocation& at) {
  if (focus_.focus().all()) return {true, true};
  Place place{};
  const Open* const call = e.enterptr == no_position ? nullptr : find_open(e.enterptr, e.loc, place);
  const bool region = e.callpath.valid() ? focus_.has_callpath(e.callpath) : focus_.focus().region.empty();
  return {region, region && is_chosen(e.loc) && focus_.has(call != nullptr ? call->time : at.now)};
}

void EventWriter::note_start(const Event& e, const OfLocation& at) {
  if (!focus_.focus().all()) starts_[e.pos] = in_part(e, at);
}

EventWriter::InPart EventWriter::take_start(Position start) {
  if (focus_.focus().all()) return {true, true};
  const auto found = starts_.find(start);
  if (found == starts_.end()) return {};
  const InPart in = found->second;
  starts_.erase(found);
  return in;
}

void EventWriter::event(Position pos, EventType type) {
  const Event e = stream_.event(pos);
  OfLocation& at = advance(e.loc, e.time);
  if (replay::opens_region(type)) return enter(e, at);
  if (replay::closes_region(type)) return exit(e, at);
  switch (type) {
    case EventType::send:
    case EventType::isend:
      note_start(e, at);
      break;
    case EventType::recv:
    case EventType::irecv:
      if (e.sendptr != no_position) message(e, at);
      break;
    case EventType::collective_end:
    case EventType::nonblocking_collective_complete:
    case EventType::rma_collective_end:
      note_operation(e, at);
      break;
    case EventType::metric:
      if (shown_.counters && at.chosen && focus_.has(at.now) && (!shown_.only_around || at.at_kept)) counters(e);
      break;
    case EventType::rma_atomic:
      last_atomic_ = pos;
      break;
    case EventType::put_1ts:
    case EventType::get_1to:
    case EventType::get_1ts:
      // The starts of one operation follow its record, one after the other.
      if (last_atomic_ + 1 == pos) atomics_.insert(pos), last_atomic_ = pos;
      if (type != EventType::get_1ts)
        note_start(e, at);
      else if (const InPart of_origin = take_start(e.originptr); !focus_.focus().all())
        starts_[pos] = of_origin;
      break;
    case EventType::put_1te:
    case EventType::get_1te:
      if (e.startptr != no_position) transfer(e, !shown_.only_around || at.at_kept);
      break;
    default:
      break;
  }
}

EventWriter::OfLocation& EventWriter::advance(LocationId l, Time t) {
  OfLocation& at = locations_[l.index()];
  const Time before = at.begun ? at.now : t;
  at.begun = true;
  at.now = std::max(before, t);
  if (!at.chosen) return at;
  at.at_kept = kept_ != nullptr && kept_->any(l, before, at.now);
  if (shown_.shortest != 0 || from_ != 0)
    for (std::size_t lane = 0; lane < at.lanes.size(); ++lane) show(l, lane, at.at_kept);
  return at;
}

// The innermost region of the call that it is in; nothing is known yet about how long it will take.
bool EventWriter::is_shown(const Open& open, Time now, bool kept) const {
  if (open.time >= to_ || (now <= from_ && open.time < from_)) return false;
  return kept || static_cast<Ticks>(std::min(now, to_) - std::max(open.time, from_)) >= shown_.shortest;
}

void EventWriter::show(LocationId l, std::size_t number, bool kept) {
  OfLocation& at = locations_[l.index()];
  Lane& lane = at.lanes[number];
  for (; lane.decided < lane.open.size(); ++lane.decided) {
    Open& open = lane.open[lane.decided];
    if (open.hidden) continue;
    if (!is_shown(open, at.now, kept)) return;
    open.shown = true;
    open.bytes = static_cast<std::uint32_t>(write_begin(open, {l, number}));
    ++counts_.regions;
  }
}

// --- regions ---------------------------------------------------------------------------------------------------------

EventWriter::Open* EventWriter::find_open(Position enter, LocationId l, Place& place) {
  const auto look = [&](LocationId where) -> Open* {
    std::vector<Lane>& lanes = locations_[where.index()].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (auto open = lanes[lane].open.rbegin(); open != lanes[lane].open.rend(); ++open)
        if (open->enter == enter) {
          place = {where, lane};
          return &*open;
        }
    return nullptr;
  };
  if (Open* const found = look(l)) return found;
  if (const ProcessId p = definitions_[l].process; p.valid())  // the region belongs to a task that has continued here
    for (const LocationId other : definitions_[p].locations)
      if (other != l)
        if (Open* const found = look(other)) return found;
  return nullptr;
}

EventWriter::Place EventWriter::lane_for(const Event& e, OfLocation& at) {
  if (e.enterptr != no_position && definitions_[e.loc].type != LocationType::accelerator_stream) {
    if (!at.lanes.empty() && !at.lanes[0].open.empty() && at.lanes[0].open.back().enter == e.enterptr)
      return {e.loc, 0};
    Place place{};
    if (const Open* const caller = find_open(e.enterptr, e.loc, place))
      if (caller == &locations_[place.location.index()].lanes[place.lane].open.back()) return place;
  }
  std::size_t lane = 0;
  while (lane < at.lanes.size() && !at.lanes[lane].open.empty()) ++lane;
  if (lane == at.lanes.size()) at.lanes.emplace_back();
  return {e.loc, lane};
}

void EventWriter::enter(const Event& e, OfLocation& at) {
  latest_ = lane_for(e, at);
  OfLocation& owner = locations_[latest_.location.index()];
  owner.now = std::max(owner.now, at.now);
  const bool hidden = !owner.chosen || !focus_.has_callpath(e.callpath);
  owner.lanes[latest_.lane].open.push_back({e.pos, at.now, e.callpath, false, hidden});
  show(latest_.location, latest_.lane, false);
}

void EventWriter::left_at_once() {
  if (latest_.location.valid()) close(latest_, locations_[latest_.location.index()].now, true);
}

void EventWriter::exit(const Event& e, OfLocation& at) {
  if (definitions_[e.loc].type == LocationType::accelerator_stream) {
    // Only one region ends here: those that are open in other lanes of the stream go on.
    Place place{e.loc, at.lanes.size()};
    for (std::size_t lane = 0; lane < at.lanes.size(); ++lane) {
      const std::vector<Open>& open = at.lanes[lane].open;
      if (open.empty() || stream_.call_tree()[open.back().callpath].region != e.region()) continue;
      const bool earlier = place.lane == at.lanes.size() || open.back().enter < at.lanes[place.lane].open.back().enter;
      if (open.back().enter == e.enterptr || earlier) place.lane = lane;
      if (open.back().enter == e.enterptr) break;
    }
    if (place.lane != at.lanes.size()) close(place, at.now, true);
    return;
  }
  Place place{};
  if (e.enterptr == no_position || find_open(e.enterptr, e.loc, place) == nullptr) return;
  OfLocation& owner = locations_[place.location.index()];
  owner.now = std::max(owner.now, at.now);
  const std::vector<Open>& open = owner.lanes[place.lane].open;
  while (open.back().enter != e.enterptr) close(place, owner.now, false);
  close(place, owner.now, true);
}

void EventWriter::close(Place place, Time t, bool was_left) {
  OfLocation& at = locations_[place.location.index()];
  if (shown_.shortest != 0 || from_ != 0) show(place.location, place.lane, false);
  Lane& lane = at.lanes[place.lane];
  const Open& open = lane.open.back();
  const bool in_time = !open.hidden && open.time < to_ && (t > from_ || open.time >= from_);
  if (open.shown) {
    write_end(open, place, t, was_left);
  } else if (in_time) {
    ++counts_.regions_left_out;
    if (sizes_ != nullptr) {
      const Time ticks = std::min(t, to_) - std::max(open.time, from_);
      sizes_->by_length[std::bit_width(ticks)] += write_begin(open, place) + write_end(open, place, t, was_left);
    }
  }
  lane.open.pop_back();
  lane.decided = std::min(lane.decided, lane.open.size());
}

void EventWriter::finish() {
  for (std::size_t l = 0; l < locations_.size(); ++l) {
    OfLocation& at = locations_[l];
    if (!at.begun) continue;
    advance(LocationId{l}, at.now);
    for (std::size_t lane = 0; lane < at.lanes.size(); ++lane)
      while (!at.lanes[lane].open.empty()) close({LocationId{l}, lane}, at.now, false);
  }
}

std::uint32_t EventWriter::region_name(CallPathId callpath) {
  const std::size_t i = callpath.valid() ? callpath.index() + 1 : 0;
  if (names_.size() <= i) names_.resize(i + 1, no_name);
  if (names_[i] == no_name)
    names_[i] = out_.names().number(callpath.valid() ? stream_.call_tree().name(callpath, definitions_) : "unknown");
  return names_[i];
}

std::uint32_t EventWriter::region_category(CallPathId callpath) {
  const std::size_t i = callpath.valid() ? callpath.index() + 1 : 0;
  if (categories_.size() <= i) categories_.resize(i + 1, no_name);
  if (categories_[i] == no_name) {
    const RegionId region = callpath.valid() ? stream_.call_tree()[callpath].region : RegionId::none();
    categories_[i] =
        out_.categories().number(region.valid() ? waitstate::name(definitions_[region].region_class) : "comp");
  }
  return categories_[i];
}

std::uint32_t EventWriter::comm_text(CommId comm) {
  const std::size_t i = comm.valid() && comm.index() < definitions_.comms.size() ? comm.index() + 1 : 0;
  if (comms_.size() <= i) comms_.resize(i + 1, no_name);
  if (comms_[i] == no_name) comms_[i] = out_.texts().number(i == 0 ? "unknown" : definitions_[comm].name);
  return comms_[i];
}

std::size_t EventWriter::write_begin(const Open& open, Place place) {
  const std::uint32_t name = region_name(open.callpath), category = region_category(open.callpath);
  const TrackEvents::Uuid track = tracks_.regions(place.location, place.lane);
  out_.start(Tracks::sequence(place.location), time_.nanoseconds(std::max(open.time, from_)), TrackEvents::Type::begin,
             track);
  out_.category(category);
  out_.name(name);
  return out_.finish();
}

std::size_t EventWriter::write_end(const Open& open, Place place, Time t, bool was_left) {
  out_.start(Tracks::sequence(place.location), time_.nanoseconds(std::min(t, to_)), TrackEvents::Type::end,
             tracks_.regions(place.location, place.lane));
  if (!was_left) out_.annotation_text(note_key_, never_left_);
  if (const Operation* const o = open.operation.get()) {
    out_.annotation_text(operation_key_, out_.texts().number(enum_name(o->op)));
    out_.annotation_text(communicator_key_, comm_text(o->comm));
    if (o->has_instance) out_.annotation(instance_key_, o->instance);
    if (o->root.valid() && o->root.index() < locations_.size())
      out_.annotation_text(root_key_, tracks_.label_text(o->root));
    out_.annotation(sent_key_, o->sent);
    out_.annotation(received_key_, o->received);
  }
  return out_.finish();
}

void EventWriter::note_operation(const Event& e, OfLocation& at) {
  Operation o;
  o.op = static_cast<CollectiveOp>(e.attributes[0]);
  if (e.type == EventType::rma_collective_end) {
    const RmaWinId window{static_cast<std::size_t>(e.attributes[2])};
    if (window.valid() && window.index() < definitions_.rma_wins.size()) o.comm = definitions_[window].comm;
    o.root = LocationId{static_cast<std::size_t>(e.attributes[3])};
    o.sent = e.attributes[4], o.received = e.attributes[5];
  } else {
    o.comm = CommId{static_cast<std::size_t>(e.attributes[1])};
    o.root = LocationId{static_cast<std::size_t>(e.attributes[2])};
    o.sent = e.attributes[3], o.received = e.attributes[4];
    if (e.type == EventType::collective_end) o.instance = at.operations[o.comm]++, o.has_instance = true;
  }
  Place place{};
  if (Open* const call = e.enterptr == no_position ? nullptr : find_open(e.enterptr, e.loc, place))
    call->operation = std::make_unique<Operation>(o);
}

// --- messages, transfers, counters
// ------------------------------------------------------------------------------------

void EventWriter::message(const Event& receive, OfLocation& at) {
  const Event send = stream_.event(receive.sendptr);
  const Ends ends{take_start(receive.sendptr), in_part(receive, at)};
  if (!is_chosen(receive.loc, at.now, ends.last) && !is_chosen(send.loc, send.time, ends.first)) return;
  const bool awaited = kept_ != nullptr && kept_->is_awaited(receive.loc, at.now, send.loc);
  const bool shown = shown_.messages == Shown::Messages::all       ? !shown_.only_around || at.at_kept || awaited
                     : shown_.messages == Shown::Messages::awaited ? awaited
                                                                   : false;
  if (shown) {
    write_message(send, receive, at.now, ends);
    ++counts_.messages;
  } else {
    ++counts_.messages_left_out;
    if (sizes_ != nullptr) sizes_->messages += write_message(send, receive, at.now, ends);
  }
}

// A message whose ends are not both in the part, or that is received before it is sent, has no arrow.
std::size_t EventWriter::write_message(const Event& send, const Event& receive, Time received, const Ends& ends) {
  const bool has_send = is_chosen(send.loc, send.time, ends.first),
             has_receive = is_chosen(receive.loc, received, ends.last);
  const bool backwards = time_.nanoseconds(received) < time_.nanoseconds(send.time);
  const bool arrow = has_send && has_receive && !backwards;
  const std::uint64_t flow = arrow ? next_flow_++ : 0;
  counts_.messages_before_send += backwards;
  std::size_t bytes = 0;
  const auto write = [&](LocationId l, Time t, std::uint32_t name, LocationId partner, bool counts) {
    const std::uint32_t partner_name = tracks_.label_text(partner);
    const TrackEvents::Uuid track = tracks_.regions(l, 0);
    out_.start(Tracks::sequence(l), time_.nanoseconds(t), TrackEvents::Type::instant, track);
    out_.category(message_category_);
    out_.name(name);
    out_.annotation(bytes_key_, send.len());
    out_.annotation(tag_key_, std::uint64_t{send.tag()});
    out_.annotation_text(communicator_key_, comm_text(send.com()));
    out_.annotation_text(partner_key_, partner_name);
    if (backwards) out_.annotation_text(note_key_, received_early_);
    if (!counts) out_.annotation_text(counted_key_, does_not_count_);
    if (arrow) name == send_ ? out_.flow_begins(flow) : out_.flow_ends(flow);
    bytes += out_.finish();
  };
  if (has_send) write(send.loc, send.time, send_, receive.loc, ends.first.counts);
  if (has_receive) write(receive.loc, received, receive_, send.loc, ends.last.counts);
  return bytes;
}

void EventWriter::transfer(const Event& end, bool shown) {
  const Event start = stream_.event(end.startptr);
  const bool put = end.type == EventType::put_1te;
  const bool atomic = atomics_.erase(end.startptr) != 0;
  const InPart in = take_start(end.startptr);
  const bool has_start = is_chosen(start.loc, start.time, in), has_end = is_chosen(end.loc, end.time, in);
  if (!shown || (!has_start && !has_end)) return;
  const bool backwards = time_.nanoseconds(end.time) < time_.nanoseconds(start.time);
  const bool arrow = has_start && has_end && !backwards;
  const std::uint64_t flow = arrow ? next_flow_++ : 0;
  const RmaWinId window{static_cast<std::size_t>(end.attributes[0])};
  const auto write = [&](const Event& e, LocationId partner, bool begins) {
    const std::uint32_t partner_name = tracks_.label_text(partner);
    const TrackEvents::Uuid track = tracks_.regions(e.loc, 0);
    out_.start(Tracks::sequence(e.loc), time_.nanoseconds(e.time), TrackEvents::Type::instant, track);
    out_.category(rma_category_);
    out_.name(atomic ? atomic_ : put ? put_ : get_);
    out_.annotation(bytes_key_, end.attributes[2]);
    out_.annotation_text(partner_key_, partner_name);
    if (window.valid() && window.index() < definitions_.rma_wins.size())
      out_.annotation_text(window_key_, out_.texts().number(definitions_[window].name));
    if (backwards) out_.annotation_text(note_key_, completed_early_);
    if (!in.counts) out_.annotation_text(counted_key_, does_not_count_);
    if (arrow) begins ? out_.flow_begins(flow) : out_.flow_ends(flow);
    out_.finish();
  };
  if (has_start) write(start, end.loc, true);
  if (has_end) write(end, start.loc, false);
  ++counts_.transfers;
}

void EventWriter::counters(const Event& e) {
  MetricId id{static_cast<std::size_t>(e.attributes[0])};
  if (!id.valid() || id.index() >= definitions_.metrics.size()) return;
  if (const MetricId of_class = definitions_.metrics[id.index()].metric_class;
      of_class.valid() && of_class.index() < definitions_.metrics.size())
    id = of_class;
  const std::vector<MetricMemberId>& members = definitions_.metrics[id.index()].members;
  for (std::size_t i = 0; i < std::min(members.size(), e.tail.size()); ++i) {
    const Value& v = e.tail[i];
    const MetricMember& member = definitions_.metric_members[members[i].index()];
    const bool is_real = v.type == ValueType::float_ || v.type == ValueType::double_;
    double real = 0;
    if (is_real) std::memcpy(&real, &v.bits, sizeof real);
    if (is_real && !std::isfinite(real)) continue;
    const TrackEvents::Uuid track = tracks_.counter(e.loc, members[i]);
    out_.start(Tracks::sequence(e.loc), time_.nanoseconds(locations_[e.loc.index()].now), TrackEvents::Type::counter,
               track);
    const bool is_large = v.type == ValueType::uint64 && v.bits > static_cast<std::uint64_t>(INT64_MAX);
    if (is_real || is_large || member.exponent != 0) {
      if (!is_real)
        real = v.type == ValueType::uint64 ? static_cast<double>(v.bits)
                                           : static_cast<double>(static_cast<std::int64_t>(v.bits));
      out_.counter_value(member.exponent == 0 ? real
                                              : real * std::pow(member.base == Base::binary ? 2.0 : 10.0,
                                                                static_cast<double>(member.exponent)));
    } else {
      out_.counter_value(static_cast<std::int64_t>(v.bits));
    }
    out_.finish();
    ++counts_.counter_values;
  }
}

}  // namespace waitstate::exports
