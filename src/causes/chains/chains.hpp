// Why somebody was late: from a wait over the waits of its culprit back to an activity, or to what the trace lacks.
//
// Between two meetings of P and Q, P was late by what it worked longer than Q in each call path, and by its own waits,
// as the sweep judges it (sweep/sweep.hpp). If it waited for as long as it worked longer in any one call path, the
// reason is whom P waited for most, and the chain goes on there; else it is that call path. Time in a call that waits
// for others, with no wait that is known, explains nothing; a chain that comes there ends, and says what the trace
// lacks of that call. A worker that is idle outside of parallel regions waits for what its first thread did since they
// had met.
//
// A chain is followed only for the waits that the report shows. A step costs as much as judging one wait.
#pragma once

#include <vector>

#include "causes/history.hpp"
#include "waitstate/result/causes.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::causes {

/// One chain a wait, without steps where the wait is not known.
std::vector<WaitChain> find_chains(const History& history, const std::vector<Wait>& waits, const MetricTree& metrics,
                                   const Severities& severities, unsigned threads);

}  // namespace waitstate::causes
