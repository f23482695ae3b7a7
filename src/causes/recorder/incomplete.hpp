// Points of operations that lack a member: its other members met there all the same, so that their work before it is
// not compared. Nobody's wait is known there.
//
// Operations in which every member stays until all have come have such points: MPI_Init, barriers, and operations in
// which all were at the same time and data moved from all to all. In others the complete trace might have no point of a
// member. If MPI_Finalize lacks a member, it is not known which process ended last.
//
// Memory: 72 bytes a part, spilled; while points are added, 24 bytes a part.
#pragma once

#include <cstdint>
#include <span>

#include "causes/recorded.hpp"
#include "link/listener.hpp"

namespace waitstate::causes {

class IncompleteOperations {
 public:
  explicit IncompleteOperations(Recorded& to) : to_(to), parts_(to.spill_beyond) {}

  /// Called by the linking thread.
  void add(const link::IncompletePart& part);
  /// Adds those that another worker was told of.
  void join(const IncompleteOperations& other);
  template <class Archive>
  void travel(Archive& archive) {
    archive(parts_);
  }
  /// When the trace has been read.
  void finish();

 private:
  struct Part {
    std::uint64_t number;
    CommId comm;
    CollectiveKind kind;
    bool moves_data;
    std::uint16_t call;
    LocationId location;
    CallPathId callpath;
    Time enter, exit, begin, end;
  };
  struct PartName {
    CommId comm;
    std::uint64_t number;
    std::size_t part;
  };
  bool meets(std::span<const PartName> names) const;

  Recorded& to_;
  util::SpilledVector<Part> parts_;
};

}  // namespace waitstate::causes
