#include "trace/event_store.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "trace/attribute_record.hpp"

namespace waitstate::trace {

namespace {
constexpr std::size_t link_width = 5;

bool is_send(EventType t) { return t == EventType::send || t == EventType::isend; }
bool is_receive(EventType t) { return t == EventType::recv || t == EventType::irecv; }
bool has_request_link(EventType t) {
  switch (t) {
    case EventType::isend_complete:
    case EventType::irecv:
    case EventType::request_test:
    case EventType::request_cancelled:
    case EventType::nonblocking_collective_complete:
      return true;
    default:
      return false;
  }
}
bool has_start_link(EventType t) { return t == EventType::put_1te || t == EventType::get_1te; }
std::uint64_t distance(Position from, Position to) { return to == no_position ? 0 : from - to; }
Position target(Position from, std::uint64_t distance) { return distance == 0 ? no_position : from - distance; }
}  // namespace

EventStore::EventStore(const CallTree& call_tree, std::size_t locations, bool keep_all)
    : call_tree_(call_tree), location_count_(locations), keep_all_(keep_all), last_position_(locations, no_position) {
  // One checkpoint costs 8 bytes a location: spread over at least as many events.
  index_stride_ = std::max<std::size_t>(1, 4 * locations / block_size);
}

const EventStore::Block& EventStore::block(Position pos) const {
  if (!kept(pos))
    throw std::out_of_range("event " + std::to_string(pos) +
                            (pos < size_ ? " has been let go: only events that something can still point to are kept"
                                         : " does not exist: the trace has " + std::to_string(size_)));
  return *blocks_[pos >> bits];
}
EventStore::Block& EventStore::block(Position pos) {
  return const_cast<Block&>(static_cast<const EventStore*>(this)->block(pos));
}

void EventStore::begin_block() {
  if (!blocks_.empty()) {
    if (blocks_.back() != nullptr) blocks_.back()->bytes.shrink_to_fit();
    let_go(blocks_.size() - 1);
  }
  blocks_.push_back(std::make_unique_for_overwrite<Block>());
  if (!keep_all_) return;
  if ((blocks_.size() - 1) % index_stride_ == 0) last_checkpoints_.push_back(last_position_);
}

// Frees a full block that nothing points into.
void EventStore::let_go(std::size_t index) {
  if (!keep_all_ && blocks_[index] != nullptr && blocks_[index]->pins == 0) blocks_[index].reset();
}

Position EventStore::append(const Input& e) {
  const Position pos = size_;
  if ((pos & mask) == 0) begin_block();
  Block& b = *blocks_.back();
  const std::size_t i = pos & mask;
  const EventType type = without_list(e.type);
  b.rows[i].time = e.time;
  b.rows[i].location = e.location.value;
  b.rows[i].type = e.type;
  const std::uint64_t enter = distance(pos, e.enterptr);
  b.rows[i].enter_low = static_cast<std::uint32_t>(enter);
  b.rows[i].enter_high = static_cast<std::uint8_t>(enter >> 32);
  const bool plain = !has_list(e.type) && (type == EventType::enter || type == EventType::exit);
  if (plain) {
    b.rows[i].arg = e.callpath.value;
  } else {
    b.rows[i].arg = static_cast<std::uint32_t>(b.bytes.size());
    if (type == EventType::enter || type == EventType::exit || is_stack_event(type))
      append_number(b.bytes, e.callpath.value, 4);
    b.bytes.insert(b.bytes.end(), e.record, e.record + e.record_size);
    if (is_receive(type)) append_number(b.bytes, distance(pos, e.sendptr), link_width);
    if (is_send(type)) append_number(b.bytes, 0, link_width);
    if (has_request_link(type)) append_number(b.bytes, distance(pos, e.requestptr), link_width);
    if (type == EventType::collective_end) append_number(b.bytes, distance(pos, e.beginptr), link_width);
    if (has_start_link(type)) append_number(b.bytes, distance(pos, e.startptr), link_width);
    if (type == EventType::get_1ts) append_number(b.bytes, distance(pos, e.originptr), link_width);
  }
  ++size_;
  if (keep_all_) {
    if (pos >= next_queue_checkpoint_) {
      std::erase_if(queued_, [&](Position s) { return received_at(s) != no_position; });
      queue_checkpoints_.push_back({pos, queued_});
      next_queue_checkpoint_ = pos + std::max<Position>(block_size, 2 * queued_.size());
    }
    last_position_[e.location.index()] = pos;
    if (is_send(type)) queued_.push_back(pos);
  }
  return pos;
}

void EventStore::set_received(Position send, Position received) {
  Block& b = block(send);
  const std::size_t i = send & mask;
  const std::uint8_t* const record = b.bytes.data() + b.rows[i].arg;
  const EventType type = without_list(b.rows[i].type);
  std::uint8_t* at = b.bytes.data() + b.rows[i].arg + record_size(record, type, has_list(b.rows[i].type));
  const std::uint64_t d = received - send;
  std::memcpy(at, &d, link_width);
}

Position EventStore::received_at(Position send) const {
  const Block& b = block(send);
  const std::size_t i = send & mask;
  const std::uint8_t* const record = b.bytes.data() + b.rows[i].arg;
  const std::uint8_t* at = record + record_size(record, without_list(b.rows[i].type), has_list(b.rows[i].type));
  const std::uint64_t d = read_number(at, link_width);
  return d == 0 ? no_position : send + d;
}

void EventStore::pin(Position pos) { ++block(pos).pins; }
void EventStore::unpin(Position pos) {
  if (--block(pos).pins == 0 && (pos >> bits) + 1 < blocks_.size()) let_go(pos >> bits);
}

Position EventStore::enterptr(const Block& b, Position pos) const {
  const std::size_t i = pos & mask;
  return target(pos, std::uint64_t{b.rows[i].enter_high} << 32 | b.rows[i].enter_low);
}

Event EventStore::event(Position pos) const {
  const Block& b = block(pos);
  const std::size_t i = pos & mask;
  Event e;
  e.pos = pos;
  e.time = b.rows[i].time;
  e.loc = LocationId{b.rows[i].location};
  e.type = without_list(b.rows[i].type);
  e.enterptr = enterptr(b, pos);
  const bool moves = e.type == EventType::enter || e.type == EventType::exit;
  if (moves && !has_list(b.rows[i].type)) {
    e.callpath = CallPathId{b.rows[i].arg};
  } else {
    const std::uint8_t* in = b.bytes.data() + b.rows[i].arg;
    if (moves || is_stack_event(e.type)) e.callpath = CallPathId{read_number(in, 4)};
    if (moves) {
      // The region is the call path's; the record holds the list only.
      if (has_list(b.rows[i].type)) {
        e.list.resize(read_number(in, 4));
        for (ListedAttribute& a : e.list) {
          a.attribute = AttributeId{read_number(in, 4)};
          a.value = read_value(in);
        }
      }
    } else {
      read_record(in, has_list(b.rows[i].type), e);
    }
    if (is_receive(e.type)) e.sendptr = target(pos, read_number(in, link_width));
    if (is_send(e.type)) in += link_width;
    if (has_request_link(e.type)) e.requestptr = target(pos, read_number(in, link_width));
    if (e.type == EventType::collective_end) e.beginptr = target(pos, read_number(in, link_width));
    if (has_start_link(e.type)) e.startptr = target(pos, read_number(in, link_width));
    if (e.type == EventType::get_1ts) e.originptr = target(pos, read_number(in, link_width));
  }
  if (moves) {
    e.attributes[0] = e.callpath.valid() ? call_tree_[e.callpath].region.value : RegionId::none_value;
  } else if (!e.callpath.valid() && e.enterptr != no_position && kept(e.enterptr)) {
    const Block& eb = block(e.enterptr);
    const std::size_t j = e.enterptr & mask;
    if (eb.rows[j].type == EventType::enter) {
      e.callpath = CallPathId{eb.rows[j].arg};
    } else {
      const std::uint8_t* in = eb.bytes.data() + eb.rows[j].arg;
      e.callpath = CallPathId{read_number(in, 4)};
    }
  }
  return e;
}

std::optional<Position> EventStore::last_of(LocationId loc, Position pos) const {
  const std::size_t checkpoint = (pos >> bits) / index_stride_;
  const Position begin = static_cast<Position>(checkpoint * index_stride_) << bits;
  for (Position p = pos + 1; p-- > begin;)
    if (block(p).rows[p & mask].location == loc.value) return p;
  const Position before = last_checkpoints_[checkpoint][loc.index()];
  return before == no_position ? std::nullopt : std::optional{before};
}

std::vector<Position> EventStore::stack(LocationId loc, Position pos) const {
  std::vector<Position> result;
  if (size_ == 0 || loc.index() >= location_count_) return result;
  block(pos);  // throws for a position that does not exist
  // The innermost open enter after the location's last event; an exit without enter changed nothing, so look before it.
  Position top = no_position;
  for (std::optional<Position> last = last_of(loc, pos); last;
       last = *last == 0 ? std::nullopt : last_of(loc, *last - 1)) {
    const Block& b = block(*last);
    const EventType type = without_list(b.rows[*last & mask].type);
    const Position enter = enterptr(b, *last);
    if (closes_region(type)) {
      if (enter == no_position) continue;
      top = enterptr(block(enter), enter);
    } else {
      top = opens_region(type) ? *last : enter;
    }
    break;
  }
  for (; top != no_position; top = enterptr(block(top), top)) result.push_back(top);
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<Position> EventStore::queue(Position pos, std::optional<LocationId> src,
                                        std::optional<LocationId> dest) const {
  std::vector<Position> result;
  if (size_ == 0) return result;
  block(pos);
  const auto checkpoint = std::prev(std::upper_bound(queue_checkpoints_.begin(), queue_checkpoints_.end(), pos,
                                                     [](Position p, const QueueCheckpoint& c) { return p < c.pos; }));
  const auto consider = [&](Position send) {
    const Position received = received_at(send);
    if (received != no_position && received <= pos) return;
    const Block& b = block(send);
    if (src && b.rows[send & mask].location != src->value) return;
    if (dest) {
      const std::uint8_t* in = b.bytes.data() + b.rows[send & mask].arg;
      if (read_number(in, 4) != dest->value) return;
    }
    result.push_back(send);
  };
  for (Position send : checkpoint->waiting) consider(send);
  for (Position p = checkpoint->pos; p <= pos; ++p)
    if (is_send(without_list(block(p).rows[p & mask].type))) consider(p);
  return result;
}

std::size_t EventStore::memory() const {
  std::size_t n = 0;
  for (const auto& b : blocks_)
    if (b) n += sizeof(Block) + b->bytes.capacity();
  for (const auto& c : last_checkpoints_) n += c.capacity() * sizeof(Position);
  for (const auto& c : queue_checkpoints_) n += sizeof c + c.waiting.capacity() * sizeof(Position);
  return n + queued_.capacity() * sizeof(Position);
}

}  // namespace waitstate::trace
