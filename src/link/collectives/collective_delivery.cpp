// Collectives: what a complete operation looks like to patterns. A blocking one is shown whole; of a non-blocking one
// each member sees the latest of those that it depends on, in the call that completes it, together with the others that
// complete there.
#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "link/collectives/collectives.hpp"
#include "util/prefetch.hpp"

namespace waitstate::link {

std::uint32_t Collectives::root_of(const OpenOperation& o) const {
  const Comm& c = definitions_[o.comm];
  std::uint32_t rank = 0;
  for (const auto* group : {&c.members, &c.members_b})
    for (LocationId l : *group) {
      if (l == o.root) return rank;
      ++rank;
    }
  return Collective::no_root;
}

void Collectives::deliver(OpenOperation& o) {
  if (listener_ == nullptr) return;
  const bool has_no_kind = kind(o.op) == CollectiveKind::other;
  const bool has_no_neighbours = o.neighbourhood && !comms_[o.comm.index()].neighbours_known;
  if (wants_steps_) listener_->number_of_operation(o.number);
  if (wants_others_ && (has_no_kind ? creates_handle(o.op) : o.nonblocking || has_no_neighbours)) deliver_other(o);
  if (wants_creations_ && has_no_kind && creates_handle(o.op)) deliver_creation(o);
  if (has_no_kind) return;
  if (has_no_neighbours) {
    diagnostics_.add(DiagnosticId::neighbours_unknown, {LocationId::none(), ~Time{0}, {}});
    return;
  }
  if (o.nonblocking)
    deliver_nonblocking(o);
  else
    deliver_blocking(o);
}

void Collectives::deliver_blocking(OpenOperation& o) {
  view_.clear();
  constexpr std::size_t ahead = 12;  // the members' calls are far apart, and most no longer in the caches
  for (std::size_t i = 0; i < o.parts.size(); ++i) {
    const MemberPart& p = o.parts[i];
    if (i + ahead < o.parts.size()) util::prefetch(&calls_[o.parts[i + ahead].call], sizeof(CallState));
    view_.push_back({&calls_[p.call].call, p.begin, p.end, p.bytes_sent, p.bytes_received});
  }
  const Comm& comm = definitions_[o.comm];
  Collective c;
  c.kind = kind(o.op);
  c.op = o.op;
  c.comm = o.comm;
  c.members = view_;
  c.root = root_of(o);
  c.group_a = comm.inter() ? static_cast<std::uint32_t>(comm.members.size()) : 0;
  c.neighbourhood = o.neighbourhood;
  if (o.neighbourhood) {
    c.neighbours = comms_[o.comm.index()].neighbours;
    c.neighbour_begin = comms_[o.comm.index()].neighbour_begin;
  }
  listener_->collective(c);
}

// Fills the view of members for patterns.
void Collectives::view_others(const OpenOperation& o, bool has_neighbours) {
  const CommState& state = comms_[o.comm.index()];
  others_view_.clear();
  for (std::size_t i = 0; i < o.parts.size(); ++i) {
    const MemberPart& p = o.parts[i];
    OtherMember m{&calls_[p.call].call,
                  &calls_[o.nonblocking ? p.completion : p.call].call,
                  p.begin,
                  p.end,
                  p.bytes_sent,
                  p.bytes_received,
                  {}};
    if (has_neighbours)
      m.neighbours = std::span(state.neighbours)
                         .subspan(state.neighbour_begin[i], state.neighbour_begin[i + 1] - state.neighbour_begin[i]);
    others_view_.push_back(m);
  }
}

void Collectives::deliver_creation(const OpenOperation& o) {
  view_others(o, false);
  listener_->handle_creation({o.op, o.comm, o.nonblocking, others_view_});
}

void Collectives::deliver_other(const OpenOperation& o) {
  const bool has_neighbours = o.neighbourhood && comms_[o.comm.index()].neighbours_known;
  view_others(o, has_neighbours);
  const Comm& comm = definitions_[o.comm];
  listener_->other_collective({kind(o.op), o.op, o.comm, o.nonblocking, others_view_, root_of(o),
                               comm.inter() ? static_cast<std::uint32_t>(comm.members.size()) : 0, o.neighbourhood,
                               has_neighbours});
}

// Hands each member, and the one of those that it depends on that began last by begin(part); none where it depends on
// nobody. The neighbours of a neighbourhood operation are known.
template <class Begin, class Use>
void Collectives::for_each_awaited(const OpenOperation& o, const Begin& begin, const Use& use) const {
  const CollectiveKind k = kind(o.op);
  const Comm& comm = definitions_[o.comm];
  const std::size_t n = o.parts.size(), group_a = comm.inter() ? comm.members.size() : 0;
  const std::uint32_t root = root_of(o);
  const auto later = [&](std::uint32_t a, std::uint32_t b) {
    return a == none || begin(o.parts[b]) > begin(o.parts[a]) ? b : a;
  };

  // Finds the latest of each group: among all members for a barrier, else among those that send.
  std::uint32_t latest[2] = {none, none};
  for (std::uint32_t i = 0; i < n; ++i)
    if (k == CollectiveKind::barrier || o.parts[i].bytes_sent > 0) {
      std::uint32_t& l = latest[i < group_a ? 1 : 0];
      l = later(l, i);
    }
  std::uint32_t so_far = none;
  const CommState& state = comms_[o.comm.index()];
  for (std::uint32_t i = 0; i < n; ++i) {
    const MemberPart& p = o.parts[i];
    const std::uint32_t of_peers = latest[group_a != 0 && i >= group_a ? 1 : 0];
    std::uint32_t awaited = none;
    switch (k) {
      case CollectiveKind::barrier:
        awaited = of_peers;
        break;
      case CollectiveKind::all_to_all:
        if (p.bytes_received == 0) break;
        if (!o.neighbourhood)
          awaited = of_peers;
        else
          for (std::uint32_t e = state.neighbour_begin[i]; e < state.neighbour_begin[i + 1]; ++e)
            if (o.parts[state.neighbours[e]].bytes_sent > 0) awaited = later(awaited, state.neighbours[e]);
        break;
      case CollectiveKind::one_to_all:
        if (p.bytes_received > 0 && i != root && root != Collective::no_root) awaited = root;
        break;
      case CollectiveKind::all_to_one:
        if (i == root) awaited = of_peers;
        break;
      case CollectiveKind::scan:
        if (p.bytes_sent > 0) so_far = later(so_far, i);
        awaited = so_far;
        break;
      default:
        break;
    }
    use(p, awaited);
  }
}

// Nobody leaves before those that it depends on have begun, unless their clocks disagree. Alltoallv and Alltoallw do
// not say who got something from whom.
void Collectives::check_clocks(const OpenOperation& o) {
  if (o.op == CollectiveOp::alltoallv || o.op == CollectiveOp::alltoallw) return;
  if (o.neighbourhood && !comms_[o.comm.index()].neighbours_known) return;
  Time first_end = ~Time{0}, last_begin = 0;
  for (const MemberPart& p : o.parts)
    first_end = std::min(first_end, p.end), last_begin = std::max(last_begin, p.begin);
  if (last_begin <= first_end) return;  // as a rule; a non-blocking one's `begin` is not before its call's enter
  const auto begin = [&](const MemberPart& p) { return o.nonblocking ? calls_[p.call].call.enter : p.begin; };
  const MemberPart* worst = nullptr;
  Time most = 0;
  for_each_awaited(o, begin, [&](const MemberPart& p, std::uint32_t awaited) {
    if (awaited == none) return;
    if (const Time began = begin(o.parts[awaited]); began > p.end && began - p.end > most)
      worst = &p, most = began - p.end;
  });
  if (worst == nullptr) return;
  const Call& left = calls_[o.nonblocking ? worst->completion : worst->call].call;
  diagnostics_.add(DiagnosticId::collective_clock_violation, {left.location, worst->end, {}}, static_cast<Ticks>(most));
}

// --- accounts --------------------------------------------------------------------------------------------------------

void Collectives::account_as_lacking(const MemberPart& p) {
  const CallRef id = p.completion != none ? p.completion : p.call;
  if (id == none) return;
  if (CallAccounts* const accounts = calls_.accounts()) accounts->lacks(id, CallAccounts::Lack::member);
  tell_of_lack(listener_, replay::WorkMark::Kind::without_member, calls_[id].call);
}

void Collectives::tell_incomplete_part(CommId comm, std::uint64_t number, CollectiveOp op,
                                       const MemberPart& part) const {
  if (listener_ == nullptr || !(listener_->wanted().work || listener_->wanted().steps)) return;
  listener_->incomplete_part({comm, number, kind(op), calls_[part.call].call, part.begin, part.end,
                              part.bytes_sent + part.bytes_received > 0});
}

// Each member depends on those that for_each_awaited() names, and on those that the wait states name besides. All
// depend on all where handles are created, where nobody sends anything, and in an all-to-all operation in which all
// were at the same time. A root depends on the latest receiver that came while it was in the operation, a sender to the
// root on that one, if it came meanwhile.
void Collectives::account(const OpenOperation& o) {
  CallAccounts& accounts = *calls_.accounts();
  if (o.neighbourhood && !comms_[o.comm.index()].neighbours_known) {
    for (const MemberPart& p : o.parts) account_as_lacking(p);
    return;
  }
  const CollectiveKind k = kind(o.op);
  const auto call = [&](const MemberPart& p) { return o.nonblocking ? p.completion : p.call; };
  const auto begin = [&](const MemberPart& p) { return o.nonblocking ? calls_[p.call].call.enter : p.begin; };
  const auto end = [&](const MemberPart& p) { return o.nonblocking ? calls_[p.completion].call.exit : p.end; };
  const auto depends = [&](const MemberPart& p, Time until) { accounts.depends(call(p), until); };

  const Comm& comm = definitions_[o.comm];
  const std::size_t n = o.parts.size(), group_a = comm.inter() ? comm.members.size() : 0;
  Time last_begin = 0, first_end = ~Time{0}, latest[2] = {0, 0};  // latest: of group B, or the only one; of group A
  bool somebody_sends = false;
  for (std::size_t i = 0; i < n; ++i) {
    const MemberPart& p = o.parts[i];
    Time& of_group = latest[i < group_a ? 1 : 0];
    of_group = std::max(of_group, begin(p));
    last_begin = std::max(last_begin, begin(p));
    first_end = std::min(first_end, end(p));
    somebody_sends |= p.bytes_sent > 0;
  }
  const bool creates = creates_handle(o.op);
  const bool all_overlap = !o.nonblocking && first_end > last_begin;
  if (creates || (k == CollectiveKind::all_to_all && !o.neighbourhood && (all_overlap || !somebody_sends)))
    for (std::size_t i = 0; i < n; ++i) depends(o.parts[i], latest[group_a != 0 && i >= group_a ? 1 : 0]);
  for_each_awaited(o, begin, [&](const MemberPart& p, std::uint32_t awaited) {
    if (awaited != none) depends(p, begin(o.parts[awaited]));
  });

  const std::uint32_t root = root_of(o);
  if (root == Collective::no_root) return;
  const Time root_begin = begin(o.parts[root]), root_end = end(o.parts[root]);
  for (std::size_t i = 0; i < n; ++i) {
    const MemberPart& p = o.parts[i];
    if (i == root || (group_a != 0 && (i < group_a) == (root < group_a))) continue;
    if (k == CollectiveKind::one_to_all && p.bytes_received > 0 && begin(p) > root_begin && begin(p) < root_end)
      depends(o.parts[root], begin(p));
    if (k == CollectiveKind::all_to_one && p.bytes_sent > 0 && end(p) > root_begin) depends(p, root_begin);
  }
}

// It takes no part in the sums of calls with records: what it synchronises with is not what is recorded in it.
void Collectives::account_for_finalize(bool all_came) {
  Time last = 0;
  std::size_t came = 0;
  finalize_.for_each([&](std::size_t, const Call& c) {
    if (c.location.valid()) last = std::max(last, c.enter), ++came;
  });
  if (came < 2 && all_came) return;  // alone
  finalize_.for_each([&](std::size_t p, const Call& c) {
    if (!c.location.valid()) return;
    if (all_came)
      calls_.accounts()->add_depending(c, in_finalize_[p], last);
    else
      calls_.accounts()->add_lacking(c, in_finalize_[p], CallAccounts::Lack::member);
  });
}

void Collectives::deliver_nonblocking(OpenOperation& o) {
  const auto enter = [&](const MemberPart& p) { return calls_[p.call].call.enter; };
  for_each_awaited(o, enter, [&](const MemberPart& p, std::uint32_t awaited) {
    const std::uint32_t call = awaited == none ? none : o.parts[awaited].call;
    if (p.foreign) return answer_completion(p, o.op, o.comm, call);
    if (call != none) calls_.keep(call);
    add_completion(p, o.op, o.comm, call);
  });
}

// Adds the part to the operations that have completed in its call; takes over a use of the awaited call.
void Collectives::add_completion(const MemberPart& p, CollectiveOp op, CommId comm, std::uint32_t awaited) {
  Completions& completions = completions_[calls_[p.completion].completions];
  CollectiveCompletion item{kind(op), op, comm, &calls_[p.call].call, nullptr};
  calls_.keep(p.call);
  completions.held.push_back(p.call);
  if (awaited != none) {
    completions.held.push_back(awaited);
    item.awaited = &calls_[awaited].call;
  }
  completions.items.push_back({p.place, item});
}

void Collectives::call_closed(std::uint32_t call) {
  if (calls_[call].completions != none) deliver_completions(call);
}

// Called once all records of the call are known, and all its operations are complete or given up.
void Collectives::deliver_completions(std::uint32_t call) {
  CallState& c = calls_[call];
  const std::uint32_t id = c.completions;
  if (id == none || c.records_left != 0 || completions_[id].open != 0) return;
  c.completions = none;
  Completions& completions = completions_[id];
  // They are delivered in the order of their records, whatever the order in which they became complete.
  std::sort(completions.items.begin(), completions.items.end(),
            [](const PlacedCompletion& a, const PlacedCompletion& b) { return a.place < b.place; });
  completed_.clear();
  for (const PlacedCompletion& p : completions.items) completed_.push_back(p.completion);
  if (listener_ != nullptr && !completed_.empty()) listener_->completed_collectives({c.call, completed_});
  const std::vector<std::uint32_t> held = std::move(completions.held);
  completions_.release(id);
  for (std::uint32_t h : held) calls_.release(h);
}

// MPI_Init and MPI_Finalize, of all processes that have a rank; of all if the trace does not tell ranks.
// False if one of them did not come.
bool Collectives::deliver_world(const util::PagedTable<Call>& calls, CollectiveKind world_kind) {
  std::vector<std::pair<std::int64_t, const Call*>> ranked;
  std::size_t came = 0;
  const auto& processes = definitions_.processes;
  const bool ranks =
      std::any_of(processes.begin(), processes.end(), [](const LocationGroup& p) { return p.rank >= 0; });
  for (std::size_t p = 0; p < processes.size(); ++p) {
    if (ranks ? processes[p].rank < 0 : definitions_.cpu_threads(ProcessId{p}) == 0) continue;
    ranked.emplace_back(ranks ? processes[p].rank : static_cast<std::int64_t>(p), &calls[p]);
    came += calls[p].location.valid();
  }
  // Nobody waits in a run of one process, but its MPI_Finalize is where the critical path ends.
  const bool ends_path = world_kind == CollectiveKind::finalize && listener_ != nullptr && listener_->wanted().work;
  if (came == 0 || (ranked.size() < 2 && !ends_path)) return true;
  if (came < ranked.size()) {
    const char* const name = world_kind == CollectiveKind::init ? "MPI_Init: " : "MPI_Finalize: ";
    diagnostics_.add(DiagnosticId::collective_incomplete,
                     {LocationId::none(), ~Time{0},
                      name + std::to_string(came) + " of " + std::to_string(ranked.size()) + " processes came"});
    if (listener_ != nullptr && (listener_->wanted().work || listener_->wanted().steps))
      for (const auto& [rank, call] : ranked)
        if (call->location.valid()) {
          listener_->incomplete_part({CommId::none(), static_cast<std::uint64_t>(world_kind), world_kind, *call,
                                      call->enter, call->exit, false});
          if (world_kind == CollectiveKind::finalize)
            tell_of_lack(listener_, replay::WorkMark::Kind::without_member, *call);
        }
    return false;
  }
  std::sort(ranked.begin(), ranked.end());
  view_.clear();
  for (const auto& [rank, call] : ranked) view_.push_back({call, call->enter, call->exit, 0, 0});
  Collective c;
  c.kind = world_kind;
  c.members = view_;
  if (listener_ != nullptr) listener_->collective(c);
  return true;
}

namespace {

/// Reads ranks such as "1,3"; false if the text is something else.
bool read_ranks(std::string_view text, std::uint32_t size, std::vector<std::uint32_t>& ranks) {
  while (!text.empty()) {
    std::uint32_t rank = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (error != std::errc{} || rank >= size) return false;
    ranks.push_back(rank);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && text.front() != ',') return false;
    if (!text.empty()) text.remove_prefix(1);
  }
  return true;
}

}  // namespace

// OTF2 has no definition of a graph topology, so a property of every member's process says from whom it receives
// (`waitstate record` writes it).
void Collectives::find_sources(CommId comm, CommState& state) {
  const Comm& c = definitions_[comm];
  const std::string name = "WAITSTATE::SOURCES::" + std::to_string(c.ref);
  std::vector<std::uint32_t> sources, begin;
  for (const LocationId member : c.members) {
    begin.push_back(static_cast<std::uint32_t>(sources.size()));
    if (!member.valid() || !definitions_[member].process.valid()) return;
    const auto& all = definitions_[definitions_[member].process].properties;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Property& p) { return p.name == name; });
    if (found == all.end() || found->value.type != ValueType::string ||
        found->value.bits >= definitions_.strings.size() ||
        !read_ranks(definitions_.strings[found->value.bits], state.size, sources))
      return;
  }
  begin.push_back(static_cast<std::uint32_t>(sources.size()));
  if (begin.size() != std::size_t{state.size} + 1) return;
  state.neighbours = std::move(sources);
  state.neighbour_begin = std::move(begin);
  state.neighbours_known = true;
}

// In a Cartesian topology, the neighbours of a rank are one step up and down each dimension.
void Collectives::find_neighbours(CommId comm, CommState& state) {
  const auto& topologies = definitions_.cart_topologies;
  const auto topology = std::find_if(topologies.begin(), topologies.end(), [&](const CartTopology& t) {
    return t.comm == comm && !t.dimensions.empty() && !t.coordinates.empty();
  });
  if (topology == topologies.end()) return find_sources(comm, state);
  const std::size_t dimensions = topology->dimensions.size(), entry = dimensions + 1;
  using Coordinates = std::vector<std::uint64_t>;
  std::map<Coordinates, std::uint32_t> rank_at;
  std::vector<Coordinates> coordinates(state.size);
  for (std::size_t e = 0; e + entry <= topology->coordinates.size(); e += entry) {
    const std::uint64_t rank = topology->coordinates[e];
    if (rank >= state.size) return;
    const auto first = topology->coordinates.begin() + static_cast<std::ptrdiff_t>(e) + 1;
    coordinates[rank].assign(first, first + static_cast<std::ptrdiff_t>(dimensions));
    rank_at[coordinates[rank]] = static_cast<std::uint32_t>(rank);
  }
  for (std::uint32_t rank = 0; rank < state.size; ++rank) {
    state.neighbour_begin.push_back(static_cast<std::uint32_t>(state.neighbours.size()));
    for (std::size_t d = 0; d < coordinates[rank].size(); ++d) {
      if (!topology->dimensions[d].valid()) continue;
      const CartDimension& dimension = definitions_.cart_dimensions[topology->dimensions[d].index()];
      for (const bool up : {false, true}) {
        Coordinates to = coordinates[rank];
        const bool at_edge = up ? to[d] + 1 >= dimension.size : to[d] == 0;
        if (at_edge && dimension.periodicity != CartPeriodicity::true_) continue;
        to[d] = at_edge ? (up ? 0 : dimension.size - 1) : to[d] + (up ? 1 : std::uint64_t{0} - 1);
        if (const auto found = rank_at.find(to); found != rank_at.end()) state.neighbours.push_back(found->second);
      }
    }
  }
  state.neighbour_begin.push_back(static_cast<std::uint32_t>(state.neighbours.size()));
  state.neighbours_known = true;
}

}  // namespace waitstate::link
