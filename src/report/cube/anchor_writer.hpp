// anchor.xml of a CUBE 4 report: everything but the numbers - metric tree, regions, call tree, system tree, topologies.
//
// The grammar of the CUBE library is narrower than XML, and this is what it takes: all ids are numbers; a process has a
// rank that is not negative and at least one location, and stands before the nodes below its node; an element that may
// have contents is never written as <x/>; topologies are the last thing in <system>. Names of a trace can hold
// anything: control characters and bytes that are not UTF-8 are replaced, since XML can express neither.
//
// Ids count in document order: metrics as CubeMetricPlaces lists them, call paths depth first, so that the id of a call
// path is its row number in the data of an EXCLUSIVE metric; the id of a location is its LocationId, which is its
// column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/cube/metric_places.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Begin of an attribute's key, before a counter's id. Its value is what a reader of ours needs to know beside CUBE's
/// own members: MetricInfo::scale, Counter::kind and timing, separated by blanks.
inline constexpr std::string_view counter_key = "waitstate counter ";

/// Begin of an attribute's key, before the id of a plug-in's metric. Its value is what CUBE has no place for: its kind,
/// and "share" or "part" (MetricInfo::within_parent), separated by a blank.
inline constexpr std::string_view plugin_key = "waitstate plug-in ";

/// Begin of an attribute's key, before the id of a metric that is a root in the report only (CubeMetricPlaces). Its
/// value is the id of the metric that it is a share of. If there is one, places_key has the numbers of all metrics in
/// the order in which they stand in the true tree, depth first, separated by blanks.
inline constexpr std::string_view within_key = "waitstate within ";
inline constexpr std::string_view places_key = "waitstate metrics";

/// Key of the attribute with the ids of the patterns that were run, separated by blanks.
inline constexpr std::string_view patterns_key = "waitstate patterns";

/// Begin of the key of the attributes with the focus of the report: behind it "region", whose value is its name;
/// "locations", their ids separated by blanks; or "time", nanoseconds from the first event of the trace, from and - if
/// there is an end - to.
inline constexpr std::string_view focus_key = "waitstate focus ";
/// Begin of the key of a property that keeps a call of AnalysisResult::open_calls: location, number of the call path in
/// the report, nanoseconds since the first event.
inline constexpr std::string_view open_call_key = "waitstate open call ";

/// The anchor of a CUBE report. Undetermined metrics stand in attributes too (undetermined_key), and so does what is
/// missing from the trace or odd about it (warnings_key). All attributes come back as properties of the recorder.
/// `types`: the dtype of each metric, in the order of `places`.
std::string cube_anchor(const AnalysisResult& result, const CubeMetricPlaces& places,
                        const std::vector<std::string_view>& types);

}  // namespace waitstate::report
