// A profile for speedscope.app: one metric by call path, for all locations together and for each of them. A "sampled"
// profile lists stacks, as numbers of frames from the outermost one, and how much each weighs:
//
//   {"$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "waitstate@0.2.0",
//    "name": "traces/p2p: Time", "activeProfileIndex": 0,
//    "shared": {"frames": [{"name": "main"}, {"name": "MPI_Recv"}]},
//    "profiles": [{"type": "sampled", "name": "all locations", "unit": "nanoseconds", "startValue": 0, "endValue": 300,
//                  "samples": [[0], [0, 1]], "weights": [100, 200]}]}
//
// Source: src/lib/file-format-spec.ts of speedscope. Stacks are in the order of the call tree, which is no order of
// time: its views "Left Heavy" and "Sandwich" show what is meant.
#pragma once

#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::exports {

void write_speedscope(const AnalysisResult& result, MetricIndex metric, std::ostream& out);

}  // namespace waitstate::exports
