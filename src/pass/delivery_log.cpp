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

DeliveryLog::DeliveryLog(link::Listener& to, const CallTree& tree, CallTree& shown, std::size_t locations, bool frugal)
    : to_(to),
      most_waiting_(std::clamp(locations / locations_a_block, fewest_waiting, frugal ? frugal_room : room_for_all)),
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

template <class T>
T* DeliveryLog::keep(const T& value) {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
  return new (allocate(sizeof(T))) T(value);
}

template <class T>
std::span<T> DeliveryLog::keep_all(std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);
  if (values.empty()) return {};
  T* const all = static_cast<T*>(allocate(values.size_bytes()));
  std::uninitialized_copy(values.begin(), values.end(), all);
  return {all, values.size()};
}

template <class T, class One>
std::span<const T> DeliveryLog::keep_each(std::span<const T> values, const One& one) {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
  if (values.empty()) return {};
  T* const all = static_cast<T*>(allocate(values.size_bytes()));
  for (std::size_t i = 0; i < values.size(); ++i) new (all + i) T(one(values[i]));
  return {all, values.size()};
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

// `kept` is the copy of the call `of`, which is one end of all the messages.
std::span<const Message> DeliveryLog::keep_messages(std::span<const Message> messages, const Call& of,
                                                    const Call& kept) {
  const std::span<Message> all = keep_all(messages);
  for (Message& m : all) {
    const Call* const post = m.recv_post;
    const Call* const receive = m.recv;
    m.send = m.send == &of ? &kept : keep(m.send);
    m.recv = receive == &of ? &kept : keep(receive);
    m.recv_post = post == receive ? m.recv : post == &of ? &kept : keep(post);
  }
  return all;
}

void DeliveryLog::completed_receives(const CompletedReceives& receives, std::uint32_t call, bool sends_follow) {
  const Call& kept = *keep(receives.call);
  const CompletedReceives copy{kept, keep_messages(receives.messages, receives.call, kept)};
  write([=](link::Listener& to) { to.completed_receives(copy, call, sends_follow); });
}

void DeliveryLog::completed_sends(const CompletedSends& sends, std::uint32_t call) {
  const Call& kept = *keep(sends.call);
  const CompletedSends copy{kept, keep_messages(sends.messages, sends.call, kept), sends.receive_wait};
  write([=](link::Listener& to) { to.completed_sends(copy, call); });
}

void DeliveryLog::watermark(ProcessId receiver, Time bound) {
  write([=](link::Listener& to) { to.watermark(receiver, bound); });
}

Collective DeliveryLog::keep_collective(const Collective& collective) {
  Collective c = collective;
  const std::span<CollectiveMember> members = keep_all(collective.members);
  for (CollectiveMember& m : members) m.call = keep(m.call);
  c.members = members;
  c.neighbours = keep_all(collective.neighbours);
  c.neighbour_begin = keep_all(collective.neighbour_begin);
  return c;
}

void DeliveryLog::collective(const Collective& collective) {
  const Collective c = keep_collective(collective);
  write([=](link::Listener& to) { to.collective(c); });
}

void DeliveryLog::completed_collectives(const CompletedCollectives& completed) {
  const std::span<CollectiveCompletion> all = keep_all(completed.completions);
  for (CollectiveCompletion& c : all) {
    c.started = keep(c.started);
    c.awaited = keep(c.awaited);
  }
  const CompletedCollectives copy{*keep(completed.call), all};
  write([=](link::Listener& to) { to.completed_collectives(copy); });
}

void DeliveryLog::nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                                         std::uint64_t bytes_received) {
  const Call* const kept = keep(&started);
  write([=](link::Listener& to) { to.nonblocking_collective(*kept, op, bytes_sent, bytes_received); });
}

void DeliveryLog::team_barrier(const TeamBarrier& barrier) {
  TeamBarrier copy = barrier;
  const std::span<const Call*> members = keep_all(barrier.members);
  for (const Call*& m : members) m = keep(m);
  copy.members = members;
  const std::span<std::span<const TimeSpan>> tasks = keep_all(barrier.tasks);
  for (std::span<const TimeSpan>& t : tasks) t = keep_all(t);
  copy.tasks = tasks;
  write([=](link::Listener& to) { to.team_barrier(copy); });
}

void DeliveryLog::task_idle(const TaskIdle& idle) {
  const TaskIdle copy{*keep(idle.call), keep_all(idle.parts)};
  write([=](link::Listener& to) { to.task_idle(copy); });
}

void DeliveryLog::lock_acquired(const LockAcquired& a) {
  const LockAcquired copy{*keep(a.call), a.acquire_time, *keep(a.released), a.release_time};
  write([=](link::Listener& to) { to.lock_acquired(copy); });
}

void DeliveryLog::unused_threads(const UnusedThreads& unused) {
  UnusedThreads copy = unused;
  copy.team = keep_all(unused.team);
  write([=](link::Listener& to) { to.unused_threads(copy); });
}

void DeliveryLog::rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put,
                              std::uint64_t bytes_got) {
  const Call* const kept = keep(&call);
  write([=](link::Listener& to) { to.rma_started(*kept, kind, bytes_put, bytes_got); });
}

void DeliveryLog::rma_operation(const RmaOperation& o) {
  const Call& call = *keep(o.call);
  const Call& completed = &o.completed == &o.call ? call : *keep(o.completed);
  const RmaOperation copy{o.kind,      o.win, o.origin, o.target,  o.bytes_put,
                          o.bytes_got, call,  o.start,  completed, o.completion};
  write([=](link::Listener& to) { to.rma_operation(copy); });
}

RmaAccess DeliveryLog::keep_access(const RmaAccess& access) {
  RmaAccess copy = access;
  copy.last = keep(access.last);
  return copy;
}

std::span<const RmaAccess> DeliveryLog::keep_accesses(std::span<const RmaAccess> accesses) {
  return keep_each(accesses, [&](const RmaAccess& a) { return keep_access(a); });
}

void DeliveryLog::rma_collective(const RmaCollective& r) {
  const Collective& collective = *keep(keep_collective(r.collective));
  const RmaCollective copy{r.kind, r.win, r.paradigm, collective, keep_accesses(r.accesses)};
  write([=](link::Listener& to) { to.rma_collective(copy); });
}

void DeliveryLog::rma_access_epoch(const RmaAccessEpoch& e) {
  const auto target = [&](const RmaAccessTarget& t) {
    return RmaAccessTarget{t.target, *keep(t.post), keep_access(t.access)};
  };
  const auto operation = [&](const RmaEpochOperation& o) { return RmaEpochOperation{*keep(o.call), o.target}; };
  const RmaAccessEpoch copy{e.win, *keep(e.start), *keep(e.complete), keep_each(e.targets, target),
                            keep_each(e.operations, operation)};
  write([=](link::Listener& to) { to.rma_access_epoch(copy); });
}

void DeliveryLog::rma_exposure_epoch(const RmaExposureEpoch& e) {
  const auto origin = [&](const RmaExposureOrigin& o) {
    return RmaExposureOrigin{o.origin, *keep(o.start), *keep(o.complete), keep_access(o.access)};
  };
  const RmaExposureEpoch copy{e.win, *keep(e.post), *keep(e.wait), keep_each(e.origins, origin)};
  write([=](link::Listener& to) { to.rma_exposure_epoch(copy); });
}

void DeliveryLog::rma_lock_epoch(const RmaLockEpoch& e) {
  const RmaLockEpoch copy{e.win,           e.target,          e.lock,         e.type,
                          *keep(e.locked), *keep(e.unlocked), e.release_time, keep_accesses(e.accesses)};
  write([=](link::Listener& to) { to.rma_lock_epoch(copy); });
}

void DeliveryLog::rma_passive_call(const RmaPassiveCall& p) {
  const auto gap = [&](const RmaProgressGap& g) { return RmaProgressGap{g.begin, g.end, *keep(g.next)}; };
  const RmaPassiveCall copy{*keep(p.call),         p.win, p.paradigm, keep(p.released), p.release_time, p.lock_known,
                            keep_each(p.gaps, gap)};
  write([=](link::Listener& to) { to.rma_passive_call(copy); });
}

void DeliveryLog::rma_wait_change(const RmaWaitChange& change) {
  const RmaWaitChange copy{*keep(change.call), change.win, keep(change.changed)};
  write([=](link::Listener& to) { to.rma_wait_change(copy); });
}

void DeliveryLog::device_wait(const DeviceWait& wait) {
  const DeviceWait copy{*keep(wait.call), keep_all(wait.parts)};
  write([=](link::Listener& to) { to.device_wait(copy); });
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
