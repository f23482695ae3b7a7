// The one call tree of several workers. Each looks at a tree of its own, which is the first part of the shared one: a
// call path that somebody adds gets its number here, and a worker adds what it lacks before it looks at a number that
// is new to it. So numbers can be sent from one worker to another, and looking needs no lock. With several peers all
// trees are first parts of that of peer 0, which numbers call paths.
//
// Cost: a lock for each call path that is new to a location; there are few of these. A message to peer 0 and back for
// each that is new to this peer.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "link/exchange/remote.hpp"
#include "waitstate/trace/call_tree.hpp"

namespace waitstate::link {

class SharedCallTree {
 public:
  explicit SharedCallTree(CallTree& tree) : tree_(tree) {}

  /// Call it before anything else, if there are several peers.
  void connect(Remote& remote) { remote_ = &remote; }

  /// The child of `path.parent`, as CallTree has it; `own` knows it afterwards.
  CallPathId find_or_add(const CallPath& path, CallTree& own) {
    const std::lock_guard lock(mutex_);
    if (asks() && !tree_.find(path).valid()) ask(path);
    const CallPathId id = tree_.find_or_add(path);
    follow(own);
    return id;
  }
  /// `own` knows at least so many call paths afterwards.
  void follow(CallTree& own, std::size_t size) {
    if (own.size() >= size) return;
    const std::lock_guard lock(mutex_);
    if (tree_.size() < size && asks()) ask({});
    follow(own);
  }
  /// At peer 0: the paths from number `known` on, among them `path`, if there is one.
  std::vector<CallPath> answer(const std::optional<CallPath>& path, std::size_t known) {
    const std::lock_guard lock(mutex_);
    if (path) tree_.find_or_add(*path);
    std::vector<CallPath> paths;
    for (; known < tree_.size(); ++known) paths.push_back(tree_[CallPathId{known}]);
    return paths;
  }

 private:
  bool asks() const { return remote_ != nullptr && remote_->asks(); }
  void ask(const std::optional<CallPath>& path) {
    for (const CallPath& p : remote_->ask(tree_.size(), path)) tree_.find_or_add(p);
  }
  void follow(CallTree& own) const {
    while (own.size() < tree_.size()) own.find_or_add(tree_[CallPathId{own.size()}]);
  }

  std::mutex mutex_;
  CallTree& tree_;
  Remote* remote_ = nullptr;  ///< null if there are no other peers
};

}  // namespace waitstate::link
