// The one call tree of several workers. Each looks at a tree of its own, which is the first part of the shared one: a
// call path that somebody adds gets its number here, and a worker adds what it lacks before it looks at a number that
// is new to it. So numbers can be sent from one worker to another, and looking needs no lock.
//
// Cost: a lock for each call path that is new to a location; there are few of these.
#pragma once

#include <cstddef>
#include <mutex>

#include "waitstate/trace/call_tree.hpp"

namespace waitstate::link {

class SharedCallTree {
 public:
  explicit SharedCallTree(CallTree& tree) : tree_(tree) {}

  /// The child of `path.parent`, as CallTree has it; `own` knows it afterwards.
  CallPathId find_or_add(const CallPath& path, CallTree& own) {
    const std::lock_guard lock(mutex_);
    const CallPathId id = tree_.find_or_add(path);
    follow(own);
    return id;
  }
  /// `own` knows at least so many call paths afterwards.
  void follow(CallTree& own, std::size_t size) {
    if (own.size() >= size) return;
    const std::lock_guard lock(mutex_);
    follow(own);
  }

 private:
  void follow(CallTree& own) const {
    while (own.size() < tree_.size()) own.find_or_add(tree_[CallPathId{own.size()}]);
  }

  std::mutex mutex_;
  CallTree& tree_;
};

}  // namespace waitstate::link
