#include "pass/delivery_log.hpp"

#include <algorithm>
#include <new>
#include <type_traits>

#include "merge/merge.hpp"
#include "util/prefetch.hpp"

namespace waitstate::pass {

namespace {
constexpr std::size_t rounded(std::size_t size) { return (size + 7) & ~std::size_t{7}; }

template <class Dispatch>
struct EntryOf : DeliveryLog::Entry {
  explicit EntryOf(const Dispatch& p) : call(p) {}
  Dispatch call;
};
}  // namespace

DeliveryLog::DeliveryLog(link::Listener& to, const CallTree& tree, CallTree& shown, std::size_t locations,
                         bool keep_memory_low)
    : to_(to),
      most_waiting_(
          std::clamp(locations / locations_a_block, fewest_waiting, keep_memory_low ? room_if_low : room_for_all)),
      tree_(tree),
      shown_(shown) {
  open_block(std::make_unique<Block>());
}
DeliveryLog::~DeliveryLog() = default;

// --- blocks ----------------------------------------------------------------------------------------------------------

inline void* DeliveryLog::allocate(std::size_t size) {
  size = rounded(size);
  if (static_cast<std::size_t>(end_ - next_) < size) [[unlikely]]
    new_piece(size);
  std::byte* const place = next_;
  next_ += size;
  written_ += size;
  // The thread that dispatched this memory last has it in its caches: it is asked for before it is written.
  util::prefetch<true>(next_ + 512, 128);
  return place;
}

void DeliveryLog::new_piece(std::size_t size) {
  const std::size_t capacity = std::max(size, block_bytes);
  next_ = open_->pieces.emplace_back(std::make_unique_for_overwrite<std::byte[]>(capacity)).get();
  end_ = next_ + capacity;
}

void DeliveryLog::open_block(std::unique_ptr<Block> block) {
  open_ = std::move(block);
  next_ = open_->pieces.front().get();
  end_ = next_ + block_bytes;
  written_ = 0;
}

inline const Call& DeliveryLog::keep(const Call& call) {
  static_assert(std::is_trivially_destructible_v<Call> && alignof(Call) <= 8);
  return *new (allocate(sizeof(Call))) Call(call);
}

// Adds a delivery, behind what it refers to.
template <class Dispatch>
void DeliveryLog::write(const Dispatch& dispatch) {
  static_assert(std::is_trivially_destructible_v<Dispatch> && alignof(EntryOf<Dispatch>) <= 8);
  auto* const entry = new (allocate(sizeof(EntryOf<Dispatch>))) EntryOf<Dispatch>(dispatch);
  entry->dispatch = [](const Entry& e, link::Listener& to) { static_cast<const EntryOf<Dispatch>&>(e).call(to); };
  (open_->first == nullptr ? open_->first : open_->last->next) = entry;
  open_->last = entry;
  if (written_ < block_bytes - 4096 && !at_once_) [[likely]]
    return;
  close_block();
  if (at_once_) dispatch_rest();
}

void DeliveryLog::close_block() {
  for (; paths_written_ < tree_.size(); ++paths_written_) open_->paths.push_back(tree_[CallPathId{paths_written_}]);
  filled_.push_back(std::move(open_));
  if (own_spare_.empty()) {
    open_block(std::make_unique<Block>());
  } else {
    std::unique_ptr<Block> block = std::move(own_spare_.back());
    own_spare_.pop_back();
    block->clear();
    open_block(std::move(block));
  }
}

void DeliveryLog::publish() {
  for (std::unique_ptr<Block>& b : filled_) ready_.push_back(std::move(b));
  filled_.clear();
  // Once there are so many, most are there because a chunk delivered much: not to be kept.
  while (!spare_.empty() && own_spare_.size() < most_waiting_) {
    own_spare_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  spare_.clear();
}

std::unique_ptr<DeliveryLog::Block> DeliveryLog::take() {
  std::unique_ptr<Block> block = std::move(ready_.front());
  ready_.pop_front();
  return block;
}

void DeliveryLog::dispatch(const Block& block) {
  for (const CallPath& p : block.paths) shown_.find_or_add(p);
  for (const Entry* e = block.first; e != nullptr; e = e->next) e->dispatch(*e, to_);
}

void DeliveryLog::dispatch_rest() {
  at_once_ = true;
  close_block();
  publish();
  while (waiting()) {
    std::unique_ptr<Block> block = take();
    dispatch(*block);
    give_back(std::move(block));
  }
}

// --- deliveries ------------------------------------------------------------------------------------------------------

void DeliveryLog::merge(merge::Merge& merge, link::MergeStep& step) {
  written_ += step.bytes();
  write([&merge, &step](link::Listener&) { merge.take(step); });
}

template <auto delivery, class E>
void DeliveryLog::write_copy(const E& event) {
  const E copy = EventCopier(*this).copy(event);
  write([=](link::Listener& to) { (to.*delivery)(copy); });
}

#define X(name, Type) \
  void DeliveryLog::name(const Type& event) { write_copy<&link::Listener::name>(event); }
WAITSTATE_COMPOUND_EVENTS(X)
#undef X

void DeliveryLog::watermark(ProcessId receiver, Time bound) {
  write([=](link::Listener& to) { to.watermark(receiver, bound); });
}

void DeliveryLog::nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                                         std::uint64_t bytes_received) {
  const Call* const kept = &keep(started);
  write([=](link::Listener& to) { to.nonblocking_collective(*kept, op, bytes_sent, bytes_received); });
}

void DeliveryLog::rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put,
                              std::uint64_t bytes_got) {
  const Call* const kept = &keep(call);
  write([=](link::Listener& to) { to.rma_started(*kept, kind, bytes_put, bytes_got); });
}

void DeliveryLog::parallel_region(const link::ParallelRegion& region) {
  write([=](link::Listener& to) { to.parallel_region(region); });
}

void DeliveryLog::profile(LocationId location, CallPathId callpath, const replay::Profile& profile) {
  write([=](link::Listener& to) { to.profile(location, callpath, profile); });
}

void DeliveryLog::counter(CallPathId callpath, const replay::PathCounter& counter) {
  Block* const block = open_.get();
  const std::size_t i = block->counters.size();
  block->counters.push_back(counter);
  write([=](link::Listener& to) { to.counter(callpath, block->counters[i]); });
}

}  // namespace waitstate::pass
