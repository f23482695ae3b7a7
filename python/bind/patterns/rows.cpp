#include "bind/patterns/rows.hpp"

namespace waitstate::python {

static_assert(std::is_standard_layout_v<Call> && std::is_standard_layout_v<Wait>);
static_assert(std::is_standard_layout_v<ReceiveRow> && std::is_standard_layout_v<EventRow>);
static_assert(sizeof(LocationId) == 4 && sizeof(MpiFunction) == 1 && sizeof(CollectiveOp) == 1 &&
              sizeof(EventType) == 1 && sizeof(RegionClass) == 1);

template <>
py::dtype row_dtype<Interval>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("callpath", id_format, offsetof(Interval, callpath))
        .add("begin", number_format, offsetof(Interval, begin))
        .add("end", number_format, offsetof(Interval, end))
        .dtype(sizeof(Interval));
  });
}

template <>
py::dtype row_dtype<Call>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("location", id_format, offsetof(Call, location))
        .add("callpath", id_format, offsetof(Call, callpath))
        .add("region", id_format, offsetof(Call, region))
        .add("function", code_format, offsetof(Call, function))
        .add("enter", number_format, offsetof(Call, enter))
        .add("exit", number_format, offsetof(Call, exit))
        .add("before", row_dtype<Interval>(), offsetof(Call, before))
        .add("previous", row_dtype<Interval>(), offsetof(Call, previous))
        .add("earlier", row_dtype<Interval>(), offsetof(Call, earlier))
        .dtype(sizeof(Call));
  });
}

template <>
py::dtype row_dtype<Wait>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("location", id_format, offsetof(Wait, location))
        .add("callpath", id_format, offsetof(Wait, callpath))
        .add("enter", number_format, offsetof(Wait, enter))
        .add("exit", number_format, offsetof(Wait, exit))
        .add("begin", number_format, offsetof(Wait, begin))
        .add("ticks", number_format, offsetof(Wait, ticks))
        .add("culprit", id_format, offsetof(Wait, culprit))
        .add("culprit_callpath", id_format, offsetof(Wait, culprit_callpath))
        .dtype(sizeof(Wait));
  });
}

template <>
py::dtype row_dtype<ReceiveRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(ReceiveRow, number))
        .add("sender", id_format, offsetof(ReceiveRow, sender))
        .add("receiver", id_format, offsetof(ReceiveRow, receiver))
        .add("comm", id_format, offsetof(ReceiveRow, comm))
        .add("tag", "=u4", offsetof(ReceiveRow, tag))
        .add("bytes", number_format, offsetof(ReceiveRow, bytes))
        .add("send_time", number_format, offsetof(ReceiveRow, send_time))
        .add("recv_time", number_format, offsetof(ReceiveRow, recv_time))
        .add("send", row_dtype<Call>(), offsetof(ReceiveRow, send))
        .add("recv_post", row_dtype<Call>(), offsetof(ReceiveRow, recv_post))
        .add("recv", row_dtype<Call>(), offsetof(ReceiveRow, recv))
        .dtype(sizeof(ReceiveRow));
  });
}

template <>
py::dtype row_dtype<SendRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(SendRow, number))
        .add("sender", id_format, offsetof(SendRow, sender))
        .add("receiver", id_format, offsetof(SendRow, receiver))
        .add("comm", id_format, offsetof(SendRow, comm))
        .add("tag", "=u4", offsetof(SendRow, tag))
        .add("bytes", number_format, offsetof(SendRow, bytes))
        .add("send_time", number_format, offsetof(SendRow, send_time))
        .add("recv_time", number_format, offsetof(SendRow, recv_time))
        .add("send", row_dtype<Call>(), offsetof(SendRow, send))
        .add("recv_post", row_dtype<Call>(), offsetof(SendRow, recv_post))
        .add("recv", row_dtype<Call>(), offsetof(SendRow, recv))
        .add("call", row_dtype<Call>(), offsetof(SendRow, call))
        .add("receive_wait", number_format, offsetof(SendRow, receive_wait))
        .dtype(sizeof(SendRow));
  });
}

template <>
py::dtype row_dtype<MemberRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(MemberRow, number))
        .add("kind", code_format, offsetof(MemberRow, kind))
        .add("op", code_format, offsetof(MemberRow, op))
        .add("neighbourhood", flag_format, offsetof(MemberRow, neighbourhood))
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
  });
}

template <>
py::dtype row_dtype<CompletionRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(CompletionRow, number))
        .add("kind", code_format, offsetof(CompletionRow, kind))
        .add("op", code_format, offsetof(CompletionRow, op))
        .add("awaits", flag_format, offsetof(CompletionRow, awaits))
        .add("comm", id_format, offsetof(CompletionRow, comm))
        .add("call", row_dtype<Call>(), offsetof(CompletionRow, call))
        .add("started", row_dtype<Call>(), offsetof(CompletionRow, started))
        .add("awaited", row_dtype<Call>(), offsetof(CompletionRow, awaited))
        .dtype(sizeof(CompletionRow));
  });
}

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
py::dtype row_dtype<PublishedRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("number", number_format, offsetof(PublishedRow, number))
        .add("sender", id_format, offsetof(PublishedRow, sender))
        .add("receiver", id_format, offsetof(PublishedRow, receiver))
        .add("comm", id_format, offsetof(PublishedRow, comm))
        .add("tag", "=u4", offsetof(PublishedRow, tag))
        .add("bytes", number_format, offsetof(PublishedRow, bytes))
        .add("send_time", number_format, offsetof(PublishedRow, send_time))
        .add("recv_time", number_format, offsetof(PublishedRow, recv_time))
        .add("send", row_dtype<Call>(), offsetof(PublishedRow, send))
        .add("recv_post", row_dtype<Call>(), offsetof(PublishedRow, recv_post))
        .add("recv", row_dtype<Call>(), offsetof(PublishedRow, recv))
        .add("wait", row_dtype<Wait>(), offsetof(PublishedRow, wait))
        .add("late_receiver", flag_format, offsetof(PublishedRow, late_receiver))
        .dtype(sizeof(PublishedRow));
  });
}

template <>
py::dtype row_dtype<EventRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("pos", number_format, offsetof(EventRow, pos))
        .add("time", number_format, offsetof(EventRow, time))
        .add("loc", id_format, offsetof(EventRow, loc))
        .add("type", code_format, offsetof(EventRow, type))
        .add("callpath", id_format, offsetof(EventRow, callpath))
        .add("region", id_format, offsetof(EventRow, region))
        .add("enterptr", number_format, offsetof(EventRow, enterptr))
        .add("sendptr", number_format, offsetof(EventRow, sendptr))
        .add("requestptr", number_format, offsetof(EventRow, requestptr))
        .add("beginptr", number_format, offsetof(EventRow, beginptr))
        .add("startptr", number_format, offsetof(EventRow, startptr))
        .add("originptr", number_format, offsetof(EventRow, originptr))
        .add("attributes", py::dtype::from_args(py::make_tuple("=i8", py::make_tuple(6))),
             offsetof(EventRow, attributes))
        .dtype(sizeof(EventRow));
  });
}

template <>
py::dtype row_dtype<MetricValueRow>() {
  static PyObject* kept = nullptr;
  return made_once(kept, [] {
    return Layout()
        .add("pos", number_format, offsetof(MetricValueRow, pos))
        .add("index", id_format, offsetof(MetricValueRow, index))
        .add("real", flag_format, offsetof(MetricValueRow, real))
        .add("whole", number_format, offsetof(MetricValueRow, whole))
        .add("value", "=f8", offsetof(MetricValueRow, value))
        .dtype(sizeof(MetricValueRow));
  });
}

}  // namespace waitstate::python
