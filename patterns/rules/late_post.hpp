// Which calls of an access epoch waited for which posts of its targets: the call that synchronises, else each operation
// by itself.
#pragma once

#include "waitstate/pattern/rma.hpp"

namespace waitstate::patterns {

inline bool contains(const Call& call, const Call& post) { return call.enter < post.enter && post.enter <= call.exit; }

/// f(const Call& waiting, const Call& post, bool in_operation): what waited for posts, first the call that
/// synchronises, else each operation on its own.
template <class F>
void each_late_post(const RmaAccessEpoch& e, F&& f) {
  const Call* last = nullptr;  // the post of the first target, if several are entered at the same time
  for (const RmaAccessTarget& t : e.targets)
    if (last == nullptr || t.post.enter > last->enter) last = &t.post;
  if (last == nullptr) return;
  if (contains(e.complete, *last)) return f(e.complete, *last, false);
  if (contains(e.start, *last)) return f(e.start, *last, false);
  for (const RmaEpochOperation& o : e.operations)
    if (const Call& post = e.targets[o.target].post; contains(o.call, post)) f(o.call, post, true);
}

}  // namespace waitstate::patterns
