// The steps by which linking feeds the merge, one for each chunk that has been linked: the chunk's events, what its
// records link to, and what has become known of messages, requests and collective operations. Linking and merging share
// nothing else.
//
// What an event links to has a number, which linking gives out: a slot (a message's send, the start of a request), a
// member (a process's part in a collective operation), an operation. The merge says when it has done with one, and
// sends the numbers back with the steps that it has merged; they are given out again then. Memory: the steps on their
// way, and what is open.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "replay/chunk/chunk.hpp"
#include "waitstate/pattern/collective.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

/// Numbers of what one communication record links to; links come in the order of the location's records.
struct Link {
  static constexpr std::uint32_t none = ~std::uint32_t{0}, cancelled = none - 1;

  std::uint32_t message =
      none;  ///< send, isend, recv, irecv: slot of the send; cancelled: of a send, see CancelledSends
  std::uint32_t request = none;  ///< start and completion of a request: slot of the start
  std::uint32_t member = none;   ///< collective_begin, collective_end: part in a collective operation

  bool has_message() const { return message < cancelled; }
};

struct MergeStep {
  struct LinkOf {
    LocationId location;  ///< not the step's where threads of a process wait for each other
    Link link;
  };
  struct Note {
    enum class Kind : std::uint8_t {
      slot_kept,         ///< by one more event that links to it
      slot_released,     ///< one that would have linked to it will not come
      slot_missing,      ///< dropped by the event itself, which is not in the trace
      member_begins,     ///< a new member, of `location`; the placing of its begin and of its end are still to come
      member_ends,       ///< a new member whose begin is not in the trace; only the placing of its end is to come
      member_joins,      ///< the member is part of the operation `other`
      operation,         ///< new or different: see `operations`, entry `other`
      operation_closed,  ///< it gets no more members
    };
    Kind kind{};
    std::uint32_t number = 0, other = 0;
    LocationId location;
  };
  struct CollectiveOperation {
    CommId comm;
    CollectiveOp op{};
    LocationId root;
    std::uint32_t expected = 0;  ///< members
    bool neighbourhood = false;
    bool dead = false;  ///< some of them cannot come any more: a process ended without taking part
  };

  LocationId location;                   ///< location of the chunk; none of the last step, which has no events
  bool last = false;                     ///< nothing follows on the location
  std::uint64_t missing_count = 0;       ///< Linker::missing_count() by now
  std::uint32_t slots = 0;               ///< numbers of slots are less
  replay::EventRows events;              ///< with call paths of the whole trace: see Linker::name_call_paths()
  std::vector<replay::TaskEvent> tasks;  ///< by number
  std::vector<LinkOf> links;
  std::vector<Note> notes;  ///< in their order; they come before the links
  std::vector<CollectiveOperation> operations;
  // Filled in by the merge: numbers that are free.
  std::vector<std::uint32_t> free_slots, free_members, free_operations;

  /// How much memory is on its way with it.
  std::size_t bytes() const {
    return events.size() * sizeof(replay::EventRow) + events.bytes.size() + links.size() * sizeof(LinkOf) +
           notes.size() * sizeof(Note);
  }
};

class MergeFeed {
 public:
  // For the linking thread: what goes into the next step.
  std::uint32_t new_slot() { return slots_.take(); }
  std::uint32_t new_operation() { return operations_.take(); }
  std::uint32_t new_member(LocationId l, bool begins) {
    const std::uint32_t number = members_.take();
    note(begins ? Note::Kind::member_begins : Note::Kind::member_ends, number, 0, l);
    return number;
  }
  void keep_slot(std::uint32_t slot) { note(Note::Kind::slot_kept, slot); }
  void release_slot(std::uint32_t slot) { note(Note::Kind::slot_released, slot); }
  void miss_slot(std::uint32_t slot) { note(Note::Kind::slot_missing, slot); }
  void join(std::uint32_t member, std::uint32_t operation) { note(Note::Kind::member_joins, member, operation); }
  void set(std::uint32_t operation, const MergeStep::CollectiveOperation& now) {
    note(Note::Kind::operation, operation, static_cast<std::uint32_t>(step_->operations.size()));
    step_->operations.push_back(now);
  }
  void close(std::uint32_t operation) { note(Note::Kind::operation_closed, operation); }
  void link(LocationId l, const Link& link) { step_->links.push_back({l, link}); }

  /// The step of a chunk that has been linked, whose events it takes. It stays until it is given back.
  MergeStep& take(replay::Chunk& chunk, std::uint64_t missing_count);
  /// After everything: what has become known since the last chunk.
  MergeStep& take_rest(std::uint64_t missing_count);

  /// For the merge: has done with the step.
  void give_back(MergeStep& step);

 private:
  using Note = MergeStep::Note;
  class Numbers {
   public:
    std::uint32_t take() {
      if (free_.empty()) return next_++;
      const std::uint32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    std::uint32_t end() const { return next_; }
    void put_back(std::vector<std::uint32_t>& numbers) {
      free_.insert(free_.end(), numbers.begin(), numbers.end());
      numbers.clear();
    }

   private:
    std::vector<std::uint32_t> free_;
    std::uint32_t next_ = 0;
  };

  void note(Note::Kind kind, std::uint32_t number, std::uint32_t other = 0, LocationId l = LocationId::none()) {
    step_->notes.push_back({kind, number, other, l});
  }
  MergeStep& pass_on(std::uint64_t missing_count);
  MergeStep* new_step();

  Numbers slots_, members_, operations_;
  std::vector<std::unique_ptr<MergeStep>> all_;
  std::vector<MergeStep*> spare_;
  std::mutex mutex_;
  std::vector<MergeStep*> back_;  ///< merged; under the lock
  MergeStep* step_ = new_step();  ///< the step that is being written
};

}  // namespace waitstate::link
