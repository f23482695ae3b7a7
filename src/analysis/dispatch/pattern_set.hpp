// The patterns of one run: the order in which they run, the metrics that they add to the tree, and their names in
// messages.
//
// Authors of several patterns need not care for their order: a pattern may need one that stands behind it, and a metric
// may lie below one that is defined later. Both are put in order here, each separately, since the orders differ: a
// pattern may well publish an event that the owner of its metric's parent needs. An order that is already right stays.
// This happens once, before the trace is read.
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

/// Reason of failure if a plug-in threw std::bad_alloc.
inline constexpr const char* no_memory = "it asked for more memory than is available";

/// "pattern 'tiny_messages' (class TinyMessages, ./libtiny.so)", as far as that is known; without the parentheses for a
/// built-in pattern.
std::string described(const PatternHandle& pattern, std::string_view id);

/// Sets the origin of a pattern that does not know it.
void set_origin(PatternHandle& pattern, const std::string& origin);

/// Calls `body`, which calls `function` of the pattern: any exception becomes a PatternError that names both. If a
/// built-in pattern runs out of memory that is not its failure, and stays std::bad_alloc.
void in_its_name(const PatternHandle& pattern, const char* function, const std::function<void()>& body);

/// Numbers of the patterns in the order in which they run: those that others need come first. Needs that none of them
/// fulfils do not count. Throws UsageError if patterns need each other in a circle.
std::vector<std::size_t> run_order(std::span<const PatternHandle* const> patterns);

/// Adds the metrics of all patterns, a parent before its children; returns their numbers by pattern and MetricHandle.
/// Throws UsageError if an id is taken, or if a parent does not exist, lies below its own child, or cannot be the sum
/// of it.
std::vector<std::vector<MetricIndex>> add_metrics(MetricTree& metrics, std::span<const PatternHandle* const> patterns);

}  // namespace waitstate::analysis
