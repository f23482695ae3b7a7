#include "replay/call_stack.hpp"

#include "waitstate/trace/region_class.hpp"

namespace waitstate::replay {

CallStack::CallStack(ReplayContext& shared, Profiles& counted) : context(shared), profiles(counted) {
  activity.stack.reserve(64);
  update_in_threads();
}

// Streams and calls that wait for a device only have records if somebody asks for them.
Profile::Kind CallStack::kind_of(const Region& region) const {
  switch (region.region_class) {
    case RegionClass::omp_ebarrier:
    case RegionClass::omp_ibarrier:
      return Profile::Kind::omp_barrier;
    case RegionClass::omp_taskwait:
      return Profile::Kind::omp_taskwait;
    case RegionClass::omp_critical:
    case RegionClass::omp_lock_api:
    case RegionClass::pthread_lock_api:
    case RegionClass::pthread_conditional:
      return Profile::Kind::lock;
    case RegionClass::shmem_init_exit:
      return Profile::Kind::shmem_world;
    default:
      break;
  }
  if (is_shmem(region.region_class)) return Profile::Kind::shmem;
  if (is_mpi(region.region_class)) {
    const MpiFunction f = region.mpi_function;
    if (context.options.searches && is_probe(f)) return Profile::Kind::mpi_search;
    return initialises_or_finalizes(f) ? Profile::Kind::mpi_world : Profile::Kind::mpi;
  }
  if (!context.options.device_calls) return Profile::Kind::plain;
  if (context.definitions[context.location].type == LocationType::accelerator_stream) return Profile::Kind::kernel;
  if (waits_for_device(region)) return Profile::Kind::device_sync;
  return context.options.work && launches_kernel(region) ? Profile::Kind::device_launch : Profile::Kind::plain;
}

void CallStack::add_call_path(std::uint64_t frame) {
  const RegionId of_frame{static_cast<std::uint32_t>(frame)};
  Profile& profile = profiles.add();
  if (frame >> 32 == 0 && of_frame.valid()) {
    profile.kind = kind_of(context.definitions[of_frame]);
    profile.function = context.definitions[of_frame].mpi_function;
  }
  NewCallPath path;
  path.number = static_cast<std::uint32_t>(tree_.size() - 1);
  path.parent = tree_.parent(path.number);
  if (frame == LocalCallTree::team_frame || frame == LocalCallTree::task_frame) {
    path.team_root = true;
  } else if (LocalCallTree::is_program(frame)) {
    path.program = StringId{static_cast<std::uint32_t>(frame)};
  } else {
    path.up = LocalCallTree::is_up(frame);
    path.region = of_frame;
  }
  context.chunk->call_paths.push_back(path);
}

std::uint32_t CallStack::callpath_of_record() {
  if (activity.current != activity.base) return activity.current;
  const std::uint32_t callpath = child_of(activity.base, RegionId::none_value);
  if (activity.in_segment()) profiles.touch(activity, callpath);
  return callpath;
}

void CallStack::report(DiagnosticId id, std::uint64_t frame, Time time) {
  Diagnostics& diagnostics = context.diagnostics;
  diagnostics.add(id, {context.location, time, diagnostics.wants_place(id) ? region_name(frame) : std::string{}});
}

std::string CallStack::region_name(std::uint64_t frame) const {
  if (frame == LocalCallTree::no_frame || frame == LocalCallTree::team_frame || frame == LocalCallTree::task_frame)
    return "outside of every region";
  if (LocalCallTree::is_program(frame)) {
    const StringId program{static_cast<std::uint32_t>(frame)};
    return program.valid() ? context.definitions[program] : "a program without a name";
  }
  const RegionId region{static_cast<std::uint32_t>(frame)};
  return region.valid() ? context.definitions[region].name : "an undefined region";
}

}  // namespace waitstate::replay
