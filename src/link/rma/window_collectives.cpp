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
      ended_(definitions.processes.size() + 1) {}

WindowCollectives::Window& WindowCollectives::prepare(RmaWinId win) {
  Window& w = windows_[win.index()];
  if (w.prepared) return w;
  w.prepared = true;
  const CommId comm = definitions_.rma_wins[win.index()].comm;
  if (!comm.valid() || definitions_[comm].self) return w;  // no others
  for (const LocationId l : definitions_[comm].members) {
    const std::uint32_t rank = w.size++;
    if (!l.valid() || !definitions_[l].process.valid()) {  // a member that is not in the trace never comes
      w.dead_from = 0;
      continue;
    }
    const ProcessId process = definitions_[l].process;
    members_.find_or_insert({win.value, process.value}).rank = rank;
    windows_of_process_[process.index()].push_back(win);
    if (ended_[process.index()]) w.dead_from = 0;
  }
  return w;
}

void WindowCollectives::end(const WindowMember& m, RmaAccesses& accesses) {
  const ProcessId process = definitions_[m.location].process;
  Window& window = prepare(m.win);
  Member* const member = members_.find({m.win.value, process.value});
  if (member == nullptr || window.size < 2) {
    if (member == nullptr && window.size != 0) diagnostics_.add(DiagnosticId::rma_unplaced, {m.location, m.end, {}});
    accesses.clear(calls_);
    return;
  }
  const std::uint64_t number = member->count++;
  const Time at = reading_.progress_at(process, m.end);
  window.most = std::max(window.most, member->count);
  if (window.settled < window.dead_from && number >= window.settled) {
    const auto place = static_cast<std::size_t>(number - window.settled);
    if (window.first.size() <= place) window.first.resize(place + 1, ~Time{0});
    window.first[place] = std::min(window.first[place], at);
  }
  if (number >= window.dead_from) {
    tell_of_lack(&listener_, replay::WorkMark::Kind::without_member, calls_[m.call].call);
    accesses.clear(calls_);
    return settle(m.win, window);
  }
  const OperationKey key{m.win.value, number};
  std::uint32_t& slot = open_.find_or_insert(key);
  const bool is_first = slot == 0;
  if (is_first) slot = operations_.acquire_stale() + 1;  // drop() has emptied it
  OpenOperation& o = operations_[slot - 1];
  if (is_first) {
    o.op = m.op;
    o.root = m.root;
    o.mismatch = false;
    o.arrived = 0;
    o.last = 0;
    o.parts.resize(window.size);
  } else if (o.op != m.op || o.root != m.root) {
    o.mismatch = true;
  }
  MemberPart& part = o.parts[member->rank];
  calls_.keep(m.call);
  part.call = m.call;
  part.at = at;
  part.begin = m.begin;
  part.end = m.end;
  part.bytes_sent = m.bytes_sent;
  part.bytes_received = m.bytes_received;
  std::swap(part.accesses, accesses);
  ++o.arrived;
  o.last = std::max(o.last, at);
  settle(m.win, window);
}

void WindowCollectives::read() {
  for (std::size_t i = 0; i < unsettled_.size();) {
    const RmaWinId win = unsettled_[i];
    Window& window = windows_[win.index()];
    settle(win, window);
    if (window.settled < window.dead_from && !window.first.empty()) {
      ++i;
      continue;
    }
    window.listed = false;
    unsettled_[i] = unsettled_.back();
    unsettled_.pop_back();
  }
}

// Delivers what all members had in time, in the order of numbers, as far as that is certain.
void WindowCollectives::settle(RmaWinId win, Window& window) {
  while (window.settled < window.dead_from && !window.first.empty()) {
    const std::uint32_t* const slot = open_.find({win.value, window.settled});
    if (slot == nullptr) break;  // nobody has come
    const std::uint32_t id = *slot - 1;
    OpenOperation& o = operations_[id];
    const bool all_came = o.arrived == window.size;
    if (all_came ? !all_read_to(win, window, o.last) : window.first.size() < ReadProgress::most_waiting) break;
    if (lacks_member(win, window, o)) return give_up(win, window, window.settled);
    if (!all_came) break;
    open_.erase({win.value, window.settled});
    ++window.settled;
    window.first.pop_front();
    if (o.mismatch)
      diagnostics_.add(DiagnosticId::collective_mismatch,
                       {LocationId::none(), ~Time{0}, "on window " + std::to_string(win.value)});
    else
      deliver(win, o);
    drop(id);
  }
  if (window.settled >= window.dead_from) window.first = {};
  if (!window.first.empty() && !std::exchange(window.listed, true)) unsettled_.push_back(win);
}

// True if no member can have had an operation before that progress that has not come.
bool WindowCollectives::all_read_to(RmaWinId win, Window& window, Time progress) {
  const std::vector<LocationId>& members = definitions_[definitions_.rma_wins[win.index()].comm].members;
  for (std::uint32_t i = 0; i < window.size; ++i) {
    if (reading_.progress(definitions_[members[window.behind]].process) < progress) return false;
    window.behind = (window.behind + 1) % window.size;
  }
  return true;
}

// True if a member came, or will come, when another one had had most_waiting operations since.
bool WindowCollectives::lacks_member(RmaWinId win, const Window& window, const OpenOperation& o) const {
  if (window.first.size() < ReadProgress::most_waiting) return false;
  const Time limit = window.first[ReadProgress::most_waiting - 1];
  if (o.arrived != 0 && o.last > limit) return true;
  if (o.arrived == window.size) return false;
  const std::vector<LocationId>& members = definitions_[definitions_.rma_wins[win.index()].comm].members;
  for (std::uint32_t rank = 0; rank < window.size; ++rank)
    if (o.parts[rank].call == none && reading_.progress(definitions_[members[rank]].process) > limit) return true;
  return false;
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
    Window& window = windows_[win.index()];
    give_up(win, window, members_.find({win.value, process.value})->count);
    settle(win, window);
  }
}

// The operations from that one on will not become complete.
void WindowCollectives::give_up(RmaWinId win, Window& window, std::uint64_t from) {
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
  if (window.settled >= from) window.first = {};
}

// The member that the incomplete operations lack.
std::uint32_t WindowCollectives::rank_with_fewest(RmaWinId win) {
  std::uint32_t fewest = 0, rank = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (const LocationId l : definitions_[definitions_.rma_wins[win.index()].comm].members) {
    const Member* const member = l.valid() && definitions_[l].process.valid()
                                     ? members_.find({win.value, definitions_[l].process.value})
                                     : nullptr;
    const std::uint64_t count = member == nullptr ? 0 : member->count;
    if (count < least) least = count, fewest = rank;
    ++rank;
  }
  return fewest;
}

void WindowCollectives::finish() {
  read();
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const Window& window = windows_[w];
    if (window.size < 2 || window.most <= window.dead_from) continue;
    const RmaWin& win = definitions_.rma_wins[w];
    diagnostics_.add(DiagnosticId::rma_incomplete,
                     {LocationId::none(), ~Time{0},
                      "collectives on window " + std::to_string(w) + (win.name.empty() ? "" : " (" + win.name + ")") +
                          ": rank " + std::to_string(rank_with_fewest(RmaWinId{w})) + " never came"},
                     0, window.most - window.dead_from);
  }
}

}  // namespace waitstate::link
