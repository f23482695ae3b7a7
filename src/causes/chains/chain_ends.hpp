// Why a chain of waits ends in a call that waits for others, where no wait is known that explains it: the waits of such
// calls are not followed, or the trace lacks something of the call.
#pragma once

#include <vector>

#include "causes/history.hpp"
#include "causes/lacks.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::causes {

class ChainEnds {
 public:
  ChainEnds(const History& history, const MetricTree& metrics, const Severities& severities)
      : of_(history.recorded), metrics_(metrics), severities_(severities) {}

  /// The chain has come to its root, at which that location was from `from` to `to`. Sets its end if the root is no
  /// work; the chain has to stay where it is until look_for_reasons().
  void come_to_root(WaitChain& chain, LocationId location, Time from, Time to);
  /// True if time in that call path was spent neither in MPI nor in waiting for others.
  bool is_work(CallPathId path) const;
  /// Once for all chains: looks for what the trace lacks of their roots, and for waits there that are not followed.
  void look_for_reasons();

 private:
  struct Unexplained {
    WaitChain* chain;
    LocationId location;
    Time from, to;
    const Lack* lacks = nullptr;  ///< the first row of all_lacks that holds for that call; null for none
  };
  WaitChain::End without_wait(CallPathId path, LocationId location) const;
  bool is_critical_section(CallPathId path) const;
  bool may_lack(const Unexplained& u, const replay::WorkMark& m, const Lack& lack) const;

  const Recorded& of_;
  const MetricTree& metrics_;
  const Severities& severities_;
  std::vector<Unexplained> unexplained_;
};

}  // namespace waitstate::causes
