#include "bind/patterns/rows_threads.hpp"

#include "bind/patterns/row_layout.hpp"

namespace waitstate::python {

static_assert(std::is_standard_layout_v<DevicePartRow> && std::is_standard_layout_v<UnusedRow>);
static_assert(sizeof(RegionClass) == 1);

template <>
py::dtype row_dtype<ThreadRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(ThreadRow, number))
        .add("region_class", code_format, offsetof(ThreadRow, region_class))
        .add("call", row_dtype<Call>(), offsetof(ThreadRow, call))
        .dtype(sizeof(ThreadRow));
  });
}

template <>
py::dtype row_dtype<LockRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(LockRow, number))
        .add("call", row_dtype<Call>(), offsetof(LockRow, call))
        .add("acquire_time", number_format, offsetof(LockRow, acquire_time))
        .add("released", row_dtype<Call>(), offsetof(LockRow, released))
        .add("release_time", number_format, offsetof(LockRow, release_time))
        .dtype(sizeof(LockRow));
  });
}

template <>
py::dtype row_dtype<IdleRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(IdleRow, number))
        .add("call", row_dtype<Call>(), offsetof(IdleRow, call))
        .dtype(sizeof(IdleRow));
  });
}

template <>
py::dtype row_dtype<IdlePartRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(IdlePartRow, number))
        .add("begin", number_format, offsetof(IdlePartRow, begin))
        .add("end", number_format, offsetof(IdlePartRow, end))
        .add("created", flag_format, offsetof(IdlePartRow, created))
        .add("culprit", id_format, offsetof(IdlePartRow, culprit))
        .add("culprit_callpath", id_format, offsetof(IdlePartRow, culprit_callpath))
        .dtype(sizeof(IdlePartRow));
  });
}

template <>
py::dtype row_dtype<DeviceWaitRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(DeviceWaitRow, number))
        .add("call", row_dtype<Call>(), offsetof(DeviceWaitRow, call))
        .dtype(sizeof(DeviceWaitRow));
  });
}

template <>
py::dtype row_dtype<DevicePartRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(DevicePartRow, number))
        .add("begin", number_format, offsetof(DevicePartRow, begin))
        .add("end", number_format, offsetof(DevicePartRow, end))
        .add("copy", flag_format, offsetof(DevicePartRow, copy))
        .add("stream", id_format, offsetof(DevicePartRow, stream))
        .add("callpath", id_format, offsetof(DevicePartRow, callpath))
        .dtype(sizeof(DevicePartRow));
  });
}

template <>
py::dtype row_dtype<UnusedRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(UnusedRow, number))
        .add("master", id_format, offsetof(UnusedRow, master))
        .add("begin", number_format, offsetof(UnusedRow, begin))
        .add("end", number_format, offsetof(UnusedRow, end))
        .add("callpath", id_format, offsetof(UnusedRow, callpath))
        .add("parallel", flag_format, offsetof(UnusedRow, parallel))
        .dtype(sizeof(UnusedRow));
  });
}

template <>
py::dtype row_dtype<TeamMemberRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(TeamMemberRow, number))
        .add("location", id_format, offsetof(TeamMemberRow, location))
        .dtype(sizeof(TeamMemberRow));
  });
}

}  // namespace waitstate::python
