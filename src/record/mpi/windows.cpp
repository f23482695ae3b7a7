#include "record/mpi/windows.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "record/mpi/messages.hpp"
#include "record/mpi/tools.hpp"
#include "record/parts/line_kinds.hpp"

namespace waitstate::record::mpi {

namespace {

HandleTable<Window> windows;

constexpr OTF2_RmaSyncLevel of_process = OTF2_RMA_SYNC_LEVEL_PROCESS;
constexpr auto of_both = static_cast<OTF2_RmaSyncLevel>(OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY);
constexpr int everybody = -1;

std::uint32_t next_number() {
  static std::atomic<std::uint32_t> next{0};
  return next.fetch_add(1);
}

bool knows(MpiCall& c, MPI_Win win) {
  c.window = windows.find(key_of(win));
  return c.window != nullptr;
}

void end_collective(MpiCall& c, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level) {
  c.t.record(OTF2_EvtWriter_RmaCollectiveEnd, c.end, op, level, c.window->number, undefined, 0, 0);
}

void begin_collective(MpiCall& c) {
  c.t.record(OTF2_EvtWriter_RmaCollectiveBegin, c.begin);
  if (c.window != nullptr) c.wait_for(Waiting::What::window, c.window->number);
}

// Operations on a target that this call completes.
void complete(MpiCall& c, int target, bool remote, bool stay = false) {
  const std::lock_guard guard(c.window->lock);
  const auto meant = [&](const Window::Pending& p) { return target == everybody || p.target == target; };
  for (Window::Pending& p : c.window->pending) {
    if (!meant(p) || !p.recorded) continue;
    if (!p.local) c.t.record(OTF2_EvtWriter_RmaOpCompleteNonBlocking, c.end, c.window->number, p.match);
    p.local = true;
    if (remote) c.t.record(OTF2_EvtWriter_RmaOpCompleteRemote, c.end, c.window->number, p.match);
  }
  if (!stay) std::erase_if(c.window->pending, meant);
}

bool has_pending(const MpiCall& c, int target) {
  const std::lock_guard guard(c.window->lock);
  return std::any_of(c.window->pending.begin(), c.window->pending.end(),
                     [&](const Window::Pending& p) { return target == everybody || p.target == target; });
}

// False if recording was on when the lock was asked for.
bool forget_unrecorded_lock(Window& window, int target) {
  const std::lock_guard guard(window.lock);
  const auto at = std::ranges::find(window.unrecorded_locks, target);
  if (at == window.unrecorded_locks.end()) return false;
  window.unrecorded_locks.erase(at);
  return true;
}

// A new operation, pending; false without a window or a target.
bool operate(MpiCall& c, int target, MPI_Win win) {
  if (target == MPI_PROC_NULL || !knows(c, win)) return false;
  c.number = c.new_id();
  const std::lock_guard guard(c.window->lock);
  c.window->pending.push_back({target, c.number, !c.t.muted});
  return true;
}

}  // namespace

void opens(MpiCall& c) {
  c.record_anyway();
  begin_collective(c);
}

void opened(MpiCall& c, std::string_view kind, MPI_Comm comm, const MPI_Win* win, bool allocates) {
  Comm* const known = find_comm(comm);
  if (known == nullptr) return;
  auto* const window = new Window;
  window->number = next_number();
  const std::string identity = known->identity + ".w" + std::to_string(known->windows++);
  define(WinLine{.number = window->number,
                 .identity = identity,
                 .name = std::string(kind) + " " + identity,
                 .comm = known->number});
  windows.add(key_of(*win), window);
  follow_window(*win, window->number);
  c.window = window;
  c.t.record(OTF2_EvtWriter_RmaWinCreate, c.end, window->number);
  end_collective(c, allocates ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE : OTF2_COLLECTIVE_OP_CREATE_HANDLE,
                 of_process);
}

void closes(MpiCall& c, const MPI_Win* win) {
  c.window = windows.remove(key_of(*win));
  if (c.window == nullptr) return;
  c.record_anyway();
  begin_collective(c);
  forget_window(c.t, c.begin, c.window->number);
}

void closed(MpiCall& c) {
  if (c.window == nullptr) return;
  c.t.record(OTF2_EvtWriter_RmaWinDestroy, c.end, c.window->number);
  end_collective(c, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, of_process);
}

void named_window(MpiCall& c, MPI_Win win, const char* name) {
  if (knows(c, win)) define(NameLine{.kind = ObjectKind::win, .object = c.window->number, .name = name});
}

void fences(MpiCall& c, MPI_Win win) {
  if (knows(c, win)) begin_collective(c);
}

void fenced(MpiCall& c) {
  if (c.window == nullptr) return;
  complete(c, everybody, false);
  end_collective(c, OTF2_COLLECTIVE_OP_BARRIER, of_both);
}

void starts_epoch(MpiCall& c, MPI_Group group, MPI_Win win, bool access) {
  if (!knows(c, win)) return;
  const std::uint32_t members = c.t.muted ? undefined : define_group(group);
  (access ? c.window->started : c.window->posted) = members;
  c.t.record(OTF2_EvtWriter_RmaGroupSync, c.begin, of_process, c.window->number, members);
  if (access) c.wait_for(Waiting::What::window, c.window->number);
}

void ends_epoch(MpiCall& c, MPI_Win win, bool) {
  if (knows(c, win)) c.wait_for(Waiting::What::window, c.window->number);
}

void ended_epoch(MpiCall& c, bool access) {
  if (c.window == nullptr) return;
  std::uint32_t& members = access ? c.window->started : c.window->posted;
  if (members != undefined) c.record_anyway();
  if (access) complete(c, everybody, false);
  if (members != undefined) c.t.record(OTF2_EvtWriter_RmaGroupSync, c.end, of_both, c.window->number, members);
  members = undefined;
}

void ended_epoch_if(MpiCall& c, const int* flag) {
  if (*flag == 0) return;
  c.enter_now();
  ended_epoch(c, false);
}

void locks(MpiCall& c, MPI_Win win, int target, bool exclusive) {
  if (!knows(c, win)) return;
  if (c.t.muted) {
    const std::lock_guard guard(c.window->lock);
    c.window->unrecorded_locks.push_back(target);
  }
  c.t.record(OTF2_EvtWriter_RmaRequestLock, c.begin, c.window->number,
             target == everybody ? undefined : static_cast<std::uint32_t>(target), 0,
             exclusive ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED);
  c.wait_for(Waiting::What::lock, c.window->number, target);
}

void unlocks(MpiCall& c, MPI_Win win, int target) {
  if (!knows(c, win)) return;
  c.target = target;
  c.has_lock_record = !forget_unrecorded_lock(*c.window, target);
  if (c.has_lock_record) c.record_anyway();
  c.flag = has_pending(c, target);
  if (!c.flag && c.has_lock_record)
    c.t.record(OTF2_EvtWriter_RmaReleaseLock, c.begin, c.window->number,
               target == everybody ? undefined : static_cast<std::uint32_t>(target), 0);
  c.wait_for(Waiting::What::lock, c.window->number, target);
}

void unlocked(MpiCall& c) {
  if (c.window == nullptr) return;
  complete(c, c.target, true);
  if (c.flag && c.has_lock_record)
    c.t.record(OTF2_EvtWriter_RmaReleaseLock, c.end, c.window->number,
               c.target == everybody ? undefined : static_cast<std::uint32_t>(c.target), 0);
}

void flushes(MpiCall& c, MPI_Win win, int target) {
  if (!knows(c, win)) return;
  c.target = target;
  c.wait_for(Waiting::What::lock, c.window->number, target);
}

void flushed(MpiCall& c, bool remote) {
  if (c.window != nullptr) complete(c, c.target, remote, !remote);
}

void put(MpiCall& c, std::int64_t count, MPI_Datatype type, int target, MPI_Win win) {
  if (!operate(c, target, win)) return;
  c.t.record(OTF2_EvtWriter_RmaPut, c.begin, c.window->number, static_cast<std::uint32_t>(target),
             bytes_of(count, type), c.number);
  c.wait_for(Waiting::What::lock, c.window->number, target);
}

void get(MpiCall& c, std::int64_t count, MPI_Datatype type, int target, MPI_Win win) {
  if (!operate(c, target, win)) return;
  c.t.record(OTF2_EvtWriter_RmaGet, c.begin, c.window->number, static_cast<std::uint32_t>(target),
             bytes_of(count, type), c.number);
  c.wait_for(Waiting::What::lock, c.window->number, target);
}

void atomic(MpiCall& c, std::int64_t count, MPI_Datatype type, std::int64_t result_count, MPI_Datatype result_type,
            int target, MPI_Win win, OTF2_RmaAtomicType kind) {
  if (!operate(c, target, win)) return;
  const std::uint64_t received = result_count > 0 ? bytes_of(result_count, result_type) : 0;
  c.t.record(OTF2_EvtWriter_RmaAtomic, c.begin, c.window->number, static_cast<std::uint32_t>(target), kind,
             bytes_of(count, type), received, c.number);
  c.wait_for(Waiting::What::lock, c.window->number, target);
}

bool completed_here(Window& window, std::uint64_t match) {
  const std::lock_guard guard(window.lock);
  for (auto p = window.pending.rbegin(); p != window.pending.rend(); ++p)
    if (p->match == match) return !std::exchange(p->local, true);
  return false;
}

void has_request(MpiCall& c) {
  if (c.window == nullptr) return;
  Operation& o = c.operation.emplace();
  o.kind = Operation::Kind::one_sided;
  o.window = c.window;
  o.id = c.number;
}

}  // namespace waitstate::record::mpi
