# mypy: disable-error-code="import"
# matplotlib may be there or not, with types or without.
"""Axes of matplotlib for pictures, and names, colours and keys in the form that pictures show: those of the page of HTML reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Sequence

from waitstate import colours
from waitstate._core import _shorten_paths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from waitstate._core import Location

LONGEST = 40  #: characters of a name that are shown


def axes_for(ax: Axes | None, rows: int = 0) -> Axes:
    """The given Axes, or those of a new figure that has room for this many rows."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need the package matplotlib (apt: python3-matplotlib, pip: matplotlib)") from error
    height = min(max(4.8, 1.5 + 0.28 * rows), 14)
    return pyplot.subplots(figsize=(8, height), layout="constrained")[1]


def literals(names: Iterable[str]) -> list[str]:
    """Names in which matplotlib finds no formula, shortened as in all reports: they are cut at slashes and keep both ends, and
    those that differ stay different."""
    return [name.replace("$", r"\$") for name in _shorten_paths(list(names), LONGEST)]


def literal(name: str) -> str:
    """One such name."""
    return literals([name])[0]


def location_names(locations: Sequence[Location]) -> list[str]:
    """The name of the process, with that of the thread where a process has several."""
    names = []
    for location in locations:
        process = location.process
        alone = process is not None and len(process.locations) == 1
        names.append(location.name if process is None else process.name if alone else f"{process.name} {location.name}")
    return names


def name_ticks(ax: Axes, axis: str, names: Sequence[str]) -> None:
    """Writes the names of rows ("y") or columns ("x"), numbered from 0: all, or every n-th where they have no room."""
    size = ax.get_window_extent()
    text_height = 1.5 * ax.figure.dpi / 72 * 10  # the usual font has 10 points
    room = int(0.75 * (size.height if axis == "y" else size.width) / text_height)  # the rest is taken by other texts
    step = max(1, -(-len(names) // max(2, room)))
    chosen = ax.yaxis if axis == "y" else ax.xaxis
    chosen.set_ticks(range(0, len(names), step), literals(names[::step]), rotation=0 if axis == "y" else 90)


def heat_map(values: Any, kwargs: dict[str, Any], logarithmic: bool = False) -> dict[str, Any]:
    """The arguments of imshow(): zero is paper, then from dark for little to bright for much. `kwargs` may have others."""
    import numpy
    from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize

    chosen = LinearSegmentedColormap.from_list("severity", list(colours.SEVERITY))
    chosen.set_under((0, 0, 0, 0))
    chosen.set_bad((0, 0, 0, 0))
    arguments: dict[str, Any] = {"cmap": chosen, "interpolation": "nearest", **kwargs}
    if not {"norm", "vmin", "vmax"} & set(kwargs):
        known = numpy.asarray(values, dtype=float)
        positive = known[numpy.isfinite(known) & (known > 0)]
        most = float(positive.max()) if positive.size else 1.0
        least = float(positive.min()) if positive.size else most / 2
        arguments["norm"] = LogNorm(least if least < most else most / 2, most) if logarithmic else Normalize(most * 1e-9, most)
    return arguments
