// Why a trace cannot tell causes (critical_path.cpp, delay.cpp): what the waits lack that they are made of.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "collective_wait.hpp"
#include "rules/more_waits.hpp"
#include "undetermined.hpp"

namespace waitstate::patterns {

inline constexpr const char* inner_barriers_reason =
    "the program has thread teams within teams: waits at their barriers are not followed, but count as work";

/// Reasons why waits of that kind are not all known; for collective operations there is collective_reasons().
inline void more_waits_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric, MoreWaits kind) {
  switch (kind) {
    case MoreWaits::collectives:
      return;
    case MoreWaits::one_sided:
      for (const RegionClass c : {RegionClass::mpi_rma_sync_active, RegionClass::mpi_rma_sync_passive})
        one_sided_reasons(e, u, metric, c);
      return;
    case MoreWaits::shmem:
      for (const RegionClass c : {RegionClass::shmem_sync_collective, RegionClass::shmem_point2point_synchronization,
                                  RegionClass::shmem_collective})
        one_sided_reasons(e, u, metric, c);
      return;
    case MoreWaits::locks:
      for (const RegionClass c : {RegionClass::omp_critical, RegionClass::omp_lock_api, RegionClass::pthread_lock_api,
                                  RegionClass::pthread_conditional})
        lock_reasons(e, u, metric, c, {});
      return;
    case MoreWaits::devices:
      if (const std::string name = e.called(waits_for_device);
          !name.empty() && !e.has_events_of(LocationType::accelerator_stream))
        u.because(metric, name + " is called, but the trace has no events of an accelerator's streams");
      return;
  }
}

/// The region of a call path; none if there is no call path.
inline RegionId region_of(const Context& context, CallPathId callpath) {
  return callpath.valid() ? context.call_tree()[callpath].region : RegionId::none();
}
/// The name of a function in a sentence.
inline std::string function_name(const TraceEvidence& e, RegionId region) {
  const std::string name = e.called([&](const Region& r) { return region.valid() && &r == &e.definitions()[region]; });
  return name.empty() ? "a call" : name;
}

/// The reasons that hold for one metric hold for all of these; each is told once.
template <class Reasons>
void tell_of_all(Undetermined& u, const std::vector<MetricHandle>& metrics, Reasons&& reasons) {
  Undetermined own(1);
  reasons(own);
  std::vector<std::string> told;
  for (const Undetermined::Answer& a : own.answers()) {
    if (std::find(told.begin(), told.end(), a.sentence) != told.end()) continue;
    told.push_back(a.sentence);
    for (const MetricHandle m : metrics) u.because(m, a.sentence);
  }
}

}  // namespace waitstate::patterns
