// The enumerations of OTF2 3.0 under their standard names, each with the table of those names that the text notation
// and every report use. The numbers are OTF2's own, so that a value of a later version passes through unharmed: its
// name is then its number. The file is long because it lists all of them.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace waitstate {

/// Name of an enumerator, empty if the value is not one that OTF2 3.0 defines.
template <class E>
std::string_view enum_name(E value);

// One line a type: values are numbered as in OTF2 (contiguous, from the first number given).

enum class Paradigm : std::uint8_t {
  unknown,
  user,
  compiler,
  openmp,
  mpi,
  cuda,
  measurement_system,
  pthread,
  hmpp,
  ompss,
  hardware,
  gaspi,
  upc,
  shmem,
  winthread,
  qtthread,
  acethread,
  tbbthread,
  openacc,
  opencl,
  mtapi,
  sampling,
  none,
  hip,
  kokkos
};
enum class ParadigmClass : std::uint8_t { process, thread_fork_join, thread_create_wait, accelerator };
enum class ParadigmPropertyKind : std::uint8_t { comm_name_template, rma_win_name_template, rma_only };
enum class RegionRole : std::uint8_t {
  unknown,
  function,
  wrapper,
  loop,
  code,
  parallel,
  sections,
  section,
  workshare,
  single,
  single_sblock,
  master,
  critical,
  critical_sblock,
  atomic,
  barrier,
  implicit_barrier,
  flush,
  ordered,
  ordered_sblock,
  task,
  task_create,
  task_wait,
  coll_one2all,
  coll_all2one,
  coll_all2all,
  coll_other,
  file_io,
  point2point,
  rma,
  data_transfer,
  artificial,
  thread_create,
  thread_wait,
  task_untied,
  allocate,
  deallocate,
  reallocate,
  file_io_metadata
};
enum class LocationType : std::uint8_t { unknown, cpu_thread, accelerator_stream, metric };
enum class LocationGroupType : std::uint8_t { unknown, process, accelerator };
enum class GroupType : std::uint8_t { unknown, locations, regions, metric, comm_locations, comm_group, comm_self };
enum class SystemTreeDomain : std::uint8_t {
  machine,
  shared_memory,
  numa,
  socket,
  cache,
  core,
  pu,
  accelerator_device,
  networking_device
};
enum class ValueType : std::uint8_t {
  none,
  uint8,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  float_,
  double_,
  string,
  attribute,
  location,
  region,
  group,
  metric,
  comm,
  parameter,
  rma_win,
  source_code_location,
  calling_context,
  interrupt_generator,
  io_file,
  io_handle,
  location_group
};
enum class Base : std::uint8_t { binary, decimal };
enum class MetricType : std::uint8_t { other, papi, rusage, user };
enum class MetricOccurrence : std::uint8_t { synchronous_strict, synchronous, asynchronous };
enum class MetricScope : std::uint8_t { location, location_group, system_tree_node, group };
enum class RecorderKind : std::uint8_t { unknown, abstract, cpu, gpu };
enum class ParameterType : std::uint8_t { string, int64, uint64 };
enum class CartPeriodicity : std::uint8_t { false_, true_ };
enum class InterruptGeneratorMode : std::uint8_t { time, count };
enum class IoParadigmClass : std::uint8_t { serial, parallel };
enum class IoParadigmPropertyKind : std::uint8_t { version };
enum class IoAccessMode : std::uint8_t { read_only, write_only, read_write, execute_only, search_only };
enum class IoSeekOption : std::uint8_t { from_start, from_current, from_end, data, hole };
enum class IoOperationMode : std::uint8_t { read, write, flush };
enum class MeasurementMode : std::uint8_t { on = 1, off };
enum class CollectiveOp : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  allreduce,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  reduce_scatter_block,
  create_handle,
  destroy_handle,
  allocate,
  deallocate,
  create_handle_and_allocate,
  destroy_handle_and_deallocate
};
enum class RmaSyncType : std::uint8_t { memory, notify_in, notify_out };
enum class LockType : std::uint8_t { exclusive, shared };
enum class RmaAtomicType : std::uint8_t {
  accumulate,
  increment,
  test_and_set,
  compare_and_swap,
  swap,
  fetch_and_add,
  fetch_and_increment,
  fetch_and_accumulate
};

namespace detail {
template <class E>
struct EnumNames;  // first number and names, in order
template <>
struct EnumNames<Paradigm> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {
      "unknown",   "user",     "compiler",  "openmp",    "mpi",     "cuda",   "measurement_system",
      "pthread",   "hmpp",     "ompss",     "hardware",  "gaspi",   "upc",    "shmem",
      "winthread", "qtthread", "acethread", "tbbthread", "openacc", "opencl", "mtapi",
      "sampling",  "none",     "hip",       "kokkos"};
};
template <>
struct EnumNames<ParadigmClass> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"process", "thread_fork_join", "thread_create_wait", "accelerator"};
};
template <>
struct EnumNames<ParadigmPropertyKind> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"comm_name_template", "rma_win_name_template", "rma_only"};
};
template <>
struct EnumNames<RegionRole> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"unknown",
                                               "function",
                                               "wrapper",
                                               "loop",
                                               "code",
                                               "parallel",
                                               "sections",
                                               "section",
                                               "workshare",
                                               "single",
                                               "single_sblock",
                                               "master",
                                               "critical",
                                               "critical_sblock",
                                               "atomic",
                                               "barrier",
                                               "implicit_barrier",
                                               "flush",
                                               "ordered",
                                               "ordered_sblock",
                                               "task",
                                               "task_create",
                                               "task_wait",
                                               "coll_one2all",
                                               "coll_all2one",
                                               "coll_all2all",
                                               "coll_other",
                                               "file_io",
                                               "point2point",
                                               "rma",
                                               "data_transfer",
                                               "artificial",
                                               "thread_create",
                                               "thread_wait",
                                               "task_untied",
                                               "allocate",
                                               "deallocate",
                                               "reallocate",
                                               "file_io_metadata"};
};
template <>
struct EnumNames<LocationType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"unknown", "cpu_thread", "accelerator_stream", "metric"};
};
template <>
struct EnumNames<LocationGroupType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"unknown", "process", "accelerator"};
};
template <>
struct EnumNames<GroupType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"unknown",        "locations",  "regions",  "metric",
                                               "comm_locations", "comm_group", "comm_self"};
};
template <>
struct EnumNames<SystemTreeDomain> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {
      "machine", "shared_memory", "numa", "socket", "cache", "core", "pu", "accelerator_device", "networking_device"};
};
template <>
struct EnumNames<ValueType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"none",
                                               "uint8",
                                               "uint16",
                                               "uint32",
                                               "uint64",
                                               "int8",
                                               "int16",
                                               "int32",
                                               "int64",
                                               "float",
                                               "double",
                                               "string",
                                               "attribute",
                                               "location",
                                               "region",
                                               "group",
                                               "metric",
                                               "comm",
                                               "parameter",
                                               "rma_win",
                                               "source_code_location",
                                               "calling_context",
                                               "interrupt_generator",
                                               "io_file",
                                               "io_handle",
                                               "location_group"};
};
template <>
struct EnumNames<Base> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"binary", "decimal"};
};
template <>
struct EnumNames<MetricType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"other", "papi", "rusage", "user"};
};
template <>
struct EnumNames<MetricOccurrence> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"synchronous_strict", "synchronous", "asynchronous"};
};
template <>
struct EnumNames<MetricScope> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"location", "location_group", "system_tree_node", "group"};
};
template <>
struct EnumNames<RecorderKind> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"unknown", "abstract", "cpu", "gpu"};
};
template <>
struct EnumNames<ParameterType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"string", "int64", "uint64"};
};
template <>
struct EnumNames<CartPeriodicity> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"false", "true"};
};
template <>
struct EnumNames<InterruptGeneratorMode> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"time", "count"};
};
template <>
struct EnumNames<IoParadigmClass> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"serial", "parallel"};
};
template <>
struct EnumNames<IoParadigmPropertyKind> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"version"};
};
template <>
struct EnumNames<IoAccessMode> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"read_only", "write_only", "read_write", "execute_only", "search_only"};
};
template <>
struct EnumNames<IoSeekOption> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"from_start", "from_current", "from_end", "data", "hole"};
};
template <>
struct EnumNames<IoOperationMode> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"read", "write", "flush"};
};
template <>
struct EnumNames<MeasurementMode> {
  static constexpr unsigned first = 1;
  static constexpr std::string_view names[] = {"on", "off"};
};
template <>
struct EnumNames<CollectiveOp> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"barrier",
                                               "bcast",
                                               "gather",
                                               "gatherv",
                                               "scatter",
                                               "scatterv",
                                               "allgather",
                                               "allgatherv",
                                               "alltoall",
                                               "alltoallv",
                                               "alltoallw",
                                               "allreduce",
                                               "reduce",
                                               "reduce_scatter",
                                               "scan",
                                               "exscan",
                                               "reduce_scatter_block",
                                               "create_handle",
                                               "destroy_handle",
                                               "allocate",
                                               "deallocate",
                                               "create_handle_and_allocate",
                                               "destroy_handle_and_deallocate"};
};
template <>
struct EnumNames<RmaSyncType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"memory", "notify_in", "notify_out"};
};
template <>
struct EnumNames<LockType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"exclusive", "shared"};
};
template <>
struct EnumNames<RmaAtomicType> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {
      "accumulate", "increment",     "test_and_set",        "compare_and_swap",
      "swap",       "fetch_and_add", "fetch_and_increment", "fetch_and_accumulate"};
};
}  // namespace detail

template <class E>
std::string_view enum_name(E value) {
  using Names = detail::EnumNames<E>;
  const unsigned i = static_cast<unsigned>(value) - Names::first;
  return i < std::size(Names::names) ? Names::names[i] : std::string_view{};
}

/// Sets `value` to the enumerator of this name; false if there is none.
template <class E>
bool enum_from_name(std::string_view name, E& value) {
  using Names = detail::EnumNames<E>;
  for (unsigned i = 0; i < std::size(Names::names); ++i)
    if (Names::names[i] == name) return value = static_cast<E>(i + Names::first), true;
  return false;
}

}  // namespace waitstate
