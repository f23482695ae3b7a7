// What happened around the most severe waits (wait_context.hpp). Which they are is known when all has been read, and
// then what happened is gone: so the trace is looked at again, but only at the locations and times that are wanted.
//
// Nothing of it depends on how the trace was read: the worst instances come one after the other, and one that fits into
// the context of another one shares it. Where a location has more events in the time than can be shown, the time is
// halved until it has not; its end stays, where the wait ended.
#pragma once

#include <vector>

#include "pass/event_index.hpp"
#include "pass/trace_input.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// Sets `contexts` of the result, and `context` of the instances that have one.
void add_contexts(AnalysisResult& result, pass::TraceInput& input, const pass::EventIndex& index);

}  // namespace waitstate::analysis
