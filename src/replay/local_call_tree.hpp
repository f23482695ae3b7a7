// The call tree of one location, built while its events are decoded: the lookup "child of this call path for that
// region" happens at every enter, so it has to be a few nanoseconds. Most enters repeat what the same call path did
// last time, or the time before: a node remembers the child it entered last, and behind that is one open-addressing
// table (linear probing, at most half full) keyed by parent and region.
#pragma once

#include <cstdint>
#include <vector>

#include "util/hash.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::replay {

class LocalCallTree {
 public:
  /// Number 0: outside of every region.
  LocalCallTree() : nodes_(1), table_(64) {}

  /// Number of the child of `parent` for `frame` (a region's id, or a program as program_frame() makes it). `added` is
  /// set if it is new; numbers are given out in order.
  std::uint32_t child(std::uint32_t parent, std::uint64_t frame, bool& added) {
    Node& p = nodes_[parent];
    if (p.last_child != 0 && nodes_[p.last_child].frame == frame) return p.last_child;
    const std::uint32_t c = find_or_add(parent, frame, added);
    nodes_[parent].last_child = c;
    return c;
  }

  std::uint64_t frame(std::uint32_t number) const { return nodes_[number].frame; }
  std::uint32_t parent(std::uint32_t number) const { return nodes_[number].parent; }
  std::size_t size() const { return nodes_.size(); }

  static constexpr std::uint64_t no_frame = ~std::uint64_t{0};  ///< frame of number 0
  static constexpr std::uint64_t program_frame(StringId program) { return std::uint64_t{1} << 32 | program.value; }
  static constexpr bool is_program(std::uint64_t frame) { return frame >> 32 == 1; }
  /// Stands for the call path of a team's fork, which is on another location.
  static constexpr std::uint64_t team_frame = std::uint64_t{2} << 32;
  /// Stands for where a task was when this thread went on with it.
  static constexpr std::uint64_t task_frame = std::uint64_t{3} << 32;
  /// Stands for its parent less that region, which the thread left and had not entered.
  static constexpr std::uint64_t up_frame(RegionId region) { return std::uint64_t{4} << 32 | region.value; }
  static constexpr bool is_up(std::uint64_t frame) { return frame >> 32 == 4; }

 private:
  struct Node {
    std::uint64_t frame = no_frame;
    std::uint32_t parent = 0;
    std::uint32_t last_child = 0;
  };

  static std::size_t hash(std::uint32_t parent, std::uint64_t frame) {
    return static_cast<std::size_t>(util::spread(frame ^ std::uint64_t{parent} << 33) >> 20);
  }

  std::uint32_t find_or_add(std::uint32_t parent, std::uint64_t frame, bool& added) {
    std::size_t mask = table_.size() - 1, i = hash(parent, frame) & mask;
    for (; table_[i] != 0; i = (i + 1) & mask)
      if (nodes_[table_[i]].frame == frame && nodes_[table_[i]].parent == parent) return table_[i];
    added = true;
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({frame, parent, 0});
    table_[i] = number;
    if (nodes_.size() * 2 > table_.size()) grow();
    return number;
  }

  void grow() {
    table_.assign(table_.size() * 2, 0);
    const std::size_t mask = table_.size() - 1;
    for (std::uint32_t n = 1; n < nodes_.size(); ++n) {
      std::size_t i = hash(nodes_[n].parent, nodes_[n].frame) & mask;
      while (table_[i] != 0) i = (i + 1) & mask;
      table_[i] = n;
    }
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> table_;
};

}  // namespace waitstate::replay
