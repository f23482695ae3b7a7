#include "analysis/conclusions/contexts.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "pass/second_look.hpp"
#include "util/in_threads.hpp"

namespace waitstate::analysis {
namespace {

/// An instance, with the context that it would have if it shared none.
struct Wanted {
  SevereInstance* instance = nullptr;
  Time from = 0, to = 0;
  std::vector<LocationId> locations;
};

bool contains(const std::vector<LocationId>& all, LocationId l) {
  return std::find(all.begin(), all.end(), l) != all.end();
}

Wanted wanted(SevereInstance& instance) {
  Wanted w{&instance, 0, 0, {}};
  const Wait& longest = instance.longest;
  const Time around = static_cast<Time>(longest.ticks) / 3, end = longest.begin + static_cast<Time>(longest.ticks);
  w.from = longest.begin - std::min(longest.begin, around);
  w.to = end + std::min(~Time{0} - end, around + 1);
  const auto add = [&](LocationId l) {
    if (l.valid() && w.locations.size() < WaitContext::max_locations && !contains(w.locations, l))
      w.locations.push_back(l);
  };
  add(longest.culprit);
  add(longest.location);
  for (const Wait& m : instance.members) add(m.location);
  return w;
}

/// All instances, the most severe first; equal ones in the order of the report.
std::vector<Wanted> all_wanted(AnalysisResult& result) {
  std::vector<Wanted> all;
  std::map<std::uint32_t, CallPathId> in_order;
  std::uint32_t place = 0;
  for (const CallPathId id : result.call_tree.depth_first()) in_order.emplace(place++, id);
  for (auto& [metric, summary] : result.waits)
    for (const auto& [number, callpath] : in_order)
      if (const auto severe = summary.severe.find(callpath); severe != summary.severe.end())
        for (SevereInstance& i : severe->second)
          if (i.longest.ticks > 0) all.push_back(wanted(i));
  std::stable_sort(all.begin(), all.end(),
                   [](const Wanted& a, const Wanted& b) { return a.instance->total > b.instance->total; });
  return all;
}

/// Lets the instance share the context if it lies in it, or if a common context is little longer than one of the two.
bool shares(const Wanted& w, WaitContext& c) {
  if (w.from >= c.to || w.to <= c.from) return false;
  std::vector<LocationId> more;
  for (const LocationId l : w.locations)
    if (!contains(c.locations, l)) more.push_back(l);
  const Time from = std::min(w.from, c.from), to = std::max(w.to, c.to);
  if (c.locations.size() + more.size() > WaitContext::max_locations || (to - from) / 2 > c.to - c.from) return false;
  c.from = from, c.to = to;
  c.locations.insert(c.locations.end(), more.begin(), more.end());
  return true;
}

struct End {
  pass::Look::MessageEnd record;
  LocationId location;
};
// Sends and receives of a channel have the same order. The first receives may belong to sends before the context, and
// their number is not known: the match is certain only if exactly one number fits all.
struct Channel {
  std::vector<End> sends, receives;
};
bool fits(const Channel& c, std::size_t earlier) {
  for (std::size_t s = 0; s < c.sends.size() && s + earlier < c.receives.size(); ++s) {
    const auto &send = c.sends[s].record, &receive = c.receives[s + earlier].record;
    if (send.time > receive.time || send.bytes != receive.bytes) return false;
  }
  return true;
}

/// A message that ended a wait: its halves are known to belong together.
using KnownMessage = WaitContext::Message;

/// The message that ended the wait of an instance, if a message did. A wait for a sender ends with its send, which the
/// culprit has entered before; a wait for a receiver begins with a send before the culprit enters its receive.
std::optional<KnownMessage> ending_message(const SevereInstance& instance) {
  const std::optional<WaitCause>& cause = instance.cause;
  const Wait& wait = instance.longest;
  if (!cause || cause->kind != WaitCause::Kind::message || cause->sent == WaitCause::none ||
      cause->received == WaitCause::none || cause->tag < 0 || !wait.culprit.valid() || !wait.location.valid())
    return std::nullopt;
  const bool waiter_sent = cause->culprit_enter != WaitCause::none && cause->sent < cause->culprit_enter;
  return KnownMessage{waiter_sent ? wait.location : wait.culprit,
                      waiter_sent ? wait.culprit : wait.location,
                      cause->sent,
                      cause->received,
                      cause->bytes == WaitCause::none ? 0 : cause->bytes,
                      static_cast<std::uint32_t>(cause->tag),
                      cause->comm};
}

using KnownMessages = std::vector<KnownMessage>;

/// All known messages: those of the book by the times of their sends, and those that ended waits.
struct KnownAll {
  KnownMessages messages, ending;
  bool complete = false;  ///< the book has all messages
};

/// The number of receives of the channel that belong to sends before the context: known from a known message, else if
/// exactly one number fits all of them.
std::optional<std::size_t> earlier_receives(const Channel& c, const KnownMessages& known) {
  for (const KnownMessage& m : known) {
    const auto send =
        std::find_if(c.sends.begin(), c.sends.end(), [&](const End& e) { return e.record.time == m.sent; });
    const auto receive =
        std::find_if(c.receives.begin(), c.receives.end(), [&](const End& e) { return e.record.time == m.received; });
    if (send == c.sends.end() || receive == c.receives.end()) continue;
    const auto before_send = send - c.sends.begin(), before_receive = receive - c.receives.begin();
    if (before_receive >= before_send) return static_cast<std::size_t>(before_receive - before_send);
  }
  std::optional<std::size_t> found;
  for (std::size_t n = 0; n < c.receives.size(); ++n) {
    if (!fits(c, n)) continue;
    if (found) return std::nullopt;
    found = n;
  }
  return found;
}

// Ends of threads of one process are matched together in the order of their times, as messages are.
using ChannelKey = std::tuple<ProcessId, ProcessId, CommId, std::uint32_t>;

class MessageMatcher {
 public:
  MessageMatcher(WaitContext& context, const std::vector<pass::Look>& looks, const Definitions& definitions)
      : context_(context), definitions_(definitions) {
    for (const pass::Look& look : looks) {
      for (const auto& s : look.sends)
        channels_[{process(look.location), process(s.partner), s.comm, s.tag}].sends.push_back({s, look.location});
      for (const auto& r : look.receives)
        channels_[{process(r.partner), process(look.location), r.comm, r.tag}].receives.push_back({r, look.location});
    }
  }

  /// Messages between these locations that were sent and received in this time.
  KnownMessages matched(const KnownAll& known) {
    KnownMessages found;
    std::map<ChannelKey, KnownMessages> known_of;
    const auto note = [&](const KnownMessage& m) {
      if (m.sent < context_.from || m.received >= context_.to || !is_between(m)) return;
      if (known.complete) found.push_back(m);
      known_of[{process(m.sender), process(m.receiver), m.comm, m.tag}].push_back(m);
    };
    const auto sent_later = std::partition_point(known.messages.begin(), known.messages.end(),
                                                 [&](const KnownMessage& m) { return m.sent < context_.from; });
    std::for_each(sent_later, known.messages.end(), note);
    if (!known.complete) std::for_each(known.ending.begin(), known.ending.end(), note);
    for (auto& [key, c] : channels_) {
      if (c.sends.empty() || c.receives.empty()) continue;  // the other end lies outside
      ends_ += std::max(c.sends.size(), c.receives.size());
      if (known.complete) continue;
      for (std::vector<End>* const of : {&c.sends, &c.receives})
        std::stable_sort(of->begin(), of->end(),
                         [](const End& a, const End& b) { return a.record.time < b.record.time; });
      const std::optional<std::size_t> earlier = earlier_receives(c, known_of[key]);
      if (!earlier) continue;
      for (std::size_t s = 0; s < c.sends.size() && s + *earlier < c.receives.size(); ++s) {
        const End &send = c.sends[s], &receive = c.receives[s + *earlier];
        found.push_back({send.location, receive.location, send.record.time, receive.record.time, send.record.bytes,
                         send.record.tag, send.record.comm});
      }
    }
    return found;
  }
  bool is_between(const KnownMessage& m) const {
    return contains(context_.locations, m.sender) && contains(context_.locations, m.receiver);
  }
  /// Number of messages of which an end lies in this time.
  std::size_t ends() const { return ends_; }

 private:
  ProcessId process(LocationId l) const {
    return l.index() < definitions_.locations.size() ? definitions_[l].process : ProcessId{};
  }

  WaitContext& context_;
  const Definitions& definitions_;
  std::map<ChannelKey, Channel> channels_;
  std::size_t ends_ = 0;
};

void add_messages(WaitContext& context, const std::vector<pass::Look>& looks, const Definitions& definitions,
                  const KnownAll& known) {
  MessageMatcher matcher(context, looks, definitions);
  KnownMessages kept;
  const auto is_in = [](const KnownMessages& all, const KnownMessage& m) {
    return std::find(all.begin(), all.end(), m) != all.end();
  };
  // Messages that ended waits are always there, also if one of their ends lies outside: where there are too many,
  // others are left out.
  for (const KnownMessage& m : known.ending)
    if (matcher.is_between(m) && m.sent < context.to && m.received >= context.from) kept.push_back(m);
  const KnownMessages ending = kept;
  for (const KnownMessage& m : matcher.matched(known))
    if (!is_in(ending, m)) kept.push_back(m);
  if (kept.size() > WaitContext::max_messages) kept.resize(WaitContext::max_messages);
  context.messages = std::move(kept);
  std::sort(context.messages.begin(), context.messages.end());
  context.messages_left_out = matcher.ends() - std::min(matcher.ends(), context.messages.size());
}

void add_transfers(WaitContext& context, const std::vector<pass::Look>& looks) {
  for (const pass::Look& look : looks)
    for (const pass::Look::Transfer& t : look.transfers)
      if (contains(context.locations, t.target))
        context.transfers.push_back({look.location, t.target, t.kind, t.started,
                                     t.completed.value_or(WaitContext::Transfer::unknown), t.bytes});
  std::stable_sort(context.transfers.begin(), context.transfers.end(), [](const auto& a, const auto& b) {
    return std::tie(a.started, a.origin) < std::tie(b.started, b.origin);
  });
  if (context.transfers.size() <= WaitContext::max_transfers) return;
  context.transfers_left_out = context.transfers.size() - WaitContext::max_transfers;
  context.transfers.resize(WaitContext::max_transfers);
}

/// The duration below which instances of this location are left out.
Time too_short(const std::vector<pass::Look::Region>& regions) {
  if (regions.size() <= WaitContext::max_intervals) return 0;
  std::vector<Time> lengths;
  for (const auto& r : regions) lengths.push_back(r.exit - r.enter);
  const auto first_out = lengths.begin() + WaitContext::max_intervals;
  std::nth_element(lengths.begin(), first_out, lengths.end(), std::greater<>());
  return *first_out + 1;
}

/// Fills a context.
void fill(WaitContext& context, const Definitions& definitions, const LookAgain& look_again, const KnownAll& known) {
  std::vector<pass::Look> looks;
  for (const LocationId l : context.locations) looks.push_back({.location = l});
  for (;;) {
    for (pass::Look& look : looks) look.from = context.from, look.to = context.to;
    look_again(looks);
    if (std::all_of(looks.begin(), looks.end(), [](const pass::Look& look) { return look.whole; })) break;
    if (context.to - context.from < 2) break;
    context.from += (context.to - context.from) / 2;
  }
  Time shortest = 0;
  for (const pass::Look& look : looks) shortest = std::max(shortest, too_short(look.regions));
  context.shortest = static_cast<Ticks>(shortest);
  std::vector<const pass::Look*> by_location;
  for (const pass::Look& look : looks) by_location.push_back(&look);
  std::sort(by_location.begin(), by_location.end(),
            [](const auto* a, const auto* b) { return a->location < b->location; });
  for (const pass::Look* look : by_location)
    for (const pass::Look::Region& r : look->regions)
      if (r.exit - r.enter >= shortest) context.regions.push_back({look->location, r.region, r.enter, r.exit, r.depth});
  add_messages(context, looks, definitions, known);
  add_transfers(context, looks);
}

}  // namespace

void add_contexts(AnalysisResult& result, const MessageBook& messages, const LookAgain& look_again,
                  std::size_t threads) {
  std::vector<WaitContext>& contexts = result.contexts;
  for (const Wanted& w : all_wanted(result)) {
    const auto shared = std::find_if(contexts.begin(), contexts.end(), [&](WaitContext& c) { return shares(w, c); });
    if (shared == contexts.end()) {
      if (contexts.size() == WaitContext::max_contexts) continue;
      w.instance->context = static_cast<std::uint32_t>(contexts.size());
      contexts.push_back({.from = w.from, .to = w.to, .locations = w.locations});
    } else {
      w.instance->context = static_cast<std::uint32_t>(shared - contexts.begin());
    }
  }
  KnownAll known{.messages = messages.messages(), .ending = {}, .complete = messages.is_complete()};
  for (const auto& [metric, summary] : result.waits)
    for (const auto& [callpath, severe] : summary.severe)
      for (const SevereInstance& instance : severe)
        if (const std::optional<KnownMessage> message = ending_message(instance)) known.ending.push_back(*message);
  std::sort(known.ending.begin(), known.ending.end());
  known.ending.erase(std::unique(known.ending.begin(), known.ending.end()), known.ending.end());
  util::in_threads(threads, contexts.size(), [&](std::size_t context, std::size_t) {
    fill(contexts[context], result.definitions, look_again, known);
  });
}

}  // namespace waitstate::analysis
