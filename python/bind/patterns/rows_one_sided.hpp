// Compound events of one-sided communication as rows of NumPy arrays; see rows.hpp.
//
// An epoch is a row, and what it has lists of - targets, origins, accesses, operations, gaps - are rows of further
// arrays of the same batch with the epoch's `number`. Invariant: all rows of one number are in one batch, in the order
// that the C++ structs have them in.
#pragma once

#include <cstdint>

#include "bind/patterns/rows.hpp"
#include "waitstate/pattern/rma.hpp"

namespace waitstate::python {

/// All that one process did to another one's part of a window.
struct AccessPart {
  LocationId origin, target;
  std::uint64_t puts, gets, atomics, bytes_put, bytes_got;
  std::uint32_t origin_member, target_member;
  std::uint8_t accessed;  ///< 0: there is no operation, `last` is empty
  Call last;
};
AccessPart access_part(const RmaAccess& access);

/// An access of a collective or of a lock epoch.
struct AccessRow {
  std::int64_t number;
  AccessPart access;
  void set(std::int64_t n, const RmaAccess& a) { number = n, access = access_part(a); }
};

/// A member of a collective operation on a window; `number` counts the operations.
struct RmaMemberRow {
  MemberRow member;
  RmaCollectiveKind rma_kind;
  RmaWinId win;
  Paradigm paradigm;
};

/// An operation of an access epoch.
struct EpochOperationRow {
  std::int64_t number;
  LocationId target;
  std::uint32_t target_index;
  Call call;
};

/// A call that has to do with a lock, and the times in it in which its target made no progress.
struct PassiveCallRow {
  std::int64_t number;
  Call call;
  RmaWinId win;
  Paradigm paradigm;
  std::uint8_t conflict;  ///< 0: nobody else had the lock, `released` is empty
  std::uint8_t lock_known;
  Call released;
  Time release_time;
};
/// A process that waited for its memory to be changed.
struct WaitChangeRow {
  std::int64_t number;
  Call call;
  RmaWinId win;
  std::uint8_t is_known;  ///< 0: it is not known who changed it, `changed` is empty
  Call changed;
};

template <>
py::dtype row_dtype<AccessPart>();
template <>
py::dtype row_dtype<AccessRow>();
template <>
py::dtype row_dtype<RmaMemberRow>();
template <>
py::dtype row_dtype<EpochOperationRow>();
template <>
py::dtype row_dtype<PassiveCallRow>();
template <>
py::dtype row_dtype<WaitChangeRow>();

}  // namespace waitstate::python
