#include "link/messages/message_searches.hpp"

#include <algorithm>

namespace waitstate::link {
namespace {

bool waits(MpiFunction f) { return f == MpiFunction::probe || f == MpiFunction::mprobe; }
bool is_matched(MpiFunction f) { return f == MpiFunction::mrecv || f == MpiFunction::imrecv; }

}  // namespace

// --- lists -----------------------------------------------------------------------------------------------------------

std::uint32_t MessageSearches::make_search(CallRef call) {
  calls_.keep(call);
  const std::uint32_t id = searches_.acquire();
  const Call& c = calls_[call].call;
  searches_[id] = {call, 0, c.enter, static_cast<Ticks>(c.exit - c.enter), {}, {}, 0};
  return id;
}

void MessageSearches::append(std::uint32_t& list, std::uint32_t search) {
  if (list == none) {
    list = lists_.acquire();
    lists_[list].clear();
  }
  List& all = lists_[list];
  if (all.size() == most_in_list) join_neighbours(all);
  all.push_back(search);
  ++searches_[search].uses;
}

void MessageSearches::move_to(std::uint32_t& list, std::uint32_t& from) {
  if (from == none) return;
  if (list == none) {
    list = from;
  } else {
    List& all = lists_[list];
    all.insert(all.end(), lists_[from].begin(), lists_[from].end());
    lists_.release(from);
  }
  from = none;
}

// Joins neighbours in the same call path two by two, in the older half of the list.
void MessageSearches::join_neighbours(List& list) {
  List joined;
  const std::size_t half = list.size() / 2;
  for (std::size_t i = 0; i < list.size(); ++i) {
    joined.push_back(list[i]);
    if (i + 1 < half && may_join(searches_[list[i]], searches_[list[i + 1]])) join(list[i], list[i + 1]), ++i;
  }
  list.swap(joined);
}

bool MessageSearches::may_join(const Search& first, const Search& second) const {
  const Call &a = calls_[first.call].call, &b = calls_[second.call].call;
  return first.uses == 1 && second.uses == 1 && second.told == b.enter && a.callpath == b.callpath;
}

void MessageSearches::join(std::uint32_t first, std::uint32_t second) {
  Search &a = searches_[first], &b = searches_[second];
  a.inside += b.inside;
  calls_[a.call].call.exit = calls_[b.call].call.exit;
  if (CallAccounts* const accounts = calls_.accounts()) accounts->join(a.call, b.call);
  forget(second);
}

void MessageSearches::forget(std::uint32_t search) {
  calls_.release(searches_[search].call);
  if (last_test_ == search) last_test_ = none;
  searches_.release(search);
}

// --- what comes ------------------------------------------------------------------------------------------------------

void MessageSearches::add(LocationId l, CallRef call) {
  any_ = true;
  OfLocation& of = locations_[l.index()];
  const std::uint32_t search = make_search(call);
  of.latest = search;
  switch (calls_[call].call.function) {
    case MpiFunction::probe:
      append(of.probes, search);
      break;
    case MpiFunction::mprobe:
      append(of.matched_probes.emplace_back().list, search);
      break;
    case MpiFunction::improbe:
      append(of.matched_polls, search);
      break;
    default:
      append(of.polls, search);
      break;
  }
}

void MessageSearches::test(std::uint32_t& list, CallRef call) {
  if (last_test_ == none || searches_[last_test_].call != call) last_test_ = make_search(call);
  any_ = true;
  const bool again = list != none && lists_[list].back() == last_test_;
  if (!again) append(list, last_test_);
}

void MessageSearches::found_by_record(LocationId l, const replay::CommRecord& r, CallRef call) {
  OfLocation& of = locations_[l.index()];
  if (of.latest == none || searches_[of.latest].call != call || !r.peer.valid()) return;
  switch (calls_[call].call.function) {
    case MpiFunction::probe:
      mark(of.probes, r);
      break;
    case MpiFunction::mprobe:
      mark(of.matched_probes.back().list, r);
      of.matched_probes.back().message = r.received;
      break;
    case MpiFunction::improbe:
      mark(of.matched_polls, r);
      of.matched_probes.push_back({of.matched_polls, r.received});
      of.matched_polls = none;
      break;
    default:
      mark(of.polls, r);
      move_to(of.probes, of.polls);
      break;
  }
}

// The searches of the list that have no record so far have found what the record says.
void MessageSearches::mark(std::uint32_t list, const replay::CommRecord& r) {
  for (const std::uint32_t id : lists_[list]) {
    Search& s = searches_[id];
    if (s.sender.valid()) continue;
    s.sender = r.peer, s.comm = r.comm, s.tag = r.tag;
  }
}

std::uint32_t MessageSearches::take(LocationId l, const replay::CommRecord& r, const Call& receive) {
  OfLocation& of = locations_[l.index()];
  std::uint32_t list = none;
  if (!r.matched || r.peer.valid()) take_fitting(list, of.probes, r);
  move_to(list, of.polls);
  if (r.matched) {
    if (take_matched(list, l, r.received)) return list;
    for (const LocationId other : processes_.threads(processes_.of(l)))
      if (take_matched(list, other, r.received)) return list;
  }
  if (!is_matched(receive.function)) return list;
  if (!of.matched_probes.empty()) {
    move_to(list, of.matched_probes.front().list);
    of.matched_probes.erase(of.matched_probes.begin());
  }
  move_to(list, of.matched_polls);
  return list;
}

// Searches that are known to have found another message than the one that is received stay. Of a receive that is only
// posted here, nobody knows.
void MessageSearches::take_fitting(std::uint32_t& list, std::uint32_t& from, const replay::CommRecord& receive) {
  if (from == none) return;
  if (!receive.peer.valid()) return move_to(list, from);
  const auto fits = [&](std::uint32_t id) {
    const Search& s = searches_[id];
    return !s.sender.valid() || (s.sender == receive.peer && s.comm == receive.comm && s.tag == receive.tag);
  };
  const List all = lists_[from];
  if (std::all_of(all.begin(), all.end(), fits)) return move_to(list, from);
  lists_[from].clear();
  for (const std::uint32_t id : all) {
    if (!fits(id)) {
      lists_[from].push_back(id);
      continue;
    }
    append(list, id);
    --searches_[id].uses;
  }
}

bool MessageSearches::take_matched(std::uint32_t& list, LocationId l, std::uint64_t message) {
  std::vector<MatchedProbe>& probes = locations_[l.index()].matched_probes;
  const auto probe =
      std::find_if(probes.begin(), probes.end(), [&](const MatchedProbe& p) { return p.message == message; });
  if (probe == probes.end()) return false;
  move_to(list, probe->list);
  probes.erase(probe);
  return true;
}

void MessageSearches::give_up_polls(OfLocation& of) {
  for (std::uint32_t* const list : {&of.polls, &of.matched_polls}) {
    give_up(*list);
    *list = none;
  }
}

void MessageSearches::finish() {
  for (OfLocation& of : locations_) {
    give_up_polls(of);
    give_up(of.probes);
    for (const MatchedProbe& p : of.matched_probes) give_up(p.list);
    of = {};
  }
}

// --- what is known ---------------------------------------------------------------------------------------------------

void MessageSearches::found(std::uint32_t list, const Message& message) {
  view_.clear(), lost_view_.clear();
  CallAccounts* const accounts = calls_.accounts();
  const Time sent = message.send->enter;
  const Call* found = message.recv;
  const auto may_have_found = [&](const Call& call) {
    if (call.exit > sent && call.enter < found->enter) found = &call;
  };
  may_have_found(*message.recv_post);
  for (const std::uint32_t id : lists_[list]) {
    Search& s = searches_[id];
    const Call& call = calls_[s.call].call;
    const bool blocks = waits(call.function);
    const bool is_other = s.sender.valid() && (processes_.of(s.sender) != processes_.of(message.send->location) ||
                                               s.comm != message.comm || s.tag != message.tag);
    may_have_found(call);
    if (is_other || (blocks && sent >= call.exit)) {  // it found another one
      if (accounts != nullptr) accounts->lacks(s.call, CallAccounts::Lack::message);
      lost_view_.push_back({&call, call.enter, call.exit, s.inside});
      continue;
    }
    if (accounts != nullptr && !blocks && !calls_[s.call].has_receives)
      accounts->polls(s.call, sent);
    else if (accounts != nullptr)
      accounts->depends(s.call, sent);
    const Time until = std::min(sent, call.exit);
    if (until <= s.told) continue;
    view_.push_back({&call, s.told, until, std::min(static_cast<Ticks>(until - s.told), s.inside)});
    s.told = until;
  }
  if (wanted_ && !lost_view_.empty()) listener_.message_search({nullptr, nullptr, CommId::none(), 0, 0, 0, lost_view_});
  if (wanted_ && !view_.empty())
    listener_.message_search(
        {message.send, message.recv, message.comm, message.tag, message.bytes, found->enter, view_});
  release(list);
}

void MessageSearches::give_up(std::uint32_t list) {
  if (list == none) return;
  view_.clear();
  for (const std::uint32_t id : lists_[list]) {
    const Search& s = searches_[id];
    const Call& call = calls_[s.call].call;
    if (CallAccounts* const accounts = calls_.accounts(); accounts != nullptr && s.told == call.enter)
      accounts->lacks(s.call, CallAccounts::Lack::message);
    view_.push_back({&call, call.enter, call.exit, s.inside});
  }
  if (wanted_) listener_.message_search({nullptr, nullptr, CommId::none(), 0, 0, 0, view_});
  release(list);
}

void MessageSearches::release(std::uint32_t list) {
  for (const std::uint32_t id : lists_[list])
    if (--searches_[id].uses == 0) forget(id);
  lists_[list].clear();
  lists_.release(list);
}

}  // namespace waitstate::link
