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

constexpr const char* id = "=i4";
constexpr const char* code = "=u1";
constexpr const char* number = "=i8";

static_assert(std::is_standard_layout_v<Call> && std::is_standard_layout_v<ReceiveRow>);
static_assert(sizeof(LocationId) == 4 && sizeof(MpiFunction) == 1 && sizeof(CollectiveOp) == 1 && sizeof(RegionClass) == 1);

py::dtype stretch_dtype() {
  return Layout()
      .add("callpath", id, offsetof(Stretch, callpath))
      .add("begin", number, offsetof(Stretch, begin))
      .add("end", number, offsetof(Stretch, end))
      .dtype(sizeof(Stretch));
}

template <class Row>
Layout& add_message(Layout& layout) {
  const py::dtype call = row_dtype<Call>();
  return layout.add("number", number, offsetof(Row, number))
      .add("sender", id, offsetof(Row, sender))
      .add("receiver", id, offsetof(Row, receiver))
      .add("comm", id, offsetof(Row, comm))
      .add("tag", "=u4", offsetof(Row, tag))
      .add("bytes", number, offsetof(Row, bytes))
      .add("send_time", number, offsetof(Row, send_time))
      .add("recv_time", number, offsetof(Row, recv_time))
      .add("send", call, offsetof(Row, send))
      .add("recv_post", call, offsetof(Row, recv_post))
      .add("recv", call, offsetof(Row, recv));
}

}  // namespace

template <>
py::dtype row_dtype<Call>() {
  const py::dtype stretch = stretch_dtype();
  return Layout()
      .add("location", id, offsetof(Call, location))
      .add("callpath", id, offsetof(Call, callpath))
      .add("region", id, offsetof(Call, region))
      .add("function", code, offsetof(Call, function))
      .add("enter", number, offsetof(Call, enter))
      .add("exit", number, offsetof(Call, exit))
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
      .add("receive_wait", number, offsetof(SendRow, receive_wait))
      .dtype(sizeof(SendRow));
}

template <>
py::dtype row_dtype<MemberRow>() {
  return Layout()
      .add("number", number, offsetof(MemberRow, number))
      .add("kind", code, offsetof(MemberRow, kind))
      .add("op", code, offsetof(MemberRow, op))
      .add("neighbourhood", "=?", offsetof(MemberRow, neighbourhood))
      .add("comm", id, offsetof(MemberRow, comm))
      .add("rank", id, offsetof(MemberRow, rank))
      .add("size", id, offsetof(MemberRow, size))
      .add("root", id, offsetof(MemberRow, root))
      .add("group_a", id, offsetof(MemberRow, group_a))
      .add("begin", number, offsetof(MemberRow, begin))
      .add("end", number, offsetof(MemberRow, end))
      .add("bytes_sent", number, offsetof(MemberRow, bytes_sent))
      .add("bytes_received", number, offsetof(MemberRow, bytes_received))
      .add("call", row_dtype<Call>(), offsetof(MemberRow, call))
      .dtype(sizeof(MemberRow));
}

template <>
py::dtype row_dtype<CompletionRow>() {
  const py::dtype call = row_dtype<Call>();
  return Layout()
      .add("number", number, offsetof(CompletionRow, number))
      .add("kind", code, offsetof(CompletionRow, kind))
      .add("op", code, offsetof(CompletionRow, op))
      .add("awaits", "=?", offsetof(CompletionRow, awaits))
      .add("comm", id, offsetof(CompletionRow, comm))
      .add("call", call, offsetof(CompletionRow, call))
      .add("started", call, offsetof(CompletionRow, started))
      .add("awaited", call, offsetof(CompletionRow, awaited))
      .dtype(sizeof(CompletionRow));
}

template <>
py::dtype row_dtype<ThreadRow>() {
  return Layout()
      .add("number", number, offsetof(ThreadRow, number))
      .add("region_class", code, offsetof(ThreadRow, region_class))
      .add("call", row_dtype<Call>(), offsetof(ThreadRow, call))
      .dtype(sizeof(ThreadRow));
}

template <>
py::dtype row_dtype<LockRow>() {
  const py::dtype call = row_dtype<Call>();
  return Layout()
      .add("number", number, offsetof(LockRow, number))
      .add("call", call, offsetof(LockRow, call))
      .add("acquire_time", number, offsetof(LockRow, acquire_time))
      .add("released", call, offsetof(LockRow, released))
      .add("release_time", number, offsetof(LockRow, release_time))
      .dtype(sizeof(LockRow));
}

}  // namespace waitstate::python
