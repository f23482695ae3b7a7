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
      groups_(groups) {}

// --- queues ----------------------------------------------------------------------------------------------------------

// Takes the half that has waited longest in the pair's queue, if it is of the other kind; else `half` waits there, as
// number `waits`. `at`: where its process stands.
bool RmaEpochs::match(RmaWinId win, LocationId origin, LocationId target, bool is_access, UnmatchedHalf& half,
                      std::uint32_t& waits, Time at) {
  const ProcessId from = definitions_[origin].process, to = definitions_[target].process;
  Queue& queue = queues_.find_or_insert({win.value, std::uint64_t{from.value} << 32 | to.value},
                                        [](const Queue& q) { return q.head != none; });
  if (queue.head != none && queue.of_accesses != is_access) {
    half = pop(queue);
    return true;
  }
  waits = halves_.acquire();
  halves_[waits] = half;
  queue.of_accesses = is_access;
  (queue.head == none ? queue.head : halves_[queue.tail].next) = waits;
  queue.tail = waits;
  ++queue.length;
  if (queue.marked == 0) {
    if (queue.length < ReadProgress::most_waiting) return false;
    queue.marked = queue.length;
    queue.mark = at;
  } else if (reading_.progress(is_access ? to : from) > queue.mark) {
    release_oldest(queue);
  }
  return false;
}

RmaEpochs::UnmatchedHalf RmaEpochs::pop(Queue& queue) {
  const std::uint32_t id = queue.head;
  const UnmatchedHalf half = halves_[id];
  halves_.release(id);
  queue.head = half.next;
  --queue.length;
  if (queue.marked != 0) --queue.marked;
  if (half.epoch != none)
    (queue.of_accesses ? accesses_[half.epoch].targets[half.slot].half
                       : exposures_[half.epoch].origins[half.slot].half) = none;
  return half;
}

void RmaEpochs::release_oldest(Queue& queue) {
  for (std::uint32_t left = std::exchange(queue.marked, 0); left != 0; --left) {
    const UnmatchedHalf half = pop(queue);
    drop_call(half.post);
    if (half.epoch == none) continue;
    if (queue.of_accesses)
      lose_access(half.epoch, no_post);
    else
      lose_exposure(half.epoch, no_origin);
  }
}

// --- opening ---------------------------------------------------------------------------------------------------------

std::uint32_t RmaEpochs::start(LocationId l, RmaWinId win, GroupId group, std::uint32_t call) {
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
  const Time at = reading_.progress_at(definitions_[l].process, calls_[call].call.enter);
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    UnmatchedHalf half{id, i};
    if (!match(win, l, targets[i], true, half, a.targets[i].half, at)) continue;
    if (half.epoch != none)
      connect(id, i, half.epoch, half.slot);
    else
      know_post(id, i, half.post);
  }
  return id;
}

std::uint32_t RmaEpochs::post(LocationId l, RmaWinId win, GroupId group, std::uint32_t call) {
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
  const Time at = reading_.progress_at(definitions_[l].process, calls_[call].call.enter);
  for (std::uint32_t i = 0; i < origins.size(); ++i) {
    // An exposure that turns out to be incomplete while it is opened still tells those who access it when it was
    // posted.
    const bool lost = e.lost;
    UnmatchedHalf half{lost ? none : id, i, lost ? call : none};
    std::uint32_t waits = none;
    if (!match(win, origins[i], l, false, half, waits, at)) {
      if (lost)
        calls_.keep(call);
      else
        e.origins[i].half = waits;
    } else if (half.epoch == none) {
      lose_exposure(id, no_origin);
    } else if (lost) {
      calls_.keep(call);
      know_post(half.epoch, half.slot, call);
    } else {
      connect(half.epoch, half.slot, id, i);
    }
  }
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
  deliver_if_ready(access);
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
  deliver_if_ready(access);
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
  deliver_exposure_if_ready(exposure);
}

void RmaEpochs::wait(std::uint32_t exposure, std::uint32_t call) {
  Exposure& e = exposures_[exposure];
  if (e.lost) {
    clear(e);
    exposures_.release(exposure);
    return;
  }
  e.wait = call;
  calls_.keep(call);
  deliver_exposure_if_ready(exposure);
}

void RmaEpochs::deliver_if_ready(std::uint32_t access) {
  Access& a = accesses_[access];
  if (a.complete == none || a.open != 0) return;
  targets_view_.clear();
  operations_view_.clear();
  for (const Target& t : a.targets)
    targets_view_.push_back(
        {t.location, calls_[t.post].call, view(calls_, a.origin, t.location, a.accesses.find(t.location))});
  for (const AccessOperation& o : a.operations) operations_view_.push_back({calls_[o.call].call, o.target});
  listener_.rma_access_epoch({a.win, calls_[a.start].call, calls_[a.complete].call, targets_view_, operations_view_});
  clear(a);
  accesses_.release(access);
}

void RmaEpochs::deliver_exposure_if_ready(std::uint32_t exposure) {
  Exposure& e = exposures_[exposure];
  if (e.wait == none || e.open != 0) return;
  origins_view_.clear();
  for (const Origin& o : e.origins)
    origins_view_.push_back({o.location, calls_[o.start].call, calls_[o.complete].call,
                             view(calls_, o.location, e.target, o.accessed.last == none ? nullptr : &o.accessed)});
  listener_.rma_exposure_epoch({e.win, calls_[e.post].call, calls_[e.wait].call, origins_view_});
  clear(e);
  exposures_.release(exposure);
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

// Counts an epoch that cannot become complete. If it is still open, its number stays until its process closes it.
void RmaEpochs::lose_access(std::uint32_t access, const char* what) {
  Access& a = accesses_[access];
  if (a.lost) return;
  report(a.origin, a.start, what);
  tell_of_missing_part(a.start);
  tell_of_missing_part(a.complete);
  const bool open = a.complete == none;
  for (const Target& t : a.targets) {
    if (t.half != none) halves_[t.half].epoch = none;
    if (t.exposure != none) {  // the epoch is open, or it would have told
      exposures_[t.exposure].origins[t.slot].access = none;
      lose_exposure(t.exposure, no_origin);
    }
  }
  const GroupId group = a.group;
  clear(a);
  if (!open) return accesses_.release(access);
  a.group = group;
  a.lost = true;
}

void RmaEpochs::lose_exposure(std::uint32_t exposure, const char* what) {
  Exposure& e = exposures_[exposure];
  if (e.lost) return;
  report(e.target, e.post, what);
  tell_of_missing_part(e.wait);
  const bool open = e.wait == none;
  for (const Origin& o : e.origins) {
    if (o.half != none) {
      halves_[o.half].epoch = none;
      halves_[o.half].post = e.post;
      calls_.keep(e.post);
    }
    if (o.access != none) accesses_[o.access].targets[o.slot].exposure = none;
  }
  clear(e);
  if (!open) return exposures_.release(exposure);
  e.lost = true;
}

void RmaEpochs::give_up_access(std::uint32_t access) {
  lose_access(access, not_completed);
  accesses_[access] = Access{};
  accesses_.release(access);
}

void RmaEpochs::give_up_exposure(std::uint32_t exposure) {
  lose_exposure(exposure, not_waited_for);
  exposures_[exposure] = Exposure{};
  exposures_.release(exposure);
}

void RmaEpochs::finish() {
  exposures_.for_each([&](std::uint32_t id, const Exposure& e) {
    if (e.post != none) lose_exposure(id, e.wait == none ? not_waited_for : no_origin);
  });
  accesses_.for_each([&](std::uint32_t id, const Access& a) {
    if (a.start != none) lose_access(id, a.complete == none ? not_completed : no_post);
  });
}

}  // namespace waitstate::link
