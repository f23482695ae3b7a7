// The definitions of one archive, merged from the lines of all processes (merge.hpp), with the numbers that each
// process's own become.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace waitstate::record {

/// Tables with numbers of a process's own.
enum class Table : std::uint8_t { string, region, group, comm, win, metric };
inline constexpr std::size_t table_count = 6;

/// Prefix of the names of properties that are settings of the MPI library.
inline constexpr std::string_view setting_prefix = "WAITSTATE::CVAR::";
/// Prefix of the names of properties that count events dropped by the library, followed by the event's name.
inline constexpr std::string_view dropped_prefix = "WAITSTATE::DROPPED_EVENTS::";
/// Prefix of the names of properties that count events too late to be put in order, followed by their source's name.
inline constexpr std::string_view late_prefix = "WAITSTATE::EVENTS_OUT_OF_ORDER::";

struct MergedRegion {
  std::string name;
  unsigned paradigm = 0, role = 0;
};
struct MergedGroup {
  enum class Kind : std::uint8_t { locations, ranks, self };  ///< members: locations, ranks in the world, none
  Kind kind{};
  unsigned paradigm = 0;
  std::vector<std::uint64_t> members;
  friend auto operator<=>(const MergedGroup&, const MergedGroup&) = default;
};
struct MergedComm {
  std::string name, identity;
  std::uint32_t group = 0, group_b = ~0u, parent = ~0u;  ///< group_b: of an inter-communicator
  bool created = false;                                  ///< in the trace, with records
};
struct MergedWin {
  std::string name;
  std::uint32_t comm = 0;
};
struct MergedMetric {
  std::string name, unit, description;
  unsigned mode = 0, type = 0;
  bool sampled = false;  ///< recorded beside the program, by streams: it is used through instances
};
/// A sampled metric as one stream records it for its process; numbered behind the metrics.
struct MetricInstance {
  std::size_t metric = 0;
  std::uint64_t location = 0, process = 0;
};
struct MergedTopology {
  std::uint32_t comm = 0;
  std::vector<std::uint64_t> sizes, periodic;
  std::vector<std::pair<std::uint32_t, std::vector<std::uint64_t>>> coordinates;  ///< by rank
};

struct ClockPoint {
  std::uint64_t time = 0;
  std::int64_t offset = 0;
  std::uint64_t deviation = 0;
};
struct MergedThread {
  std::uint64_t location = 0, events = 0, first = 0, last = 0, number = 0;
  std::string name;
  bool counted = false;           ///< its number of events is known
  bool metric = false;            ///< a stream of metrics, no thread
  std::vector<ClockPoint> clock;  ///< only for a stream with a clock of its own: offsets to that of the process
  std::vector<std::pair<std::string, std::string>> properties;
};
struct MergedProcess {
  std::uint64_t rank = 0;
  std::string host, node, name, program;
  bool present = false;                                         ///< it left a part
  bool ended = false;                                           ///< it came to its end
  std::optional<std::uint64_t> stopped;                         ///< when it was ended before that
  std::optional<std::pair<std::uint64_t, std::uint64_t>> date;  ///< a time, and what it is since 1970
  std::vector<MergedThread> threads;
  std::vector<ClockPoint> clock;
  std::vector<std::pair<std::string, std::string>> properties;
  std::array<std::vector<std::uint64_t>, table_count> maps;  ///< by its own numbers
};

struct Merged {
  std::string paradigm;  ///< "mpi", "shmem" or "threads"
  std::uint64_t chunk_bytes = 1 << 20;
  std::vector<std::string> strings;
  std::vector<MergedRegion> regions;
  std::vector<MergedGroup> groups;
  std::vector<MergedComm> comms;
  std::vector<MergedWin> wins;
  std::vector<MergedTopology> topologies;
  std::vector<MergedMetric> metrics;
  std::vector<MetricInstance> instances;
  /// Settings of the MPI library that are the same in all processes; others are properties of the processes.
  std::vector<std::pair<std::string, std::string>> settings;
  /// Groups of calls that some process did not record, and those of them that one called; in the order of their names.
  std::set<std::string> left_out, left_out_called;
  /// Messages and collective operations that one side recorded while recording was off on the other, at least.
  std::uint64_t unpaired_messages = 0, unpaired_collectives = 0;
  std::uint64_t uncertain_comms = 0;     ///< inter-communicators of which it is not certain which groups have which
  std::vector<MergedProcess> processes;  ///< by rank; every rank of the world has one
  std::uint64_t lines_left_out = 0;
  std::string problem;  ///< why there is nothing to be made of it; else empty
};

}  // namespace waitstate::record
