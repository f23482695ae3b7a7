// Who waits for whom where a communicator is created: nobody gets it before the last member has begun.
#pragma once

#include <algorithm>

#include "waitstate/pattern/collective.hpp"

namespace waitstate::patterns {

/// The time at which the member began: of a non-blocking creation where the call that started it was entered.
inline Time began(const HandleCreation& h, const OtherMember& m) { return h.nonblocking ? m.started->enter : m.begin; }

/// The member that began last; of several the first.
inline const OtherMember& last_to_create(const HandleCreation& h) {
  return *std::max_element(h.members.begin(), h.members.end(),
                           [&](const OtherMember& a, const OtherMember& b) { return began(h, a) < began(h, b); });
}

/// The time in the call that creates the communicator, or completes its creation, until the last member began. A call
/// that was left before that did not wait for it, and nobody waits for himself.
inline Ticks wait_for_creation(const HandleCreation& h, const OtherMember& m, const OtherMember& last) {
  const Call& call = *m.completed;
  const Time until = began(h, last);
  const bool waits = &m != &last && until > call.enter && until <= call.exit && !is_test(call.function);
  return waits ? static_cast<Ticks>(until - call.enter) : 0;
}

}  // namespace waitstate::patterns
