#include "bind/patterns/rows_one_sided.hpp"

namespace waitstate::python {

static_assert(std::is_standard_layout_v<RmaMemberRow>);
static_assert(sizeof(RmaOperationKind) == 1 && sizeof(RmaCollectiveKind) == 1 && sizeof(LockType) == 1 &&
              sizeof(Paradigm) == 1 && sizeof(RmaWinId) == 4);

AccessPart access_part(const RmaAccess& a) {
  return {a.origin,
          a.target,
          a.puts,
          a.gets,
          a.atomics,
          a.bytes_put,
          a.bytes_got,
          a.origin_member,
          a.target_member,
          a.last != nullptr,
          a.last != nullptr ? *a.last : Call{}};
}

template <>
py::dtype row_dtype<AccessPart>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("origin", id_format, offsetof(AccessPart, origin))
        .add("target", id_format, offsetof(AccessPart, target))
        .add("puts", number_format, offsetof(AccessPart, puts))
        .add("gets", number_format, offsetof(AccessPart, gets))
        .add("atomics", number_format, offsetof(AccessPart, atomics))
        .add("bytes_put", number_format, offsetof(AccessPart, bytes_put))
        .add("bytes_got", number_format, offsetof(AccessPart, bytes_got))
        .add("origin_member", id_format, offsetof(AccessPart, origin_member))
        .add("target_member", id_format, offsetof(AccessPart, target_member))
        .add("accessed", flag_format, offsetof(AccessPart, accessed))
        .add("last", row_dtype<Call>(), offsetof(AccessPart, last))
        .dtype(sizeof(AccessPart));
  });
}

template <>
py::dtype row_dtype<AccessRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(AccessRow, number))
        .add("origin", id_format, offsetof(AccessRow, access.origin))
        .add("target", id_format, offsetof(AccessRow, access.target))
        .add("puts", number_format, offsetof(AccessRow, access.puts))
        .add("gets", number_format, offsetof(AccessRow, access.gets))
        .add("atomics", number_format, offsetof(AccessRow, access.atomics))
        .add("bytes_put", number_format, offsetof(AccessRow, access.bytes_put))
        .add("bytes_got", number_format, offsetof(AccessRow, access.bytes_got))
        .add("origin_member", id_format, offsetof(AccessRow, access.origin_member))
        .add("target_member", id_format, offsetof(AccessRow, access.target_member))
        .add("accessed", flag_format, offsetof(AccessRow, access.accessed))
        .add("last", row_dtype<Call>(), offsetof(AccessRow, access.last))
        .dtype(sizeof(AccessRow));
  });
}

template <>
py::dtype row_dtype<RmaMemberRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(RmaMemberRow, member.number))
        .add("kind", code_format, offsetof(RmaMemberRow, member.kind))
        .add("op", code_format, offsetof(RmaMemberRow, member.op))
        .add("neighbourhood", flag_format, offsetof(RmaMemberRow, member.neighbourhood))
        .add("comm", id_format, offsetof(RmaMemberRow, member.comm))
        .add("rank", id_format, offsetof(RmaMemberRow, member.rank))
        .add("size", id_format, offsetof(RmaMemberRow, member.size))
        .add("root", id_format, offsetof(RmaMemberRow, member.root))
        .add("group_a", id_format, offsetof(RmaMemberRow, member.group_a))
        .add("begin", number_format, offsetof(RmaMemberRow, member.begin))
        .add("end", number_format, offsetof(RmaMemberRow, member.end))
        .add("bytes_sent", number_format, offsetof(RmaMemberRow, member.bytes_sent))
        .add("bytes_received", number_format, offsetof(RmaMemberRow, member.bytes_received))
        .add("call", row_dtype<Call>(), offsetof(RmaMemberRow, member.call))
        .add("rma_kind", code_format, offsetof(RmaMemberRow, rma_kind))
        .add("win", id_format, offsetof(RmaMemberRow, win))
        .add("paradigm", code_format, offsetof(RmaMemberRow, paradigm))
        .dtype(sizeof(RmaMemberRow));
  });
}

template <>
py::dtype row_dtype<EpochOperationRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(EpochOperationRow, number))
        .add("target", id_format, offsetof(EpochOperationRow, target))
        .add("target_index", id_format, offsetof(EpochOperationRow, target_index))
        .add("call", row_dtype<Call>(), offsetof(EpochOperationRow, call))
        .dtype(sizeof(EpochOperationRow));
  });
}

template <>
py::dtype row_dtype<PassiveCallRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(PassiveCallRow, number))
        .add("call", row_dtype<Call>(), offsetof(PassiveCallRow, call))
        .add("win", id_format, offsetof(PassiveCallRow, win))
        .add("paradigm", code_format, offsetof(PassiveCallRow, paradigm))
        .add("conflict", flag_format, offsetof(PassiveCallRow, conflict))
        .add("lock_known", flag_format, offsetof(PassiveCallRow, lock_known))
        .add("released", row_dtype<Call>(), offsetof(PassiveCallRow, released))
        .add("release_time", number_format, offsetof(PassiveCallRow, release_time))
        .dtype(sizeof(PassiveCallRow));
  });
}

template <>
py::dtype row_dtype<WaitChangeRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(WaitChangeRow, number))
        .add("call", row_dtype<Call>(), offsetof(WaitChangeRow, call))
        .add("win", id_format, offsetof(WaitChangeRow, win))
        .add("is_known", flag_format, offsetof(WaitChangeRow, is_known))
        .add("changed", row_dtype<Call>(), offsetof(WaitChangeRow, changed))
        .dtype(sizeof(WaitChangeRow));
  });
}

}  // namespace waitstate::python
