// An order of call paths that is a property of the trace: that of CallTree::depth_first(). Numbers of call paths depend
// on which location was read first, so where two of them are equally good, the one that is first in this order is
// taken. Cost: a walk through the tree, once; then a look-up.
#pragma once

#include <cstdint>
#include <vector>

#include "waitstate/trace/call_tree.hpp"

namespace waitstate {

class CallPathOrder {
 public:
  /// An order of the call paths that the tree has now.
  explicit CallPathOrder(const CallTree& tree) : place_(tree.size()) {
    for (std::uint32_t n = 0; const CallPathId id : tree.depth_first()) place_[id.index()] = n++;
  }

  /// Whether `a` comes before `b`; none comes last.
  bool operator()(CallPathId a, CallPathId b) const { return place(a) < place(b); }
  std::uint32_t place(CallPathId id) const { return id.valid() ? place_[id.index()] : ~std::uint32_t{0}; }

 private:
  std::vector<std::uint32_t> place_;
};

}  // namespace waitstate
