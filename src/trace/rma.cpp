#include "trace/rma.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::trace {

Rma::Rma(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, LinkListener& listener)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      interests_(listener.rma_interests()),
      threads_(definitions.processes.size()),
      locations_(definitions.locations.size()),
      collectives_(definitions, diagnostics, calls, listener),
      epochs_(definitions, diagnostics, calls, listener),
      passive_(definitions, calls, listener) {
  for (const RmaWin& w : definitions.rma_wins)
    of_mpi_.push_back(w.comm.valid() && definitions[w.comm].paradigm == Paradigm::mpi);
  for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
    const Location& l = definitions.locations[i];
    if (l.process.valid() && l.type != LocationType::accelerator_stream && l.type != LocationType::metric)
      threads_[l.process.index()].push_back(LocationId{i});
  }
}

// --- chunks, and the order of records within a process ---------------------------------------------------------------

void Rma::consume(const Chunk& chunk, std::span<const std::uint32_t> calls, std::span<const Call> library_enters) {
  const LocationId l = chunk.location;
  const ProcessId process = definitions_[l].process;
  LocationState& location = locations_[l.index()];
  if (process.valid()) {
    const std::vector<LocationId>& threads = threads_[process.index()];
    if (threads.size() < 2 || std::find(threads.begin(), threads.end(), l) == threads.end()) {
      for (const RmaRecord& r : chunk.rma_records) record(l, r, calls[r.call]);
    } else {
      for (const RmaRecord& r : chunk.rma_records) {
        calls_.hold(calls[r.call]);
        location.waiting.push_back({r, calls[r.call]});
      }
      location.read = chunk.last_time;
      location.at_end = chunk.last;
      record_in_time_order(threads);
    }
  }
  if (interests_.passive)
    passive_.read(l, library_enters, chunk.library_exits, chunk.last_time, chunk.open_since, chunk.last);
}

// Takes records in order of time as long as no thread of the process can still bring an earlier one. Ties go to the
// thread that comes first.
void Rma::record_in_time_order(const std::vector<LocationId>& threads) {
  for (;;) {
    LocationId next;
    Time earliest = 0, bound = ~Time{0};  // no record later than the bound may be taken
    for (const LocationId t : threads) {
      const LocationState& thread = locations_[t.index()];
      if (thread.waiting.empty()) {
        if (!thread.at_end) bound = std::min(bound, thread.read);
      } else if (!next.valid() || thread.waiting.front().record.time < earliest) {
        next = t;
        earliest = thread.waiting.front().record.time;
      }
    }
    if (!next.valid() || earliest > bound) break;
    const Waiting w = locations_[next.index()].waiting.front();
    locations_[next.index()].waiting.pop_front();
    record(next, w.record, w.call);
    calls_.drop(w.call);
  }
  if (!interests_.passive) return;
  for (const LocationId t : threads) {
    const auto& waiting = locations_[t.index()].waiting;
    if (waiting.empty())
      passive_.hold_back(t, ~Time{0}, ~Time{0});
    else
      passive_.hold_back(t, waiting.front().record.time, calls_[waiting.front().call].call.enter);
  }
}

void Rma::record(LocationId l, const RmaRecord& r, std::uint32_t call) {
  switch (r.type) {
    case EventType::rma_collective_begin:
      if (interests_.epochs) collectives_.begin(l, r.time);
      break;
    case EventType::rma_collective_end:
      if (interests_.any()) collective(l, r, call);
      break;
    case EventType::rma_group_sync:
      if (interests_.any()) group_sync(l, r, call);
      break;
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
      if (interests_.any()) ask_for_lock(l, r, call);
      break;
    case EventType::rma_release_lock:
      if (interests_.any()) release_lock(l, r, call);
      break;
    case EventType::rma_wait_change:
      if (interests_.passive) passive_.waits_for_change(l, call, r.win);
      break;
    case EventType::rma_put:
    case EventType::rma_get:
    case EventType::rma_atomic:
      start(l, r, call);
      break;
    default:
      if (interests_.operations || interests_.passive) complete(window(l, r.win), l, r, call);
      break;
  }
}

// --- epochs ----------------------------------------------------------------------------------------------------------

void Rma::collective(LocationId l, const RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  complete_rest(w, l, r, call, false, LocationId::none());
  RmaAccesses accesses = std::exchange(w.accesses, {});
  if (w.locks.empty() && w.access == none && w.exposure == none && w.pending_count == 0)
    windows_.erase({r.win.value, definitions_[l].process.value});
  if (interests_.epochs) collectives_.end(l, r, call, std::move(accesses));
}

void Rma::group_sync(LocationId l, const RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const MpiFunction function = calls_[call].call.function;
  if (function == MpiFunction::win_complete) complete_rest(w, l, r, call, false, LocationId::none());
  if (!interests_.epochs) return;
  // An epoch that is opened while one is open replaces it: finish() counts the other.
  switch (function) {
    case MpiFunction::win_start:
      w.access = epochs_.start(l, r.win, r.group, call);
      break;
    case MpiFunction::win_post:
      w.exposure = epochs_.post(l, r.win, r.group, call);
      break;
    case MpiFunction::win_complete:
      if (w.access == none) return unplaced(l, r);
      epochs_.complete(std::exchange(w.access, none), call);
      break;
    case MpiFunction::win_wait:
    case MpiFunction::win_test:
      if (w.exposure == none) return unplaced(l, r);
      epochs_.wait(std::exchange(w.exposure, none), call);
      break;
    default:  // a recorder that does not say which call this is
      unplaced(l, r);
      break;
  }
}

void Rma::ask_for_lock(LocationId l, const RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const bool exclusive = r.lock == LockType::exclusive;
  const auto same = std::find_if(w.locks.begin(), w.locks.end(),
                                 [&](const Lock& k) { return k.target == r.remote && k.number == r.match; });
  if (r.type == EventType::rma_request_lock || same == w.locks.end()) {
    calls_.hold(call);
    w.locks.push_back({r.remote, r.match, r.lock, call, {}});
  }
  if (interests_.passive)
    passive_.uses(l, call, lock_ref(r.win, r.remote, r.match, exclusive), of_mpi(r.win) && r.remote.valid());
}

void Rma::release_lock(LocationId l, const RmaRecord& r, std::uint32_t call) {
  WindowState& w = window(l, r.win);
  const auto found = std::find_if(w.locks.rbegin(), w.locks.rend(),
                                  [&](const Lock& k) { return k.target == r.remote && k.number == r.match; });
  if (found == w.locks.rend()) return unplaced(l, r);
  complete_rest(w, l, r, call, true, r.remote);
  Lock lock = std::move(*found);
  w.locks.erase(std::next(found).base());
  if (interests_.passive) {
    const RmaLockRef ref = lock_ref(r.win, lock.target, lock.number, lock.type == LockType::exclusive);
    passive_.released(l, r.time, call, ref);
    if (of_mpi(r.win)) passive_.uses(l, call, ref, lock.target.valid());
  }
  if (interests_.epochs) {
    accesses_view_.clear();
    for (const RmaAccesses::Entry& e : lock.accesses.entries()) accesses_view_.push_back(view(calls_, l, e.target, &e));
    listener_.rma_lock_epoch({r.win, lock.target, lock.number, lock.type, calls_[lock.call].call, calls_[call].call,
                              r.time, accesses_view_});
  }
  lock.accesses.clear(calls_);
  calls_.drop(lock.call);
}

// --- what is not in the trace ----------------------------------------------------------------------------------------

void Rma::unplaced(LocationId l, const RmaRecord& r) {
  diagnostics_.add(DiagnosticId::rma_unplaced, {l, r.time, std::string(name(r.type))});
}

void Rma::end_process(ProcessId process) {
  if (interests_.epochs && process.index() < definitions_.processes.size()) collectives_.end_process(process);
}

void Rma::finish() {
  if (interests_.passive) passive_.finish();
  if (interests_.epochs) {
    collectives_.finish();
    epochs_.finish();
  }
  windows_.for_each([&](const WindowKey&, WindowState& w) {
    for (const Lock& lock : w.locks)
      diagnostics_.add(DiagnosticId::rma_incomplete, {calls_[lock.call].call.location, calls_[lock.call].call.enter,
                                                      "a lock that is never released"});
  });
}

}  // namespace waitstate::trace
