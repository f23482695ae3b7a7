// Small objects by a number, such as an address or a handle: lists of a lock's own, of which nothing is asked for in
// the steady state, because nodes that are taken out are used again. Who uses it chooses the list of a key.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "record/core/lock.hpp"

namespace waitstate::record {

template <class Value>
struct NodeLists {
  struct Node {
    std::uintptr_t key = 0;
    Node* next = nullptr;
    Value value;
  };

  /// A node in no list yet; its value is an old one.
  Node* take(std::uintptr_t key) {
    Node* const node = unused != nullptr ? std::exchange(unused, unused->next) : new Node;
    node->key = key;
    node->next = nullptr;
    return node;
  }
  /// `at`: what points to the node.
  void remove(Node** at) {
    Node* const node = std::exchange(*at, (*at)->next);
    node->next = std::exchange(unused, node);
  }

  SpinLock lock;  // protects all of it; the caller has it
  std::array<Node*, 256> lists{};
  Node* unused = nullptr;
};

}  // namespace waitstate::record
