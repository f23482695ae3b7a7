// Every event type of OTF2 3.2, its name in our notation and its attributes, in one table.
//
// The text notation, the random-access store, the Python attributes and the OTF2 reader are all driven by this table:
// an event type is added here and nowhere else. References (region, com, …) are ids of waitstate::Definitions; ranks
// have become locations. `enter` and `exit` are OTF2's Enter and Leave; `send`, `recv`, `dest`, `src`, `tag`, `com`,
// `len` are EARL's names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace waitstate {

/// The meaning of an attribute's 64 bits. References print as the index (or name) of the definition, enumerations as
/// names.
// clang-format off
enum class AttributeKind : std::uint8_t {
  u32, u64, i64, time, hex32,
  region, location, root, comm, group, rma_win, string, parameter, metric, calling_context, interrupt_generator,
  io_handle, io_file, io_paradigm,
  paradigm, measurement_mode, collective_op, rma_sync_type, lock_type, rma_atomic_type,
  io_access_mode, io_seek, io_operation_mode,
};
// clang-format on

/// Bytes that an attribute of this kind takes in a trace's event store: 1, 4 or 8.
constexpr std::size_t attribute_width(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::u64:
    case AttributeKind::i64:
    case AttributeKind::time:
      return 8;
    case AttributeKind::paradigm:
    case AttributeKind::measurement_mode:
    case AttributeKind::collective_op:
    case AttributeKind::rma_sync_type:
    case AttributeKind::lock_type:
    case AttributeKind::rma_atomic_type:
    case AttributeKind::io_access_mode:
    case AttributeKind::io_seek:
    case AttributeKind::io_operation_mode:
      return 1;
    default:
      return 4;
  }
}

struct AttributeSpec {
  std::string_view name;
  AttributeKind kind;
};

/// `root` attribute of a collective whose root is none, or the caller's own group of an inter-communicator.
inline constexpr std::uint32_t root_none = 0xffffffffu;
inline constexpr std::uint32_t root_this_group = 0xfffffffdu;

// X(name, {attribute, kind}…)
// clang-format off
#define WAITSTATE_EVENT_TYPES(X) \
  X(unknown) \
  X(enter, {"region", region}) \
  X(exit, {"region", region}) \
  X(send, {"dest", location}, {"tag", u32}, {"com", comm}, {"len", u64}) \
  X(isend, {"dest", location}, {"tag", u32}, {"com", comm}, {"len", u64}, {"request", u64}) \
  X(isend_complete, {"request", u64}) \
  X(irecv_request, {"request", u64}) \
  X(recv, {"src", location}, {"tag", u32}, {"com", comm}, {"len", u64}) \
  X(irecv, {"src", location}, {"tag", u32}, {"com", comm}, {"len", u64}, {"request", u64}) \
  X(probe, {"src", location}, {"tag", u32}, {"com", comm}, {"message", u64}) \
  X(mrecv, {"message", u64}, {"len", u64}) \
  X(imrecv_request, {"message", u64}, {"request", u64}) \
  X(imrecv, {"request", u64}, {"len", u64}) \
  X(request_test, {"request", u64}) \
  X(request_cancelled, {"request", u64}) \
  X(collective_begin) \
  X(collective_end, {"op", collective_op}, {"com", comm}, {"root", root}, {"sent", u64}, {"received", u64}) \
  X(nonblocking_collective_request, {"request", u64}) \
  X(nonblocking_collective_complete, {"op", collective_op}, {"com", comm}, {"root", root}, {"sent", u64}, {"received", u64}, {"request", u64}) \
  X(comm_create, {"com", comm}) \
  X(comm_destroy, {"com", comm}) \
  X(program_begin, {"program", string}) \
  X(program_end, {"status", i64}) \
  X(measurement_on_off, {"mode", measurement_mode}) \
  X(buffer_flush, {"stop", time}) \
  X(metric, {"metric", metric}) \
  X(parameter_string, {"parameter", parameter}, {"value", string}) \
  X(parameter_int, {"parameter", parameter}, {"value", i64}) \
  X(parameter_uint, {"parameter", parameter}, {"value", u64}) \
  X(calling_context_enter, {"context", calling_context}, {"unwind", u32}) \
  X(calling_context_exit, {"context", calling_context}) \
  X(calling_context_sample, {"context", calling_context}, {"unwind", u32}, {"generator", interrupt_generator}) \
  X(omp_fork, {"requested", u32}) \
  X(omp_join) \
  X(omp_acquire_lock, {"lock", u32}, {"order", u32}) \
  X(omp_release_lock, {"lock", u32}, {"order", u32}) \
  X(omp_task_create, {"task", u64}) \
  X(omp_task_switch, {"task", u64}) \
  X(omp_task_complete, {"task", u64}) \
  X(thread_fork, {"paradigm", paradigm}, {"requested", u32}) \
  X(thread_join, {"paradigm", paradigm}) \
  X(thread_team_begin, {"team", comm}) \
  X(thread_team_end, {"team", comm}) \
  X(thread_acquire_lock, {"paradigm", paradigm}, {"lock", u32}, {"order", u32}) \
  X(thread_release_lock, {"paradigm", paradigm}, {"lock", u32}, {"order", u32}) \
  X(thread_task_create, {"team", comm}, {"creator", u32}, {"generation", u32}) \
  X(thread_task_switch, {"team", comm}, {"creator", u32}, {"generation", u32}) \
  X(thread_task_complete, {"team", comm}, {"creator", u32}, {"generation", u32}) \
  X(thread_create, {"contingent", comm}, {"sequence", u64}) \
  X(thread_begin, {"contingent", comm}, {"sequence", u64}) \
  X(thread_wait, {"contingent", comm}, {"sequence", u64}) \
  X(thread_end, {"contingent", comm}, {"sequence", u64}) \
  X(rma_win_create, {"win", rma_win}) \
  X(rma_win_destroy, {"win", rma_win}) \
  X(rma_collective_begin) \
  X(rma_collective_end, {"op", collective_op}, {"level", hex32}, {"win", rma_win}, {"root", root}, {"sent", u64}, {"received", u64}) \
  X(rma_group_sync, {"level", hex32}, {"win", rma_win}, {"group", group}) \
  X(rma_request_lock, {"win", rma_win}, {"remote", location}, {"lock", u64}, {"type", lock_type}) \
  X(rma_acquire_lock, {"win", rma_win}, {"remote", location}, {"lock", u64}, {"type", lock_type}) \
  X(rma_try_lock, {"win", rma_win}, {"remote", location}, {"lock", u64}, {"type", lock_type}) \
  X(rma_release_lock, {"win", rma_win}, {"remote", location}, {"lock", u64}) \
  X(rma_sync, {"win", rma_win}, {"remote", location}, {"sync", rma_sync_type}) \
  X(rma_wait_change, {"win", rma_win}) \
  X(rma_put, {"win", rma_win}, {"remote", location}, {"bytes", u64}, {"match", u64}) \
  X(rma_get, {"win", rma_win}, {"remote", location}, {"bytes", u64}, {"match", u64}) \
  X(rma_atomic, {"win", rma_win}, {"remote", location}, {"type", rma_atomic_type}, {"sent", u64}, {"received", u64}, {"match", u64}) \
  X(rma_op_complete_blocking, {"win", rma_win}, {"match", u64}) \
  X(rma_op_complete_nonblocking, {"win", rma_win}, {"match", u64}) \
  X(rma_op_test, {"win", rma_win}, {"match", u64}) \
  X(rma_op_complete_remote, {"win", rma_win}, {"match", u64}) \
  X(io_create_handle, {"handle", io_handle}, {"mode", io_access_mode}, {"creation", hex32}, {"flags", hex32}) \
  X(io_destroy_handle, {"handle", io_handle}) \
  X(io_duplicate_handle, {"old", io_handle}, {"new", io_handle}, {"flags", hex32}) \
  X(io_seek, {"handle", io_handle}, {"request", i64}, {"whence", io_seek}, {"offset", u64}) \
  X(io_change_status_flags, {"handle", io_handle}, {"flags", hex32}) \
  X(io_delete_file, {"paradigm", io_paradigm}, {"file", io_file}) \
  X(io_operation_begin, {"handle", io_handle}, {"mode", io_operation_mode}, {"flags", hex32}, {"bytes", u64}, {"match", u64}) \
  X(io_operation_test, {"handle", io_handle}, {"match", u64}) \
  X(io_operation_issued, {"handle", io_handle}, {"match", u64}) \
  X(io_operation_complete, {"handle", io_handle}, {"bytes", u64}, {"match", u64}) \
  X(io_operation_cancelled, {"handle", io_handle}, {"match", u64}) \
  X(io_acquire_lock, {"handle", io_handle}, {"type", lock_type}) \
  X(io_release_lock, {"handle", io_handle}, {"type", lock_type}) \
  X(io_try_lock, {"handle", io_handle}, {"type", lock_type}) \
  X(put_1ts, {"win", rma_win}, {"remote", location}, {"bytes", u64}, {"match", u64}) \
  X(put_1te, {"win", rma_win}, {"remote", location}, {"bytes", u64}, {"match", u64}) \
  X(get_1to, {"win", rma_win}, {"match", u64}) \
  X(get_1ts, {"win", rma_win}, {"remote", location}, {"bytes", u64}, {"match", u64}) \
  X(get_1te, {"win", rma_win}, {"remote", location}, {"bytes", u64}, {"match", u64})
// clang-format on

enum class EventType : std::uint8_t {
#define X(name, ...) name,
  WAITSTATE_EVENT_TYPES(X)
#undef X
};

struct EventTypeSpec {
  std::string_view name;
  std::size_t attribute_count;
  std::array<AttributeSpec, 6> attribute_table;
  /// True for `metric`, which carries its values behind the fixed attributes, and `program_begin`, which carries its
  /// arguments.
  bool has_tail;

  constexpr std::span<const AttributeSpec> attributes() const { return {attribute_table.data(), attribute_count}; }
  /// Bytes of the fixed attributes in a trace's event store.
  constexpr std::size_t width() const {
    std::size_t w = 0;
    for (std::size_t i = 0; i < attribute_count; ++i) w += attribute_width(attribute_table[i].kind);
    return w;
  }
};

namespace detail {
constexpr EventTypeSpec make_event_spec(std::string_view name, std::initializer_list<AttributeSpec> specs) {
  EventTypeSpec s{name, 0, {}, name == "metric" || name == "program_begin"};
  for (const AttributeSpec& a : specs) s.attribute_table[s.attribute_count++] = a;
  return s;
}
constexpr auto make_event_table() {
  using enum AttributeKind;
#define X(name, ...) make_event_spec(#name, {__VA_ARGS__}),
  return std::array{WAITSTATE_EVENT_TYPES(X)};
#undef X
}
}  // namespace detail

inline constexpr auto event_types = detail::make_event_table();
inline constexpr std::size_t event_type_count = event_types.size();

/// True for events that are derived from others and never recorded: the starts and ends of one-sided transfers.
constexpr bool is_derived(EventType type) { return type >= EventType::put_1ts; }
/// Number of types that traces contain; the derived ones follow.
inline constexpr std::size_t recorded_event_type_count = static_cast<std::size_t>(EventType::put_1ts);

/// Names and attributes of an event type.
constexpr const EventTypeSpec& spec(EventType type) { return event_types[static_cast<std::size_t>(type)]; }
/// The type's name in the notation, e.g. "send".
constexpr std::string_view name(EventType type) { return spec(type).name; }
/// Sets `type` to the event type of this name; false if there is none.
constexpr bool event_type_from_name(std::string_view text, EventType& type) {
  for (std::size_t i = 0; i < event_type_count; ++i)
    if (event_types[i].name == text) return type = static_cast<EventType>(i), true;
  return false;
}

}  // namespace waitstate
