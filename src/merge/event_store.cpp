#include "merge/event_store.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::merge {

namespace {
constexpr std::size_t link_width = 5;
// The link of a send that the program has cancelled: no receive is that far away.
constexpr std::uint64_t never_received = (std::uint64_t{1} << 8 * link_width) - 1;

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

template <std::size_t width>
void copy_twice(std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
  std::array<std::uint8_t, width> first, last;
  std::memcpy(first.data(), from, width), std::memcpy(last.data(), from + size - width, width);
  std::memcpy(to, first.data(), width), std::memcpy(to + size - width, last.data(), width);
}
// Copies records of mostly 8 to 32 bytes: two copies of a fixed width that may overlap, instead of a call of memcpy().
void copy_record(std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
  if (size >= 16 && size <= 32) return copy_twice<16>(to, from, size);
  if (size >= 8 && size < 16) return copy_twice<8>(to, from, size);
  if (size != 0) std::memcpy(to, from, size);
}
}  // namespace

EventStore::EventStore(const CallTree& call_tree, std::size_t locations, bool keep_all, std::size_t most)
    : call_tree_(call_tree),
      location_count_(locations),
      keep_all_(keep_all),
      most_in_memory_(most),
      last_position_(locations, no_position) {
  // One checkpoint costs 8 bytes for each location: with many locations, a byte for each event.
  index_stride_ = std::max<std::size_t>(1, 8 * locations / block_size);
}

EventStore::~EventStore() {
  if (keep_all_) return;  // they are the slabs'
  for (std::size_t i = 0; i + 1 < blocks_.size(); ++i) delete[] blocks_[i];
}

void EventStore::refuse(Position pos) const {
  throw std::out_of_range("event " + std::to_string(pos) +
                          (pos < size_ ? " has been released: only events that something can still point to are kept"
                           : keep_all_
                               ? " does not exist: the trace has " + std::to_string(size_)
                               : " is still to come or does not exist: there have been " + std::to_string(size_)));
}

// Packs the full block, unless nothing points into it, and begins the next one in the same buffer.
void EventStore::begin_block() {
  if (!blocks_.empty()) {
    std::uint8_t*& last = blocks_.back();
    if (keep_all_) {
      last = slabs_.take(open_used_);
    } else {
      last = kept_.back().pins == 0 ? nullptr : new std::uint8_t[open_used_];
    }
    if (last != nullptr) std::memcpy(last, open_.get(), open_used_);
    if (last != nullptr && !keep_all_) {
      kept_.back().size = static_cast<std::uint32_t>(open_used_);
      is_in_memory(kept_.size() - 1);
    }
  }
  open_used_ = 0;
  room(rows_size);
  open_used_ = rows_size;
  blocks_.push_back(open_.get());
  if (!keep_all_) {
    kept_.emplace_back();
    return;
  }
  if ((blocks_.size() - 1) % index_stride_ == 0) last_checkpoints_.push_back(last_position_);
}

// Frees a full block that nothing points into.
void EventStore::release(std::size_t index) {
  Kept& kept = kept_[index];
  if (blocks_[index] != nullptr) {
    delete[] blocks_[index];
    blocks_[index] = nullptr;
    bytes_in_memory_ -= kept.size;
  } else {
    file_.drop(kept.place, kept.size);
  }
  kept.size = 0;
}

// Another full block is in memory now; if there are too many, some go into the file, unless that is full.
void EventStore::is_in_memory(std::size_t index) const {
  in_memory_.push_back(index);
  bytes_in_memory_ += kept_[index].size;
  while (bytes_in_memory_ > most_in_memory_ && in_memory_.front() != index) {
    const std::size_t oldest = in_memory_.front();
    if (std::uint8_t*& block = blocks_[oldest]; block != nullptr) {
      Kept& kept = kept_[oldest];
      const auto place = file_.put(std::as_bytes(std::span(block, kept.size)));
      if (!place) return;
      kept.place = *place;
      bytes_in_memory_ -= kept.size;
      delete[] block;
      block = nullptr;
    }
    in_memory_.pop_front();
  }
}

const std::uint8_t* EventStore::bring_back(Position pos) const {
  if (!kept(pos)) refuse(pos);
  const std::size_t index = pos >> bits;
  const Kept& kept = kept_[index];
  auto block = std::make_unique_for_overwrite<std::uint8_t[]>(kept.size);
  file_.take(kept.place, std::as_writable_bytes(std::span(block.get(), kept.size)));
  blocks_[index] = block.release();
  is_in_memory(index);
  return blocks_[index];
}

// Makes room for this many bytes at the end of the last block.
std::uint8_t* EventStore::room(std::size_t bytes) {
  if (open_room_ - open_used_ < bytes) {
    open_room_ = std::max(2 * open_room_, open_used_ + bytes);
    auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(open_room_);
    if (open_used_ != 0) std::memcpy(larger.get(), open_.get(), open_used_);
    open_ = std::move(larger);
    if (!blocks_.empty() && open_used_ != 0) blocks_.back() = open_.get();
  }
  return open_.get() + open_used_;
}

Position EventStore::append(const Input& e) {
  const Position pos = size_;
  if ((pos & mask) == 0) begin_block();
  const EventType type = replay::without_list(e.type);
  const bool moves = type == EventType::enter || type == EventType::exit;
  std::uint32_t arg = e.callpath.value;
  if (!moves || replay::has_list(e.type)) {
    std::uint8_t* at = room(e.record_size + 4 + 2 * link_width);
    arg = static_cast<std::uint32_t>(open_used_);
    const auto put = [&](std::uint64_t number, std::size_t width) { std::memcpy(at, &number, width), at += width; };
    if (moves || replay::is_stack_event(type)) put(e.callpath.value, 4);
    copy_record(at, e.record, e.record_size), at += e.record_size;
    if (is_receive(type)) put(distance(pos, e.sendptr), link_width);
    if (is_send(type)) put(e.cancelled ? never_received : 0, link_width);
    if (has_request_link(type)) put(distance(pos, e.requestptr), link_width);
    if (type == EventType::collective_end) put(distance(pos, e.beginptr), link_width);
    if (has_start_link(type)) put(distance(pos, e.startptr), link_width);
    if (type == EventType::get_1ts) put(distance(pos, e.originptr), link_width);
    open_used_ = static_cast<std::size_t>(at - open_.get());
  }
  append_row(e.time, e.location, e.type, arg, e.enterptr);
  if (keep_all_ && is_send(type) && !e.cancelled) queued_.push_back(pos);
  return pos;
}

void EventStore::add_queue_checkpoint(Position pos) {
  std::erase_if(queued_, [&](Position s) { return received_at(s) != no_position; });
  queue_checkpoints_.push_back({pos, queued_});
  next_queue_checkpoint_ = pos + std::max<Position>(block_size, 2 * queued_.size());
}

std::size_t EventStore::received_offset(const std::uint8_t* block, const Row& row) {
  return row.arg + replay::record_size(block + row.arg, replay::without_list(row.type), replay::has_list(row.type));
}

void EventStore::set_received(Position send, Position received) {
  if (!keep_all_) return;
  const std::uint8_t* const b = block(send);
  const std::uint64_t d = received - send;
  std::memcpy(blocks_[send >> bits] + received_offset(b, row_of(b, send)), &d, link_width);
}

Position EventStore::received_at(Position send) const {
  const std::uint8_t* const b = block(send);
  const std::uint8_t* at = b + received_offset(b, row_of(b, send));
  const std::uint64_t d = replay::read_number(at, link_width);
  if (d == never_received) return send;  // so it is in no queue
  return d == 0 ? no_position : send + d;
}

LocationId EventStore::destination(Position send) const {
  const std::uint8_t* const b = block(send);
  const std::uint8_t* in = b + row_of(b, send).arg;
  return LocationId{replay::read_number(in, 4)};
}

void EventStore::pin(Position pos) {
  if (!kept(pos)) refuse(pos);
  ++kept_[pos >> bits].pins;
}
void EventStore::unpin(Position pos) {
  block(pos);
  if (--kept_[pos >> bits].pins == 0 && (pos >> bits) + 1 < blocks_.size()) release(pos >> bits);
}

void EventStore::pin_linked(Position pos) {
  pin(pos);
  if (const Position enter = enterptr(pos); enter != no_position) pin(enter);
}
void EventStore::unpin_linked(Position pos) {
  if (const Position enter = enterptr(pos); enter != no_position) unpin(enter);
  unpin(pos);
}

Position EventStore::enterptr(const Row& row, Position pos) {
  return target(pos, std::uint64_t{row.enter_high} << 32 | row.enter_low);
}

EventType EventStore::type(Position pos) const { return replay::without_list(row(pos).type); }

Event EventStore::event(Position pos) const {
  const std::uint8_t* const b = block(pos);
  const Row& r = row_of(b, pos);
  Event e;
  e.pos = pos;
  e.time = r.time;
  e.loc = LocationId{r.location};
  e.type = replay::without_list(r.type);
  e.enterptr = enterptr(r, pos);
  const bool moves = e.type == EventType::enter || e.type == EventType::exit;
  if (moves && !replay::has_list(r.type)) {
    e.callpath = CallPathId{r.arg};
  } else {
    const std::uint8_t* in = b + r.arg;
    if (moves || replay::is_stack_event(e.type)) e.callpath = CallPathId{replay::read_number(in, 4)};
    if (moves) {
      // The region is that of the call path; the record holds only the list.
      if (replay::has_list(r.type)) {
        e.list.resize(replay::read_number(in, 4));
        for (ListedAttribute& a : e.list) {
          a.attribute = AttributeId{replay::read_number(in, 4)};
          a.value = replay::read_value(in);
        }
      }
    } else {
      replay::read_record(in, replay::has_list(r.type), e);
    }
    if (is_receive(e.type)) e.sendptr = target(pos, replay::read_number(in, link_width));
    if (is_send(e.type)) in += link_width;
    if (has_request_link(e.type)) e.requestptr = target(pos, replay::read_number(in, link_width));
    if (e.type == EventType::collective_end) e.beginptr = target(pos, replay::read_number(in, link_width));
    if (has_start_link(e.type)) e.startptr = target(pos, replay::read_number(in, link_width));
    if (e.type == EventType::get_1ts) e.originptr = target(pos, replay::read_number(in, link_width));
  }
  if (moves) {
    e.attributes[0] = e.callpath.valid() ? call_tree_[e.callpath].region.value : RegionId::none_value;
  } else if (!e.callpath.valid() && e.enterptr != no_position && kept(e.enterptr)) {
    const std::uint8_t* const of_enter = block(e.enterptr);
    const Row& enter = row_of(of_enter, e.enterptr);
    if (enter.type == EventType::enter) {
      e.callpath = CallPathId{enter.arg};
    } else {
      const std::uint8_t* in = of_enter + enter.arg;
      e.callpath = CallPathId{replay::read_number(in, 4)};
    }
  }
  return e;
}

std::optional<Position> EventStore::last_of(LocationId loc, Position pos) const {
  const std::size_t checkpoint = (pos >> bits) / index_stride_;
  const Position begin = static_cast<Position>(checkpoint * index_stride_) << bits;
  for (Position p = pos + 1; p-- > begin;)
    if (row(p).location == loc.value) return p;
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
    const EventType type = replay::without_list(row(*last).type);
    const Position enter = enterptr(row(*last), *last);
    if (replay::closes_region(type)) {
      const auto other = enter == no_position ? other_stacks_.find(*last) : other_stacks_.end();
      if (enter == no_position && other == other_stacks_.end()) continue;
      top = enter == no_position ? other->second : enterptr(row(enter), enter);
    } else if (const auto other = other_stacks_.find(*last); other != other_stacks_.end() && *last != pos) {
      top = other->second;  // it is open in its own event only
    } else {
      top = replay::opens_region(type) ? *last : enter;
    }
    break;
  }
  for (; top != no_position; top = enterptr(row(top), top)) result.push_back(top);
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
    if (src && location(send) != *src) return;
    if (dest && destination(send) != *dest) return;
    result.push_back(send);
  };
  for (Position send : checkpoint->waiting) consider(send);
  for (Position p = checkpoint->pos; p <= pos; ++p)
    if (is_send(replay::without_list(row(p).type))) consider(p);
  return result;
}

std::size_t EventStore::memory() const {
  std::size_t n =
      slabs_.memory() + open_room_ + blocks_.capacity() * sizeof(std::uint8_t*) + kept_.capacity() * sizeof(Kept);
  for (const auto& c : last_checkpoints_) n += c.capacity() * sizeof(Position);
  for (const auto& c : queue_checkpoints_) n += sizeof c + c.waiting.capacity() * sizeof(Position);
  return n + queued_.capacity() * sizeof(Position);
}

}  // namespace waitstate::merge
