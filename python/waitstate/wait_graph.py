# mypy: disable-error-code="import"
# networkx may be there or not, with types or without.
"""The graph of waiting: Result.wait_graph()."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from waitstate import _core

if TYPE_CHECKING:
    import networkx

    from waitstate.result_types import Int64


class WaitGraph:
    """The graph of waiting: vertices are processes or locations, and an edge leads from a vertex that waited to the
    vertex that caused the wait.

    vertices: Rows of WaitVertex
    edges: Rows of WaitEdge, which have indices of `vertices`
    matrix_ticks: an array culprit × victim (int64)
    culprits, victims: indices of vertices, most ticks first
    components: Rows of WaitComponent, vertices that wait for each other
    metrics: ids of the wait states that are counted
    total, without_culprit, aggregated: WaitCount. Waits without a culprit have no edges, and neither have waits of
    large operations, which are kept by culprit only
    """

    def __init__(self, data: _core._WaitGraphData, made: tuple[Any, ...]) -> None:
        self._data = data
        self._made = made  # the result, metrics, level, and numbers given to top(), for pickling
        self.vertices = data.vertices
        self.edges = data.edges
        self.culprits = data.culprits
        self.victims = data.victims
        self.metrics = data.metrics
        self.total = data.total
        self.without_culprit = data.without_culprit
        self.aggregated = data.aggregated

    @property
    def components(self) -> _core.Rows[_core.WaitComponent]:
        """Vertices that wait for each other, most ticks inside first: Rows of WaitComponent."""
        return self._data.components

    @property
    def matrix_ticks(self) -> Int64:
        """Ticks as an int64 array, culprit x victim, by the indices of vertices."""
        matrix = numpy.zeros((len(self.vertices), len(self.vertices)), dtype=numpy.int64)
        edges = self.edges.columns()
        matrix[edges["culprit"], edges["victim"]] = edges["ticks"]
        return matrix

    def top(self, n: int) -> WaitGraph:
        """The graph of the `n` vertices that waited and caused most, and of one more vertex, the last ("12 others"), in
        which all others are added up. All totals stay the same."""
        return WaitGraph(self._data.top(n), (*self._made, n))

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_graph, self._made

    def to_networkx(self) -> networkx.DiGraph:
        """A networkx.DiGraph: nodes are vertex indices with label, waited_ticks and caused_ticks; edges lead from the victim
        to the culprit, with count and ticks. Raises ImportError without NetworkX."""
        import networkx

        graph = networkx.DiGraph(metrics=list(self.metrics))
        for index, vertex in enumerate(self.vertices):
            graph.add_node(index, label=vertex.label, waited_ticks=vertex.waited.ticks, caused_ticks=vertex.caused.ticks)
        for edge in self.edges:
            graph.add_edge(edge.victim, edge.culprit, count=edge.count, ticks=edge.ticks)
        return graph

    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        return self._data.dot()

    def graphml(self) -> str:
        """The graph as GraphML."""
        return self._data.graphml()

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        return f"<WaitGraph of {len(self.vertices)} vertices and {len(self.edges)} edges>"


def _same_graph(result: Any, metrics: list[str], level: str, *tops: int) -> WaitGraph:
    graph: WaitGraph = result.wait_graph(metrics, level)
    for n in tops:
        graph = graph.top(n)
    return graph
