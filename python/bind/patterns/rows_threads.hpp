// Compound events of thread teams, locks and accelerators as rows of NumPy arrays; see rows.hpp.
//
// What a compound event has lists of - parts of a wait, members of a team - are rows of a further array of the same
// batch with the event's `number`. Invariant: all rows of one number are in one batch, in the order that the C++
// structs have them in.
#pragma once

#include <cstdint>

#include "bind/patterns/rows.hpp"
#include "waitstate/device.hpp"
#include "waitstate/team.hpp"

namespace waitstate::python {

/// A thread in a barrier of its team; `number` counts the barriers.
struct ThreadRow {
  std::int64_t number;
  RegionClass region_class;
  Call call;
};

/// A lock that a thread acquired, one row each.
struct LockRow {
  std::int64_t number;
  Call call;
  Time acquire_time;
  Call released;
  Time release_time;
};

/// A barrier or taskwait in which a thread was idle, and the parts of that time.
struct IdleRow {
  std::int64_t number;
  Call call;
};
struct IdlePartRow {
  std::int64_t number;
  Time begin, end;
  std::uint8_t created;
  LocationId culprit;
  CallPathId culprit_callpath;
};

/// A call that waits for a device, and what it waited for.
struct DeviceWaitRow {
  std::int64_t number;
  Call call;
};
struct DevicePartRow {
  std::int64_t number;
  Time begin, end;
  std::uint8_t copy;
  LocationId stream;
  CallPathId callpath;
};

/// An interval of time in which threads had no part, and the threads that took part if it is of a parallel region.
struct UnusedRow {
  std::int64_t number;
  LocationId master;
  Time begin, end;
  CallPathId callpath;
  std::uint8_t parallel;
};
struct TeamMemberRow {
  std::int64_t number;
  LocationId location;
};

template <>
py::dtype row_dtype<ThreadRow>();
template <>
py::dtype row_dtype<LockRow>();
template <>
py::dtype row_dtype<IdleRow>();
template <>
py::dtype row_dtype<IdlePartRow>();
template <>
py::dtype row_dtype<DeviceWaitRow>();
template <>
py::dtype row_dtype<DevicePartRow>();
template <>
py::dtype row_dtype<UnusedRow>();
template <>
py::dtype row_dtype<TeamMemberRow>();

}  // namespace waitstate::python
