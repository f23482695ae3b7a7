// Operations that wait for their completion, of each process on each window: found by their matching id, or all of them
// in the order in which they were started, those under a lock apart from the others.
//
// Cost: a hash lookup to add one and to look for an id; what is taken costs a constant each, what is looked at and left
// too. Memory: what waits.
#pragma once

#include <cstdint>

#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/pool.hpp"

namespace waitstate::link {

template <class T>
class PendingOperations {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;

 private:
  struct Match {
    std::uint64_t number = 0;
    bool operator==(const Match&) const = default;
    std::uint64_t hash() const { return util::spread(number ^ number >> 32); }
  };
  struct List {
    std::uint32_t head = none, tail = none;
  };
  struct Neighbours {
    std::uint32_t before = none, behind = none;
  };
  struct Node {
    T value{};
    std::uint64_t match = 0;
    bool locked = false;
    Neighbours in_match, in_order;
  };

 public:
  /// Operations that wait on one window.
  class Window {
   public:
    std::size_t size() const { return size_; }
    /// Ids that there is memory for.
    std::size_t capacity() const { return by_match_.capacity(); }

   private:
    friend class PendingOperations;
    util::FlatMap<Match, List> by_match_;
    List in_order_[2];  ///< not under a lock, under one
    std::size_t size_ = 0;
  };

  void add(Window& w, std::uint64_t match, bool locked, const T& value) {
    const std::uint32_t id = nodes_.acquire();
    Node& n = nodes_[id];
    n.value = value;
    n.match = match;
    n.locked = locked;
    append(w.by_match_.find_or_insert({match}), id, &Node::in_match);
    append(w.in_order_[locked], id, &Node::in_order);
    ++w.size_;
  }

  /// Takes those with that id for which `which(value)` holds and calls `f(value, locked)` for each, in the order in
  /// which they were started. False if none has the id. `f` must not change what waits.
  template <class Which, class F>
  bool take_matching(Window& w, std::uint64_t match, Which&& which, F&& f) {
    const List* const list = w.by_match_.find({match});
    if (list == nullptr) return false;
    take(w, list->head, &Node::in_match, which, f);
    return true;
  }
  /// Like take_matching(), for all that were started under a lock, or for all that were not.
  template <class Which, class F>
  void take_all(Window& w, bool locked, Which&& which, F&& f) {
    take(w, w.in_order_[locked].head, &Node::in_order, which, f);
  }

 private:
  void append(List& list, std::uint32_t id, Neighbours Node::*which) {
    (nodes_[id].*which).before = list.tail;
    (list.tail == none ? list.head : (nodes_[list.tail].*which).behind) = id;
    list.tail = id;
  }
  void remove(List& list, std::uint32_t id, Neighbours Node::*which) {
    const Neighbours n = nodes_[id].*which;
    (n.before == none ? list.head : (nodes_[n.before].*which).behind) = n.behind;
    (n.behind == none ? list.tail : (nodes_[n.behind].*which).before) = n.before;
  }

  template <class Which, class F>
  void take(Window& w, std::uint32_t first, Neighbours Node::*chain, Which&& which, F&& f) {
    for (std::uint32_t id = first; id != none;) {
      const Node n = nodes_[id];
      if (which(n.value)) {
        List* const same = w.by_match_.find({n.match});
        remove(*same, id, &Node::in_match);
        if (same->head == none) w.by_match_.erase(*same);
        remove(w.in_order_[n.locked], id, &Node::in_order);
        nodes_.release(id);
        --w.size_;
        f(n.value, n.locked);
      }
      id = (n.*chain).behind;
    }
  }

  util::Pool<Node> nodes_;
};

}  // namespace waitstate::link
