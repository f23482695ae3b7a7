#include "merge/transfers.hpp"

#include <algorithm>

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::merge {

namespace {

std::uint64_t attribute(const Event& e, const char* name) { return e.get(name).value_or(0); }
LocationId remote(const Event& e) {
  return LocationId{static_cast<std::size_t>(e.get("remote").value_or(LocationId::none_value))};
}
constexpr auto every_transfer = [](const auto&) { return true; };

}  // namespace

MpiFunction Transfers::function(const Event& e) const {
  const RegionId region = e.callpath.valid() ? call_tree_[e.callpath].region : RegionId::none();
  return region.valid() ? definitions_[region].mpi_function : MpiFunction::none;
}

// True if the event lies in a call of a library, not in a function of the program itself.
bool Transfers::in_call(const Event& e) const {
  if (e.enterptr == no_position || !e.callpath.valid()) return false;
  const RegionId region = call_tree_[e.callpath].region;
  return region.valid() && definitions_[region].region_class > RegionClass::overhead;
}

void Transfers::after(const Event& e) {
  const auto number = static_cast<std::size_t>(e.get("win").value_or(RmaWinId::none_value));
  if (number >= definitions_.rma_wins.size() || !process(e.loc).valid()) return;
  const RmaWinId win{number};
  WindowState& w = window(process(e.loc), win);
  switch (e.type) {
    case EventType::rma_put:
      return start(e, true, attribute(e, "bytes"), attribute(e, "match"));
    case EventType::rma_get:
      return start(e, false, attribute(e, "bytes"), attribute(e, "match"));
    case EventType::rma_atomic:
      if (attribute(e, "sent") != 0 || attribute(e, "received") == 0)
        start(e, true, attribute(e, "sent"), attribute(e, "match"));
      if (attribute(e, "received") != 0) start(e, false, attribute(e, "received"), attribute(e, "match"));
      return;
    case EventType::rma_op_complete_blocking:
    case EventType::rma_op_complete_nonblocking:
    case EventType::rma_op_complete_remote:
      return finish_matching(e, w, win);
    case EventType::rma_collective_end:
      return collective(e, win);
    case EventType::rma_group_sync:
      return group_sync(e, win);
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
      return ask_for_lock(e, w);
    case EventType::rma_try_lock:
      return try_lock(e, w);
    case EventType::rma_release_lock:
      return release_lock(e, w);
    case EventType::rma_sync:
      if (attribute(e, "sync") == static_cast<std::uint64_t>(RmaSyncType::memory) && !definitions_.is_of_mpi(win))
        finish_rest(e, w, false, [&](const Transfer& t) { return !remote(e).valid() || t.target == remote(e); });
      return;
    default:
      return;
  }
}

// --- starts ----------------------------------------------------------------------------------------------------------

void Transfers::start(const Event& e, bool put, std::uint64_t bytes, std::uint64_t match) {
  Transfer t;
  t.put = put;
  t.origin = e.loc;
  t.target = remote(e);
  t.win = RmaWinId{static_cast<std::size_t>(*e.get("win"))};
  if (!t.target.valid()) return;
  t.match = match;
  t.bytes = bytes;
  WindowState& w = window(process(e.loc), t.win);
  const bool locked = definitions_.is_of_mpi(t.win) && std::any_of(w.locks.begin(), w.locks.end(), [&](const Lock& k) {
                        return !k.target.valid() || k.target == t.target;
                      });
  if (!locked && !w.group_syncs.empty())
    if (const link::GroupSync::Epoch* const opened = w.group_syncs.operate(groups_, t.target))
      open_access(e, w, t.win, opened->group);
  std::uint32_t id = static_cast<std::uint32_t>(transfers_.size());
  if (free_.empty()) {
    transfers_.push_back(t);
  } else {
    id = free_.back();
    free_.pop_back();
    transfers_[id] = t;
  }
  Transfer& kept = transfers_[id];
  if (!put) kept.origin_pos = emit(EventType::get_1to, kept, kept.origin, e.time);
  kept.start_pos =
      put ? emit(EventType::put_1ts, kept, kept.origin, e.time) : emit(EventType::get_1ts, kept, kept.target, e.time);
  if (basic(t.win) && in_call(e)) return end_with(id, e);
  if (w.pending.size() >= most_waiting)
    for (const bool under_lock : {false, true})
      pending_.take_all(w.pending, under_lock, every_transfer, [&](std::uint32_t old, bool) { forget(old); });
  pending_.add(w.pending, match, locked, id);
  kept.pending = true;
  if (put && !locked && definitions_.is_of_mpi(t.win)) expect(w, kept, id);
}

// A put in active target communication: its target ends it, if the target has not left the call yet.
void Transfers::expect(WindowState& origin, const Transfer& t, std::uint32_t id) {
  if (!process(t.target).valid()) return;
  WindowState& target = window(process(t.target), t.win);
  if (target.incoming.size() == target.purge_at) {
    std::erase_if(target.incoming, [&](const Incoming& i) { return !is_incoming(i); });
    target.purge_at = 2 * target.incoming.size() + 1024;
  }
  Incoming i{id, t.start_pos, ProcessId::none(), origin.collectives + 1};
  if (origin.access.valid() && groups_.index(origin.access, t.target) != link::RmaGroups::none) {
    i.origin = process(t.origin);
    i.number = accesses_[{t.win.value, i.origin.value, process(t.target).value}];
  }
  const std::uint64_t closed =
      i.origin.valid() ? exposures_[{t.win.value, i.origin.value, process(t.target).value}] : target.collectives;
  if (closed > i.number) return;
  if (closed == i.number) {  // recorded, but perhaps not left
    const auto open = due_.find(i.origin.valid() ? target.last_exposure : target.last_collective);
    if (open == due_.end()) return;
    open->second.push_back(id);
    transfers_[id].due = true;
    return;
  }
  target.incoming.push_back(i);
  transfers_[id].incoming = true;
}

// --- what completes --------------------------------------------------------------------------------------------------

void Transfers::collective(const Event& e, RmaWinId win) {
  WindowState& w = window(process(e.loc), win);
  ++w.collectives;
  close_with(e, w.last_collective);
  finish_rest(e, w, false, every_transfer);
  end_epoch(e, w);
  finish_incoming(e, w, [&](const Incoming& i) { return !i.origin.valid() && i.number <= w.collectives; });
}

void Transfers::group_sync(const Event& e, RmaWinId win) {
  WindowState& w = window(process(e.loc), win);
  const GroupId group{static_cast<std::size_t>(e.get("group").value_or(GroupId::none_value))};
  switch (function(e)) {
    case MpiFunction::win_start:
      return open_access(e, w, win, group);
    case MpiFunction::win_post:
      return;
    case MpiFunction::win_complete:
      w.access = GroupId::none();
      finish_rest(e, w, false, every_transfer);
      return end_epoch(e, w);
    case MpiFunction::win_wait:
    case MpiFunction::win_test:
      return close_exposure(e, w, win, group);
    default:
      break;
  }
  if (!link::completes_accesses(attribute(e, "level"))) {
    w.group_syncs.open(group, 0);
    return;
  }
  const auto epoch = w.group_syncs.close(group);
  if (epoch && !epoch->access) return close_exposure(e, w, win, group);
  if (epoch) w.access = GroupId::none();
  finish_rest(e, w, false, [&](const Transfer& t) { return groups_.index(group, t.target) != link::RmaGroups::none; });
  end_epoch(e, w);
}

void Transfers::open_access(const Event& e, WindowState& w, RmaWinId win, GroupId group) {
  w.access = group;
  for (const LocationId target : groups_.members(group))
    ++accesses_[{win.value, process(e.loc).value, process(target).value}];
}

void Transfers::close_exposure(const Event& e, WindowState& w, RmaWinId win, GroupId group) {
  close_with(e, w.last_exposure);
  for (const LocationId origin : groups_.members(group)) {
    const std::uint64_t closed = ++exposures_[{win.value, process(origin).value, process(e.loc).value}];
    finish_incoming(e, w, [&](const Incoming& i) { return i.origin == process(origin) && i.number <= closed; });
  }
}

// Puts that start before the call is left still end with it.
void Transfers::close_with(const Event& e, ExitKey& call) {
  call = {e.loc.value, e.enterptr};
  if (in_call(e)) due_[call];
}

void Transfers::ask_for_lock(const Event& e, WindowState& w) {
  const Lock lock{remote(e), attribute(e, "lock"), e.type == EventType::rma_acquire_lock, e.enterptr};
  const auto asked = std::find_if(w.locks.begin(), w.locks.end(), [&](const Lock& k) {
    return k.target == lock.target && k.number == lock.number && !k.acquired;
  });
  if (lock.acquired && asked != w.locks.end())
    asked->acquired = true;
  else if (w.locks.size() < most_waiting)
    w.locks.push_back(lock);
}

void Transfers::try_lock(const Event& e, WindowState& w) {
  const auto asked = std::find_if(w.locks.begin(), w.locks.end(), [&](const Lock& k) {
    return k.target == remote(e) && k.number == attribute(e, "lock") && !k.acquired && k.enter == e.enterptr;
  });
  if (asked != w.locks.end()) w.locks.erase(asked);
}

void Transfers::release_lock(const Event& e, WindowState& w) {
  const LocationId target = remote(e);
  const auto lock = std::find_if(w.locks.rbegin(), w.locks.rend(),
                                 [&](const Lock& k) { return k.target == target && k.number == attribute(e, "lock"); });
  if (lock == w.locks.rend()) return;
  w.locks.erase(std::next(lock).base());
  finish_rest(e, w, true, [&](const Transfer& t) { return !target.valid() || t.target == target; });
}

void Transfers::finish_matching(const Event& e, WindowState& w, RmaWinId win) {
  // A put of SHMEM is complete at its origin at once, but not at the target.
  const bool local = e.type != EventType::rma_op_complete_remote && !definitions_.is_of_mpi(win) && !basic(win);
  pending_.take_matching(
      w.pending, attribute(e, "match"), [&](std::uint32_t id) { return !local || !transfers_[id].put; },
      [&](std::uint32_t id, bool) { finish(id, e); });
}

template <class Which>
void Transfers::finish_rest(const Event& e, WindowState& w, bool locked, Which&& which) {
  pending_.take_all(
      w.pending, locked, [&](std::uint32_t id) { return which(transfers_[id]); },
      [&](std::uint32_t id, bool) { finish(id, e); });
}

template <class Which>
void Transfers::finish_incoming(const Event& e, WindowState& w, Which&& which) {
  std::erase_if(w.incoming, [&](const Incoming& i) {
    if (!is_incoming(i)) return true;
    if (!which(i)) return false;
    transfers_[i.transfer].incoming = false;
    end_with(i.transfer, e);
    return true;
  });
}

// The origin has completed the operation.
void Transfers::finish(std::uint32_t id, const Event& e) {
  Transfer& t = transfers_[id];
  t.pending = false;
  if (t.ended)
    release(id);
  else if (t.incoming)
    window(process(t.origin), t.win).awaited.push_back({id, t.start_pos, window(process(t.origin), t.win).epochs});
  else if (!t.due)
    end_with(id, e);
}

// Transfers that the origin completed with an earlier epoch, and that the target has not completed, end here.
void Transfers::end_epoch(const Event& e, WindowState& w) {
  std::erase_if(w.awaited, [&](const Awaited& a) {
    Transfer& t = transfers_[a.transfer];
    if (!t.incoming || t.start_pos != a.start) return true;
    if (a.epoch == w.epochs) return false;
    t.incoming = false;
    end_with(a.transfer, e);
    return true;
  });
  ++w.epochs;
}

// No event will complete the operation at its origin.
void Transfers::forget(std::uint32_t id) {
  Transfer& t = transfers_[id];
  t.pending = false;
  if (t.ended || (!t.incoming && !t.due)) release(id);
}

// --- ends ------------------------------------------------------------------------------------------------------------

// The transfer ends before the exit of the call around that event; outside of every call, at the event itself.
void Transfers::end_with(std::uint32_t id, const Event& e) {
  transfers_[id].due = true;
  if (in_call(e))
    due_[{e.loc.value, e.enterptr}].push_back(id);
  else
    emit_end(id, e.time);
}

void Transfers::before_exit(LocationId l, Position enter, Time t) {
  if (due_.empty()) return;
  const auto found = due_.find({l.value, enter});
  if (found == due_.end()) return;
  for (const std::uint32_t id : found->second) emit_end(id, t);
  due_.erase(found);
}

void Transfers::emit_end(std::uint32_t id, Time t) {
  const Transfer transfer = transfers_[id];
  if (transfer.put)
    emit(EventType::put_1te, transfer, transfer.target, t);
  else
    emit(EventType::get_1te, transfer, transfer.origin, t);
  transfers_[id].ended = true;
  if (!transfer.pending) release(id);
}

void Transfers::release(std::uint32_t id) {
  const Transfer& t = transfers_[id];
  if (pin_) {
    store_.unpin(t.start_pos);
    if (t.origin_pos != no_position) store_.unpin(t.origin_pos);
  }
  free_.push_back(id);
}

Position Transfers::emit(EventType type, const Transfer& transfer, LocationId l, Time t) {
  const bool at_origin = type == EventType::put_1ts || type == EventType::get_1to || type == EventType::get_1te;
  const LocationId other = at_origin ? transfer.target : transfer.origin;
  const std::uint64_t attributes[] = {transfer.win.value, other.value, transfer.bytes, transfer.match};
  const std::uint64_t of_origin[] = {transfer.win.value, transfer.match};
  record_.clear();
  replay::append_attributes(record_, type, type == EventType::get_1to ? of_origin : attributes, {});
  EventStore::Input e{t, l, type, CallPathId::none()};
  e.record = record_.data();
  e.record_size = record_.size();
  if (type == EventType::get_1ts) e.originptr = transfer.origin_pos;
  if (type == EventType::put_1te || type == EventType::get_1te) e.startptr = transfer.start_pos;
  const Position pos = place_(e);
  if (pin_ && type != EventType::put_1te && type != EventType::get_1te) store_.pin(pos);
  return pos;
}

}  // namespace waitstate::merge
