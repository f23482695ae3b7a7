#include "link/rma/epochs.hpp"

#include <utility>

namespace waitstate::link {

namespace {
constexpr const char* no_post = "an access epoch without all of its posts";
constexpr const char* no_origin = "an exposure epoch of which an origin's access epoch is missing";
constexpr const char* not_completed = "an access epoch that is never completed";
constexpr const char* not_waited_for = "an exposure epoch that is never waited for";
}  // namespace

RmaEpochs::RmaEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
                     const ReadProgress& reading, RmaGroups& groups)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      reading_(reading),
      groups_(groups),
      to_be_read_(definitions.processes.size()) {}

// --- queues ----------------------------------------------------------------------------------------------------------

// The half waits to be taken; go_on() follows.
std::uint32_t RmaEpochs::add_half(RmaWinId win, LocationId origin, LocationId target, Side side, UnmatchedHalf half) {
  const ProcessId from = definitions_[origin].process, to = definitions_[target].process;
  Queue& queue = queues_.find_or_insert({win.value, std::uint64_t{from.value} << 32 | to.value},
                                        [](const Queue& q) { return q.used(); });
  const std::uint32_t id = halves_.acquire();
  halves_[id] = half;
  append(queue.read[side], id);
  return id;
}

void RmaEpochs::read(ProcessId process) {
  if (process.index() >= to_be_read_.size() || to_be_read_[process.index()].empty()) return;
  std::vector<PairKey> keys;
  keys.swap(to_be_read_[process.index()]);
  for (const PairKey& key : keys) {
    queues_.find(key)->listed = false;
    go_on(key);
  }
}

// Takes what may be taken.
void RmaEpochs::go_on(const PairKey& key) {
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
RmaEpochs::Side RmaEpochs::next_side(const Queue& queue) const {
  const std::uint32_t access = queue.read[access_side].head, exposure = queue.read[exposure_side].head;
  if (access == none || exposure == none) return access == none ? exposure_side : access_side;
  return halves_[access].at <= halves_[exposure].at ? access_side : exposure_side;
}

// Nothing of the other side can come before it any more.
bool RmaEpochs::may_take(const PairKey& key, const Queue& queue, Side side) const {
  const Side other = side == access_side ? exposure_side : access_side;
  if (queue.read[other].head != none) return true;
  const Time at = halves_[queue.read[side].head].at, read = reading_.progress(process_of(key, other));
  return side == access_side ? at <= read : at < read;
}

void RmaEpochs::take(Queue& queue, Side side) {
  const std::uint32_t id = pop(queue.read[side]);
  const Side other = side == access_side ? exposure_side : access_side;
  while (queue.waiting[other].length >= ReadProgress::most_waiting) release_oldest(queue, other);
  if (queue.waiting[other].head == none) return append(queue.waiting[side], id);
  const std::uint32_t partner = pop(queue.waiting[other]);
  queue.marked = false;
  const UnmatchedHalf half = halves_[id], awaited = halves_[partner];
  forget_half(id, side);
  forget_half(partner, other);
  if (side == access_side)
    match(half, awaited);
  else
    match(awaited, half);
}

// False as long as the next half of the other side may come before the last of them.
bool RmaEpochs::give_up_oldest(const PairKey& key, Queue& queue, Side side) {
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

void RmaEpochs::release_oldest(Queue& queue, Side side) {
  queue.marked = false;
  for (std::uint32_t n = 0; n < ReadProgress::most_waiting; ++n) {
    const std::uint32_t id = pop(queue.waiting[side]);
    const UnmatchedHalf half = halves_[id];
    forget_half(id, side);
    drop_call(half.post);
    if (half.epoch == none) continue;
    if (side == access_side)
      lack_post(half.epoch);
    else
      lack_origin(half.epoch, half.slot);
  }
}

void RmaEpochs::append(HalfList& list, std::uint32_t half) {
  halves_[half].next = none;
  (list.head == none ? list.head : halves_[list.tail].next) = half;
  list.tail = half;
  ++list.length;
}

std::uint32_t RmaEpochs::pop(HalfList& list) {
  --list.length;
  return std::exchange(list.head, halves_[list.head].next);
}

void RmaEpochs::forget_half(std::uint32_t id, Side side) {
  const UnmatchedHalf& half = halves_[id];
  if (half.epoch != none)
    (side == access_side ? accesses_[half.epoch].targets[half.slot].half
                         : exposures_[half.epoch].origins[half.slot].half) = none;
  halves_.release(id);
}

void RmaEpochs::match(const UnmatchedHalf& access, const UnmatchedHalf& exposure) {
  if (access.epoch == none) {
    drop_call(exposure.post);
    if (exposure.epoch != none) lack_origin(exposure.epoch, exposure.slot);
  } else if (exposure.epoch == none) {
    know_post(access.epoch, access.slot, exposure.post);
  } else {
    connect(access.epoch, access.slot, exposure.epoch, exposure.slot);
  }
}

void RmaEpochs::lack_post(std::uint32_t access) {
  Access& a = accesses_[access];
  --a.open;
  a.lacks = true;
  end_if_over(access);
}

void RmaEpochs::lack_origin(std::uint32_t exposure, std::uint32_t origin) {
  Exposure& e = exposures_[exposure];
  e.origins[origin].access = none;
  --e.open;
  e.lacks = true;
  end_exposure_if_over(exposure);
}

// --- opening ---------------------------------------------------------------------------------------------------------

std::uint32_t RmaEpochs::start(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t) {
  const std::uint32_t id = accesses_.acquire_stale();  // clear() has emptied it
  Access& a = accesses_[id];
  a.origin = l;
  a.win = win;
  a.group = group;
  a.start = call;
  calls_.keep(call);
  const std::vector<LocationId>& targets = groups_.members(group);
  a.targets.reserve(targets.size());
  for (const LocationId target : targets) a.targets.push_back({target});
  a.open = static_cast<std::uint32_t>(targets.size());
  const ProcessId process = definitions_[l].process;
  const Time at = reading_.progress_at(process, t);
  for (std::uint32_t i = 0; i < targets.size(); ++i)
    a.targets[i].half = add_half(win, l, targets[i], access_side, {id, i, none, none, at});
  for (const LocationId target : targets)
    go_on({win.value, std::uint64_t{process.value} << 32 | definitions_[target].process.value});
  return id;
}

std::uint32_t RmaEpochs::post(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t) {
  const std::uint32_t id = exposures_.acquire_stale();
  Exposure& e = exposures_[id];
  e.target = l;
  e.win = win;
  e.post = call;
  calls_.keep(call);
  const std::vector<LocationId>& origins = groups_.members(group);
  e.origins.resize(origins.size());
  for (std::uint32_t i = 0; i < origins.size(); ++i) e.origins[i].location = origins[i];
  e.open = static_cast<std::uint32_t>(origins.size());
  const ProcessId process = definitions_[l].process;
  const Time at = reading_.progress_at(process, t);
  for (std::uint32_t i = 0; i < origins.size(); ++i)
    e.origins[i].half = add_half(win, origins[i], l, exposure_side, {id, i, none, none, at});
  for (const LocationId origin : origins)
    go_on({win.value, std::uint64_t{definitions_[origin].process.value} << 32 | process.value});
  return id;
}

void RmaEpochs::connect(std::uint32_t access, std::uint32_t target, std::uint32_t exposure, std::uint32_t origin) {
  Access& a = accesses_[access];
  Target& t = a.targets[target];
  t.exposure = exposure;
  t.slot = origin;
  Origin& o = exposures_[exposure].origins[origin];
  o.access = access;
  o.slot = target;
  const std::uint32_t post = exposures_[exposure].post;
  calls_.keep(post);
  if (a.complete != none) pass_on(a, t);
  know_post(access, target, post);
}

// Takes over a hold on the call.
void RmaEpochs::know_post(std::uint32_t access, std::uint32_t target, std::uint32_t post) {
  Access& a = accesses_[access];
  a.targets[target].post = post;
  --a.open;
  end_if_over(access);
}

bool RmaEpochs::access(std::uint32_t access, const RmaStart& s) {
  Access& a = accesses_[access];
  const std::uint32_t target = groups_.index(a.group, s.target);
  if (target == RmaGroups::none) return false;
  if (a.lost) return true;
  if (a.operations.size() == most_operations) {
    lose_access(access, "an access epoch with too many operations");
    return true;
  }
  a.accesses.add(calls_, s);
  calls_.keep(s.call);
  a.operations.push_back({s.call, target});
  return true;
}

// --- closing ---------------------------------------------------------------------------------------------------------

void RmaEpochs::complete(std::uint32_t access, std::uint32_t call) {
  Access& a = accesses_[access];
  if (a.lost) {
    clear(a);
    accesses_.release(access);
    return;
  }
  a.complete = call;
  calls_.keep(call);
  for (Target& t : a.targets)
    if (t.exposure != none) pass_on(a, t);
  end_if_over(access);
}

// Tells a target's exposure epoch what this access epoch, which is complete, did there.
void RmaEpochs::pass_on(Access& a, Target& t) {
  const std::uint32_t exposure = std::exchange(t.exposure, none);
  Exposure& e = exposures_[exposure];
  Origin& o = e.origins[t.slot];
  o.access = none;
  o.start = a.start;
  o.complete = a.complete;
  calls_.keep(o.start);
  calls_.keep(o.complete);
  if (const RmaAccesses::Entry* entry = a.accesses.find(t.location)) {
    o.accessed = *entry;
    calls_.keep(o.accessed.last);
  }
  --e.open;
  end_exposure_if_over(exposure);
}

void RmaEpochs::wait(std::uint32_t exposure, std::uint32_t call) {
  exposures_[exposure].wait = call;
  calls_.keep(call);
  end_exposure_if_over(exposure);
}

void RmaEpochs::end_if_over(std::uint32_t access) {
  Access& a = accesses_[access];
  if (a.complete == none || a.open != 0) return;
  if (!a.lacks) {
    deliver(a);
  } else {
    report(a.origin, a.start, no_post);
    tell_of_missing_part(a.start);
    tell_of_missing_part(a.complete);
  }
  clear(a);
  accesses_.release(access);
}

void RmaEpochs::deliver(const Access& a) {
  targets_view_.clear();
  operations_view_.clear();
  for (const Target& t : a.targets)
    targets_view_.push_back(
        {t.location, calls_[t.post].call, view(calls_, a.origin, t.location, a.accesses.find(t.location))});
  for (const AccessOperation& o : a.operations) operations_view_.push_back({calls_[o.call].call, o.target});
  listener_.rma_access_epoch({a.win, calls_[a.start].call, calls_[a.complete].call, targets_view_, operations_view_});
}

void RmaEpochs::end_exposure_if_over(std::uint32_t exposure) {
  Exposure& e = exposures_[exposure];
  if (e.wait == none || e.open != 0) return;
  if (!e.lacks) {
    deliver(e);
  } else {
    report(e.target, e.post, no_origin);
    tell_of_missing_part(e.wait);
  }
  clear(e);
  exposures_.release(exposure);
}

void RmaEpochs::deliver(const Exposure& e) {
  origins_view_.clear();
  for (const Origin& o : e.origins)
    origins_view_.push_back({o.location, calls_[o.start].call, calls_[o.complete].call,
                             view(calls_, o.location, e.target, o.accessed.last == none ? nullptr : &o.accessed)});
  listener_.rma_exposure_epoch({e.win, calls_[e.post].call, calls_[e.wait].call, origins_view_});
}

void RmaEpochs::clear(Access& a) {
  for (const Target& t : a.targets) drop_call(t.post);
  for (const AccessOperation& o : a.operations) drop_call(o.call);
  a.accesses.clear(calls_);
  drop_call(a.start);
  drop_call(a.complete);
  Access empty;  // in the memory of the old one
  util::empty_for_reuse(a.targets);
  util::empty_for_reuse(a.operations);
  empty.targets.swap(a.targets);
  empty.operations.swap(a.operations);
  std::swap(empty.accesses, a.accesses);
  a = std::move(empty);
}

void RmaEpochs::clear(Exposure& e) {
  for (const Origin& o : e.origins) {
    drop_call(o.start);
    drop_call(o.complete);
    drop_call(o.accessed.last);
  }
  drop_call(e.post);
  drop_call(e.wait);
  Exposure empty;
  util::empty_for_reuse(e.origins);
  empty.origins.swap(e.origins);
  e = std::move(empty);
}

// --- what is not in the trace ----------------------------------------------------------------------------------------

void RmaEpochs::report(LocationId l, std::uint32_t call, const char* what) {
  diagnostics_.add(DiagnosticId::rma_incomplete, {l, calls_[call].call.enter, what});
}

void RmaEpochs::tell_of_missing_part(std::uint32_t call) {
  if (call != none) tell_of_lack(&listener_, replay::WorkMark::Kind::without_part, calls_[call].call);
}

// Counts an epoch that its process does not complete, or that has too many operations.
void RmaEpochs::lose_access(std::uint32_t access, const char* what) {
  Access& a = accesses_[access];
  report(a.origin, a.start, what);
  tell_of_missing_part(a.start);
  for (const Target& t : a.targets) {
    if (t.half != none) halves_[t.half].epoch = none;
    if (t.exposure != none) lack_origin(t.exposure, t.slot);
  }
  const GroupId group = a.group;
  clear(a);
  a.group = group;
  a.lost = true;
}

void RmaEpochs::give_up_access(std::uint32_t access) {
  if (!accesses_[access].lost) lose_access(access, not_completed);
  accesses_[access] = Access{};
  accesses_.release(access);
}

void RmaEpochs::give_up_exposure(std::uint32_t exposure) {
  Exposure& e = exposures_[exposure];
  report(e.target, e.post, not_waited_for);
  for (const Origin& o : e.origins) {
    if (o.half != none) {
      halves_[o.half].epoch = none;
      halves_[o.half].post = e.post;
      calls_.keep(e.post);
    }
    if (o.access != none) accesses_[o.access].targets[o.slot].exposure = none;
  }
  clear(e);
  exposures_.release(exposure);
}

void RmaEpochs::finish() {
  for (std::size_t p = 0; p < to_be_read_.size(); ++p) read(ProcessId{p});
  exposures_.for_each([&](std::uint32_t, Exposure& e) {
    if (e.post == none) return;
    report(e.target, e.post, e.wait == none ? not_waited_for : no_origin);
    tell_of_missing_part(e.wait);
    clear(e);
  });
  accesses_.for_each([&](std::uint32_t, Access& a) {
    if (a.start == none) return;
    report(a.origin, a.start, a.complete == none ? not_completed : no_post);
    tell_of_missing_part(a.start);
    tell_of_missing_part(a.complete);
    clear(a);
  });
}

}  // namespace waitstate::link
