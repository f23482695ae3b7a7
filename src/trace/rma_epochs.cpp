#include "trace/rma_epochs.hpp"

#include <algorithm>

namespace waitstate::trace {

RmaEpochs::RmaEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, LinkListener& listener)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      groups_(definitions.groups.size()),
      group_known_(definitions.groups.size()) {}

// --- opening ---------------------------------------------------------------------------------------------------------

const std::vector<LocationId>& RmaEpochs::members(GroupId group) {
  static const std::vector<LocationId> nobody;
  if (group.index() >= groups_.size()) return nobody;
  if (!group_known_[group.index()]) {
    group_known_[group.index()] = true;
    groups_[group.index()] = definitions_.members(group);
    std::erase_if(groups_[group.index()], [&](LocationId l) { return !l.valid() || !definitions_[l].process.valid(); });
  }
  return groups_[group.index()];
}

// Takes the half that has waited longest in the pair's queue, if it is of the other kind; else `half` waits there.
bool RmaEpochs::meet(RmaWinId win, LocationId origin, LocationId target, bool is_access, Half& half) {
  const std::uint64_t from = definitions_[origin].process.value, to = definitions_[target].process.value;
  Queue& queue = queues_.find_or_insert({win.value, from << 32 | to}, [](const Queue& q) { return q.head != none; });
  if (queue.head != none && queue.of_accesses != is_access) {
    const std::uint32_t met = queue.head;
    half = halves_[met];
    queue.head = half.next;
    halves_.release(met);
    return true;
  }
  const std::uint32_t id = halves_.acquire();
  halves_[id] = half;
  queue.of_accesses = is_access;
  (queue.head == none ? queue.head : halves_[queue.tail].next) = id;
  queue.tail = id;
  return false;
}

std::uint32_t RmaEpochs::start(LocationId l, RmaWinId win, GroupId group, std::uint32_t call) {
  const std::uint32_t id = accesses_.acquire();
  Access& a = accesses_[id];
  a.origin = l;
  a.win = win;
  a.start = call;
  calls_.hold(call);
  for (const LocationId target : members(group)) a.targets.push_back({target});
  a.open = static_cast<std::uint32_t>(a.targets.size());
  for (std::uint32_t i = 0; i < a.targets.size(); ++i) {
    Half half{id, i};
    if (meet(win, l, a.targets[i].location, true, half)) connect(id, i, half.epoch, half.slot);
  }
  return id;
}

std::uint32_t RmaEpochs::post(LocationId l, RmaWinId win, GroupId group, std::uint32_t call) {
  const std::uint32_t id = exposures_.acquire();
  Exposure& e = exposures_[id];
  e.target = l;
  e.win = win;
  e.post = call;
  calls_.hold(call);
  e.origins.resize(members(group).size());
  e.open = static_cast<std::uint32_t>(e.origins.size());
  for (std::uint32_t i = 0; i < e.origins.size(); ++i) {
    e.origins[i].location = members(group)[i];
    Half half{id, i};
    if (meet(win, e.origins[i].location, l, false, half)) connect(half.epoch, half.slot, id, i);
  }
  return id;
}

void RmaEpochs::connect(std::uint32_t access, std::uint32_t target, std::uint32_t exposure, std::uint32_t origin) {
  Access& a = accesses_[access];
  Target& t = a.targets[target];
  t.exposure = exposure;
  t.slot = origin;
  t.post = exposures_[exposure].post;
  calls_.hold(t.post);
  --a.open;
  if (a.complete == none) return;
  pass_on(a, t);
  deliver_if_ready(access);
}

bool RmaEpochs::access(std::uint32_t access, const RmaStart& s) {
  Access& a = accesses_[access];
  const auto target =
      std::find_if(a.targets.begin(), a.targets.end(), [&](const Target& t) { return t.location == s.target; });
  if (target == a.targets.end()) return false;
  a.accesses.add(calls_, s);
  calls_.hold(s.call);
  a.operations.push_back({s.call, static_cast<std::uint32_t>(target - a.targets.begin())});
  return true;
}

// --- closing ---------------------------------------------------------------------------------------------------------

void RmaEpochs::complete(std::uint32_t access, std::uint32_t call) {
  Access& a = accesses_[access];
  a.complete = call;
  calls_.hold(call);
  for (const Target& t : a.targets)
    if (t.exposure != none) pass_on(a, t);
  deliver_if_ready(access);
}

// Tells a target's exposure epoch what this access epoch, which is complete, did there.
void RmaEpochs::pass_on(Access& a, const Target& t) {
  Exposure& e = exposures_[t.exposure];
  Origin& o = e.origins[t.slot];
  o.start = a.start;
  o.complete = a.complete;
  calls_.hold(o.start);
  calls_.hold(o.complete);
  if (const RmaAccesses::Entry* entry = a.accesses.find(t.location)) o.access = RmaAccesses(calls_, *entry);
  --e.open;
  deliver_exposure_if_ready(t.exposure);
}

void RmaEpochs::wait(std::uint32_t exposure, std::uint32_t call) {
  exposures_[exposure].wait = call;
  calls_.hold(call);
  deliver_exposure_if_ready(exposure);
}

void RmaEpochs::deliver_if_ready(std::uint32_t access) {
  const Access& a = accesses_[access];
  if (a.complete == none || a.open != 0) return;
  targets_view_.clear();
  operations_view_.clear();
  for (const Target& t : a.targets)
    targets_view_.push_back(
        {t.location, calls_[t.post].call, view(calls_, a.origin, t.location, a.accesses.find(t.location))});
  for (const Operation& o : a.operations) operations_view_.push_back({calls_[o.call].call, o.target});
  listener_.rma_access_epoch({a.win, calls_[a.start].call, calls_[a.complete].call, targets_view_, operations_view_});
  drop_access(access);
}

void RmaEpochs::deliver_exposure_if_ready(std::uint32_t exposure) {
  const Exposure& e = exposures_[exposure];
  if (e.wait == none || e.open != 0) return;
  origins_view_.clear();
  for (const Origin& o : e.origins) {
    const auto& entries = o.access.entries();
    origins_view_.push_back({o.location, calls_[o.start].call, calls_[o.complete].call,
                             view(calls_, o.location, e.target, entries.empty() ? nullptr : &entries.front())});
  }
  listener_.rma_exposure_epoch({e.win, calls_[e.post].call, calls_[e.wait].call, origins_view_});
  drop_exposure(exposure);
}

void RmaEpochs::drop_access(std::uint32_t access) {
  Access& a = accesses_[access];
  for (const Target& t : a.targets) drop_call(t.post);
  for (const Operation& o : a.operations) drop_call(o.call);
  a.accesses.clear(calls_);
  drop_call(a.start);
  drop_call(a.complete);
  a = Access{};
  accesses_.release(access);
}

void RmaEpochs::drop_exposure(std::uint32_t exposure) {
  Exposure& e = exposures_[exposure];
  for (Origin& o : e.origins) {
    drop_call(o.start);
    drop_call(o.complete);
    o.access.clear(calls_);
  }
  drop_call(e.post);
  drop_call(e.wait);
  e = Exposure{};
  exposures_.release(exposure);
}

// --- what is not in the trace ----------------------------------------------------------------------------------------

void RmaEpochs::finish() {
  const auto report = [&](LocationId l, std::uint32_t call, const char* what) {
    diagnostics_.add(DiagnosticId::rma_incomplete, {l, calls_[call].call.enter, what});
  };
  accesses_.for_each([&](std::uint32_t id, Access& a) {
    if (a.start == none) return;
    report(a.origin, a.start,
           a.complete == none ? "an access epoch that is never completed" : "an access epoch without all of its posts");
    drop_access(id);
  });
  exposures_.for_each([&](std::uint32_t id, Exposure& e) {
    if (e.post == none) return;
    report(e.target, e.post,
           e.wait == none ? "an exposure epoch that is never waited for"
                          : "an exposure epoch of which an origin's access epoch is missing");
    drop_exposure(id);
  });
}

}  // namespace waitstate::trace
