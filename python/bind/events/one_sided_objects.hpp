// Compound events of one-sided communication as Python objects: what the rma_*_callback methods of a Python pattern
// receive, with the names of the C++ structs of rma.hpp.
//
// As those of point_to_point_objects.hpp each is a copy that may be kept. The C++ structs refer to calls by reference
// and to lists by span, which die with the callback; here both are values. Invariant: a copied struct's own pointers
// are never followed. The cost of a copy is linear in the accesses and operations of its epoch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bind/events/point_to_point_objects.hpp"
#include "waitstate/pattern/rma.hpp"

namespace waitstate::python {

struct RmaOperationObject {
  RmaOperationKind kind;
  RmaWinId win;
  LocationId origin, target;
  std::uint64_t bytes_put, bytes_got;
  CallObject call, completed;
  Time start, completion;
  RmaOperationObject(const RmaOperation& o, const Names& names);
};

struct RmaAccessObject {
  RmaAccess access;  ///< its pointer is not used
  std::optional<CallObject> last;
  Names names;
  RmaAccessObject(const RmaAccess& a, const Names& n);
};

struct RmaCollectiveObject {
  RmaCollectiveKind kind;
  RmaWinId win;
  Paradigm paradigm;
  CollectiveObject collective;
  std::vector<RmaAccessObject> accesses;
  Names names;
  RmaCollectiveObject(const RmaCollective& c, const Names& n);
};

struct RmaAccessTargetObject {
  LocationId target;
  CallObject post;
  RmaAccessObject access;
  RmaAccessTargetObject(const RmaAccessTarget& t, const Names& names);
};

struct RmaEpochOperationObject {
  CallObject call;
  std::uint32_t target;  ///< index into the epoch's targets
  RmaEpochOperationObject(const RmaEpochOperation& o, const Names& names) : call{o.call, names}, target(o.target) {}
};

struct RmaAccessEpochObject {
  RmaWinId win;
  CallObject start, complete;
  std::vector<RmaAccessTargetObject> targets;
  std::vector<RmaEpochOperationObject> operations;
  RmaAccessEpochObject(const RmaAccessEpoch& e, const Names& names);
};

struct RmaExposureOriginObject {
  LocationId origin;
  CallObject start, complete;
  RmaAccessObject access;
  RmaExposureOriginObject(const RmaExposureOrigin& o, const Names& names);
};

struct RmaExposureEpochObject {
  RmaWinId win;
  CallObject post, wait;
  std::vector<RmaExposureOriginObject> origins;
  RmaExposureEpochObject(const RmaExposureEpoch& e, const Names& names);
};

struct RmaLockEpochObject {
  RmaWinId win;
  LocationId target;
  std::uint64_t lock;
  LockType type;
  CallObject locked, unlocked;
  Time release_time;
  std::vector<RmaAccessObject> accesses;
  RmaLockEpochObject(const RmaLockEpoch& e, const Names& names);
};

struct RmaProgressGapObject {
  Time begin, end;
  CallObject next;
  RmaProgressGapObject(const RmaProgressGap& g, const Names& names) : begin(g.begin), end(g.end), next{g.next, names} {}
};

struct RmaPassiveCallObject {
  CallObject call;
  RmaWinId win;
  Paradigm paradigm;
  std::optional<CallObject> released;
  Time release_time;
  bool lock_known;
  std::vector<RmaProgressGapObject> gaps;
  RmaPassiveCallObject(const RmaPassiveCall& c, const Names& names);
};

struct RmaWaitChangeObject {
  CallObject call;
  RmaWinId win;
  std::optional<CallObject> changed;
  RmaWaitChangeObject(const RmaWaitChange& c, const Names& names);
};

/// The model of that name: auto, basic or extended. Throws UsageError.
RmaModel rma_model_of(const std::string& word);

// Members of the Python enumerations RmaOperationKind and RmaCollectiveKind, and their names.
py::object enum_member(RmaOperationKind k);
py::object enum_member(RmaCollectiveKind k);
std::string_view rma_operation_text(RmaOperationKind k);
std::string_view rma_collective_text(RmaCollectiveKind k);

}  // namespace waitstate::python
