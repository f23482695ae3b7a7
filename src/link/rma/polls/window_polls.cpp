#include "link/rma/polls/window_polls.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::link {

WindowPolls::WindowPolls(const Definitions& definitions, Calls& calls, Listener& listener)
    : definitions_(definitions), calls_(calls), listener_(listener), loops_(definitions.locations.size()) {}

std::uint32_t WindowPolls::add(Poll& poll) {
  const std::uint32_t id = polls_.acquire_stale();  // polled() has emptied it
  std::swap(polls_[id], poll);
  return id;
}

// --- one order of time -----------------------------------------------------------------------------------------------

void WindowPolls::keep(Write& place, CallRef call) {
  calls_.keep(call);
  if (place.call != none) calls_.release(place.call);
  place = {call, ~Time{0}};
}

void WindowPolls::write_started(RmaWinId win, ProcessId owner, CallRef call) {
  Writes& w = writes_.find_or_insert({win.value, owner.value});
  keep(w.latest, call);
  ++w.number;
}

void WindowPolls::write_completed(RmaWinId win, ProcessId owner, CallRef call, Time t) {
  Writes& w = writes_.find_or_insert({win.value, owner.value});
  const bool is_latest = w.latest.call != none && same_call(calls_[w.latest.call].call, calls_[call].call);
  if (!is_latest) keep(w.done, call);
  (is_latest ? w.latest : w.done).completed = t;
}

// The write of another process that a read saw first which was complete at `before`: the read in front of it, which
// was started at `after`, did not see it.
CallRef WindowPolls::write_seen(LocationId l, const Writes& writes, Time before, Time after) const {
  for (const Write* const w : {&writes.latest, &writes.done}) {
    if (w->call == none) continue;
    const Call& call = calls_[w->call].call;
    if (process(call.location) != process(l) && call.enter < before && w->completed > after) return w->call;
  }
  return none;
}

void WindowPolls::polled(LocationId l, std::uint32_t poll, Time t) {
  Poll& p = polls_[poll];
  Loop& loop = loops_[l.index()];
  const Writes& writes = writes_.find_or_insert({p.memory.win.value, p.memory.owner.value});
  if (loop.reads == 0 || loop.number != p.loop || loop.memory != p.memory) {
    end(l, loop);
    loop.memory = p.memory, loop.number = p.loop;
    loop.first = calls_[p.calls.front()].call.enter;
    loop.writes_before = writes.number;
  }
  if (loop.write != none) calls_.release(loop.write);
  loop.write = loop.reads == 0 ? none : write_seen(l, writes, t, loop.start);
  if (loop.write != none) calls_.keep(loop.write);
  ++loop.reads;
  loop.start = p.start;
  loop.writes = writes.number - loop.writes_before;
  for (const CallRef call : p.calls) {
    add_call(loop, calls_[call].call);
    calls_.release(call);
  }
  p.calls.clear();
  polls_.release(poll);
}

// If there are too many calls, neighbours in one call path of the older half become one, which begins with the first
// and lasts as long as both.
void WindowPolls::add_call(Loop& loop, const Call& call) {
  loop.last = call.exit;
  loop.inside = add_ticks(loop.inside, call.exit - call.enter);
  if (loop.calls.size() == most_calls) {
    std::vector<Call> joined;
    std::vector<std::size_t> alone;  // places in `joined` of calls without a second one
    for (std::size_t i = 0; i < loop.calls.size(); ++i) {
      const Call& c = loop.calls[i];
      const auto first = std::find_if(alone.begin(), alone.end(),
                                      [&](std::size_t place) { return joined[place].callpath == c.callpath; });
      if (i >= most_calls / 2 || first == alone.end()) {
        if (i < most_calls / 2) alone.push_back(joined.size());
        joined.push_back(c);
      } else {
        joined[*first].exit += c.exit - c.enter;
        alone.erase(first);
      }
    }
    loop.calls.swap(joined);
  }
  loop.calls.push_back(call);
}

void WindowPolls::end(LocationId l, Loop& loop) {
  const bool own = loop.memory.owner == process(l);
  const bool polls = loop.reads >= least_reads && 2 * static_cast<Time>(loop.inside) >= loop.last - loop.first;
  const bool known = loop.write != none && 2 * loop.writes <= loop.reads;
  if (polls && (known || own)) {
    const Call* const write = known ? &calls_[loop.write].call : nullptr;
    for (const Call& call : loop.calls) listener_.rma_wait_change({call, loop.memory.win, write});
  }
  if (loop.write != none) calls_.release(loop.write);
  loop = {};
}

void WindowPolls::finish() {
  for (std::size_t l = 0; l < loops_.size(); ++l) end(LocationId{l}, loops_[l]);
}

}  // namespace waitstate::link
