#include "causes/ideal/replay.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

IdealReplay::IdealReplay(const Definitions& definitions, const CallTree& call_tree, const merge::EventStore& events)
    : definitions_(definitions),
      call_tree_(call_tree),
      world_calls_(definitions.processes.size()),
      world_size_(
          static_cast<std::size_t>(std::count_if(definitions.processes.begin(), definitions.processes.end(),
                                                 [](const LocationGroup& process) { return process.rank >= 0; }))),
      one_sided_(definitions, events, clocks_, operations_) {
  for (const Region& r : definitions.regions)
    kinds_.push_back(!is_mpi(r.region_class)                    ? RegionKind::outside
                     : initialises_or_finalizes(r.mpi_function) ? RegionKind::world
                                                                : RegionKind::mpi);
  clocks_.clear(definitions.locations.size());
}

// ---- events ----

void IdealReplay::event(const Event& e) {
  switch (e.type) {
    case EventType::enter:
      return enter(e);
    case EventType::exit:
      return exit(e);
    case EventType::send:
    case EventType::isend:
      clocks_.move(e);
      return push(e, IdealStep::send, messages_.sent(e.pos));
    case EventType::recv:
    case EventType::irecv:
      clocks_.move(e);
      if (const std::uint32_t m = messages_.received(e.sendptr); m != IdealClocks::nothing)
        return push(e, IdealStep::receive, m);
      return push(e, IdealStep::lack, IdealClocks::nothing);
    case EventType::metric:
      return;
    default:
      return other(e, clocks_.move(e));
  }
}

void IdealReplay::enter(const Event& e) {
  const RegionKind kind = kind_of(e.region());
  clocks_.move(e).in_mpi = kind != RegionKind::outside;
  if (kind == RegionKind::world) enter_world_call(e);
}

void IdealReplay::exit(const Event& e) {
  IdealClocks::LocationClock& place = clocks_.move(e);
  if (kind_of(e.region()) == RegionKind::world) leave_world_call(e);
  if (place.watches_exit && one_sided_.exit(e, pushing(e))) place.watches_exit = false;
  const CallPathId caller = e.callpath.valid() ? call_tree_[e.callpath].parent : CallPathId::none();
  place.in_mpi = caller.valid() && kind_of(call_tree_[caller].region) != RegionKind::outside;
}

void IdealReplay::other(const Event& e, IdealClocks::LocationClock& place) {
  switch (e.type) {
    case EventType::program_begin:
    case EventType::program_end:
      place.in_mpi = false;
      return;
    case EventType::collective_end:
      if (const CommId comm = synchronises(e); comm.valid())
        push(e, IdealStep::part, operations_.recorded(e, IdealOperations::on(comm)));
      return;
    case EventType::nonblocking_collective_request:
      return push(e, IdealStep::issue, operations_.issued(e.pos, e.time));
    case EventType::nonblocking_collective_complete:
      return complete_nonblocking(e);
    case EventType::rma_collective_end:
    case EventType::rma_group_sync:
    case EventType::rma_request_lock:
    case EventType::rma_acquire_lock:
    case EventType::rma_try_lock:
    case EventType::rma_release_lock:
      if (place.in_mpi && one_sided_.record(e, pushing(e))) place.watches_exit = true;
      return;
    default:
      return;
  }
}

/// The communicator of an operation in which a member may need others, else none.
CommId IdealReplay::synchronises(const Event& e) const {
  const auto op = static_cast<CollectiveOp>(e.attributes[0]);  // attributes: op, com, root, sent, received
  const CommId comm{e.attributes[1]};
  if (comm.index() >= definitions_.comms.size() || (kind(op) == CollectiveKind::other && !creates_handle(op)))
    return CommId::none();
  const Comm& of_comm = definitions_[comm];
  return of_comm.self || of_comm.members.size() + of_comm.members_b.size() < 2 ? CommId::none() : comm;
}

void IdealReplay::complete_nonblocking(const Event& e) {
  const CommId comm = synchronises(e);
  if (!comm.valid()) return operations_.drop_request(e.requestptr);
  const std::uint32_t p = operations_.finished(e.requestptr, e, IdealOperations::on(comm), true);
  if (p != IdealClocks::nothing) return push(e, IdealStep::finish, p);
  ++without_request_;
  push(e, IdealStep::lack, p);
}

// MPI_Init and MPI_Finalize, the first of each process. They begin with the enter, as others may be waited for in them.
void IdealReplay::enter_world_call(const Event& e) {
  const ProcessId process = definitions_[e.loc].process;
  if (!process.valid() || definitions_[process].rank < 0 || world_size_ < 2) return;
  WorldCalls& calls = world_calls_[process.index()];
  bool& has = definitions_[e.region()].mpi_function == MpiFunction::finalize ? calls.finalize : calls.init;
  if (!std::exchange(has, true)) push(e, IdealStep::issue, operations_.issued(e.pos, e.time));
}

void IdealReplay::leave_world_call(const Event& e) {
  const std::uint32_t p = operations_.finished(e.enterptr, e, IdealOperations::on(CommId::none()), false);
  if (p != IdealClocks::nothing) push(e, IdealStep::finish, p);
}

// ---- compound events ----

void IdealReplay::announce(const IdealNeeds& needs, std::uint64_t on_what) {
  operations_.announce(needs, on_what, members_);
  clocks_.run(*this);
}

void IdealReplay::note(const Collective& c) {
  members_.clear();
  for (std::size_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& m = c.members[i];
    members_.push_back({m.call->location, m.call->callpath, m.begin, m.end, m.bytes_sent > 0, m.bytes_received > 0});
    if (c.neighbourhood)
      members_.back().neighbours =
          c.neighbours.subspan(c.neighbour_begin[i], c.neighbour_begin[i + 1] - c.neighbour_begin[i]);
  }
  announce({.kind = c.kind, .root = c.root, .group_a = c.group_a, .neighbourhood = c.neighbourhood},
           IdealOperations::on(c.comm));
}

void IdealReplay::note(const OtherCollective& c) {
  members_.clear();
  for (const OtherMember& m : c.members)
    members_.push_back({m.completed->location, m.completed->callpath, m.begin, m.end, m.bytes_sent > 0,
                        m.bytes_received > 0, m.neighbours});
  const bool knows_nobody = c.neighbourhood && !c.has_neighbours;
  if (knows_nobody) without_neighbours_ += static_cast<std::int64_t>(c.members.size());
  announce({.kind = c.kind == CollectiveKind::other ? CollectiveKind::barrier : c.kind,
            .root = c.root,
            .group_a = c.group_a,
            .nobody = knows_nobody,
            .nonblocking = c.nonblocking,
            .neighbourhood = c.neighbourhood},
           IdealOperations::on(c.comm));
}

void IdealReplay::note(const RmaCollective& r) {
  if (!one_sided_.meets(r.win) || r.kind == RmaCollectiveKind::other) return;
  members_.clear();
  Time first_end = ~Time{0}, last_begin = 0;
  for (const CollectiveMember& m : r.collective.members) {
    members_.push_back({m.call->location, m.call->callpath, m.begin, m.end});
    first_end = std::min(first_end, m.end), last_begin = std::max(last_begin, m.begin);
  }
  const bool is_barrier = r.kind != RmaCollectiveKind::fence || first_end > last_begin;
  announce({.kind = CollectiveKind::barrier, .nobody = !is_barrier}, IdealOperations::on(r.win));
}

void IdealReplay::note(const RmaAccessEpoch& e) {
  one_sided_.access(e);
  clocks_.run(*this);
}

void IdealReplay::note(const RmaExposureEpoch& e) {
  one_sided_.exposure(e);
  clocks_.run(*this);
}

void IdealReplay::note(const RmaPassiveCall& r) {
  one_sided_.passive(r);
  clocks_.run(*this);
}

// ---- steps ----

bool IdealReplay::does(LocationId l, const IdealStep& step) {
  switch (step.kind) {
    case IdealStep::send:
      messages_.sends(l, step.number);
      return true;
    case IdealStep::receive:
      return messages_.receives(l, step);
    case IdealStep::issue:
      operations_.issues(l, step.number);
      return true;
    case IdealStep::finish:
      return operations_.finishes(l, step);
    case IdealStep::give:
      one_sided_.epochs().give(l, step.number);
      return true;
    case IdealStep::pass:
      return one_sided_.epochs().passes(l, step);
    case IdealStep::lack:
      clocks_.lose(l);
      return true;
    case IdealStep::part:
      break;
  }
  return operations_.takes_part(l, step);
}

namespace {

bool is_part(const IdealStep& step) { return step.kind == IdealStep::part || step.kind == IdealStep::finish; }

}  // namespace

bool IdealReplay::is_unknown(const IdealStep& step) const {
  return is_part(step) ? operations_.is_unknown(step)
                       : step.kind == IdealStep::pass && one_sided_.epochs().is_unknown(step);
}

void IdealReplay::give_up(const IdealStep& step) {
  if (is_part(step)) operations_.give_up(step);
  if (step.kind == IdealStep::pass) one_sided_.epochs().give_up(step);
}

// ---- results ----

void IdealReplay::each_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const {
  for (const auto& [where, ticks] : clocks_.waits())
    visit(CallPathId{static_cast<std::size_t>(where >> 32)}, LocationId{where & 0xffffffffu}, ticks);
}

IdealLosses IdealReplay::losses() const {
  return {.outside_of_calls = clocks_.waits_outside_of_calls(),
          .parts = operations_.given_up(),
          .without_request = without_request_,
          .without_neighbours = without_neighbours_,
          .has_windows = one_sided_.has_windows(),
          .without_function = one_sided_.without_function(),
          .epochs = one_sided_.epochs().given_up()};
}

}  // namespace waitstate::causes
