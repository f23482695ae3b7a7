#include "bind/pattern_rows.hpp"

#include <cstddef>
#include <type_traits>

namespace waitstate::python {

namespace {

// The layout of a C++ struct as NumPy takes it: names, formats and offsets.
class Layout {
 public:
  Layout& add(const char* name, const py::object& format, std::size_t offset) {
    names_.append(name), formats_.append(format), offsets_.append(offset);
    return *this;
  }
  Layout& add(const char* name, const char* format, std::size_t offset) {
    return add(name, py::dtype::from_args(py::str(format)), offset);
  }
  py::dtype dtype(std::size_t size) const {
    py::dict layout;
    layout["names"] = names_, layout["formats"] = formats_, layout["offsets"] = offsets_, layout["itemsize"] = size;
    return py::dtype::from_args(layout);
  }

 private:
  py::list names_, formats_, offsets_;
};

constexpr const char* id_format = "=i4";
constexpr const char* code_format = "=u1";
constexpr const char* number_format = "=i8";

static_assert(std::is_standard_layout_v<Call> && std::is_standard_layout_v<ReceiveRow>);
static_assert(sizeof(LocationId) == 4 && sizeof(MpiFunction) == 1 && sizeof(CollectiveOp) == 1 &&
              sizeof(RegionClass) == 1 && sizeof(RmaOperationKind) == 1 && sizeof(RmaWinId) == 4);

py::dtype stretch_dtype() {
  return Layout()
      .add("callpath", id_format, offsetof(Stretch, callpath))
      .add("begin", number_format, offsetof(Stretch, begin))
      .add("end", number_format, offsetof(Stretch, end))
      .dtype(sizeof(Stretch));
}

template <class Row>
Layout& add_message(Layout& layout) {
  const py::dtype call = row_dtype<Call>();
  return layout.add("number", number_format, offsetof(Row, number))
      .add("sender", id_format, offsetof(Row, sender))
      .add("receiver", id_format, offsetof(Row, receiver))
      .add("comm", id_format, offsetof(Row, comm))
      .add("tag", "=u4", offsetof(Row, tag))
      .add("bytes", number_format, offsetof(Row, bytes))
      .add("send_time", number_format, offsetof(Row, send_time))
      .add("recv_time", number_format, offsetof(Row, recv_time))
      .add("send", call, offsetof(Row, send))
      .add("recv_post", call, offsetof(Row, recv_post))
      .add("recv", call, offsetof(Row, recv));
}

}  // namespace

template <>
py::dtype row_dtype<Call>() {
  const py::dtype stretch = stretch_dtype();
  return Layout()
      .add("location", id_format, offsetof(Call, location))
      .add("callpath", id_format, offsetof(Call, callpath))
      .add("region", id_format, offsetof(Call, region))
      .add("function", code_format, offsetof(Call, function))
      .add("enter", number_format, offsetof(Call, enter))
      .add("exit", number_format, offsetof(Call, exit))
      .add("before", stretch, offsetof(Call, before))
      .add("previous", stretch, offsetof(Call, previous))
      .dtype(sizeof(Call));
}

template <>
py::dtype row_dtype<ReceiveRow>() {
  Layout layout;
  return add_message<ReceiveRow>(layout).dtype(sizeof(ReceiveRow));
}

template <>
py::dtype row_dtype<SendRow>() {
  Layout layout;
  return add_message<SendRow>(layout)
      .add("call", row_dtype<Call>(), offsetof(SendRow, call))
      .add("receive_wait", number_format, offsetof(SendRow, receive_wait))
      .dtype(sizeof(SendRow));
}

template <>
py::dtype row_dtype<MemberRow>() {
  return Layout()
      .add("number", number_format, offsetof(MemberRow, number))
      .add("kind", code_format, offsetof(MemberRow, kind))
      .add("op", code_format, offsetof(MemberRow, op))
      .add("neighbourhood", "=?", offsetof(MemberRow, neighbourhood))
      .add("comm", id_format, offsetof(MemberRow, comm))
      .add("rank", id_format, offsetof(MemberRow, rank))
      .add("size", id_format, offsetof(MemberRow, size))
      .add("root", id_format, offsetof(MemberRow, root))
      .add("group_a", id_format, offsetof(MemberRow, group_a))
      .add("begin", number_format, offsetof(MemberRow, begin))
      .add("end", number_format, offsetof(MemberRow, end))
      .add("bytes_sent", number_format, offsetof(MemberRow, bytes_sent))
      .add("bytes_received", number_format, offsetof(MemberRow, bytes_received))
      .add("call", row_dtype<Call>(), offsetof(MemberRow, call))
      .dtype(sizeof(MemberRow));
}

template <>
py::dtype row_dtype<CompletionRow>() {
  const py::dtype call = row_dtype<Call>();
  return Layout()
      .add("number", number_format, offsetof(CompletionRow, number))
      .add("kind", code_format, offsetof(CompletionRow, kind))
      .add("op", code_format, offsetof(CompletionRow, op))
      .add("awaits", "=?", offsetof(CompletionRow, awaits))
      .add("comm", id_format, offsetof(CompletionRow, comm))
      .add("call", call, offsetof(CompletionRow, call))
      .add("started", call, offsetof(CompletionRow, started))
      .add("awaited", call, offsetof(CompletionRow, awaited))
      .dtype(sizeof(CompletionRow));
}

template <>
py::dtype row_dtype<ThreadRow>() {
  return Layout()
      .add("number", number_format, offsetof(ThreadRow, number))
      .add("region_class", code_format, offsetof(ThreadRow, region_class))
      .add("call", row_dtype<Call>(), offsetof(ThreadRow, call))
      .dtype(sizeof(ThreadRow));
}

template <>
py::dtype row_dtype<LockRow>() {
  const py::dtype call = row_dtype<Call>();
  return Layout()
      .add("number", number_format, offsetof(LockRow, number))
      .add("call", call, offsetof(LockRow, call))
      .add("acquire_time", number_format, offsetof(LockRow, acquire_time))
      .add("released", call, offsetof(LockRow, released))
      .add("release_time", number_format, offsetof(LockRow, release_time))
      .dtype(sizeof(LockRow));
}

template <>
py::dtype row_dtype<RmaOperationRow>() {
  const py::dtype call = row_dtype<Call>();
  return Layout()
      .add("number", number_format, offsetof(RmaOperationRow, number))
      .add("kind", code_format, offsetof(RmaOperationRow, kind))
      .add("win", id_format, offsetof(RmaOperationRow, win))
      .add("origin", id_format, offsetof(RmaOperationRow, origin))
      .add("target", id_format, offsetof(RmaOperationRow, target))
      .add("bytes_put", number_format, offsetof(RmaOperationRow, bytes_put))
      .add("bytes_got", number_format, offsetof(RmaOperationRow, bytes_got))
      .add("call", call, offsetof(RmaOperationRow, call))
      .add("start", number_format, offsetof(RmaOperationRow, start))
      .add("completed", call, offsetof(RmaOperationRow, completed))
      .add("completion", number_format, offsetof(RmaOperationRow, completion))
      .dtype(sizeof(RmaOperationRow));
}

}  // namespace waitstate::python
