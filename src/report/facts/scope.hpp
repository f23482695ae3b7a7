// Which part of a run values and shares are of: the whole, or all but the start and the end of its libraries.
//
// Starting MPI takes as long in a test of a second as in a run of a day. In a short run MPI_Init and MPI_Finalize have
// most of the time, and every share of the whole says little about the program. So a report measures by what is left
// without them, wherever there is any, and has the whole beside it.
//
// What belongs to them is told by call paths, not by metrics: a call of MPI_Init with all that it calls, on every
// location to which time is charged there; so the time of threads that are idle while their master is in MPI_Init goes
// with it. Cost: one look at each call path.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

enum class Scope { whole, without_init_exit };

/// As reports and gates write it: "whole", "without_init_exit".
std::string_view name(Scope scope);
/// None if no scope is called so.
std::optional<Scope> scope_of(std::string_view name);

/// By call path: true of what lies in a call that starts or ends MPI or SHMEM. Empty if there is none.
std::vector<bool> init_exit_paths(const AnalysisResult& result);

/// True of a metric of which nothing is left without them: "mpi_init_exit", and what is below it.
bool is_init_exit(const MetricTree& metrics, MetricIndex metric);

/// The libraries whose start or end is in the call tree; words/scope.hpp names them.
struct InitExit {
  bool mpi = false, shmem = false;
  friend bool operator==(const InitExit&, const InitExit&) = default;
};
InitExit init_exit(const AnalysisResult& result);

}  // namespace waitstate::report
