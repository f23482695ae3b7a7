// All events in the one order, by position: in blocks of 4096.
//
// An event takes 8 bytes for its time, 4 for the location, 1 for the type, 4 for the call path or the offset of its
// record, 5 for enterptr; then a record of the attributes and links if its type has some. Links are distances back in
// 40 bits. With `keep_all`, nothing is ever freed, and indexes for stack() and queue() are kept (EventTrace). Without
// it, a block is freed as soon as it is full and nothing points into it any more: no open region, queued message or
// unfinished request began there, nor the call in which one of the latter was started (pins). If very many blocks have
// to stay, those that have been in memory longest go into a scratch file; one comes back when an event of it is looked
// at.
//
// A block is one piece of memory, rows first and then their records, and a table of 8 bytes a block leads to it: an
// event looked up at random costs the cache lines of its row, of its record and of its enter's row. The block that is
// being filled is in a buffer of its own, whose memory is used again for the next one; a full block is copied once, to
// its exact size.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "util/front_queue.hpp"
#include "util/slabs.hpp"
#include "util/spill/scratch_file.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::merge {

class EventStore {
 public:
  static constexpr std::size_t most_in_memory = std::size_t{64} << 20;

  /// Without keep_all: `most` is the number of bytes of full blocks that may be in memory.
  EventStore(const CallTree& call_tree, std::size_t locations, bool keep_all, std::size_t most = most_in_memory);
  ~EventStore();
  EventStore(const EventStore&) = delete;
  EventStore& operator=(const EventStore&) = delete;

  /// With keep_all: from now on until all events are in, another thread prepares the memory that will be written next.
  void prepare_memory_ahead() { slabs_.prepare_ahead(); }
  void all_events_are_in() { slabs_.end_ahead(); }

  /// One event as the merge hands it in; `record` is its attribute record without call path (attribute_record.hpp).
  struct Input {
    Time time;
    LocationId location;
    EventType type;       ///< possibly with_list()
    CallPathId callpath;  ///< own call path of enters, exits and stack events
    Position enterptr = no_position;
    Position sendptr = no_position, requestptr = no_position, beginptr = no_position;
    Position startptr = no_position, originptr = no_position;
    bool cancelled = false;  ///< a send that is never in the queue
    const std::uint8_t* record = nullptr;
    std::size_t record_size = 0;
  };
  Position append(const Input& e);
  /// Like append(), for an enter or exit without an attribute list.
  Position append_move(Time time, LocationId location, EventType type, CallPathId callpath, Position enterptr) {
    if ((size_ & mask) == 0) begin_block();
    return append_row(time, location, type, callpath.value, enterptr);
  }
  /// With keep_all: says that the message sent at `send` was received at `received`.
  void set_received(Position send, Position received);
  /// With keep_all: notes that with the event at `pos` the location continues with another stack than the event says,
  /// whose innermost enter is given: with an exit that closes no region, or with an enter that was left before.
  void set_other_stack(Position pos, Position innermost) {
    if (keep_all_) other_stacks_.emplace(pos, innermost);
  }
  /// Keeps the event at `pos` from being freed; each pin() needs one unpin().
  void pin(Position pos);
  void unpin(Position pos);
  /// Like pin(), for an event that a later one links to, and for the enter of its region instance: a pattern that
  /// follows the link asks next in which call the event was, and the call may have ended by then.
  void pin_linked(Position pos);
  void unpin_linked(Position pos);

  Position size() const { return size_; }
  /// With keep_all, several threads may look at events at once.
  Event event(Position pos) const;
  /// The location to which the message sent at `send` goes.
  LocationId destination(Position send) const;
  std::vector<Position> stack(LocationId loc, Position pos) const;
  std::vector<Position> queue(Position pos, std::optional<LocationId> src, std::optional<LocationId> dest) const;
  Time time(Position pos) const { return row(pos).time; }
  LocationId location(Position pos) const { return LocationId{row(pos).location}; }
  EventType type(Position pos) const;
  Position enterptr(Position pos) const { return enterptr(row(pos), pos); }
  std::size_t memory() const;
  /// Bytes of full blocks that are in the scratch file.
  std::uint64_t spilled() const { return file_.size(); }

 private:
  static constexpr unsigned bits = 12;
  static constexpr Position block_size = Position{1} << bits, mask = block_size - 1;

  // Rows are packed, so that an event takes 22 bytes and, looked up at random, hardly more than one cache line.
#pragma pack(push, 1)
  struct Row {
    Time time;
    std::uint32_t location;
    std::uint32_t arg;
    std::uint32_t enter_low;  ///< distance back to enterptr, 0: none
    std::uint8_t enter_high;
    EventType type;
  };
#pragma pack(pop)
  struct QueueCheckpoint {
    Position pos;                   ///< before this event
    std::vector<Position> waiting;  ///< the sends in the queue, oldest first
  };

  /// A full block that is still needed, without keep_all.
  struct Kept {
    std::uint64_t place = 0;  ///< in the file, if it is there
    std::uint32_t size = 0;   ///< 0: the block has been freed, or is not full
    std::uint32_t pins = 0;   ///< also in a block that is not full
  };

  bool kept(Position pos) const {
    return pos < size_ && (blocks_[pos >> bits] != nullptr || kept_[pos >> bits].size != 0);
  }
  [[noreturn]] void refuse(Position pos) const;
  static constexpr std::size_t rows_size = sizeof(Row) * block_size;

  /// The block of an event; throws std::out_of_range if it does not exist. Valid until another block is asked for.
  const std::uint8_t* block(Position pos) const {
    if (pos < size_) [[likely]]
      if (const std::uint8_t* const b = blocks_[pos >> bits]; b != nullptr) [[likely]]
        return b;
    return bring_back(pos);
  }
  const std::uint8_t* bring_back(Position pos) const;
  void is_in_memory(std::size_t index) const;
  const Row& row(Position pos) const { return row_of(block(pos), pos); }
  static const Row& row_of(const std::uint8_t* block, Position pos) {
    return reinterpret_cast<const Row*>(block)[pos & mask];
  }
  static Position enterptr(const Row& row, Position pos);
  /// Where the link of a send to its receive is in the record.
  static std::size_t received_offset(const std::uint8_t* block, const Row& row);
  Position received_at(Position send) const;
  std::optional<Position> last_of(LocationId loc, Position pos) const;
  void begin_block();
  Position append_row(Time time, LocationId location, EventType type, std::uint32_t arg, Position enterptr) {
    const Position pos = size_++;
    const std::uint64_t enter = enterptr == no_position ? 0 : pos - enterptr;
    reinterpret_cast<Row*>(open_.get())[pos & mask] = {
        time, location.value, arg, static_cast<std::uint32_t>(enter), static_cast<std::uint8_t>(enter >> 32), type};
    if (keep_all_) {
      if (pos >= next_queue_checkpoint_) add_queue_checkpoint(pos);
      last_position_[location.index()] = pos;
    }
    return pos;
  }
  void add_queue_checkpoint(Position pos);
  void release(std::size_t index);
  std::uint8_t* room(std::size_t bytes);

  const CallTree& call_tree_;
  const std::size_t location_count_;
  const bool keep_all_;
  Position size_ = 0;
  mutable std::vector<std::uint8_t*> blocks_;  ///< null: it has been freed, or is in the file
  std::unique_ptr<std::uint8_t[]> open_;       ///< the last block: open_used_ of open_room_ bytes
  std::size_t open_used_ = 0, open_room_ = 0;
  util::Slabs slabs_;  ///< full blocks, with keep_all; without, each is an array of its own
  // State of full blocks, only without keep_all.
  const std::size_t most_in_memory_;
  mutable std::vector<Kept> kept_;
  mutable util::FrontQueue<std::size_t>
      in_memory_;  ///< in the order in which they came into memory; some have been freed since
  mutable std::size_t bytes_in_memory_ = 0;
  mutable util::ScratchFile file_;
  // Indexes, only with keep_all.
  std::vector<Position> last_position_;                  ///< per location, the position of its last event so far
  std::vector<std::vector<Position>> last_checkpoints_;  ///< last_position_ before every index_stride_-th block
  std::size_t index_stride_ = 1;
  std::map<Position, Position> other_stacks_;  ///< hardly ever any
  std::vector<QueueCheckpoint> queue_checkpoints_;
  std::vector<Position> queued_;  ///< sends in the queue, and some that have left it
  Position next_queue_checkpoint_ = 0;
};

}  // namespace waitstate::merge
