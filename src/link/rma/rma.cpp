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

Rma::Rma(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      wanted_(listener.wanted()),
      reading_(definitions),
      groups_(definitions),
      waiting_(definitions.locations.size()),
      collectives_(definitions, diagnostics, calls, listener, reading_),
      epochs_(definitions, diagnostics, calls, listener, reading_, groups_),
      passive_(definitions, calls, listener) {
  for (const RmaWin& w : definitions.rma_wins)
    of_mpi_.push_back(w.comm.valid() && definitions[w.comm].paradigm == Paradigm::mpi);
}

// --- chunks, and the order of records within a process ---------------------------------------------------------------

void Rma::process(const replay::Chunk& chunk, std::span<const std::uint32_t> calls,
                  std::span<const Call> library_enters) {
  const LocationId l = chunk.location;
  const ProcessId process = definitions_[l].process;
  if (process.valid()) {
    if (chunk.initialised != ~Time{0}) reading_.initialised(process, chunk.initialised);
    const std::vector<LocationId>& threads = reading_.threads(process);
    if (threads.size() < 2 || std::find(threads.begin(), threads.end(), l) == threads.end()) {
      for (const replay::RmaRecord& r : chunk.rma_records) record(l, r, calls[r.call]);
      reading_.read(l, chunk.first_time, chunk.last_time, chunk.last);
    } else {
      for (const replay::RmaRecord& r : chunk.rma_records) {
        calls_.hold(calls[r.call]);
        waiting_[l.index()].push_back({r, calls[r.call]});
      }
      reading_.read(l, chunk.first_time, chunk.last_time, chunk.last);
      record_in_time_order(threads);
    }
  }
  if (wanted_.passive())
    passive_.read(l, library_enters, chunk.library_exits, chunk.last_time, chunk.open_since, chunk.last);
}

// Takes records in order of time as long as no thread of the process can still bring an earlier one. Ties go to the
// thread that comes first.
void Rma::record_in_time_order(const std::vector<LocationId>& threads) {
  for (;;) {
    LocationId next;
    Time earliest = 0, bound = ~Time{0};  // no record later than the bound may be taken
    for (const LocationId t : threads) {
      const auto& waiting = waiting_[t.index()];
      if (waiting.empty()) {
        if (!reading_.at_end(t)) bound = std::min(bound, reading_.read_up_to(t));
      } else if (!next.valid() || waiting.front().record.time < earliest) {
        next = t;
        earliest = waiting.front().record.time;
      }
    }
    if (!next.valid() || earliest > bound) break;
    const Waiting w = waiting_[next.index()].front();
    waiting_[next.index()].pop_front();
    record(next, w.record, w.call);
    calls_.drop(w.call);
  }
  if (!wanted_.passive()) return;
  for (const LocationId t : threads) {
    const auto& waiting = waiting_[t.index()];
    if (waiting.empty())
      passive_.hold_back(t, ~Time{0}, ~Time{0});
    else
      passive_.hold_back(t, waiting.front().record.time, calls_[waiting.front().call].call.enter);
  }
}

void Rma::record(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  const bool starts = r.type == EventType::rma_put || r.type == EventType::rma_get || r.type == EventType::rma_atomic;
  if (starts) return start(l, r, call);
  if (!wanted_.one_sided()) return;
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
      if (wanted_.operations() || wanted_.passive()) complete_matching(window(l, r.win), l, r, call);
      break;
  }
}

// --- collectives and groups ------------------------------------------------------------------------------------------

void Rma::collective(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  complete_rest(w, l, r, call, false, any_target);
  if (wanted_.epochs()) collectives_.end(l, r, call, w.accesses);
  if ((frees(r.op) || w.pending.capacity() > most_kept) && w.locks.empty() && w.access == none && w.exposure == none &&
      w.unnamed.empty() && w.pending.size() == 0) {
    windows_.erase({r.win.value, definitions_[l].process.value});
    latest_ = nullptr;
  }
}

void Rma::group_sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  switch (calls_[call].call.function) {
    case MpiFunction::win_start:
      start_access(w, l, r.win, r.group, call);
      break;
    case MpiFunction::win_post:
      post_exposure(w, l, r.win, r.group, call);
      break;
    case MpiFunction::win_complete:
      complete_rest(w, l, r, call, false, any_target);
      if (!wanted_.epochs()) break;
      if (w.access == none) return unplaced(l, r);
      epochs_.complete(std::exchange(w.access, none), call);
      break;
    case MpiFunction::win_wait:
    case MpiFunction::win_test:
      if (!wanted_.epochs()) break;
      if (w.exposure == none) return unplaced(l, r);
      epochs_.wait(std::exchange(w.exposure, none), call);
      break;
    default:
      unnamed_group_sync(w, l, r, call);
      break;
  }
}

void Rma::unnamed_group_sync(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  if (!completes_accesses(r.match)) {
    calls_.hold(call);
    if (const auto oldest = w.unnamed.open(r.group, call)) {
      if (!oldest->access) unplaced(l, r);  // else its successor or finish() counts it
      calls_.drop(oldest->call);
    }
    return;
  }
  const auto epoch = w.unnamed.close(r.group);
  if (!epoch || epoch->access) {
    const bool completed = complete_rest(w, l, r, call, false, [&](LocationId target) {
                             return groups_.index(r.group, target) != RmaGroups::none;
                           }) != 0;
    if (!epoch && !completed) unplaced(l, r);
  }
  if (!epoch) return;
  if (wanted_.epochs()) {
    if (!epoch->access) {
      post_exposure(w, l, r.win, r.group, epoch->call);
      epochs_.wait(std::exchange(w.exposure, none), call);
    } else if (w.access != none) {
      epochs_.complete(std::exchange(w.access, none), call);
    }
  }
  calls_.drop(epoch->call);
}

// An epoch that is opened while one is open replaces it.
void Rma::start_access(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call) {
  if (!wanted_.epochs()) return;
  if (w.access != none) epochs_.abandon_access(w.access);
  w.access = epochs_.start(l, win, group, call);
}

void Rma::post_exposure(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call) {
  if (!wanted_.epochs()) return;
  if (w.exposure != none) epochs_.abandon_exposure(w.exposure);
  w.exposure = epochs_.post(l, win, group, call);
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
    calls_.hold(call);
    w.locks.push_back({r.remote, r.match, r.lock, acquired, call, {}});
  }
  if (wanted_.passive())
    passive_.uses(l, call, lock_ref(r.win, r.remote, r.match, r.lock == LockType::exclusive),
                  of_mpi(r.win) && r.remote.valid());
}

// OTF2: an attempt that was not successful.
void Rma::try_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const auto asked = std::find_if(w.locks.begin(), w.locks.end(), [&](const Lock& k) {
    return k.target == r.remote && k.number == r.match && k.call == call && !k.acquired;
  });
  if (asked == w.locks.end()) return;
  calls_.drop(asked->call);
  asked->accesses.clear(calls_);
  w.locks.erase(asked);
}

void Rma::release_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const auto found = std::find_if(w.locks.rbegin(), w.locks.rend(),
                                  [&](const Lock& k) { return k.target == r.remote && k.number == r.match; });
  if (found == w.locks.rend()) return unplaced(l, r);
  complete_rest(w, l, r, call, true, [&](LocationId target) { return !r.remote.valid() || target == r.remote; });
  Lock lock = std::move(*found);
  w.locks.erase(std::next(found).base());
  if (wanted_.passive()) {
    const RmaLockRef ref = lock_ref(r.win, lock.target, lock.number, lock.type == LockType::exclusive);
    passive_.released(l, r.time, call, ref);
    if (of_mpi(r.win)) passive_.uses(l, call, ref, lock.target.valid());
  }
  if (wanted_.epochs()) {
    accesses_view_.clear();
    for (const RmaAccesses::Entry& e : lock.accesses.entries()) accesses_view_.push_back(view(calls_, l, e.target, &e));
    listener_.rma_lock_epoch({r.win, lock.target, lock.number, lock.type, calls_[lock.call].call, calls_[call].call,
                              r.time, accesses_view_});
  }
  lock.accesses.clear(calls_);
  calls_.drop(lock.call);
}

void Rma::forget_lock(WindowState& w, std::vector<Lock>::iterator lock) {
  const Call& call = calls_[lock->call].call;
  diagnostics_.add(DiagnosticId::rma_incomplete, {call.location, call.enter, "a lock that is never released"});
  lock->accesses.clear(calls_);
  calls_.drop(lock->call);
  w.locks.erase(lock);
}

// --- direct synchronisation ------------------------------------------------------------------------------------------

// Of memory: outside of MPI it completes what the process has started, to that process or to all. MPI_Win_sync only
// makes two copies of the process's own memory equal. A notification is a change of memory that somebody waits for.
void Rma::sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call) {
  switch (r.sync) {
    case RmaSyncType::memory:
      if (!of_mpi(r.win))
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

void Rma::unplaced(LocationId l, const replay::RmaRecord& r) {
  diagnostics_.add(DiagnosticId::rma_unplaced, {l, r.time, std::string(name(r.type))});
}

void Rma::end_process(ProcessId process) {
  if (process.index() >= definitions_.processes.size()) return;
  reading_.end(process);
  if (wanted_.epochs()) collectives_.end_process(process);
}

void Rma::finish() {
  if (wanted_.passive()) passive_.finish();
  if (wanted_.epochs()) {
    collectives_.finish();
    epochs_.finish();
  }
  windows_.for_each([&](const WindowKey&, WindowState& w) {
    while (!w.locks.empty()) forget_lock(w, std::prev(w.locks.end()));
    for (const RmaUnnamed::Epoch& e : w.unnamed.open())
      if (!e.access) {
        const Call& call = calls_[e.call].call;
        diagnostics_.add(DiagnosticId::rma_incomplete, {call.location, call.enter, "an epoch that is never closed"});
      }
  });
}

}  // namespace waitstate::link
