// A log of what linking delivers, for another thread that dispatches it to the listener.
//
// Linking and patterns take about the same time, and linking needs nothing back. So the linking thread only writes:
// each delivery with copies of all calls and lists that it refers to, in blocks of memory that are passed on when they
// are full and used again when they have been dispatched. A delivery is dispatched as it was written, so patterns see
// the same events in the same order as if they were called by linking itself.
//
// The call tree grows while patterns look at it. They are shown one of their own, which gets, before a block is
// dispatched, the call paths that were new when the block was written: with the same numbers.
//
// If somebody wants every event, what linking tells the merge is written down too, where it comes in the order: then
// the thread that dispatches also merges.
//
// Cost: some hundred bytes copied for a message. Memory: the blocks that wait to be dispatched, `most_waiting_`, and
// what one chunk delivers.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "link/listener.hpp"
#include "pass/event_copier.hpp"
#include "waitstate/trace/call_tree.hpp"

namespace waitstate::merge {
class Merge;
}
namespace waitstate::link {
struct MergeStep;
}

namespace waitstate::pass {

class DeliveryLog : public link::Listener {
 public:
  /// Plays to `to`, which looks at `shown`; linking adds call paths to `tree`. `keep_memory_low`: there will be steps
  /// to merge, and memory matters.
  DeliveryLog(link::Listener& to, const CallTree& tree, CallTree& shown, std::size_t locations,
              bool keep_memory_low = false);
  ~DeliveryLog() override;

  /// A block: few enough deliveries to stay in the caches of the thread that dispatches them.
  static constexpr std::size_t block_bytes = std::size_t{1} << 16;
  struct Entry {
    Entry* next = nullptr;
    void (*dispatch)(const Entry&, link::Listener&) = nullptr;
  };
  struct Block {
    std::vector<std::unique_ptr<std::byte[]>> pieces;  ///< the first of block_bytes, others as large as they had to be
    Entry *first = nullptr, *last = nullptr;
    std::vector<CallPath> paths;                ///< new ones
    std::vector<replay::PathCounter> counters;  ///< they own memory, so they are kept apart

    Block() { pieces.push_back(std::make_unique_for_overwrite<std::byte[]>(block_bytes)); }
    void clear() {
      pieces.resize(1);
      first = last = nullptr;
      paths.clear(), counters.clear();
    }
  };

  // For Pass, under its lock.
  /// Passes on the blocks that have been filled.
  void publish();
  bool waiting() const { return !ready_.empty(); }
  /// Enough to be worth waking the thread that dispatches them.
  bool worth_waking() const { return ready_.size() >= fewest_waiting / 2; }
  bool full() const { return ready_.size() >= most_waiting_; }
  /// Room enough to be worth waking the thread that writes them.
  bool worth_going_on() const { return ready_.size() <= most_waiting_ / 2; }
  /// The block to be dispatched next; there must be one.
  std::unique_ptr<Block> take();
  void give_back(std::unique_ptr<Block> block) { spare_.push_back(std::move(block)); }

  /// Without the lock, by one thread at a time.
  void dispatch(const Block& block);
  /// When nobody else uses the log any more: dispatches what is left, and from then on each delivery at once.
  void dispatch_rest();

  /// The merge takes the step when all that has been delivered before has been dispatched. The step counts as part of
  /// the block.
  void merge(merge::Merge& merge, link::MergeStep& step);

  link::Wanted wanted() const override { return to_.wanted(); }

#define X(name, Type) void name(const Type& event) override;
  WAITSTATE_COMPOUND_EVENTS(X)
#undef X
  void watermark(ProcessId receiver, Time bound) override;
  void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                              std::uint64_t bytes_received) override;
  void rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got) override;
  void parallel_region(const link::ParallelRegion& region) override;
  void work(const link::LocationWork& work) override { to_.work(work); }
  void incomplete_part(const link::IncompletePart& part) override { to_.incomplete_part(part); }
  void profile(LocationId location, CallPathId callpath, const replay::Profile& profile) override;
  void counter(CallPathId callpath, const replay::PathCounter& counter) override;

 private:
  friend EventCopier<DeliveryLog>;

  void* allocate(std::size_t size);
  void new_piece(std::size_t size);
  void open_block(std::unique_ptr<Block> block);
  const Call& keep(const Call& call);
  template <auto delivery, class E>
  void write_copy(const E& event);
  template <class Dispatch>
  void write(const Dispatch& dispatch);
  void close_block();

  // Operations of many locations are delivered all at once, when the chunk of the last one is linked: there is room for
  // so many blocks that linking can go on meanwhile. Steps to merge come in bursts as well, when the last location of a
  // round has been read; but they take memory besides, as that of their events is kept for those to come.
  static constexpr std::size_t fewest_waiting = 16, room_for_all = 160, room_if_low = 64, locations_a_block = 4;

  link::Listener& to_;
  const std::size_t most_waiting_;
  const CallTree& tree_;
  CallTree& shown_;
  std::size_t paths_written_ = 0;
  bool at_once_ = false;
  std::unique_ptr<Block> open_;                    ///< the block that is being written
  std::byte *next_ = nullptr, *end_ = nullptr;     ///< the free part of its last piece
  std::size_t written_ = 0;                        ///< bytes in it
  std::vector<std::unique_ptr<Block>> filled_;     ///< not passed on yet
  std::vector<std::unique_ptr<Block>> own_spare_;  ///< for the linking thread alone
  std::deque<std::unique_ptr<Block>> ready_;       ///< to be dispatched
  std::vector<std::unique_ptr<Block>> spare_;      ///< dispatched
};

}  // namespace waitstate::pass
