#include "link/collectives/collectives.hpp"

#include <algorithm>

#include "util/prefetch.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate::link {

namespace {
// With more members, the parts of the open operations do not stay in the processor's caches: those of a location's next
// operations are asked for in advance.
constexpr std::size_t cached_members = 128, ahead = 6;
}  // namespace

Collectives::Collectives(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener* listener,
                         MergeFeed* feed, Port* port)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      feed_(feed),
      port_(port),
      comms_(definitions.comms.size()),
      comms_of_process_(definitions.processes.size() + 1),
      ended_(definitions.processes.size() + 1),
      queues_(definitions.processes.size() + 1),
      open_begins_(definitions.locations.size()),
      init_(definitions.processes.size() + 1),
      finalize_(definitions.processes.size() + 1),
      in_finalize_(definitions.processes.size() + 1),
      wants_others_(listener != nullptr && listener->wanted().any(interest_other_collective)),
      wants_steps_(listener != nullptr && listener->wanted().steps),
      wants_creations_(listener != nullptr && listener->wanted().any(interest_handle_creation)) {}

// --- records ---------------------------------------------------------------------------------------------------------

std::uint32_t Collectives::begin(LocationId l, const replay::CommRecord& r) {
  const std::uint32_t member = feed_ == nullptr ? none : feed_->new_member(l, true);
  open_begins_[l.index()].push_back({r.time, member});
  return member;
}

std::uint32_t Collectives::end(LocationId l, const replay::CommRecord& r, std::uint32_t call) {
  auto& open = open_begins_[l.index()];
  OpenBegin begun{calls_[call].call.enter, none};  // a recorder that writes no begin: it began with the call
  if (!open.empty()) {
    begun = open.back();
    open.pop_back();
  } else if (feed_ != nullptr) {
    begun.member = feed_->new_member(l, false);
  }
  // A begin record before the call belongs to another one, or the records are outside of every call.
  begun.time = std::max(begun.time, calls_[call].call.enter);
  const MemberPart part{call, none, 0, static_cast<CollectiveOp>(r.tag), begun.time, r.time, r.bytes, r.received};
  const std::uint32_t operation = arrive(l, r, part);
  if (feed_ != nullptr && operation != none) feed_->join(begun.member, operations_[operation].for_merge);
  if (operation != none) release(operation);
  return begun.member;
}

std::uint32_t Collectives::start(LocationId l, const replay::CommRecord& r, std::uint32_t call) {
  const ProcessId process =
      definitions_[l].process.valid() ? definitions_[l].process : ProcessId{definitions_.processes.size()};
  if (queues_[process.index()].size() >= max_started) give_up_started(process);
  const std::uint32_t id = started_.acquire();
  Started& s = started_[id];
  s.location = l;
  s.step = r.step;
  s.part.call = call;
  s.part.begin = r.time;
  calls_.keep(call);
  queues_[process.index()].push_back(id);
  return id;
}

void Collectives::complete(std::uint32_t id, LocationId l, const replay::CommRecord& r, std::uint32_t call) {
  Started& s = started_[id];
  const auto op = static_cast<CollectiveOp>(r.tag);
  s.record = r;
  s.completed = true;
  s.part.completion = call;
  s.part.op = op;
  s.part.end = r.time;
  s.part.bytes_sent = r.bytes;
  s.part.bytes_received = r.received;
  calls_.keep(call);
  if (listener_ != nullptr && kind(op) != CollectiveKind::other)
    listener_->nonblocking_collective(calls_[s.part.call].call, op, r.bytes, r.received);
  CallState& c = calls_[call];
  if (c.completions == none) c.completions = completions_.acquire();
  Completions& completions = completions_[c.completions];
  ++completions.open;
  s.part.place = completions.places++;
  number_started(definitions_[l].process.valid() ? definitions_[l].process : ProcessId{definitions_.processes.size()});
}

void Collectives::cancel(std::uint32_t id) {
  started_[id].cancelled = true;
  const ProcessId process = definitions_[started_[id].location].process;
  number_started(process.valid() ? process : ProcessId{definitions_.processes.size()});
}

// Takes what has completed from the front of the queue.
void Collectives::number_started(ProcessId process) {
  auto& queue = queues_[process.index()];
  while (!queue.empty() && (started_[queue.front()].completed || started_[queue.front()].cancelled)) {
    const std::uint32_t id = queue.front();
    queue.pop_front();
    const Started s = started_[id];
    started_.release(id);
    if (s.cancelled) {
      drop_part(s.part);
      continue;
    }
    const std::uint32_t operation = arrive(s.location, s.record, s.part, &s);
    if (operation != none) release(operation);
  }
}

// Operations that stand behind one that never completes cannot be numbered.
void Collectives::give_up_started(ProcessId process) {
  auto& queue = queues_[process.index()];
  for (std::uint32_t id : queue) {
    const Started s = started_[id];
    started_.release(id);
    if (s.completed) account_as_lacking(s.part);
    if (s.completed && s.record.comm.valid()) {
      const CommId comm = s.record.comm;
      CommState& state = prepare(comm);
      if (const MemberState* m = member_states_.find({comm.value, process.value})) {
        if (state.divided) port_->post_to_others(CommCount{process, comm, 1, m->count[1]});
        give_up(comm, state, kind_index(true), *m);
      }
    }
    drop_part(s.part);
  }
  queue.clear();
}

void Collectives::init_finalize_call(const Call& call, Ticks exclusive) {
  const ProcessId process = definitions_[call.location].process;
  if (!process.valid()) return;
  const bool finalizes = call.function == MpiFunction::finalize;
  Call& first = (finalizes ? finalize_ : init_)[process.index()];
  if (first.location.valid() && call.enter >= first.enter) return;
  first = call;
  if (finalizes) in_finalize_[process.index()] = exclusive;
}

// --- matching --------------------------------------------------------------------------------------------------------

Collectives::CommState& Collectives::prepare(CommId comm) {
  CommState& state = comms_[comm.index()];
  if (state.prepared) return state;
  state.prepared = true;
  const Comm& c = definitions_[comm];
  for (const auto* group : {&c.members, &c.members_b})
    for (LocationId l : *group) {
      const std::uint32_t rank = state.size++;
      if (!l.valid() || !definitions_[l].process.valid()) {  // a member that is not in the trace never comes
        state.never.push_back(rank);
        for (int k : {0, 1}) state.dead_from[k] = 0;
        continue;
      }
      const ProcessId process = definitions_[l].process;
      if (member_states_.find({comm.value, process.value}) !=
          nullptr) {  // a member that is listed twice never comes either
        state.never.push_back(rank);
        for (int k : {0, 1}) state.dead_from[k] = 0;
        continue;
      }
      member_states_.find_or_insert({comm.value, process.value}).rank = rank;
      comms_of_process_[process.index()].push_back(comm);
      if (ended_[process.index()])
        for (int k : {0, 1}) state.dead_from[k] = 0;
    }
  find_neighbours(comm, state);
  if (port_ != nullptr) find_home(comm, state);
  return state;
}

void Collectives::find_home(CommId comm, CommState& state) {
  bool any = false;
  const Comm& c = definitions_[comm];
  for (const auto* group : {&c.members, &c.members_b})
    for (const LocationId l : *group) {
      if (!l.valid()) continue;
      const WorkerId home = port_->homes().of(l);
      state.divided = state.divided || (any && home != state.home);
      state.home = home;
      any = true;
    }
}

// Finds the n-th operation of a communicator.
WorkerId Collectives::meeting_worker(const CommState& state, CommId comm, std::uint64_t number) const {
  if (port_ == nullptr) return 0;
  return state.divided ? static_cast<WorkerId>((comm.value + number) % port_->workers()) : state.home;
}

// The n-th operation of the process on the communicator; `started` if it is a non-blocking one. Returns the operation,
// held once more for the caller; none if it has no other members or cannot become complete.
std::uint32_t Collectives::arrive(LocationId l, const replay::CommRecord& r, const MemberPart& part,
                                  const Started* started) {
  const bool nonblocking = started != nullptr;
  if (!nonblocking) calls_.keep(part.call);
  const auto op = static_cast<CollectiveOp>(r.tag);
  if (!r.comm.valid() || definitions_[r.comm].self) {
    if (!r.comm.valid()) {
      diagnostics_.add(DiagnosticId::collective_stranger, {l, r.time, {}});
      account_as_lacking(part);
    }
    drop_part(part);
    return none;
  }
  const ProcessId process = definitions_[l].process;
  CommState& state = prepare(r.comm);
  if (state.size <= 1) {
    if (state.size == 0) {
      diagnostics_.add(DiagnosticId::collective_stranger, {l, r.time, {}});
      account_as_lacking(part);
    }
    drop_part(part);
    return none;
  }
  MemberState* const member = process.valid() ? member_states_.find({r.comm.value, process.value}) : nullptr;
  if (member == nullptr) {
    diagnostics_.add(DiagnosticId::collective_stranger, {l, r.time, {}});
    account_as_lacking(part);
    drop_part(part);
    return none;
  }
  const bool inter = definitions_[r.comm].inter();
  LocationId names = r.peer;  // the root, if it is one
  if (inter && names.index() < definitions_.locations.size() && definitions_[names].process == process) {
    // The root itself: the thread that called, which need not be the one that the communicator names.
    const Comm& c = definitions_[r.comm];
    names = member->rank < c.members.size() ? c.members[member->rank] : c.members_b[member->rank - c.members.size()];
  }
  const int k = kind_index(nonblocking);
  const Arrival a{r.comm, member->rank, member->count[k]++, op, names, nonblocking};
  if (wants_steps_) [[unlikely]] {
    listener_->number_of_step(r.step, a.count);
    if (nonblocking)
      listener_->operation_of_request(started->step, {r.comm, op, a.count, calls_[part.completion].call.location});
  }
  const WorkerId meets_at = meeting_worker(state, r.comm, a.count);
  if (port_ != nullptr && meets_at != port_->worker()) {
    send_away(meets_at, a, part);
    return none;
  }
  return meet(a, part);
}

// Adds the part to its operation.
std::uint32_t Collectives::meet(const Arrival& a, const MemberPart& part) {
  const CommId comm = a.comm;
  const CollectiveOp op = a.op;
  const std::uint64_t count = a.count;
  const LocationId names = a.names;
  const bool nonblocking = a.nonblocking, inter = definitions_[comm].inter();
  const int k = kind_index(nonblocking);
  CommState& state = comms_[comm.index()];
  if (count >= state.dead_from[k]) {
    const Incomplete incomplete{count * 2 + static_cast<std::uint64_t>(k), a.rank, op, {}};
    if (count >= state.reported[k]) {
      state.reported[k] = count + 1;
      count_incomplete(state, incomplete);
    } else {
      add_to_incomplete(state, incomplete);
    }
    account_as_lacking(part);
    if (!nonblocking) tell_incomplete_part(comm, count, op, part);
    drop_part(part);
    return none;
  }
  const OperationKey key{comm.value, count * 2 + static_cast<std::uint64_t>(k)};
  std::uint32_t& slot = open_.find_or_insert(key);
  if (slot == 0) {  // numbers are stored plus one: a new entry is 0
    const std::uint32_t id = operations_.acquire();
    slot = id + 1;
    OpenOperation& o = operations_[id];
    o.comm = comm;
    o.number = count;
    o.op = op;
    o.root = names;
    o.nonblocking = nonblocking;
    o.expected = state.size;
    o.uses = 1;  // the table
    if (feed_ != nullptr && !nonblocking) o.for_merge = feed_->new_operation();
    if (!spare_.empty()) {
      o.parts = std::move(spare_.back());
      spare_.pop_back();
    }
    o.parts.assign(state.size, MemberPart{});
  }
  const std::uint32_t id = slot - 1;
  if (state.size > cached_members)
    if (const std::uint32_t* const later = open_.find({key.comm, key.number + 2 * ahead}))
      util::prefetch<true>(&operations_[*later - 1].parts[a.rank], sizeof(MemberPart));
  OpenOperation& o = operations_[id];
  const LocationId root = o.root;
  const bool neighbourhood = o.neighbourhood;
  // On an inter-communicator, only the remote group and the root itself name the root.
  const bool names_root = names.value != root_none && names.value != root_this_group;
  if (inter && names_root && (o.root.value == root_none || o.root.value == root_this_group)) o.root = names;
  o.mismatch |= o.op != op || (o.root != names && (!inter || names_root));
  if (calls_[part.call].call.function == MpiFunction::neighbour) o.neighbourhood = true;  // whoever comes first
  if (o.arrived == 0 || o.root != root || o.neighbourhood != neighbourhood) tell_merge(o);
  o.parts[a.rank] = part;
  ++o.arrived;
  ++o.uses;  // the caller's
  if (o.arrived == o.expected) {
    open_.erase(key);
    ++complete_operations_;
    // Only now: how much of an incomplete operation is seen before it is given up depends on the order of reading.
    const MemberPart& first =
        o.parts.front();  // the part of rank 0: which one came first depends on the order of reading as well
    if (o.mismatch) {
      diagnostics_.add(DiagnosticId::collective_mismatch, {calls_[first.call].call.location, first.end, {}});
    } else {
      check_clocks(o);
      if (calls_.accounts() != nullptr) account(o);
      deliver(o);
    }
    drop_parts(o);
    release(id);
  }
  return id;
}

void Collectives::drop_part(const MemberPart& part) {
  if (part.foreign) {
    if (part.slot != none) answer(part);
    if (part.completion != none) calls_.release(part.completion);
    calls_.release(part.call);
    return;
  }
  if (part.completion != none) {  // nothing of the operation is delivered with the call that completed it
    const std::uint32_t completions = calls_[part.completion].completions;
    --completions_[completions].open;
    deliver_completions(part.completion);
    calls_.release(part.completion);
  }
  if (part.call != none) calls_.release(part.call);
}

void Collectives::drop_parts(OpenOperation& o) {
  for (const MemberPart& p : o.parts) {
    if (p.call == none) continue;
    if (o.dead || o.mismatch) account_as_lacking(p);
    drop_part(p);
  }
  o.parts.clear();
  spare_.push_back(std::move(o.parts));
  o.parts = {};
}

void Collectives::release(std::uint32_t operation) {
  if (--operations_[operation].uses != 0) return;
  if (const std::uint32_t number = operations_[operation].for_merge; number != none) feed_->close(number);
  operations_.release(operation);
}

// --- what is not in the trace ----------------------------------------------------------------------------------------

void Collectives::end_process(ProcessId process) {
  number_started(process);
  give_up_started(process);
  ended_[process.index()] = true;
  if (port_ != nullptr) tell_counts(process);
  // Its communicators may become prepared by what is delivered meanwhile: none of them can be its own then.
  for (CommId comm : comms_of_process_[process.index()]) {
    CommState& state = comms_[comm.index()];
    const MemberState m = *member_states_.find({comm.value, process.value});
    for (int k : {0, 1}) give_up(comm, state, k, m);
  }
}

// The operations that the member has not reached will not become complete.
void Collectives::give_up(CommId comm, CommState& state, int k, const MemberState& member) {
  const std::uint64_t from = member.count[k], was_dead_from = state.dead_from[k];
  if (from >= was_dead_from) return;
  state.dead_from[k] = from;
  // Each of n workers has every n-th operation of a divided communicator.
  std::uint64_t first_here = from, step = 1;
  if (state.divided) {
    step = port_->workers();
    while (meeting_worker(state, comm, first_here) != port_->worker()) ++first_here;
  }
  for (std::uint64_t n = first_here; n < was_dead_from; n += step) {
    const OperationKey key{comm.value, n * 2 + static_cast<std::uint64_t>(k)};
    const std::uint32_t* const slot = open_.find(key);
    if (slot == nullptr) break;  // nobody has come so far
    const std::uint32_t id = *slot - 1;
    open_.erase(key);
    OpenOperation& o = operations_[id];
    o.dead = true;
    tell_merge(o);
    ++missing_count_;
    const auto first = std::find_if(o.parts.begin(), o.parts.end(), [](const MemberPart& p) { return p.call != none; });
    count_incomplete(state, {key.number, static_cast<std::uint32_t>(first - o.parts.begin()), first->op, {}});
    state.reported[k] = std::max(state.reported[k], n + 1);
    if (!o.nonblocking)
      for (const MemberPart& p : o.parts)
        if (p.call != none) tell_incomplete_part(comm, n, p.op, p);
    drop_parts(o);
    release(id);
  }
}

void Collectives::count_incomplete(CommState& state, const Incomplete& i) {
  ++state.incomplete;
  std::vector<Incomplete>& first = state.first_incomplete;
  if (first.size() == Diagnostics::max_places && !(i < first.back())) return;
  first.insert(std::upper_bound(first.begin(), first.end(), i), i);
  if (first.size() > Diagnostics::max_places) first.pop_back();
}

// This member reaches an operation that has been counted: whether it came before that depends on the order of
// reading.
void Collectives::add_to_incomplete(CommState& state, const Incomplete& late) {
  for (Incomplete& i : state.first_incomplete)
    if (i.number == late.number && late.rank < i.rank) i.rank = late.rank, i.op = late.op;
}

// Only at the end: who is found missing first depends on the order of reading.
void Collectives::tell_incomplete() {
  comms_of_process_.for_each([&](std::size_t p, const std::vector<CommId>& comms) {
    for (const CommId comm : comms)
      for (Incomplete& i : comms_[comm.index()].first_incomplete) {
        const MemberState& m = *member_states_.find({comm.value, static_cast<std::uint32_t>(p)});
        if (m.count[i.number % 2] <= i.number / 2) i.lacks.push_back(m.rank);
      }
  });
  for (std::size_t c = 0; c < comms_.size(); ++c) {
    std::uint64_t count = comms_[c].incomplete;
    for (Incomplete& i : comms_[c].first_incomplete) {
      const Comm& comm = definitions_[CommId{c}];
      std::vector<std::uint32_t>& lacks = i.lacks;
      lacks.insert(lacks.end(), comms_[c].never.begin(), comms_[c].never.end());
      std::string text = std::string(enum_name(i.op)) + " on communicator " + std::to_string(c) +
                         (comm.name.empty() ? "" : " (" + comm.name + ")");
      if (!lacks.empty()) text += ": rank " + std::to_string(*std::min_element(lacks.begin(), lacks.end()));
      if (lacks.size() > 1)
        text += " and " + std::to_string(lacks.size() - 1) + (lacks.size() == 2 ? " other" : " others");
      const std::uint64_t counted = &i == &comms_[c].first_incomplete.back() ? count : 1;
      diagnostics_.add(DiagnosticId::collective_incomplete,
                       {LocationId::none(), ~Time{0}, text + " never completed it"}, 0, counted);
      count -= counted;
    }
  }
}

void Collectives::finish_own() {
  queues_.for_each([&](std::size_t p, const auto&) { give_up_started(ProcessId{p}); });
}

void Collectives::finish_joined() {
  tell_incomplete();
  deliver_world(init_, CollectiveKind::init);
  const bool all_came = deliver_world(finalize_, CollectiveKind::finalize);
  if (calls_.accounts() != nullptr) account_for_finalize(all_came);
}

// --- for the merge ---------------------------------------------------------------------------------------------------

void Collectives::tell_merge(const OpenOperation& o) {
  if (o.for_merge != none) feed_->set(o.for_merge, {o.comm, o.op, o.root, o.expected, o.neighbourhood, o.dead});
}

}  // namespace waitstate::link
