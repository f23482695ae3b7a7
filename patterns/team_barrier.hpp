// The waits in a barrier of a thread team: the same for explicit and implicit ones.
#pragma once

#include <algorithm>

#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

/// Adds the wait of every thread for the last one (of several that came at the same time, the first by location) to the
/// pattern's first metric, less the time in which it executed tasks meanwhile: each interval without tasks is a wait.
inline void add_waits(const TeamBarrier& b, Context& context) {
  const Call& last = **std::max_element(b.members.begin(), b.members.end(),
                                        [](const Call* x, const Call* y) { return x->enter < y->enter; });
  for (std::size_t i = 0; i < b.members.size(); ++i) {
    const Call& call = *b.members[i];
    const Time until = std::min(last.enter, call.exit);
    Time from = call.enter;
    const auto wait_until = [&](Time end) {
      if (end > from) context.add_wait(0, make_wait(call, from, static_cast<Ticks>(end - from), last));
    };
    for (const TimeSpan& t : b.tasks_of(i)) {
      if (t.begin >= until) break;
      wait_until(t.begin);
      from = std::max(from, t.end);
    }
    wait_until(until);
  }
}

}  // namespace waitstate::patterns
