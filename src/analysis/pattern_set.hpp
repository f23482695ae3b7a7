// Patterns that belong to one run: in which order they run, which metrics they add to the tree, and what they are
// called in messages.
//
// Whoever writes several patterns need not care for their order: a pattern may need one that stands behind it, and a
// metric lie below one that is defined later. So both are put in order here, each for itself, since they are not the
// same: a pattern may well publish what the owner of its metric's parent needs. What is in order already stays as it
// is. Happens once, before the trace.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/pattern/pattern.hpp"
#include "waitstate/result/metrics.hpp"

namespace waitstate::analysis {

/// Why a plug-in failed that threw std::bad_alloc.
inline constexpr const char* no_memory = "it asked for more memory than there is";

/// "pattern 'tiny_messages' (class TinyMessages, ./libtiny.so)", as far as that is known; without that if it is built
/// in.
std::string described(const PatternHandle& pattern, std::string_view id);

/// Says where a pattern comes from, as far as it does not say so itself.
void set_origin(PatternHandle& pattern, const std::string& origin);

/// Calls `body`, which calls that function of the pattern: what it throws becomes a PatternError that names both. That
/// there is no more memory is no failure of a pattern that is built in, and stays std::bad_alloc.
void in_its_name(const PatternHandle& pattern, const char* function, const std::function<void()>& body);

/// Numbers of the patterns, those that others need before these. Needs that none of them fulfils do not count. Throws
/// UsageError if patterns need each other in a circle.
std::vector<std::size_t> run_order(std::span<const PatternHandle* const> patterns);

/// Adds the metrics of all patterns, a parent before its children; gives their numbers by pattern and MetricHandle.
/// Throws UsageError if an id is taken, a parent is nowhere, lies below its own child, or cannot be the sum of it.
std::vector<std::vector<MetricIndex>> add_metrics(MetricTree& metrics, std::span<const PatternHandle* const> patterns);

}  // namespace waitstate::analysis
