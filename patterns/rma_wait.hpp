// The common part of one-sided wait states: the last member of a collective on a window, and the kind of call that
// waits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "completions.hpp"
#include "rules/latest.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

/// PatternInfo::source of all one-sided patterns.
inline constexpr const char* one_sided_source =
    "the metric of the same name in reports of Scalasca and related tools; event model: Hermanns, Mohr and Wolf, "
    "Euro-Par 2005";

inline bool is_of(const Call& call, RegionClass region_class, const Context& context) {
  return call.region.valid() && context.definitions()[call.region].region_class == region_class;
}
inline bool are_of(const Collective& c, RegionClass region_class, const Context& context) {
  return std::all_of(c.members.begin(), c.members.end(),
                     [&](const CollectiveMember& m) { return is_of(*m.call, region_class, context); });
}

/// Adds to the pattern's first metric the waits of all members, from their begin records on, for the member that began
/// last.
inline void add_waits_for_last(const Collective& c, Context& context) {
  const Latest latest(c, [](const CollectiveMember&) { return true; });
  for (std::uint32_t i = 0; i < c.members.size(); ++i)
    if (const Ticks t = wait_ticks(c, i, latest.seen_by(i)); t > 0)
      context.add_wait(make_wait(*c.members[i].call, c.members[i].begin, t, *c.members[latest.seen_by(i)].call));
}

/// Adds the waits of all members, from the enters of their calls on, for `member` to enter its own.
inline void add_waits_for(const Collective& c, std::uint32_t member, Context& context) {
  const Call& culprit = *c.members[member].call;
  for (const CollectiveMember& m : c.members) {
    const Time until = std::min(culprit.enter, m.call->exit);
    if (until > m.call->enter) context.add_wait(make_wait(*m.call, static_cast<Ticks>(until - m.call->enter), culprit));
  }
}

/// A wait that lasts as long as the call and that nobody in particular caused.
inline Wait whole_call(const Call& call) {
  return wait_at_end(call, call.exit, static_cast<Ticks>(call.exit - call.enter));
}

}  // namespace waitstate::patterns
