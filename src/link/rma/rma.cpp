#include "link/rma/rma.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::link {

namespace {
constexpr auto any_target = [](LocationId) { return true; };
constexpr std::size_t most_kept = 1024;  // ids of operations for which a window's memory is kept between its fences

bool frees(CollectiveOp op) {
  return op == CollectiveOp::destroy_handle || op == CollectiveOp::deallocate ||
         op == CollectiveOp::destroy_handle_and_deallocate;
}
}  // namespace

Rma::Rma(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener, Port* port)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      wanted_(listener.wanted()),
      worker_(port == nullptr ? 0 : port->worker()),
      processes_(definitions),
      reading_(definitions, processes_),
      groups_(definitions),
      order_(processes_),
      collectives_(definitions, calls, ways_to_collectives(port)),
      passive_(definitions, calls, listener, passive_place(port), port, wanted_.passive() ? senders(port) : Senders{},
               listener.wanted().any(interest_rma_wait_change)),
      operations_(definitions, diagnostics, calls, listener, passive_) {
  if (wanted_.epochs())
    epochs_.emplace(definitions, diagnostics, calls, listener, reading_, groups_, port, senders(port));
  const OneSidedParts parts{passive_here_ ? &*passive_here_ : nullptr, &passive_, epochs_ ? &*epochs_ : nullptr,
                            collectives_here_ ? &*collectives_here_ : nullptr};
  for (WorkerId w = 0; port != nullptr && w < port->workers(); ++w) of_others_.emplace_back(calls, w, parts);
}

// --- where it meets --------------------------------------------------------------------------------------------------

// For `to`, which is another worker. Access epochs need to know how far everybody has been read, wherever they are.
OneSidedSender* Rma::sender(Port& port, WorkerId to) {
  if (senders_.empty()) senders_.resize(port.workers());
  if (!senders_[to]) {
    senders_[to] = std::make_unique<OneSidedSender>(port, calls_, to, wanted_.epochs());
  }
  return senders_[to].get();
}

// By worker, null for this one; empty if there are no others.
Rma::Senders Rma::senders(Port* port) {
  if (port == nullptr) return {};
  Senders all(port->workers());
  for (WorkerId w = 0; w < port->workers(); ++w)
    if (w != worker_) all[w] = sender(*port, w);
  return all;
}

PassiveTarget* Rma::passive_place(const Port* port) {
  if (!wanted_.passive()) return nullptr;
  return &passive_here_.emplace(definitions_, calls_, listener_, port == nullptr ? 1 : port->workers());
}

std::vector<WindowsDoor::Way> Rma::ways_to_collectives(Port* port) {
  std::vector<WindowsDoor::Way> ways(port == nullptr ? 1 : port->workers());
  if (!wanted_.epochs()) return ways;
  for (std::size_t w = 0; w < definitions_.rma_wins.size(); ++w) {
    const WorkerId place = WindowsDoor::place(RmaWinId{w}, ways.size());
    if (place != worker_) {
      ways[place].away = sender(*port, place);
    } else {
      if (!collectives_here_) collectives_here_.emplace(definitions_, diagnostics_, calls_, listener_, reading_);
      ways[place].here = &*collectives_here_;
    }
  }
  return ways;
}

void Rma::posted(WorkerId from, const OneSidedEnd& r) {
  OneSidedReceiver& received = of_others_[from];
  end_chunk(r);
  received.end_calls();
  end_answers();
}

// Records of others may have had answers, which name calls.
void Rma::end_answers() {
  for (const auto& sender : senders_)
    if (sender) sender->end_answer();
}

// --- chunks, and the order of records within a process ---------------------------------------------------------------

// This is done as in the linker: the order among threads is decided by how far these have been read. With one thread,
// it is told when its records have been seen.
void Rma::process(const OneSidedChunk& c) {
  const replay::Chunk& chunk = c.chunk;
  const LocationId l = chunk.location;
  const bool in_order = processes_.threads(processes_.of(l)).size() == 1;
  if (!in_order) processes_.read(l, chunk.first_time, chunk.last_time, chunk.last);
  if (const ProcessId process = definitions_[l].process; process.valid()) {
    const OneSidedBegin begin{process, !chunk.rma_records.empty(), chunk.initialised, chunk.first_time};
    begin_chunk(begin);
    for (const auto& sender : senders_)
      if (sender) sender->begin_chunk(begin);
    process_records(c, process);
  }
  if (passive_here_)
    passive_.end_chunk(l, c.mpi_enters, chunk.mpi_exits, chunk.last_time, chunk.open_since, chunk.last);
  const OneSidedEnd end{l, chunk.first_time, chunk.last_time, chunk.last};
  for (const auto& sender : senders_)
    if (sender) sender->end_chunk(end);
  end_chunk(end);
  if (passive_here_) passive_.tell_progress();
  end_answers();
}

void Rma::begin_chunk(const OneSidedBegin& r) {
  if (r.initialised != ~Time{0}) reading_.initialised(r.process, r.initialised);
  reading_.read(r.process, r.first_time, r.has_records);
}

// All that the chunk of a process, of this worker or another one, brings has been told.
void Rma::end_chunk(const OneSidedEnd& r) {
  processes_.read(r.location, r.first_time, r.last_time, r.last);
  const ProcessId process = definitions_[r.location].process;
  if (!process.valid()) return;
  if (epochs_) epochs_->accesses.read(process);
  if (collectives_here_) collectives_here_->read();
}

void Rma::process_records(const OneSidedChunk& c, ProcessId process) {
  const LocationId l = c.chunk.location;
  const bool in_order = processes_.threads(process).size() == 1 || !Processes::communicates(definitions_[l]);
  for (const replay::RmaRecord& r : c.chunk.rma_records) {
    if (in_order) {
      record(l, r, c.calls[r.call]);
    } else {
      calls_.keep(c.calls[r.call]);
      order_.add(l, r, c.calls[r.call]);
    }
  }
  if (!in_order)
    record_in_time_order(process);
  else if (passive_here_)
    passive_.hold_back(l, ~Time{0}, ~Time{0});
}

void Rma::record_in_time_order(ProcessId process) {
  order_.take(process, [&](LocationId l, const replay::RmaRecord& r, CallRef call) {
    record(l, r, call);
    calls_.release(call);
  });
  if (!wanted_.passive()) return;
  for (const LocationId t : processes_.threads(process)) {
    if (const auto* const oldest = order_.oldest(t))
      passive_.hold_back(t, oldest->record.time, calls_[oldest->call].call.enter);
    else
      passive_.hold_back(t, ~Time{0}, ~Time{0});
  }
}

void Rma::record(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  const bool starts = r.type == EventType::rma_put || r.type == EventType::rma_get || r.type == EventType::rma_atomic;
  if (starts) return start(l, r, call);
  if (!wanted_.one_sided()) return;
  if (wanted_.passive()) assist_polls(l, r, call);
  switch (r.type) {
    case EventType::rma_collective_begin:
      if (wanted_.epochs()) collectives_.begin(l, r.time);
      break;
    case EventType::rma_collective_end:
      collective(l, r, call);
      break;
    case EventType::rma_group_sync:
      group_sync(l, r, call);
      break;
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
      ask_for_lock(l, r, call);
      break;
    case EventType::rma_try_lock:
      try_lock(l, r, call);
      break;
    case EventType::rma_release_lock:
      release_lock(l, r, call);
      break;
    case EventType::rma_sync:
      sync(l, r, call);
      break;
    case EventType::rma_wait_change:
      if (wanted_.passive()) passive_.waits_for_change(l, call, r.win, LocationId::none());
      break;
    default:
      if (wanted_.operations() || wanted_.passive())
        operations_.complete_matching(window(l, r.win).pending, l, r, call);
      break;
  }
}

// Locks, flushes and the like belong to a loop of reads; collectives and epochs of groups do not.
void Rma::assist_polls(LocationId l, const replay::RmaRecord& r, CallRef call) {
  if (r.type == EventType::rma_collective_begin || r.type == EventType::rma_collective_end ||
      r.type == EventType::rma_group_sync)
    passive_.breaks_polls(l);
  else
    passive_.assists_polls(l, call);
}

// --- operations ------------------------------------------------------------------------------------------------------

// Only operations under a lock may be complete before an epoch ends, so nobody polls with others or waits for them.
bool Rma::may_be_polled(LocationId l, RmaWinId win, const RmaStart& s, Time t, bool locked) {
  if (!locked) {
    passive_.breaks_polls(l);
    return false;
  }
  const bool reads = s.bytes_got != 0;
  if (reads && passive_.reads(l, s.call, win, s.target, s.bytes_got, t)) return false;
  if (!reads) passive_.breaks_polls(l);
  if (s.kind == RmaOperationKind::get) return false;
  passive_.write_started(l, s.call, win, s.target);
  return true;
}

void Rma::start(LocationId l, const replay::RmaRecord& r, CallRef call) {
  RmaStart s;
  s.kind = r.type == EventType::rma_put   ? RmaOperationKind::put
           : r.type == EventType::rma_get ? RmaOperationKind::get
                                          : RmaOperationKind::atomic;
  s.target = r.remote;
  s.bytes_put = r.bytes;
  s.bytes_got = r.received;
  s.call = call;
  listener_.rma_started(calls_[call].call, s.kind, s.bytes_put, s.bytes_got);
  if (!wanted_.one_sided()) return;
  if (!s.target.valid()) {
    diagnostics_.add(DiagnosticId::peer_unknown, {l, r.time, {}});
    return;
  }
  WindowState& w = window(l, r.win);
  Operations::StartedOperation operation{s, l, r.time, 0, false};
  const bool locked = operations_.of_mpi(r.win) && assign_to_lock(w, l, r.win, operation);
  if (!locked) assign_to_epoch(w, l, r.win, s, r.time);
  if (wanted_.passive() && !operations_.of_mpi(r.win) && s.kind != RmaOperationKind::get)
    passive_.written(l, call, r.win, s.target);
  if (wanted_.passive() && operations_.of_mpi(r.win)) operation.writes = may_be_polled(l, r.win, s, r.time, locked);
  if (operations_.wanted(locked)) operations_.start(w.pending, r.match, locked, operation);
}

// False if the process has no lock on the target.
bool Rma::assign_to_lock(WindowState& w, LocationId l, RmaWinId win, Operations::StartedOperation& operation) {
  const RmaStart& s = operation.start;
  const auto lock = std::find_if(w.locks.rbegin(), w.locks.rend(),
                                 [&](const Lock& k) { return !k.target.valid() || k.target == s.target; });
  if (lock == w.locks.rend()) return false;
  lock->accesses.add(calls_, s);
  operation.lock = lock->number;
  operation.exclusive = lock->type == LockType::exclusive;
  if (wanted_.passive())
    passive_.uses(l, s.call, operations_.lock_ref(win, s.target, lock->number, operation.exclusive), true);
  return true;
}

void Rma::assign_to_epoch(WindowState& w, LocationId l, RmaWinId win, const RmaStart& s, Time t) {
  if (!w.group_syncs.empty())
    if (const GroupSync::Epoch* const e = w.group_syncs.operate(groups_, s.target))
      start_access(w, l, win, e->group, e->call, t);
  if ((w.access == none || !epochs_->accesses.access(w.access, s)) && wanted_.epochs()) w.accesses.add(calls_, s);
}

// --- collectives and groups ------------------------------------------------------------------------------------------

void Rma::collective(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  complete_rest(w, l, r, call, false, any_target);
  if (wanted_.epochs()) collectives_.end(l, r, call, w.accesses);
  if ((frees(r.op) || w.pending.capacity() > most_kept) && w.locks.empty() && w.access == none && w.exposure == none &&
      w.group_syncs.empty() && w.pending.size() == 0) {
    windows_.erase({r.win.value, definitions_[l].process.value});
    latest_ = nullptr;
  }
}

void Rma::group_sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  switch (calls_[call].call.function) {
    case MpiFunction::win_start:
      start_access(w, l, r.win, r.group, call, r.time);
      break;
    case MpiFunction::win_post:
      post_exposure(w, l, r.win, r.group, call, r.time);
      break;
    case MpiFunction::win_complete:
      complete_rest(w, l, r, call, false, any_target);
      if (!wanted_.epochs()) break;
      if (w.access == none) return unassigned(l, r);
      epochs_->accesses.complete(std::exchange(w.access, none), call);
      break;
    case MpiFunction::win_wait:
    case MpiFunction::win_test:
      if (!wanted_.epochs()) break;
      if (w.exposure == none) return unassigned(l, r);
      epochs_->exposures.wait(std::exchange(w.exposure, none), call);
      break;
    default:
      group_sync_of_unknown_function(w, l, r, call);
      break;
  }
}

void Rma::group_sync_of_unknown_function(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  if (!completes_accesses(r.match)) {
    calls_.keep(call);
    if (const auto oldest = w.group_syncs.open(r.group, call)) {
      if (!oldest->access) unassigned(l, r);  // else its successor or finish() counts it
      calls_.release(oldest->call);
    }
    return;
  }
  const auto epoch = w.group_syncs.close(r.group);
  if (!epoch || epoch->access) {
    const bool completed = complete_rest(w, l, r, call, false, [&](LocationId target) {
                             return groups_.index(r.group, target) != RmaGroups::none;
                           }) != 0;
    if (!epoch && !completed) unassigned(l, r);
  }
  if (!epoch) return;
  if (wanted_.epochs()) {
    if (!epoch->access) {
      post_exposure(w, l, r.win, r.group, epoch->call, r.time);
      epochs_->exposures.wait(std::exchange(w.exposure, none), call);
    } else if (w.access != none) {
      epochs_->accesses.complete(std::exchange(w.access, none), call);
    }
  }
  calls_.release(epoch->call);
}

// An epoch that is opened while another one is open replaces that.
void Rma::start_access(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t) {
  if (!wanted_.epochs()) return;
  if (w.access != none) epochs_->accesses.give_up(w.access);
  w.access = epochs_->accesses.start(l, win, group, call, t);
}

void Rma::post_exposure(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t) {
  if (!wanted_.epochs()) return;
  if (w.exposure != none) epochs_->exposures.give_up(w.exposure);
  w.exposure = epochs_->exposures.post(l, win, group, call, t);
}

// --- locks -----------------------------------------------------------------------------------------------------------

void Rma::ask_for_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const bool acquired = r.type == EventType::rma_acquire_lock;
  const auto asked = std::find_if(w.locks.begin(), w.locks.end(), [&](const Lock& k) {
    return k.target == r.remote && k.number == r.match && !k.acquired;
  });
  if (acquired && asked != w.locks.end()) {
    asked->acquired = true;
  } else {
    if (w.locks.size() == most_locks) forget_lock(w, w.locks.begin());
    calls_.keep(call);
    w.locks.push_back({r.remote, r.match, r.lock, acquired, call, {}});
  }
  if (wanted_.passive())
    passive_.uses(l, call, operations_.lock_ref(r.win, r.remote, r.match, r.lock == LockType::exclusive),
                  operations_.of_mpi(r.win) && r.remote.valid());
}

// OTF2: an attempt that was not successful.
void Rma::try_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const auto asked = std::find_if(w.locks.begin(), w.locks.end(), [&](const Lock& k) {
    return k.target == r.remote && k.number == r.match && k.call == call && !k.acquired;
  });
  if (asked == w.locks.end()) return;
  calls_.release(asked->call);
  asked->accesses.clear(calls_);
  w.locks.erase(asked);
}

void Rma::release_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const auto found = std::find_if(w.locks.rbegin(), w.locks.rend(),
                                  [&](const Lock& k) { return k.target == r.remote && k.number == r.match; });
  if (found == w.locks.rend()) return unassigned(l, r);
  complete_rest(w, l, r, call, true, [&](LocationId target) { return !r.remote.valid() || target == r.remote; });
  Lock lock = std::move(*found);
  w.locks.erase(std::next(found).base());
  if (wanted_.passive()) {
    const RmaLockRef ref = operations_.lock_ref(r.win, lock.target, lock.number, lock.type == LockType::exclusive);
    passive_.released(l, r.time, call, ref);
    if (operations_.of_mpi(r.win)) {
      passive_.uses(l, call, ref, lock.target.valid());
      passive_.released_own(l, r.time, call);
    }
  }
  if (wanted_.epochs()) {
    accesses_view_.clear();
    for (const RmaAccesses::Entry& e : lock.accesses.entries()) accesses_view_.push_back(view(calls_, l, e.target, &e));
    listener_.rma_lock_epoch({r.win, lock.target, lock.number, lock.type, calls_[lock.call].call, calls_[call].call,
                              r.time, accesses_view_});
  }
  lock.accesses.clear(calls_);
  calls_.release(lock.call);
}

void Rma::forget_lock(WindowState& w, std::vector<Lock>::iterator lock) {
  const Call& call = calls_[lock->call].call;
  diagnostics_.add(DiagnosticId::rma_incomplete, {call.location, call.enter, "a lock that is never released"});
  tell_of_lack(&listener_, replay::WorkMark::Kind::without_part, call);
  lock->accesses.clear(calls_);
  calls_.release(lock->call);
  w.locks.erase(lock);
}

// --- direct synchronisation ------------------------------------------------------------------------------------------

// A synchronisation of memory: outside of MPI it completes what the process has started, to that process or to all.
// MPI_Win_sync only makes two copies of the process's own memory equal. A notification is a change of memory that
// somebody waits for.
void Rma::sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  switch (r.sync) {
    case RmaSyncType::memory:
      if (!operations_.of_mpi(r.win))
        complete_rest(window(l, r.win), l, r, call, false,
                      [&](LocationId target) { return !r.remote.valid() || target == r.remote; });
      break;
    case RmaSyncType::notify_out:
      if (wanted_.passive()) passive_.notifies(l, call, r.win, r.remote);
      break;
    case RmaSyncType::notify_in:
      if (wanted_.passive()) passive_.waits_for_change(l, call, r.win, r.remote);
      break;
    default:
      break;
  }
}

// --- what is not in the trace ----------------------------------------------------------------------------------------

void Rma::unassigned(LocationId l, const replay::RmaRecord& r) {
  diagnostics_.add(DiagnosticId::rma_unplaced, {l, r.time, std::string(name(r.type))});
}

void Rma::end_process(ProcessId process) {
  processes_.end(process);
  if (process.index() >= definitions_.processes.size()) return;
  if (epochs_) epochs_->accesses.read(process);
  if (collectives_here_) collectives_here_->end_process(process);
  end_answers();
}

void Rma::settle() {
  if (epochs_) epochs_->accesses.settle();
  if (passive_here_) passive_here_->settle();
  end_answers();
}

void Rma::finish() {
  passive_.finish();
  if (passive_here_) passive_here_->finish();
  if (collectives_here_) collectives_here_->finish();
  if (epochs_) epochs_->finish();
  windows_.for_each([&](const WindowKey& key, WindowState& w) {
    for (const Lock& lock : w.locks) {
      const Call& call = calls_[lock.call].call;
      held_.push_back({call.location, RmaWinId{key.win}, lock.target, call.enter});
    }
    while (!w.locks.empty()) forget_lock(w, std::prev(w.locks.end()));
    for (const GroupSync::Epoch& e : w.group_syncs.open())
      if (!e.access) {
        const Call& call = calls_[e.call].call;
        diagnostics_.add(DiagnosticId::rma_incomplete, {call.location, call.enter, "an epoch that is never closed"});
      }
  });
  std::sort(held_.begin(), held_.end());
}

}  // namespace waitstate::link
