// Finds metrics by the names that people write: an id, the title that reports show, or something near one of the two.
//
// Reports have ids in tables and titles in sentences, so a title is accepted wherever an id is, in whatever case. Near
// names are compared without case, blanks and underscores, and without the paradigm that many ids begin with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "waitstate/result/metrics.hpp"

namespace waitstate::analysis {

/// The metric with this id, or else the only one with this title; no_metric if there is none.
MetricIndex find_metric(const MetricTree& metrics, std::string_view id_or_title);

/// The id that was probably meant by `word`, in one or more metric trees; "" if none is near.
std::string nearest_metric(std::string_view word, const std::vector<const MetricTree*>& trees);

}  // namespace waitstate::analysis
