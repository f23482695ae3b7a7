#include "report/facts/scope.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::report {
namespace {

bool calls(const AnalysisResult& result, const CallPath& path, RegionClass of) {
  return path.region.valid() && result.definitions[path.region].region_class == of;
}

}  // namespace

std::string_view name(Scope scope) { return scope == Scope::whole ? "whole" : "without_init_exit"; }

std::optional<Scope> scope_of(std::string_view text) {
  for (const Scope scope : {Scope::whole, Scope::without_init_exit})
    if (text == name(scope)) return scope;
  return std::nullopt;
}

std::vector<bool> init_exit_paths(const AnalysisResult& result) {
  std::vector<bool> in(result.call_tree.size());
  for (std::size_t i = 0; i < in.size(); ++i) {  // a parent has a smaller id
    const CallPath& path = result.call_tree[CallPathId{i}];
    in[i] = (path.parent.valid() && in[path.parent.index()]) || calls(result, path, RegionClass::mpi_init_exit) ||
            calls(result, path, RegionClass::shmem_init_exit);
  }
  if (std::find(in.begin(), in.end(), true) == in.end()) in.clear();
  return in;
}

InitExit init_exit(const AnalysisResult& result) {
  InitExit found;
  for (std::size_t i = 0; i < result.call_tree.size(); ++i) {
    const CallPath& path = result.call_tree[CallPathId{i}];
    found.mpi = found.mpi || calls(result, path, RegionClass::mpi_init_exit);
    found.shmem = found.shmem || calls(result, path, RegionClass::shmem_init_exit);
  }
  return found;
}

bool is_init_exit(const MetricTree& metrics, MetricIndex metric) {
  for (; metric != no_metric; metric = metrics[metric].parent)
    if (metrics[metric].id == name(RegionClass::mpi_init_exit) ||
        metrics[metric].id == name(RegionClass::shmem_init_exit))
      return true;
  return false;
}

}  // namespace waitstate::report
