#include "trace/transfers.hpp"

#include <algorithm>

#include "trace/attribute_record.hpp"

namespace waitstate::trace {

bool Transfers::of_mpi(RmaWinId win) const {
  const CommId comm = definitions_.rma_wins[win.index()].comm;
  return comm.valid() && definitions_[comm].paradigm == Paradigm::mpi;
}

void Transfers::after(const Event& e) {
  const auto attribute = [&](const char* name) { return e.get(name).value_or(0); };
  const auto win = static_cast<std::size_t>(e.get("win").value_or(RmaWinId::none_value));
  if (win >= definitions_.rma_wins.size() || !definitions_[e.loc].process.valid()) return;
  switch (e.type) {
    case EventType::rma_put:
      start(e, true, attribute("bytes"), attribute("match"));
      break;
    case EventType::rma_get:
      start(e, false, attribute("bytes"), attribute("match"));
      break;
    case EventType::rma_atomic:
      if (attribute("sent") != 0 || attribute("received") == 0) start(e, true, attribute("sent"), attribute("match"));
      if (attribute("received") != 0) start(e, false, attribute("received"), attribute("match"));
      break;
    case EventType::rma_op_complete_blocking:
    case EventType::rma_op_complete_nonblocking:
    case EventType::rma_op_complete_remote:
      finish_matching(e);
      break;
    case EventType::rma_collective_end:
      finish_rest(e, RmaWinId{win}, [](const Transfer& t) { return !t.locked; });
      break;
    case EventType::rma_group_sync:
      if (const RegionId region = e.callpath.valid() ? call_tree_[e.callpath].region : RegionId::none();
          region.valid() && definitions_[region].mpi_function == MpiFunction::win_complete)
        finish_rest(e, RmaWinId{win}, [](const Transfer& t) { return !t.locked; });
      break;
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock: {
      auto& locks = window(e, RmaWinId{win}).locks;
      const Lock lock{LocationId{static_cast<std::size_t>(attribute("remote"))}, attribute("lock")};
      const auto same = [&](const Lock& k) { return k.target == lock.target && k.number == lock.number; };
      if (e.type == EventType::rma_request_lock || std::none_of(locks.begin(), locks.end(), same))
        locks.push_back(lock);
      break;
    }
    case EventType::rma_release_lock: {
      auto& locks = window(e, RmaWinId{win}).locks;
      const LocationId target{static_cast<std::size_t>(attribute("remote"))};
      const auto lock = std::find_if(locks.rbegin(), locks.rend(), [&](const Lock& k) {
        return k.target == target && k.number == attribute("lock");
      });
      if (lock == locks.rend()) break;
      locks.erase(std::next(lock).base());
      finish_rest(e, RmaWinId{win},
                  [&](const Transfer& t) { return t.locked && (!target.valid() || t.target == target); });
      break;
    }
    default:
      break;
  }
}

void Transfers::start(const Event& e, bool put, std::uint64_t bytes, std::uint64_t match) {
  Transfer t;
  t.put = put;
  t.origin = e.loc;
  t.target = LocationId{static_cast<std::size_t>(e.get("remote").value_or(LocationId::none_value))};
  t.win = RmaWinId{static_cast<std::size_t>(*e.get("win"))};
  if (!t.target.valid()) return;
  t.match = match;
  t.bytes = bytes;
  t.own_enter = e.enterptr;
  WindowState& w = window(e, t.win);
  t.locked = of_mpi(t.win) && std::any_of(w.locks.begin(), w.locks.end(),
                                          [&](const Lock& k) { return !k.target.valid() || k.target == t.target; });
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
  if (basic(t.win) && e.enterptr != no_position)
    due_[{e.loc.value, e.enterptr}].push_back(id);
  else
    w.pending[match].push_back(id);
}

void Transfers::finish_matching(const Event& e) {
  const RmaWinId win{static_cast<std::size_t>(*e.get("win"))};
  WindowState& w = window(e, win);
  const auto found = w.pending.find(*e.get("match"));
  if (found == w.pending.end()) return;
  // A put of SHMEM is complete at its origin at once, but not at the target.
  const bool local = e.type != EventType::rma_op_complete_remote && !of_mpi(win) && !basic(win);
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t id : found->second)
    if (local && transfers_[id].put)
      rest.push_back(id);
    else
      finish(id, e);
  if (rest.empty())
    w.pending.erase(found);
  else
    found->second = std::move(rest);
}

template <class Which>
void Transfers::finish_rest(const Event& e, RmaWinId win, Which&& which) {
  auto& pending = window(e, win).pending;
  for (auto it = pending.begin(); it != pending.end();) {
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t id : it->second)
      if (which(transfers_[id]))
        finish(id, e);
      else
        rest.push_back(id);
    it->second = std::move(rest);
    it = it->second.empty() ? pending.erase(it) : std::next(it);
  }
}

// Complete with that event: it ends before the exit of the call around it; outside of every call, with it.
void Transfers::finish(std::uint32_t id, const Event& e) {
  if (e.enterptr == no_position)
    emit_end(id, e.time);
  else
    due_[{e.loc.value, e.enterptr}].push_back(id);
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
  if (pin_) {
    store_.unpin(transfer.start_pos);
    if (transfer.origin_pos != no_position) store_.unpin(transfer.origin_pos);
  }
  free_.push_back(id);
}

Position Transfers::emit(EventType type, const Transfer& transfer, LocationId l, Time t) {
  const bool at_origin = type == EventType::put_1ts || type == EventType::get_1to || type == EventType::get_1te;
  const LocationId other = at_origin ? transfer.target : transfer.origin;
  const std::uint64_t attributes[] = {transfer.win.value, other.value, transfer.bytes, transfer.match};
  const std::uint64_t of_origin[] = {transfer.win.value, transfer.match};
  record_.clear();
  append_attributes(record_, type, type == EventType::get_1to ? of_origin : attributes, {});
  EventStore::Input e{t, l, type, CallPathId::none()};
  e.record = record_.data();
  e.record_size = record_.size();
  if (type == EventType::get_1ts) e.originptr = transfer.origin_pos;
  if (type == EventType::put_1te || type == EventType::get_1te) e.startptr = transfer.start_pos;
  const Position pos = place_(e);
  if (pin_ && type != EventType::put_1te && type != EventType::get_1te) store_.pin(pos);
  return pos;
}

}  // namespace waitstate::trace
