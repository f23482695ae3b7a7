// Compound events as rows of NumPy arrays: what the *_batch callbacks of a Python pattern receive.
//
// A Python call costs hundreds of times what judging a message costs, so a batch callback is given a thousand events at
// a time, as a structured array. The fields have the names that the C++ structs of message.hpp, collective.hpp,
// team.hpp and rma.hpp have; the three calls of a message are nested fields, so `m['send']['enter']` is
// `message.send->enter`. A row is one copy of the structs that the engine hands over; nothing is converted, NumPy looks
// at the fields in place. Times, bytes and ids are signed, so that differences are what they seem; an id that there is
// none of is -1. What a compound event has lists of (the targets of an epoch) are rows of a further array, with the
// number of their event.
//
// Invariant: a buffer is written by the engine again only if no array refers to it any more. A pattern may keep what it
// received; the engine takes a new buffer then. Cost: 60 instructions and 288 bytes a received message. A batch of
// a thousand of them stays in the second level of the caches while the pattern looks at one column after the other.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bind/bind.hpp"
#include "bind/patterns/row_layout.hpp"
#include "waitstate/pattern/collective.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/event.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::python {

/// A message of completed_receives_callback. `number` counts the calls in which receives completed, from 0: rows of
/// one call follow each other.
struct ReceiveRow {
  std::int64_t number;
  LocationId sender, receiver;
  CommId comm;
  std::uint32_t tag;
  std::uint64_t bytes;
  Time send_time, recv_time;
  Call send, recv_post, recv;
};

/// A message of completed_sends_callback, and the call that completed the send.
struct SendRow {
  std::int64_t number;
  LocationId sender, receiver;
  CommId comm;
  std::uint32_t tag;
  std::uint64_t bytes;
  Time send_time, recv_time;
  Call send, recv_post, recv;
  Call call;
  Ticks receive_wait;
};

/// A member of a blocking collective operation; `number` counts the operations.
struct MemberRow {
  std::int64_t number;
  CollectiveKind kind;
  CollectiveOp op;
  std::uint8_t neighbourhood;
  CommId comm;
  std::uint32_t rank;  ///< index of the member
  std::uint32_t size;  ///< number of members
  std::uint32_t root;  ///< index of a member, none_value if there is none
  std::uint32_t group_a;
  Time begin, end;
  std::uint64_t bytes_sent, bytes_received;
  Call call;
};

/// A non-blocking operation that a call completed; `number` counts the calls.
struct CompletionRow {
  std::int64_t number;
  CollectiveKind kind;
  CollectiveOp op;
  std::uint8_t awaits;  ///< 0: nobody was awaited, `awaited` is empty
  CommId comm;
  Call call, started, awaited;
};

/// A thread in a barrier of its team; `number` counts the barriers.
struct ThreadRow {
  std::int64_t number;
  RegionClass region_class;
  Call call;
};

/// A wait that mpi_latesender (of the receiver) or mpi_latereceiver (`late_receiver`: of the sender) published.
struct PublishedRow {
  std::int64_t number;
  LocationId sender, receiver;
  CommId comm;
  std::uint32_t tag;
  std::uint64_t bytes;
  Time send_time, recv_time;
  Call send, recv_post, recv;
  Wait wait;
  std::uint8_t late_receiver;
};

/// An event of the stream. `attributes` are those of Event, in its order.
struct EventRow {
  std::int64_t pos;
  Time time;
  LocationId loc;
  EventType type;
  CallPathId callpath;
  RegionId region;  ///< the region, for enter and exit
  Position enterptr, sendptr, requestptr, beginptr, startptr, originptr;
  std::int64_t attributes[6];
};

/// A value of a counter record, in the order of the counters of its metric class.
struct MetricValueRow {
  Position pos;         ///< position of the record
  std::uint32_t index;  ///< number of the counter in its set, from 0
  std::uint8_t real;    ///< 0: a whole number
  std::int64_t whole;   ///< the value as it is if it is whole (of uint64 the same bits), else 0
  double value;         ///< the value, rounded if it is a whole number beyond 2^53
};

/// The dtype of a row type, or of Call: always the same object, since NumPy compares two that are not field by field.
/// Needs the interpreter's lock.
template <class Row>
py::dtype row_dtype() {
  static PyObject* kept = nullptr;
  return made_once(kept, &Row::make_dtype);
}
template <>
py::dtype row_dtype<Interval>();
template <>
py::dtype row_dtype<Call>();
template <>
py::dtype row_dtype<Wait>();
template <>
py::dtype row_dtype<ReceiveRow>();
template <>
py::dtype row_dtype<SendRow>();
template <>
py::dtype row_dtype<MemberRow>();
template <>
py::dtype row_dtype<CompletionRow>();
template <>
py::dtype row_dtype<ThreadRow>();
template <>
py::dtype row_dtype<PublishedRow>();
template <>
py::dtype row_dtype<EventRow>();
template <>
py::dtype row_dtype<MetricValueRow>();

/// Rows on their way to one batch callback.
template <class Row>
class RowBuffer {
 public:
  /// Rows of one batch, unless a single compound event has more.
  static constexpr std::size_t wanted = 1024;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  bool full() const { return size_ >= wanted; }
  /// Room for `more` rows; only this needs the interpreter (and only if there is no room).
  bool fits(std::size_t more) const { return size_ + more <= capacity_; }
  void reserve(std::size_t more) {
    const std::size_t rows = size_ + more > 2 * wanted ? 2 * (size_ + more) : 2 * wanted;
    py::array larger(row_dtype<Row>(), std::vector<py::ssize_t>{static_cast<py::ssize_t>(rows)});
    Row* data = static_cast<Row*>(larger.mutable_data());
    for (std::size_t i = 0; i < size_; ++i) data[i] = rows_[i];
    array_ = std::move(larger), rows_ = data, capacity_ = rows;
  }
  Row& add() { return rows_[size_++]; }

  /// The rows as an array, and an empty buffer. Call recycle() when the callback has returned.
  py::object take() {
    if (capacity_ == 0) reserve(0);  // a table of which no compound event so far has had a row
    py::object view = array_[py::slice(0, static_cast<py::ssize_t>(size_), 1)];
    size_ = 0;
    return view;
  }
  /// Lets go of the buffer if an array still refers to it.
  void recycle() {
    if (array_.ref_count() == 1 && capacity_ <= 16 * wanted) return;
    array_ = py::object(), rows_ = nullptr, capacity_ = 0;
  }

 private:
  py::object array_;  ///< null where there is no room at all
  Row* rows_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace waitstate::python
