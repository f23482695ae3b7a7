// The map from a recorder's numbers of definitions to ours (0, 1, … in table order).
//
// Events name definitions by number, so the map is on the path of every event. Recorders mostly count from 0: then a
// look-up reads one array. Some start each process at a number of its own, far apart (EZTrace), and a damaged file may
// hold any number. Numbers that do not fit a table about as large as the number of definitions go to a hash table with
// open addressing, so that memory is bounded by the number of definitions, whatever their numbers.
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "otf2/format.hpp"
#include "util/hash.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::otf2 {

class RefTable {
 public:
  static constexpr std::uint32_t none = undefined32;

  /// Adds a pair; if a number is added twice, the first pair counts. Nothing can be found before seal().
  void add(std::uint64_t ref, std::uint32_t id) { pairs_.emplace_back(ref, id); }
  /// Builds the tables; returns how many numbers were added twice.
  std::uint64_t seal();

  /// Our numbers of the definitions 0, 1, … up to the end of the dense range; none in its gaps.
  std::span<const std::uint32_t> dense() const { return dense_; }
  template <class Archive>
  void travel(Archive& archive) {
    archive(pairs_, dense_, sparse_, shift_);
  }
  /// Our number of the definition, none if there is none.
  std::uint32_t find(std::uint64_t ref) const { return ref < dense_.size() ? dense_[ref] : find_sparse(ref); }

 private:
  struct Slot {
    std::uint64_t ref = undefined64;
    std::uint32_t id = none;
  };
  std::uint32_t find_sparse(std::uint64_t ref) const;
  std::size_t slot_of(std::uint64_t ref) const { return util::spread(ref) >> shift_; }

  std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs_;
  std::vector<std::uint32_t> dense_;
  std::vector<Slot> sparse_;  // size: a power of two, at most half full
  unsigned shift_ = 63;
};

/// The tables of all kinds.
class References {
 public:
  RefTable& operator[](RefKind kind) { return tables_[static_cast<std::size_t>(kind)]; }
  const RefTable& operator[](RefKind kind) const { return tables_[static_cast<std::size_t>(kind)]; }
  template <class Archive>
  void travel(Archive& archive) {
    archive(tables_);
  }

 private:
  std::array<RefTable, ref_kinds> tables_;
};

/// Name of a kind of definition, as messages and the text notation spell it.
std::string_view kind_name(RefKind kind);

/// True if a recorded number means "no definition".
inline bool is_undefined(RefKind kind, std::uint64_t ref) {
  return kind == RefKind::location ? ref == undefined64 : ref >= undefined32;
}

/// A value as the library delivers it; a reference in it is the recorder's number. A type that OTF2 3.0 does not define
/// becomes type none.
Value recorded_value(OTF2_Type type, OTF2_AttributeValue value);

/// The kind of definition that values of this type refer to.
std::optional<RefKind> referred_kind(ValueType type);

}  // namespace waitstate::otf2
