// The trace with one of everything: references of its definitions, shared by everything_definitions and
// everything_events.
#pragma once

#include "archive.hpp"

namespace all_events {

enum Region : std::uint32_t {
  region_main,
  region_init,
  region_send,
  region_recv,
  region_isend,
  region_irecv,
  region_wait,
  region_test,
  region_cancel,
  region_barrier,
  region_iallreduce,
  region_comm_dup,
  region_win,
  region_read,
  region_parallel,
  region_task,
  region_pthread,
  region_kernel,
  region_sampled,
  region_finalize,
  region_count,
};
enum Group : std::uint32_t {
  group_mpi_locations,
  group_world,
  group_self,
  group_a,
  group_b,
  group_omp_locations,
  group_team,
  group_pthread_locations,
  group_contingent,
  group_plain_locations,
  group_regions,
  group_metrics,
  group_cuda_locations,
  group_cuda,
  group_count,
};
enum Comm : std::uint32_t {
  comm_world,
  comm_self,
  comm_inter,
  comm_team,
  comm_contingent,
  comm_cuda,
  comm_dup,
  comm_count
};
enum Win : std::uint32_t { win_mpi, win_cuda, win_count };
enum Metric : std::uint32_t { metric_counters, metric_power, metric_power_instance, metric_count };
enum Parameter : std::uint32_t { parameter_string, parameter_int, parameter_uint, parameter_count };
enum File : std::uint32_t { file_directory, file_data, file_count };
enum Handle : std::uint32_t { handle_stdin, handle_data, handle_duplicate, handle_count };
enum IoParadigm : std::uint32_t { io_posix, io_mpi };
enum Context : std::uint32_t { context_main, context_sampled, context_count };
enum Generator : std::uint32_t { generator_time, generator_count_overflow, generator_count };

inline constexpr OTF2_LocationRef rank0 = 0, rank1 = 1, rank0_thread = 1ull << 32, rank1_thread = 1ull << 32 | 1,
                                  stream_location = 100, metric_location = 200;
inline constexpr OTF2_LocationGroupRef process0 = 0, process1 = 1, device = 2, process_count = 3;
/// Attributes are numbered by the type of their value, OTF2_TYPE_UINT8 being 0.
inline constexpr std::uint32_t attribute_count = OTF2_TYPE_LOCATION_GROUP;
constexpr OTF2_AttributeRef attribute_of(OTF2_Type type) { return type - 1u; }

/// Strings that events name.
struct EventStrings {
  OTF2_StringRef program, argument, value;
};

/// Collects every kind of global definition that OTF2 3.0 has.
EventStrings define_everything(Archive& archive, Definitions& definitions);
/// Number of definitions of every kind that has a mapping table.
LocalIds::Sizes sizes_of_everything(const Definitions& definitions);
/// Writes at least one record of every event type of OTF2 3.0.
void record_everything(Archive& archive, const EventStrings& strings, const LocalIds::Sizes& sizes);
void write_markers(OTF2_Archive* archive);

}  // namespace all_events
