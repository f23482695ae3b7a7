#include "causes/ideal/announcements.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace waitstate::causes {

Announcements::Announcements(const Definitions& definitions, std::size_t spill_beyond)
    : windows_(definitions), incomplete_(spill_beyond) {
  banks_.push_back(std::make_unique<Bank>(spill_beyond));
}

// ---- while the trace is read ----

void Announcements::add(Operations& to, const IdealNeeds& needs, std::size_t members) {
  to.operations.push_back({needs, static_cast<std::uint32_t>(members)});
}

void Announcements::add(Operations& to, const Call& call, Time begin, Time end, bool sends, bool receives,
                        std::span<const std::uint32_t> neighbours) {
  to.members.push_back(
      {begin, end, call.location, call.callpath, static_cast<std::uint32_t>(neighbours.size()), sends, receives});
  to.neighbours.append(neighbours.data(), neighbours.size());
}

void Announcements::note(const Collective& c) {
  IdealNeeds needs{.on_what = ideal_key(c.comm), .number = number_, .kind = c.kind, .root = c.root};
  needs.is_numbered = true;
  if (!c.comm.valid()) needs.number = c.kind == CollectiveKind::finalize;
  needs.group_a = c.group_a;
  needs.neighbourhood = c.neighbourhood;
  Operations& own = c.comm.valid() ? banks_.front()->operations : banks_.front()->world;
  add(own, needs, c.members.size());
  for (std::size_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& m = c.members[i];
    std::span<const std::uint32_t> neighbours;
    if (c.neighbourhood)
      neighbours = c.neighbours.subspan(c.neighbour_begin[i], c.neighbour_begin[i + 1] - c.neighbour_begin[i]);
    add(own, *m.call, m.begin, m.end, m.bytes_sent > 0, m.bytes_received > 0, neighbours);
  }
}

void Announcements::note(const OtherCollective& c) {
  IdealNeeds needs{.on_what = ideal_key(c.comm), .number = number_, .kind = c.kind, .root = c.root};
  if (c.kind == CollectiveKind::other) needs.kind = CollectiveKind::barrier;
  needs.is_numbered = true;
  needs.group_a = c.group_a;
  needs.nonblocking = c.nonblocking;
  needs.neighbourhood = c.neighbourhood;
  needs.nobody = c.neighbourhood && !c.has_neighbours;
  if (needs.nobody) without_neighbours_ += static_cast<std::int64_t>(c.members.size());
  Operations& own = banks_.front()->operations;
  add(own, needs, c.members.size());
  for (const OtherMember& m : c.members)
    add(own, *m.completed, m.begin, m.end, m.bytes_sent > 0, m.bytes_received > 0, m.neighbours);
}

void Announcements::note(const RmaCollective& r) {
  if (!windows_.meets(r.win) || r.kind == RmaCollectiveKind::other) return;
  Time first_end = ~Time{0}, last_begin = 0;
  for (const CollectiveMember& m : r.collective.members)
    first_end = std::min(first_end, m.end), last_begin = std::max(last_begin, m.begin);
  IdealNeeds needs{.on_what = ideal_key(r.win), .number = 0, .kind = CollectiveKind::barrier};
  needs.nobody = r.kind == RmaCollectiveKind::fence && first_end <= last_begin;
  Operations& own = banks_.front()->operations;
  add(own, needs, r.collective.members.size());
  for (const CollectiveMember& m : r.collective.members) add(own, *m.call, m.begin, m.end, true, true);
}

template <class Partners, class CallOf>
void Announcements::add_epoch(const IdealCall& stands_at, Time until, const IdealCall& own, const Partners& partners,
                              CallOf&& call_of) {
  Bank& bank = *banks_.front();
  bank.epochs.push_back({stands_at, own, until, static_cast<std::uint32_t>(partners.size())});
  for (const auto& partner : partners) bank.partners.push_back(call_of(partner));
}

void Announcements::note(const RmaAccessEpoch& e) {
  if (!windows_.of_mpi(e.win) || e.complete.function != MpiFunction::win_complete) return;
  const IdealCall complete{IdealCall::completes, e.complete.location, e.win, e.complete.enter, e.complete.number};
  add_epoch(complete, e.complete.exit, complete, e.targets, [&](const RmaAccessTarget& t) {
    return IdealCall{IdealCall::posts, t.post.location, e.win, t.post.enter, t.post.number};
  });
}

void Announcements::note(const RmaExposureEpoch& e) {
  if (!windows_.of_mpi(e.win) || e.post.function != MpiFunction::win_post) return;
  const IdealCall post{IdealCall::posts, e.post.location, e.win, e.post.enter, e.post.number};
  const IdealCall wait{IdealCall::waits, e.wait.location, e.win, e.wait.enter, e.wait.number};
  add_epoch(wait, e.wait.exit, post, e.origins, [&](const RmaExposureOrigin& o) {
    return IdealCall{IdealCall::completes, o.complete.location, e.win, o.complete.enter, o.complete.number};
  });
}

void Announcements::note(const RmaPassiveCall& r) {
  if (!windows_.of_mpi(r.win)) return;
  Passive passive;
  passive.call = {windows_.unlocks(r.call.region) ? IdealCall::unlocks : IdealCall::locks, r.call.location,
                  RmaWinId::none(), r.call.enter, r.call.number};
  passive.exit = r.call.exit;
  passive.is_gate = windows_.locks(r.call.region);
  passive.waited = r.released != nullptr && windows_.unlocks(r.released->region);
  if (passive.waited) {
    passive.by = {IdealCall::unlocks, r.released->location, RmaWinId::none(), r.released->enter, r.released->number};
    passive.time = r.release_time;
  }
  if (passive.is_gate || passive.waited) banks_.front()->add(passive);
}

bool Announcements::Passive::comes_before(const Passive& o) const {
  const auto order = [](const Passive& of) { return std::tuple(of.exit, of.call.location, of.call.enter); };
  if (order(*this) != order(o)) return order(*this) < order(o);
  return static_cast<std::int16_t>(call.number - o.call.number) < 0;
}

// Where it comes in order; of two such places where less lies between it and the last one.
void Announcements::Bank::add(const Passive& call) {
  const auto fits = [&](const PassiveCalls& in) { return in.calls.empty() || !call.comes_before(in.last); };
  const bool second = !fits(passive[0]) || (fits(passive[1]) && passive[0].last.comes_before(passive[1].last));
  passive[second ? 1 : 0].push_back(call);
}

void Announcements::note(const link::IncompletePart& part) {
  incomplete_.push_back({ideal_key(part.comm), part.number});
}

void Announcements::join(Announcements& other) {
  std::move(other.banks_.begin(), other.banks_.end(), std::back_inserter(banks_));
  other.banks_.clear();
  other.incomplete_.each(0, other.incomplete_.size(), [&](const Incomplete& i) { incomplete_.push_back(i); });
  without_neighbours_ += other.without_neighbours_;
}

// ---- when it has been read ----

void Announcements::all_read() {
  incomplete_.each(0, incomplete_.size(), [&](const Incomplete& i) { lacking_.insert(i); });
}

bool Announcements::Reader::read_on(AnnouncementListener& listener) {
  constexpr int few = 16;
  bool any = false;
  for (const auto& bank : banks_)
    while (!bank->world.is_read()) any = true, read_operation(bank->world, listener);
  for (const auto& bank : banks_)
    for (int i = 0; i < few; ++i) {
      if (!bank->operations.is_read()) any = true, read_operation(bank->operations, listener);
      if (bank->epoch < bank->epochs.size()) any = true, read_epoch(*bank, listener);
      if (read_passive(listener)) any = true;
    }
  return any;
}

// The next one of all. A call that has to do with several locks may be told several times.
bool Announcements::Reader::read_passive(AnnouncementListener& listener) {
  bool any = false;
  Passive first;
  const auto each = [&](auto&& use) {
    for (const auto& bank : banks_)
      for (PassiveCalls& p : bank->passive) use(p);
  };
  each([&](const PassiveCalls& p) {
    if (p.next == p.calls.size()) return;
    if (const Passive call = p.calls[p.next]; !std::exchange(any, true) || call.comes_before(first)) first = call;
  });
  if (!any) return false;
  releases_.clear();
  each([&](PassiveCalls& p) {
    for (; p.next != p.calls.size(); ++p.next) {
      const Passive call = p.calls[p.next];
      if (call.call != first.call) break;
      if (call.waited) releases_.push_back({call.by, call.time});
    }
  });
  std::sort(releases_.begin(), releases_.end());
  listener.passive(first.call, first.is_gate, releases_);
  return true;
}

void Announcements::Reader::read_operation(Operations& from, AnnouncementListener& listener) {
  const Operation o = from.operations[from.operation++];
  members_.clear(), neighbours_.clear();
  for (std::uint32_t i = 0; i < o.members; ++i) {
    const Member m = from.members[from.member++];
    members_.push_back({m.location, m.callpath, m.begin, m.end, m.sends, m.receives, m.neighbours});
    for (std::uint32_t n = 0; n < m.neighbours; ++n) neighbours_.push_back(from.neighbours[from.neighbour++]);
  }
  std::size_t first = 0;
  for (IdealMember& m : members_) {
    m.neighbours = std::span(neighbours_).subspan(first, m.neighbour_count);
    first += m.neighbour_count;
  }
  listener.operation(o.needs, members_);
}

void Announcements::Reader::read_epoch(Bank& bank, AnnouncementListener& listener) {
  const Epoch e = bank.epochs[bank.epoch++];
  partners_.clear();
  for (std::uint32_t i = 0; i < e.partners; ++i) partners_.push_back(bank.partners[bank.partner++]);
  listener.epoch(e.stands_at, e.until, e.own, partners_);
}

}  // namespace waitstate::causes
