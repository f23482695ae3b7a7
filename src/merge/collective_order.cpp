#include "merge/collective_order.hpp"

#include <algorithm>

namespace waitstate::merge {

namespace {
// Members and roots are named by one location of their process; any of its threads may have taken part.
bool of_one_process(const Definitions& definitions, LocationId a, LocationId b) {
  if (a == b) return true;
  const std::size_t n = definitions.locations.size();
  if (a.index() >= n || b.index() >= n) return false;  // a root that is none
  return definitions[a].process.valid() && definitions[a].process == definitions[b].process;
}

// Rank of the location's process; the number of members if it is not a member.
std::size_t rank_of(const Definitions& definitions, CommId comm, LocationId l) {
  const auto& ranks = definitions[comm].members;
  const auto rank =
      std::find_if(ranks.begin(), ranks.end(), [&](LocationId m) { return of_one_process(definitions, m, l); });
  return static_cast<std::size_t>(rank - ranks.begin());
}
}  // namespace

void CollectiveOrder::begin_member(std::uint32_t member, LocationId l, bool begins) {
  if (members_.size() <= member) members_.resize(member + 1);
  members_[member] = {none, no_position, l, begins ? 2u : 1u, !begins};
}

bool CollectiveOrder::join(std::uint32_t member, std::uint32_t operation) {
  members_[member].operation = operation;
  ++operations_[operation].members;
  if (members_[member].begun) count_begin(members_[member]);
  return members_[member].begun;
}

void CollectiveOrder::set(std::uint32_t operation, const link::MergeStep::CollectiveOperation& now) {
  if (operations_.size() <= operation) operations_.resize(operation + 1);
  operations_[operation].is = now;
}

void CollectiveOrder::close(std::uint32_t operation) {
  operations_[operation].closed = true;
  release(operation);
}

void CollectiveOrder::release(std::uint32_t operation) {
  if (!operations_[operation].closed || operations_[operation].members != 0) return;
  operations_[operation] = {};
  free_operations_.push_back(operation);
}

void CollectiveOrder::drop(std::uint32_t member) {
  Member& m = members_[member];
  if (--m.holds != 0) return;
  if (m.operation != none) {
    --operations_[m.operation].members;
    release(m.operation);
  }
  free_members_.push_back(member);
}

void CollectiveOrder::place_begin(std::uint32_t member, Position p) {
  Member& m = members_[member];
  m.begin = p;
  m.begun = true;
  if (m.operation != none) count_begin(m);
  drop(member);
}

void CollectiveOrder::count_begin(const Member& m) {
  OpenOperation& o = operations_[m.operation];
  ++o.begun;
  o.root_begun |= of_one_process(definitions_, m.location, o.is.root);
  if (kind(o.is.op) != CollectiveKind::scan) return;
  o.begun_ranks.resize(definitions_[o.is.comm].members.size());
  const std::size_t rank = rank_of(definitions_, o.is.comm, m.location);
  if (rank < o.begun_ranks.size()) o.begun_ranks[rank] = true;
  while (o.leading_begun < o.begun_ranks.size() && o.begun_ranks[o.leading_begun]) ++o.leading_begun;
}

bool CollectiveOrder::may_end(std::uint32_t member) const {
  const Member& m = members_[member];
  if (m.operation == none) return true;
  const OpenOperation& o = operations_[m.operation];
  if (o.is.neighbourhood || (definitions_[o.is.comm].inter() && o.is.op != CollectiveOp::barrier)) return true;
  switch (kind(o.is.op)) {
    case CollectiveKind::barrier:
    case CollectiveKind::all_to_all:
      return o.begun == o.is.expected;
    case CollectiveKind::one_to_all:
      return o.root_begun || of_one_process(definitions_, m.location, o.is.root) || !o.is.root.valid();
    case CollectiveKind::all_to_one:
      return !of_one_process(definitions_, m.location, o.is.root) || o.begun == o.is.expected;
    case CollectiveKind::scan:
      return rank_of(definitions_, o.is.comm, m.location) <= o.leading_begun;
    default:
      return true;  // handles: no member has to wait for another
  }
}

bool CollectiveOrder::never_completes(std::uint32_t member) const {
  const std::uint32_t operation = members_[member].operation;
  return operation == none || operations_[operation].is.dead;
}

bool CollectiveOrder::is_scan(std::uint32_t member) const {
  const std::uint32_t operation = members_[member].operation;
  return operation != none && kind(operations_[operation].is.op) == CollectiveKind::scan;
}

}  // namespace waitstate::merge
