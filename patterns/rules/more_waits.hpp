// The waits that the critical path follows only with the parameter all_waits: Scalasca knows no causes of them.
#pragma once

#include <cstdint>

#include "names_with.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::patterns {

/// Kinds of waits whose causes Scalasca does not know.
enum class MoreWaits : std::uint8_t { collectives, one_sided, shmem, locks, devices };

inline constexpr MoreWaits all_more_waits[] = {MoreWaits::collectives, MoreWaits::one_sided, MoreWaits::shmem,
                                               MoreWaits::locks, MoreWaits::devices};

/// True of functions that can have such waits.
inline bool has_more_waits(MoreWaits kind, const Region& r) {
  const RegionClass c = r.region_class;
  switch (kind) {
    case MoreWaits::collectives: {
      static const NamesWith others{.has = {"neighbor", "alltoallv", "alltoallw", "scan"}};
      return (c == RegionClass::mpi_collective || c == RegionClass::mpi_sync_collective) &&
             (starts_nonblocking(r) || others(r));
    }
    case MoreWaits::one_sided: {
      static const NamesWith window{.has = {"win_create", "win_allocate", "win_free"}, .has_not = {"keyval"}};
      return c == RegionClass::mpi_rma_sync_active || c == RegionClass::mpi_rma_sync_passive ||
             (c == RegionClass::mpi_mgmt_win && window(r));
    }
    case MoreWaits::shmem:
      return c == RegionClass::shmem_sync_collective || c == RegionClass::shmem_point2point_synchronization ||
             c == RegionClass::shmem_collective;
    case MoreWaits::locks:
      return c == RegionClass::omp_critical || c == RegionClass::omp_lock_api || c == RegionClass::pthread_lock_api ||
             c == RegionClass::pthread_conditional;
    case MoreWaits::devices:
      return waits_for_device(r);
  }
  return false;
}

}  // namespace waitstate::patterns
