# mypy: disable-error-code="import"
# matplotlib may be there or not, with types or without.
"""Axes of matplotlib for pictures, and names in the form that pictures show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 40  #: characters of a name that are shown
PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442"]


def axes_for(ax: Axes | None, rows: int = 0) -> Axes:
    """The given Axes, or those of a new figure that has room for this many rows."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need the package matplotlib (apt: python3-matplotlib, pip: matplotlib)") from error
    height = min(max(4.8, 1.5 + 0.28 * rows), 24)
    return pyplot.subplots(figsize=(8, height), layout="constrained")[1]


def _short(name: str) -> str:
    """Cut from the left, where call paths have most in common."""
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST:]


def literal(name: str) -> str:
    """A name in which matplotlib finds no formula."""
    return _short(name).replace("$", r"\$")
