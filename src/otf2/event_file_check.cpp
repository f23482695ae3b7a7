#include "otf2/event_file_check.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "otf2/format.hpp"
#include "waitstate/event_type.hpp"

namespace waitstate::otf2 {

namespace {

// OTF2 numbers its event records from here in this order.
constexpr std::uint8_t first_event_record = 10;
constexpr EventType record_types[] = {EventType::buffer_flush,
                                      EventType::measurement_on_off,
                                      EventType::enter,
                                      EventType::exit,
                                      EventType::send,
                                      EventType::isend,
                                      EventType::isend_complete,
                                      EventType::irecv_request,
                                      EventType::recv,
                                      EventType::irecv,
                                      EventType::request_test,
                                      EventType::request_cancelled,
                                      EventType::collective_begin,
                                      EventType::collective_end,
                                      EventType::omp_fork,
                                      EventType::omp_join,
                                      EventType::omp_acquire_lock,
                                      EventType::omp_release_lock,
                                      EventType::omp_task_create,
                                      EventType::omp_task_switch,
                                      EventType::omp_task_complete,
                                      EventType::metric,
                                      EventType::parameter_string,
                                      EventType::parameter_int,
                                      EventType::parameter_uint,
                                      EventType::rma_win_create,
                                      EventType::rma_win_destroy,
                                      EventType::rma_collective_begin,
                                      EventType::rma_collective_end,
                                      EventType::rma_group_sync,
                                      EventType::rma_request_lock,
                                      EventType::rma_acquire_lock,
                                      EventType::rma_try_lock,
                                      EventType::rma_release_lock,
                                      EventType::rma_sync,
                                      EventType::rma_wait_change,
                                      EventType::rma_put,
                                      EventType::rma_get,
                                      EventType::rma_atomic,
                                      EventType::rma_op_complete_blocking,
                                      EventType::rma_op_complete_nonblocking,
                                      EventType::rma_op_test,
                                      EventType::rma_op_complete_remote,
                                      EventType::thread_fork,
                                      EventType::thread_join,
                                      EventType::thread_team_begin,
                                      EventType::thread_team_end,
                                      EventType::thread_acquire_lock,
                                      EventType::thread_release_lock,
                                      EventType::thread_task_create,
                                      EventType::thread_task_switch,
                                      EventType::thread_task_complete,
                                      EventType::thread_create,
                                      EventType::thread_begin,
                                      EventType::thread_wait,
                                      EventType::thread_end,
                                      EventType::calling_context_enter,
                                      EventType::calling_context_exit,
                                      EventType::calling_context_sample,
                                      EventType::io_create_handle,
                                      EventType::io_destroy_handle,
                                      EventType::io_duplicate_handle,
                                      EventType::io_seek,
                                      EventType::io_change_status_flags,
                                      EventType::io_delete_file,
                                      EventType::io_operation_begin,
                                      EventType::io_operation_test,
                                      EventType::io_operation_issued,
                                      EventType::io_operation_complete,
                                      EventType::io_operation_cancelled,
                                      EventType::io_acquire_lock,
                                      EventType::io_release_lock,
                                      EventType::io_try_lock,
                                      EventType::program_begin,
                                      EventType::program_end,
                                      EventType::nonblocking_collective_request,
                                      EventType::nonblocking_collective_complete,
                                      EventType::comm_create,
                                      EventType::comm_destroy};
static_assert(std::size(record_types) == recorded_event_type_count - 1);

/// No record without an array inside takes more than this, whatever its lengths say: six numbers.
constexpr std::uint64_t longest_plain_record = 6 * 9;

// Records of one number only: OTF2 writes no length, but the number's own byte count stands in the same place.
constexpr bool has_no_length(EventType type) {
  switch (type) {
    case EventType::enter:
    case EventType::exit:
    case EventType::isend_complete:
    case EventType::irecv_request:
    case EventType::request_test:
    case EventType::request_cancelled:
    case EventType::omp_fork:
    case EventType::omp_task_create:
    case EventType::omp_task_switch:
    case EventType::omp_task_complete:
      return true;
    default:
      return false;
  }
}
constexpr auto records_without_length = [] {
  std::array<bool, 256> without{};
  for (std::size_t i = 0; i < std::size(record_types); ++i)
    without[first_event_record + i] = has_no_length(record_types[i]);
  return without;
}();

// Passes over `n` compressed numbers; false if one is too long or they do not fit.
bool skip_numbers(const std::uint8_t*& p, const std::uint8_t* end, std::uint64_t n) {
  for (; n != 0; --n) {
    if (p >= end) return false;
    const std::uint8_t size = *p++;
    if (size == 255) continue;
    if (size > 8 || end - p < size) return false;
    p += size;
  }
  return true;
}

std::uint64_t number(const std::uint8_t* p, bool big_endian) {
  const std::uint8_t size = *p++;
  if (size == 255) return ~std::uint64_t{0};
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value |= std::uint64_t{p[big_endian ? size - 1u - i : i]} << 8 * i;
  return value;
}

// An attribute list: a count, then attribute, type and value each. Short and floating-point values are not compressed,
// all others are, those of unknown types too.
bool list_fits(const std::uint8_t* p, const std::uint8_t* end, bool big_endian) {
  const std::uint8_t* const count = p;
  if (!skip_numbers(p, end, 1)) return false;
  for (std::uint64_t n = number(count, big_endian); n != 0; --n) {
    if (!skip_numbers(p, end, 1) || p >= end) return false;
    std::ptrdiff_t bytes = 0;
    switch (*p++) {
      case 1:
      case 5:
        bytes = 1;
        break;  // (u)int8
      case 2:
      case 6:
        bytes = 2;
        break;  // (u)int16
      case 9:
        bytes = 4;
        break;  // float
      case 10:
        bytes = 8;
        break;  // double
      default:
        if (!skip_numbers(p, end, 1)) return false;
    }
    if (end - p < bytes) return false;
    p += bytes;
  }
  return true;
}

bool metric_fits(const std::uint8_t* p, const std::uint8_t* end) {
  if (!skip_numbers(p, end, 1) || p >= end) return false;
  for (unsigned n = *p++; n != 0; --n)
    if (++p > end || !skip_numbers(p, end, 1)) return false;
  return true;
}

// A record without arrays: numbers, single bytes and a time stamp, by its type.
bool plain_fits(EventType type, const std::uint8_t* p, const std::uint8_t* end) {
  const EventTypeSpec& s = spec(type);
  for (const AttributeSpec& a : s.attributes()) {
    const std::ptrdiff_t bytes = a.kind == AttributeKind::time                                          ? 8
                                 : attribute_width(a.kind) == 1 || a.kind == AttributeKind::io_paradigm ? 1
                                                                                                        : 0;
    if (end - p < bytes || (bytes == 0 && !skip_numbers(p, end, 1))) return false;
    p += bytes;
  }
  return true;
}

bool program_fits(const std::uint8_t* p, const std::uint8_t* end, bool big_endian) {
  if (!skip_numbers(p, end, 1)) return false;
  const std::uint8_t* const count = p;
  if (!skip_numbers(p, end, 1)) return false;
  const std::uint64_t n = number(count, big_endian);
  return n <= static_cast<std::uint64_t>(end - p) && skip_numbers(p, end, n);
}

// The bytes of one chunk, of which a short stretch is in memory at a time.
class ChunkWindow {
 public:
  ChunkWindow(int file, std::uint64_t offset, std::uint64_t size, std::vector<std::uint8_t>& buffer)
      : file_(file), offset_(offset), unread_(size), buffer_(buffer) {
    if (buffer_.size() < window_size) buffer_.resize(window_size);
    at = end = buffer_.data();
  }

  const std::uint8_t* at;   ///< what comes next, …
  const std::uint8_t* end;  ///< … as far as it is in memory

  /// Brings the next `n` bytes into memory, and more at a time; false if the chunk or the file ends before.
  bool has(std::uint64_t n) { return static_cast<std::uint64_t>(end - at) >= n || fetch(n); }
  /// Bytes up to the end of the chunk, whether or not the file has them.
  std::uint64_t left() const { return static_cast<std::uint64_t>(end - at) + unread_; }
  /// Why reading failed, 0 if it did not.
  int error() const { return error_; }

 private:
  static constexpr std::size_t window_size = 64 * 1024;  // stays in the processor's cache

  bool fetch(std::uint64_t n) {
    if (n > left() || file_ended_) return false;
    auto size = static_cast<std::size_t>(end - at);
    std::memmove(buffer_.data(), at, size);
    if (buffer_.size() < n) buffer_.resize(static_cast<std::size_t>(n));
    while (size < buffer_.size() && unread_ != 0 && !file_ended_) {
      const std::uint64_t wanted = std::min<std::uint64_t>(buffer_.size() - size, unread_);
      const ssize_t got = ::pread(file_, buffer_.data() + size, wanted, static_cast<off_t>(offset_));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) error_ = errno;
      if (got <= 0) {
        file_ended_ = true;
        break;
      }
      size += static_cast<std::size_t>(got);
      offset_ += static_cast<std::uint64_t>(got);
      unread_ -= static_cast<std::uint64_t>(got);
    }
    at = buffer_.data();
    end = at + size;
    return size >= n;
  }

  int file_, error_ = 0;
  bool file_ended_ = false;
  std::uint64_t offset_, unread_;
  std::vector<std::uint8_t>& buffer_;
};

// Whether a record can be passed over by the byte behind its type, and what that byte is.
enum class Passing : std::uint8_t { no, size_of_number, length };
constexpr auto passing = [] {
  std::array<Passing, 256> by_type{};
  for (std::size_t type = first_event_record; type < by_type.size(); ++type) {
    const std::size_t i = type - first_event_record;
    const EventType event = i < std::size(record_types) ? record_types[i] : EventType::unknown;
    if (event != EventType::metric && event != EventType::program_begin)
      by_type[type] = records_without_length[type] ? Passing::size_of_number : Passing::length;
  }
  return by_type;
}();

// Passes over ordinary records in [p, end), most of a trace; returns how many. Stops at the first one that needs a
// closer look: of another kind, or so close to the end that it may lead out of the chunk.
constexpr std::ptrdiff_t longest_ordinary = 9 + 2 + 254;  // time stamp; type and length; contents
std::uint64_t pass_ordinary(const std::uint8_t*& p, const std::uint8_t* end) {
  static_assert(longest_ordinary > 11 + longest_plain_record);
  std::uint64_t n = 0;
  while (end - p > longest_ordinary) {
    const std::uint8_t* const record = *p == mark::timestamp ? p + 9 : p;
    const Passing by = passing[record[0]];
    const std::uint8_t length = record[1];
    if (by == Passing::no || length > (by == Passing::size_of_number ? 8 : 254)) break;
    p = record + 2 + length;
    ++n;
  }
  return n;
}

}  // namespace

std::uint64_t EventFileCheck::next_chunk(std::vector<std::uint8_t>& buffer) {
  if (at_end_) return 0;
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // not to wait for ever on a named pipe
  if (file < 0) {
    missing_ = errno == ENOENT;
    damage_ = std::strerror(errno);
    at_end_ = true;
    return 0;
  }
  std::uint64_t n = 0;
  while (n == 0 && !at_end_) {
    n = walk(file, buffer);
    ++chunk_;
    events_ += n;
  }
  ::close(file);
  return n;
}

std::uint64_t EventFileCheck::walk(int file, std::vector<std::uint8_t>& buffer) {
  ChunkWindow window(file, chunk_ * chunk_size_, chunk_size_, buffer);
  const auto stop = [&](std::uint64_t events, const char* why) {
    const int error = window.error();
    damage_ = error == ESPIPE ? "not a regular file" : error != 0 ? std::strerror(error) : why;
    at_end_ = true;
    return events;
  };
  if (!window.has(1)) return stop(0, chunk_ == 0 ? "the file is empty" : "the file ends without an end mark");
  if (!window.has(chunk_header_size) || window.at[0] != mark::chunk_header ||
      (window.at[1] != mark::big_endian && window.at[1] != mark::little_endian))
    return stop(0, "a chunk without a valid header");
  const bool big_endian = window.at[1] == mark::big_endian;
  const auto full = [&](const std::uint8_t* at) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{at[big_endian ? 7 - i : i]} << 8 * i;
    return value;
  };
  const std::uint64_t first = full(window.at + 2), last = full(window.at + 10);
  window.at += chunk_header_size;

  std::uint64_t n = 0;
  bool may_be_time = true;  // the library takes one time stamp before a record
  for (;;) {
    if (may_be_time && window.has(longest_ordinary + 1)) n += pass_ordinary(window.at, window.end);
    if (!window.has(1)) return stop(n, "the file ends without an end mark");
    const std::uint8_t type = window.at[0];
    if (type == mark::timestamp) {
      if (!window.has(10)) return stop(n, "the file ends within a record");
      if (!may_be_time) return stop(n, "two time stamps where one was expected");
      may_be_time = false;
      window.at += 9;
      continue;
    }
    if (type == mark::end_of_chunk || type == mark::end_of_file) {
      numbered_ = numbered_ && first == events_ + 1 && last == events_ + n;
      at_end_ = type == mark::end_of_file;
      return n;
    }
    const bool list = type == mark::attribute_list;
    if (type < first_event_record && !list) return stop(n, "no event record where one was expected");
    if (!window.has(2)) return stop(n, "the file ends within a record");
    std::uint64_t head = 2, length = window.at[1];
    if (length == 255) {
      length = 0;  // of one number: "undefined", without further bytes
      if (!records_without_length[type]) {
        head = 10;
        if (!window.has(head)) return stop(n, "the file ends within a record");
        length = full(window.at + 2);
      }
    } else if (length > 8 && records_without_length[type]) {
      return stop(n, "a record with invalid contents");
    }
    const std::uint64_t left = window.left() - head;  // of the library's buffer
    if (left <= length) return stop(n, "a record that is longer than its chunk");
    if (!window.has(head + length)) return stop(n, "the file ends within a record");
    const std::uint8_t* const fields = window.at + head;
    const std::uint8_t* const next = fields + length;
    const std::size_t record = type - first_event_record;  // of an attribute list: out of range
    const EventType event = record < std::size(record_types) ? record_types[record] : EventType::unknown;
    bool fits = true;
    if (list)
      fits = list_fits(fields, next, big_endian);
    else if (event == EventType::metric)
      fits = metric_fits(fields, next);
    else if (event == EventType::program_begin)
      fits = program_fits(fields, next, big_endian);
    else if (left < longest_plain_record && !records_without_length[type])
      fits = plain_fits(event, fields, next);
    if (!fits) return stop(n, "a record with invalid contents");
    n += !list;
    window.at = next;
    may_be_time = true;
  }
}

}  // namespace waitstate::otf2
