#include "link/rma/window_collectives.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace waitstate::link {

namespace {
RmaCollectiveKind kind_of(CollectiveOp op, bool mpi) {
  switch (op) {
    case CollectiveOp::create_handle:
    case CollectiveOp::allocate:
    case CollectiveOp::create_handle_and_allocate:
      return RmaCollectiveKind::create;
    case CollectiveOp::destroy_handle:
    case CollectiveOp::deallocate:
    case CollectiveOp::destroy_handle_and_deallocate:
      return RmaCollectiveKind::free;
    case CollectiveOp::barrier:
      return mpi ? RmaCollectiveKind::fence : RmaCollectiveKind::other;
    default:
      return RmaCollectiveKind::other;
  }
}
}  // namespace

WindowCollectives::WindowCollectives(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls,
                                     Listener& listener, const ReadProgress& reading)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      reading_(reading),
      windows_(definitions.rma_wins.size()),
      windows_of_process_(definitions.processes.size() + 1),
      ended_(definitions.processes.size() + 1),
      open_begins_(definitions.locations.size()) {}

WindowCollectives::Window& WindowCollectives::prepare(RmaWinId win) {
  Window& w = windows_[win.index()];
  if (w.prepared) return w;
  w.prepared = true;
  const CommId comm = definitions_.rma_wins[win.index()].comm;
  if (!comm.valid() || definitions_[comm].self) return w;  // no others
  for (const LocationId l : definitions_[comm].members) {
    const std::uint32_t rank = w.size++;
    if (!l.valid() || !definitions_[l].process.valid()) {  // a member that is not in the trace never comes
      w.dead_from = 0, w.missing = rank;
      continue;
    }
    const ProcessId process = definitions_[l].process;
    members_.find_or_insert({win.value, process.value}).rank = rank;
    windows_of_process_[process.index()].push_back(win);
    if (ended_[process.index()]) w.dead_from = 0, w.missing = rank;
  }
  return w;
}

void WindowCollectives::end(LocationId l, const replay::RmaRecord& r, std::uint32_t call, RmaAccesses& accesses) {
  Time begin = calls_[call].call.enter;  // a recorder that writes no begin: it began with the call
  if (auto& open = open_begins_[l.index()]; !open.empty()) {
    begin = std::max(begin, open.back());
    open.pop_back();
  }
  Window& window = prepare(r.win);
  Member* const member = members_.find({r.win.value, definitions_[l].process.value});
  if (member == nullptr || window.size < 2) {
    if (member == nullptr && window.size != 0) diagnostics_.add(DiagnosticId::rma_unplaced, {l, r.time, {}});
    accesses.clear(calls_);
    return;
  }
  const std::uint64_t number = member->count++;
  window.most = std::max(window.most, member->count);
  if (number >= window.dead_from) {
    tell_of_lack(&listener_, replay::WorkMark::Kind::without_member, calls_[call].call);
    accesses.clear(calls_);
    return;
  }
  const OperationKey key{r.win.value, number};
  std::uint32_t& slot = open_.find_or_insert(key);
  const bool is_first = slot == 0;
  if (is_first) slot = operations_.acquire_stale() + 1;  // drop() has emptied it
  const std::uint32_t id = slot - 1;
  OpenOperation& o = operations_[id];
  if (is_first) {
    o.op = r.op;
    o.root = r.remote;
    o.mismatch = false;
    o.arrived = 0;
    o.parts.resize(window.size);
  } else if (o.op != r.op || o.root != r.remote) {
    o.mismatch = true;
  }
  MemberPart& part = o.parts[member->rank];
  calls_.keep(call);
  part.call = call;
  part.begin = begin;
  part.end = r.time;
  part.bytes_sent = r.bytes;
  part.bytes_received = r.received;
  std::swap(part.accesses, accesses);
  if (++o.arrived < window.size) {
    if (window.marked == 0) {
      if (number < window.complete + ReadProgress::most_waiting) return;
      window.marked = window.checked = number;
      window.mark = reading_.progress_at(definitions_[l].process, begin);
    } else if (number > window.checked) {
      window.checked = number;
      give_up_missing(r.win, window);
    }
    return;
  }
  open_.erase(key);
  if (window.complete = number + 1; window.complete > window.marked) window.marked = 0;
  if (o.mismatch)
    diagnostics_.add(DiagnosticId::collective_mismatch,
                     {LocationId::none(), ~Time{0}, "on window " + std::to_string(r.win.value)});
  else
    deliver(r.win, o);
  drop(id);
}

void WindowCollectives::deliver(RmaWinId win, OpenOperation& o) {
  const CommId comm = definitions_.rma_wins[win.index()].comm;
  const Paradigm paradigm = definitions_[comm].paradigm;
  members_view_.clear();
  accesses_view_.clear();
  for (std::uint32_t i = 0; i < o.parts.size(); ++i) {
    const MemberPart& p = o.parts[i];
    const Call& call = calls_[p.call].call;
    members_view_.push_back({&call, p.begin, p.end, p.bytes_sent, p.bytes_received});
    for (const RmaAccesses::Entry& e : p.accesses.entries()) {
      const Member* const target =
          e.target.valid() ? members_.find({win.value, definitions_[e.target].process.value}) : nullptr;
      if (target == nullptr) continue;
      RmaAccess a = view(calls_, call.location, e.target, &e);
      a.origin_member = i;
      a.target_member = target->rank;
      accesses_view_.push_back(a);
    }
  }
  Collective c;
  c.kind = kind(o.op);
  c.op = o.op;
  c.comm = comm;
  c.members = members_view_;
  const auto& ranks = definitions_[comm].members;
  const auto root = std::find(ranks.begin(), ranks.end(), o.root);
  if (o.root.valid() && root != ranks.end()) c.root = static_cast<std::uint32_t>(root - ranks.begin());
  // A recorder may say that the window is MPI's and write barriers of SHMEM on it.
  const auto of_shmem = [&](const CollectiveMember& m) {
    return m.call->region.valid() && is_shmem(definitions_[m.call->region].region_class);
  };
  const bool mpi = paradigm != Paradigm::shmem && paradigm != Paradigm::gaspi && paradigm != Paradigm::upc &&
                   std::none_of(members_view_.begin(), members_view_.end(), of_shmem);
  listener_.rma_collective({kind_of(o.op, mpi), win, paradigm, c, accesses_view_});
}

void WindowCollectives::drop(MemberPart& p) {
  if (p.call == none) return;
  calls_.release(p.call);
  p.call = none;
  p.accesses.clear(calls_);
}

void WindowCollectives::drop(std::uint32_t operation) {
  std::vector<MemberPart>& parts = operations_[operation].parts;
  for (MemberPart& p : parts) drop(p);
  if (parts.size() > most_kept) parts = {};
  operations_.release(operation);
}

void WindowCollectives::end_process(ProcessId process) {
  ended_[process.index()] = true;
  for (const RmaWinId win : windows_of_process_[process.index()]) {
    const Member m = *members_.find({win.value, process.value});
    give_up(win, windows_[win.index()], m.count, m.rank);
  }
}

// Members that have not come to the marked operation although they have been read beyond it.
void WindowCollectives::give_up_missing(RmaWinId win, Window& window) {
  for (const LocationId l : definitions_[definitions_.rma_wins[win.index()].comm].members) {
    const ProcessId process = definitions_[l].process;
    const Member m = *members_.find({win.value, process.value});
    if (m.count <= window.marked && reading_.progress(process) > window.mark) give_up(win, window, m.count, m.rank);
  }
}

// The operations that the member has not reached will not become complete.
void WindowCollectives::give_up(RmaWinId win, Window& window, std::uint64_t from, std::uint32_t rank) {
  if (from == window.dead_from) window.missing = std::min(window.missing, rank);
  if (from >= window.dead_from) return;
  for (std::uint64_t n = from; n < std::min(window.most, window.dead_from); ++n) {
    const std::uint32_t* const slot = open_.find({win.value, n});
    if (slot == nullptr) continue;
    for (const MemberPart& p : operations_[*slot - 1].parts)
      if (p.call != none) tell_of_lack(&listener_, replay::WorkMark::Kind::without_member, calls_[p.call].call);
    drop(*slot - 1);
    open_.erase({win.value, n});
  }
  window.dead_from = from;
  window.missing = rank;
}

void WindowCollectives::finish() {
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const Window& window = windows_[w];
    if (window.size < 2 || window.most <= window.dead_from) continue;
    const RmaWin& win = definitions_.rma_wins[w];
    diagnostics_.add(DiagnosticId::rma_incomplete,
                     {LocationId::none(), ~Time{0},
                      "collectives on window " + std::to_string(w) + (win.name.empty() ? "" : " (" + win.name + ")") +
                          ": rank " + std::to_string(window.missing) + " never came"},
                     0, window.most - window.dead_from);
  }
}

}  // namespace waitstate::link
