// Collectives with several workers: a part whose operation meets at another worker goes there as a value, and the
// answer brings back what the part's calls depend on. At the end one worker's collectives take over what all know.
#include <algorithm>

#include "link/collectives/collectives.hpp"

namespace waitstate::link {

// The part is kept until the answer comes, if it can tell something.
void Collectives::send_away(WorkerId to, const Arrival& a, const MemberPart& part) {
  MemberRecord r;
  r.comm = a.comm;
  r.rank = a.rank;
  r.op = a.op;
  r.root = a.names;
  r.number = a.count;
  r.begin = part.begin;
  r.end = part.end;
  r.bytes_sent = part.bytes_sent;
  r.bytes_received = part.bytes_received;
  r.call = calls_[part.call].call;
  const bool is_answered = a.nonblocking || calls_.accounts() != nullptr;
  r.slot = is_answered ? away_.acquire() : none;
  if (a.nonblocking)
    port_->post(to, NonblockingMember{r, calls_[part.completion].call});
  else
    port_->post(to, r);
  if (is_answered)
    away_[r.slot] = part;
  else
    calls_.release(part.call);
}

void Collectives::arrived(WorkerId from, const MemberRecord& r, const Call* completion) {
  prepare(r.comm);
  MemberPart part;
  part.call = calls_.adopt(r.call);
  if (completion != nullptr) part.completion = calls_.adopt(*completion);
  part.op = r.op;
  part.begin = r.begin;
  part.end = r.end;
  part.bytes_sent = r.bytes_sent;
  part.bytes_received = r.bytes_received;
  part.home = from;
  part.slot = r.slot;
  part.foreign = true;
  const std::uint32_t operation = meet({r.comm, r.rank, r.number, r.op, r.root, completion != nullptr}, part);
  if (operation != none) release(operation);
}

void Collectives::answer(const MemberPart& part) {
  MemberAnswer a;
  a.slot = part.slot;
  if (const CallAccounts* const accounts = calls_.accounts())
    a.account = accounts->get(part.completion != none ? part.completion : part.call);
  port_->post(part.home, a);
}

void Collectives::answer_completion(const MemberPart& part, CollectiveOp op, CommId comm, std::uint32_t awaited) {
  CompletionAnswer a;
  a.slot = part.slot;
  a.op = op;
  a.comm = comm;
  a.waited = awaited != none;
  if (a.waited) a.awaited = calls_[awaited].call;
  port_->post(part.home, a);
}

void Collectives::answered(const CompletionAnswer& a) {
  const MemberPart& part = away_[a.slot];
  add_completion(part, a.op, a.comm, a.waited ? calls_.adopt(a.awaited) : none);
}

void Collectives::answered(const MemberAnswer& a) {
  const MemberPart part = away_[a.slot];
  away_.release(a.slot);
  if (CallAccounts* const accounts = calls_.accounts())
    accounts->add(part.completion != none ? part.completion : part.call, a.account);
  drop_part(part);
}

// Before the end of the process itself, and where operations cannot be numbered any more.
void Collectives::tell_counts(ProcessId process) {
  for (const CommId comm : comms_of_process_[process.index()]) {
    const CommState& state = comms_[comm.index()];
    if (!state.divided || port_->homes().of(process) != port_->worker()) continue;
    const MemberState& m = *member_states_.find({comm.value, process.value});
    for (const std::uint32_t k : {0u, 1u})
      if (m.count[k] != 0) port_->post_to_others(CommCount{process, comm, k, m.count[k]});
  }
}

void Collectives::counted(const CommCount& c) {
  CommState& state = prepare(c.comm);
  MemberState* const m = member_states_.find({c.comm.value, c.process.value});
  if (m == nullptr) return;
  m->count[c.kind] = c.count;
  give_up(c.comm, state, static_cast<int>(c.kind), *m);
}

void Collectives::join(Collectives& other) {
  for (std::size_t c = 0; c < comms_.size(); ++c) {
    CommState& theirs = other.comms_[c];
    if (!theirs.prepared) continue;
    CommState& state = prepare(CommId{c});
    const std::uint64_t before = state.incomplete;
    for (Incomplete& i : theirs.first_incomplete) count_incomplete(state, i);
    state.incomplete = before + theirs.incomplete;
  }
  other.member_states_.for_each([&](const MemberKey& key, const MemberState& theirs) {
    MemberState& own = *member_states_.find(key);
    for (const int k : {0, 1}) own.count[k] = std::max(own.count[k], theirs.count[k]);
  });
  other.init_.for_each([&](std::size_t p, const Call& call) {
    if (call.location.valid()) init_[p] = call;
  });
  other.finalize_.for_each([&](std::size_t p, const Call& call) {
    if (!call.location.valid()) return;
    finalize_[p] = call;
    in_finalize_[p] = other.in_finalize_[p];
  });
  complete_operations_ += other.complete_operations_;
  missing_count_ += other.missing_count_;
}

}  // namespace waitstate::link
