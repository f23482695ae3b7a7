#include "causes/chains/chain_ends.hpp"

#include "patterns/rules/record_counts.hpp"

namespace waitstate::causes {

void ChainEnds::come_to_root(WaitChain& chain, LocationId location, Time from, Time to) {
  if (is_work(chain.root)) return;
  if (!is_critical_section(chain.root))
    chain.end = without_wait(chain.root, location);
  else if (!of_.wanted.all_waits)
    return;
  unexplained_.push_back({&chain, location, from, to});
}

WaitChain::End ChainEnds::without_wait(CallPathId path, LocationId location) const {
  const Region& region = of_.definitions[of_.call_tree[path].region];
  const RegionClass c = region.region_class;
  const bool counts =
      c == RegionClass::mpi_point2point || c == RegionClass::mpi_collective || c == RegionClass::mpi_sync_collective;
  if (!counts || !waits_for_others(region) || completes_requests(region.mpi_function))
    return WaitChain::End::unexplained;
  for (const char* const id : patterns::record_counts) {
    const MetricIndex metric = metrics_.find(id);
    if (metric == no_metric || severities_.value(metric, path, location) != 0) return WaitChain::End::unexplained;
  }
  return WaitChain::End::no_record;
}

bool ChainEnds::is_work(CallPathId path) const {
  const RegionId region = of_.call_tree[path].region;
  return !region.valid() ||
         (!is_mpi(of_.definitions[region].region_class) && !waits_for_others(of_.definitions[region]));
}

// Critical sections are work, unless the trace lacks whoever had the lock before.
bool ChainEnds::is_critical_section(CallPathId path) const {
  return of_.definitions[of_.call_tree[path].region].region_class == RegionClass::omp_critical;
}

// A request that was never completed may have been completed in any call that completes requests.
bool ChainEnds::may_lack(const Unexplained& u, const replay::WorkMark& m, const Lack& lack) const {
  if (m.location != u.location || m.time > u.to) return false;
  if (lack.of_call) return m.callpath == u.chain->root && m.time >= u.from;
  return completes_requests(of_.definitions[of_.call_tree[u.chain->root].region].mpi_function);
}

void ChainEnds::look_for_reasons() {
  if (unexplained_.empty()) return;
  of_.work.each_mark([&](const replay::WorkMark& m) {
    const Lack* const lack = lack_of(m.kind);
    if (lack == nullptr) return;
    for (Unexplained& u : unexplained_)
      if ((u.lacks == nullptr || lack < u.lacks) && may_lack(u, m, *lack)) {
        u.lacks = lack;
        u.chain->end = lack->end;
      }
  });
  of_.unfollowed.each([&](const UnfollowedWait& w) {
    for (Unexplained& u : unexplained_)
      if (w.location == u.location && w.callpath == u.chain->root && w.end > u.from && w.begin < u.to)
        u.chain->end = WaitChain::End::not_followed;
  });
}

}  // namespace waitstate::causes
