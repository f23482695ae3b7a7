// The call tree of a whole trace: every call path of every location, each once.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// A node of the call tree: a region in the context of its callers. The root that PROGRAM_BEGIN opens is not a region
/// but the program itself.
struct CallPath {
  CallPathId parent;  ///< none for a root
  RegionId region;    ///< none for the program root, or if the region is not known
  StringId program;   ///< program root only: the program's path as recorded
  friend bool operator==(const CallPath&, const CallPath&) = default;
};

class CallTree {
 public:
  // Defined in a source file, because the code generated for them is large.
  CallTree();
  CallTree(const CallTree&);
  CallTree(CallTree&&) noexcept;
  CallTree& operator=(const CallTree&);
  CallTree& operator=(CallTree&&) noexcept;
  ~CallTree();

  /// The child of `path.parent` for this region or program, which is added if it is new. Constant time on average.
  CallPathId find_or_add(const CallPath& path);
  /// That child; none if there is none. Constant time on average.
  CallPathId find(const CallPath& path) const;

  const CallPath& operator[](CallPathId id) const { return paths_[id.index()]; }
  /// Number of call paths; ids run from 0. A parent has a smaller id than its children.
  std::size_t size() const { return paths_.size(); }

  /// Name of the last element: the region's name, or the file name of the program.
  std::string_view name(CallPathId id, const Definitions& definitions) const;
  /// All elements from the root, joined by '/'.
  std::string path(CallPathId id, const Definitions& definitions) const;
  /// All call paths depth first. Roots and siblings are in the order in which the first location that has them entered
  /// them first, which does not depend on the order in which locations were read.
  std::vector<CallPathId> depth_first() const;

  /// A tree of the same call paths, numbered in this order, which must have each once and parents before their
  /// children.
  CallTree in_order(const std::vector<CallPathId>& order) const;

  /// Says that this call path was the location's `nth` new one; determines depth_first().
  void seen(CallPathId id, LocationId location, std::uint32_t nth) {
    const std::uint64_t key = std::uint64_t{location.value} << 32 | nth;
    if (key < first_seen_[id.index()]) first_seen_[id.index()] = key;
  }

  /// Takes over what another tree knows by seen(); that has this one's first call paths, or all of them.
  void join_seen(const CallTree& other);
  /// For the engine: brings what is known by seen() to a tree of another process that has the same call paths.
  template <class Archive>
  void travel_seen(Archive& archive) {
    archive(first_seen_);
  }

 private:
  struct Hash {
    std::size_t operator()(const CallPath& p) const noexcept;
  };
  std::vector<CallPath> paths_;
  std::vector<std::uint64_t> first_seen_;
  std::unordered_map<CallPath, CallPathId, Hash> ids_;
};

/// The file name behind the last '/', as the root of call paths shows it.
std::string_view file_name(std::string_view path);

}  // namespace waitstate
