// A DependencyGraph as Graphviz and GraphML.
#pragma once

#include <iosfwd>

#include "report/graph/dependency_graph.hpp"

namespace waitstate::report {

/// Graphviz: a row a location, with the critical path and the awaited edges in bold.
void write_dot(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out);
/// The same as GraphML.
void write_graphml(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out);

}  // namespace waitstate::report
