// Collects the events around the most severe waits (wait_context.hpp). These waits are known only when everything has
// been read and the events are gone: so the trace is read again, but only at the locations and times that are needed.
//
// The result does not depend on how the trace was read: the worst instances come one after the other, and one that fits
// into the context of another one shares it. Where a location has more events in the time than can be shown, the time
// is halved until it fits; its end stays, where the wait ended.
//
// Cost: at most 40 contexts of 16 locations; for each, a chunk of events before it is read again, then at most 16,384
// events, and as many for each halving. It does not grow with the trace: for 1.3 million events on 8 locations, 19
// contexts take 11 % of the instructions of a JSON report (half of them to read, half of which is before the context;
// half to write 26,000 rows); for eight times as many events they take 3 %.
#pragma once

#include <functional>
#include <vector>

#include "analysis/metrics/message_book.hpp"
#include "pass/second_look.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// pass::look_again() of the trace, by whoever has its locations.
using LookAgain = std::function<void(std::vector<pass::Look>&)>;

/// Sets `contexts` of the result, and `context` of the instances that have one. `messages` are those of the trace, or a
/// part of them, by which the others are matched. So many threads may call `look_again` at once.
void add_contexts(AnalysisResult& result, const MessageBook& messages, const LookAgain& look_again,
                  std::size_t threads);

}  // namespace waitstate::analysis
