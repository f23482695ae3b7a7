// The records of OTF2's event files: their numbers, and how to skip each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "waitstate/trace/event_type.hpp"

namespace waitstate::otf2 {

/// Number of OTF2's first event record; the others follow in this order.
inline constexpr std::uint8_t first_event_record = 10;
inline constexpr EventType record_types[] = {EventType::buffer_flush,
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
                                             EventType::comm_destroy,
                                             EventType::probe,
                                             EventType::mrecv,
                                             EventType::imrecv_request,
                                             EventType::imrecv};
static_assert(std::size(record_types) == recorded_event_type_count - 1);

/// Whether a record holds one number only: OTF2 writes no length, but the number's own byte count stands in its place.
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

/// Whether a record holds an event, and the meaning of the byte behind its type.
enum class Passing : std::uint8_t { no, size_of_number, length };
/// The event that a record holds; unknown if it is none, or one of a later version of OTF2.
constexpr EventType type_of(std::uint8_t record) {
  const std::size_t i = static_cast<std::size_t>(record) - first_event_record;  // out of range if the record is a mark
  return i < std::size(record_types) ? record_types[i] : EventType::unknown;
}
inline constexpr auto passing = [] {
  std::array<Passing, 256> by_record{};
  for (std::size_t i = first_event_record; i < by_record.size(); ++i) {
    by_record[i] = has_no_length(type_of(static_cast<std::uint8_t>(i))) ? Passing::size_of_number : Passing::length;
  }
  return by_record;
}();

}  // namespace waitstate::otf2
