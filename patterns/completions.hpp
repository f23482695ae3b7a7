// The time in a call after everybody it depended on had come: completion, which nobody in particular caused.
#pragma once

#include <algorithm>

#include "rules/latest.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

/// A wait at the end of a call that nobody in particular caused.
inline Wait wait_at_end(const Call& call, Time end, Ticks ticks) {
  return {call.location, call.callpath, call.enter, call.exit, end - static_cast<Time>(ticks), ticks, {}, {}};
}

/// Adds to the pattern's first metric the time of each member after the first one has left, or the last one that it
/// sees has come: of an inter-communicator the last of the other group, and itself.
inline void add_completions(const Collective& c, Context& context) {
  const Latest latest(c, [](const CollectiveMember&) { return true; });
  Time first_end = ~Time{0};
  for (const CollectiveMember& m : c.members) first_end = std::min(first_end, m.end);
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& m = c.members[i];
    const Time last_begin = std::max(m.begin, c.members[latest.seen_by(i)].begin);
    if (const Ticks t = completion_ticks(m.end, first_end, last_begin); t > 0)
      context.add_wait(wait_at_end(*m.call, m.end, t));
  }
}

}  // namespace waitstate::patterns
