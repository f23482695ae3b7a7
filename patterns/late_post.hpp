// The target that posted its window last, and the start or complete call that waited for it.
#pragma once

#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

inline bool contains(const Call& call, Time t) { return call.enter < t && t <= call.exit; }

struct LatePost {
  explicit LatePost(const RmaAccessEpoch& e) {
    for (const RmaAccessTarget& t : e.targets)
      if (post == nullptr || t.post.enter > post->enter) post = &t.post;
    if (post == nullptr) return;
    if (contains(e.complete, post->enter))
      waiting = &e.complete;
    else if (contains(e.start, post->enter))
      waiting = &e.start;
  }

  const Call* post = nullptr;     ///< entered last; of several, that of the first target
  const Call* waiting = nullptr;  ///< null if neither call contains it
};

}  // namespace waitstate::patterns
