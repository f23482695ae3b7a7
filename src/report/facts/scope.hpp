// The part of a run that values and shares refer to: the whole, or everything except the start and the end of its
// libraries.
//
// Starting MPI takes as long in a test of a second as in a run of a day. In a short run MPI_Init and MPI_Finalize have
// most of the time, and every share of the whole says little about the program. So a report is based on the time
// without them, wherever there is any, and shows the values of the whole beside it.
//
// The time that belongs to them is found by call paths, not by metrics: a call of MPI_Init with all its callees, on
// every location to which time is charged there; so this includes the time of threads that are idle while their master
// is in MPI_Init. Cost: one look at each call path.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

enum class Scope { whole, without_init_exit };

/// The name in reports and gates: "whole", "without_init_exit".
std::string_view name(Scope scope);
/// None if no scope has that name.
std::optional<Scope> scope_of(std::string_view name);

/// By call path: true if it lies in a call that starts or ends MPI or SHMEM. Empty if there is no such call.
std::vector<bool> init_exit_paths(const AnalysisResult& result);

/// True for a metric of which nothing is left without them: "mpi_init_exit", and the metrics below it.
bool is_init_exit(const MetricTree& metrics, MetricIndex metric);

/// The libraries whose start or end is in the call tree; words/scope.hpp names them.
struct InitExit {
  bool mpi = false, shmem = false;
  friend bool operator==(const InitExit&, const InitExit&) = default;
};
InitExit init_exit(const AnalysisResult& result);

}  // namespace waitstate::report
