// A DependencyGraph as Graphviz and GraphML.
#pragma once

#include <iosfwd>

#include "access/dependencies/dependency_graph.hpp"

namespace waitstate::exports {

/// Graphviz: a row a location, with the critical path and the awaited edges in bold.
void write_dot(const access::DependencyGraph& graph, const EventTrace& trace, std::ostream& out);
/// GraphML: with the same vertices and edges, and those between members of an operation that did not wait for each
/// other.
void write_graphml(const access::DependencyGraph& graph, const EventTrace& trace, std::ostream& out);

}  // namespace waitstate::exports
