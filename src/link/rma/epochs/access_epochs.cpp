#include "link/rma/epochs/access_epochs.hpp"

#include <utility>

#include "link/rma/epochs/lacking_epochs.hpp"

namespace waitstate::link {

AccessEpochs::AccessEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
                           const ReadProgress& reading, RmaGroups& groups, WayToExposures& exposures,
                           std::size_t workers)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      reading_(reading),
      groups_(groups),
      exposures_(exposures),
      to_be_read_(definitions.processes.size()),
      places_(workers) {}

// --- queues ----------------------------------------------------------------------------------------------------------

AccessEpochs::PairKey AccessEpochs::key(RmaWinId win, LocationId origin, LocationId target) const {
  const ProcessId from = definitions_[origin].process, to = definitions_[target].process;
  return {win.value, std::uint64_t{from.value} << 32 | to.value};
}

// The half waits to be taken; go_on() follows.
std::uint32_t AccessEpochs::add_half(const PairKey& key, Side side, const UnmatchedHalf& half) {
  Queue& queue = queues_.find_or_insert(key, [](const Queue& q) { return q.used(); });
  const std::uint32_t id = halves_.acquire();
  halves_[id] = half;
  append(queue.read[side], id);
  return id;
}

void AccessEpochs::read(ProcessId process) {
  if (process.index() >= to_be_read_.size() || to_be_read_[process.index()].empty()) return;
  std::vector<PairKey> keys;
  keys.swap(to_be_read_[process.index()]);
  for (const PairKey& key : keys) {
    queues_.find(key)->listed = false;
    go_on(key);
  }
}

// Takes what may be taken.
void AccessEpochs::go_on(const PairKey& key) {
  Queue& queue = *queues_.find(key);
  const auto list = [&](Side awaited) {
    if (!std::exchange(queue.listed, true)) to_be_read_[process_of(key, awaited).index()].push_back(key);
  };
  while (queue.read[access_side].head != none || queue.read[exposure_side].head != none) {
    const Side side = next_side(queue);
    if (!may_take(key, queue, side)) return list(side == access_side ? exposure_side : access_side);
    take(queue, side);
  }
  for (const Side side : {access_side, exposure_side})
    while (queue.waiting[side].length >= ReadProgress::most_waiting)
      if (!give_up_oldest(key, queue, side)) return list(side == access_side ? exposure_side : access_side);
}

// If two were made at one progress, the access goes first.
AccessEpochs::Side AccessEpochs::next_side(const Queue& queue) const {
  const std::uint32_t access = queue.read[access_side].head, exposure = queue.read[exposure_side].head;
  if (access == none || exposure == none) return access == none ? exposure_side : access_side;
  return halves_[access].at <= halves_[exposure].at ? access_side : exposure_side;
}

// Nothing of the other side can come before it any more.
bool AccessEpochs::may_take(const PairKey& key, const Queue& queue, Side side) const {
  const Side other = side == access_side ? exposure_side : access_side;
  if (queue.read[other].head != none) return true;
  const Time at = halves_[queue.read[side].head].at, read = reading_.progress(process_of(key, other));
  return side == access_side ? at <= read : at < read;
}

void AccessEpochs::take(Queue& queue, Side side) {
  const std::uint32_t id = pop(queue.read[side]);
  const Side other = side == access_side ? exposure_side : access_side;
  while (queue.waiting[other].length >= ReadProgress::most_waiting) release_oldest(queue, other);
  if (queue.waiting[other].head == none) return append(queue.waiting[side], id);
  const std::uint32_t partner = pop(queue.waiting[other]);
  queue.marked = false;
  const UnmatchedHalf half = forget_half(id, side), awaited = forget_half(partner, other);
  if (side == access_side)
    match(half, awaited);
  else
    match(awaited, half);
}

// False as long as the next half of the other side may come before the last of them.
bool AccessEpochs::give_up_oldest(const PairKey& key, Queue& queue, Side side) {
  if (!queue.marked) {
    std::uint32_t last = queue.waiting[side].head;
    for (std::uint32_t n = 1; n < ReadProgress::most_waiting; ++n) last = halves_[last].next;
    queue.mark = halves_[last].at;
    queue.marked = true;
  }
  const Time read = reading_.progress(process_of(key, side == access_side ? exposure_side : access_side));
  if (side == access_side ? queue.mark > read : queue.mark >= read) return false;
  release_oldest(queue, side);
  return true;
}

void AccessEpochs::release_oldest(Queue& queue, Side side) {
  queue.marked = false;
  for (std::uint32_t n = 0; n < ReadProgress::most_waiting; ++n) {
    const UnmatchedHalf half = forget_half(pop(queue.waiting[side]), side);
    if (side == access_side) {
      if (half.epoch != none) lack_post(half.epoch);
    } else {
      calls_.release(half.post);
      if (half.slot != none) exposures_.lost(half.worker, half.slot);
    }
  }
}

void AccessEpochs::append(HalfList& list, std::uint32_t half) {
  halves_[half].next = none;
  (list.head == none ? list.head : halves_[list.tail].next) = half;
  list.tail = half;
  ++list.length;
}

std::uint32_t AccessEpochs::pop(HalfList& list) {
  --list.length;
  return std::exchange(list.head, halves_[list.head].next);
}

// Its post stays held.
AccessEpochs::UnmatchedHalf AccessEpochs::forget_half(std::uint32_t id, Side side) {
  const UnmatchedHalf half = halves_[id];
  if (side == access_side && half.epoch != none) epochs_[half.epoch].targets[half.target].half = none;
  if (side == exposure_side && half.slot != none) place(half.worker, half.slot) = {};
  halves_[id].post = none;
  halves_.release(id);
  return half;
}

void AccessEpochs::match(const UnmatchedHalf& access, const UnmatchedHalf& exposure) {
  if (access.epoch == none) {
    calls_.release(exposure.post);
    if (exposure.slot != none) exposures_.lost(exposure.worker, exposure.slot);
    return;
  }
  if (exposure.slot != none) {
    Epoch& epoch = epochs_[access.epoch];
    Target& target = epoch.targets[access.target];
    target.worker = exposure.worker;
    target.slot = exposure.slot;
    if (epoch.complete != none)
      answer(epoch, target);
    else
      place(exposure.worker, exposure.slot) = {none, access.epoch, access.target};
  }
  know_post(access.epoch, access.target, exposure.post);
}

void AccessEpochs::lack_post(std::uint32_t access) {
  Epoch& epoch = epochs_[access];
  --epoch.open;
  epoch.lacks = true;
  end_if_over(access);
}

// Takes over a hold on the call.
void AccessEpochs::know_post(std::uint32_t access, std::uint32_t target, std::uint32_t post) {
  Epoch& epoch = epochs_[access];
  epoch.targets[target].post = post;
  --epoch.open;
  end_if_over(access);
}

// --- exposure epochs -------------------------------------------------------------------------------------------------

AccessEpochs::Place& AccessEpochs::place(WorkerId worker, std::uint32_t slot) {
  std::vector<Place>& places = places_[worker];
  if (places.size() <= slot) places.resize(slot + std::size_t{1});
  return places[slot];
}

void AccessEpochs::exposed(WorkerId from, const ExposurePart& part) {
  UnmatchedHalf half;
  half.slot = part.slot;
  half.worker = from;
  half.post = part.post;
  half.at = part.at;
  calls_.keep(part.post);
  const PairKey pair = key(part.win, part.origin, part.target);
  const std::uint32_t id = add_half(pair, exposure_side, half);
  place(from, part.slot).half = id;
  go_on(pair);
}

void AccessEpochs::exposure_given_up(WorkerId from, std::uint32_t slot) {
  const Place at = std::exchange(place(from, slot), {});
  if (at.half != none)
    halves_[at.half].slot = none;
  else if (at.epoch != none)
    epochs_[at.epoch].targets[at.target].slot = none;
  else
    return;  // the answer is on its way
  exposures_.lost(from, slot);
}

// Tells a target's exposure epoch what this access epoch, which is complete, did there.
void AccessEpochs::answer(Epoch& epoch, Target& target) {
  const std::uint32_t slot = std::exchange(target.slot, none);
  place(target.worker, slot) = {};
  exposures_.completed(target.worker, slot, epoch.start, epoch.complete, epoch.accesses.find(target.location));
}

// --- access epochs ---------------------------------------------------------------------------------------------------

std::uint32_t AccessEpochs::start(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t) {
  const std::uint32_t id = epochs_.acquire_stale();  // clear() has emptied it
  Epoch& epoch = epochs_[id];
  epoch.origin = l;
  epoch.win = win;
  epoch.group = group;
  epoch.start = call;
  calls_.keep(call);
  const std::vector<LocationId>& targets = groups_.members(group);
  epoch.targets.reserve(targets.size());
  epoch.open = static_cast<std::uint32_t>(targets.size());
  UnmatchedHalf half;
  half.epoch = id;
  half.at = reading_.progress_at(definitions_[l].process, t);
  for (const LocationId target : targets) {
    half.target = static_cast<std::uint32_t>(epoch.targets.size());
    epoch.targets.emplace_back().location = target;
    epoch.targets.back().half = add_half(key(win, l, target), access_side, half);
  }
  for (const LocationId target : targets) go_on(key(win, l, target));
  return id;
}

bool AccessEpochs::access(std::uint32_t access, const RmaStart& s) {
  Epoch& epoch = epochs_[access];
  const std::uint32_t target = groups_.index(epoch.group, s.target);
  if (target == RmaGroups::none) return false;
  if (epoch.lost) return true;
  if (epoch.operations.size() == most_operations) {
    lose(access, "an access epoch with too many operations");
    return true;
  }
  epoch.accesses.add(calls_, s);
  calls_.keep(s.call);
  epoch.operations.push_back({s.call, target});
  return true;
}

void AccessEpochs::complete(std::uint32_t access, std::uint32_t call) {
  Epoch& epoch = epochs_[access];
  if (epoch.lost) {
    clear(epoch);
    epochs_.release(access);
    return;
  }
  epoch.complete = call;
  calls_.keep(call);
  for (Target& t : epoch.targets)
    if (t.slot != none) answer(epoch, t);
  end_if_over(access);
}

void AccessEpochs::end_if_over(std::uint32_t access) {
  Epoch& epoch = epochs_[access];
  if (epoch.complete == none || epoch.open != 0) return;
  if (!epoch.lacks)
    deliver(epoch);
  else
    report(epoch, no_post);
  clear(epoch);
  epochs_.release(access);
}

void AccessEpochs::deliver(const Epoch& epoch) {
  targets_view_.clear();
  operations_view_.clear();
  for (const Target& t : epoch.targets)
    targets_view_.push_back(
        {t.location, calls_[t.post].call, view(calls_, epoch.origin, t.location, epoch.accesses.find(t.location))});
  for (const Operation& o : epoch.operations) operations_view_.push_back({calls_[o.call].call, o.target});
  listener_.rma_access_epoch(
      {epoch.win, calls_[epoch.start].call, calls_[epoch.complete].call, targets_view_, operations_view_});
}

void AccessEpochs::clear(Epoch& epoch) {
  for (const Target& t : epoch.targets) drop_call(t.post);
  for (const Operation& o : epoch.operations) drop_call(o.call);
  epoch.accesses.clear(calls_);
  drop_call(epoch.start);
  drop_call(epoch.complete);
  Epoch empty;  // in the memory of the old one
  util::empty_for_reuse(epoch.targets);
  util::empty_for_reuse(epoch.operations);
  empty.targets.swap(epoch.targets);
  empty.operations.swap(epoch.operations);
  std::swap(empty.accesses, epoch.accesses);
  epoch = std::move(empty);
}

// --- what is not in the trace ----------------------------------------------------------------------------------------

void AccessEpochs::report(const Epoch& epoch, const char* what) {
  report_epoch(diagnostics_, calls_[epoch.start].call, what);
  for (const std::uint32_t call : {epoch.start, epoch.complete})
    if (call != none) tell_of_missing_part(listener_, calls_[call].call);
}

// Counts an epoch that its process does not complete, or that has too many operations.
void AccessEpochs::lose(std::uint32_t access, const char* what) {
  Epoch& epoch = epochs_[access];
  report(epoch, what);
  for (const Target& t : epoch.targets) {
    if (t.half != none) halves_[t.half].epoch = none;
    if (t.slot != none) {
      place(t.worker, t.slot) = {};
      exposures_.lost(t.worker, t.slot);
    }
  }
  const GroupId group = epoch.group;
  clear(epoch);
  epoch.group = group;
  epoch.lost = true;
}

void AccessEpochs::give_up(std::uint32_t access) {
  if (!epochs_[access].lost) lose(access, not_completed);
  epochs_[access] = Epoch{};
  epochs_.release(access);
}

void AccessEpochs::settle() {
  for (std::size_t p = 0; p < to_be_read_.size(); ++p) read(ProcessId{p});
}

void AccessEpochs::finish() {
  epochs_.for_each([&](std::uint32_t, Epoch& epoch) {
    if (epoch.start == none) return;
    report(epoch, epoch.complete == none ? not_completed : no_post);
    clear(epoch);
  });
  halves_.for_each([&](std::uint32_t, UnmatchedHalf& half) { drop_call(std::exchange(half.post, none)); });
}

}  // namespace waitstate::link
