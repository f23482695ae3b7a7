"""Old names, which keep working for one version: each use gives a DeprecationWarning that says the new name.

A line here is all that an old name takes; the next version removes it. `queue` stands here for its arguments, which had
another order than those of the C++ library.
"""

from __future__ import annotations

import warnings
from typing import Any

from waitstate._core import CompletedSends, Diagnostic, EventTrace
from waitstate.result import Instance, Result, Statistics, WaitGraph

#: class: {old name: new name}
OLD_NAMES: dict[type, dict[str, str]] = {
    CompletedSends: {"receive_wait": "receive_wait_ticks"},
    Diagnostic: {"largest": "largest_ticks"},
    EventTrace: {"duration": "duration_seconds"},
    Instance: {"total": "total_ticks"},
    Result: {"duration": "duration_ticks", "frame": "to_dataframe"},
    Statistics: {name: f"{name}_ticks" for name in
                 ("sum", "minimum", "maximum", "mean", "quartile25", "median", "quartile75")},
    WaitGraph: {"matrix": "matrix_ticks"},
}


def warn(text: str) -> None:
    """A DeprecationWarning at the line that called what calls this."""
    warnings.warn(text, DeprecationWarning, stacklevel=3)


def _old_name(cls: type, old: str, new: str) -> property:
    def get(self: object) -> Any:
        warn(f"{cls.__name__}.{old} is now {cls.__name__}.{new}")
        return getattr(self, new)

    return property(get, doc=f"Old name of `{new}`, for one version.")


def _queue(self: EventTrace, *by_position: Any, **by_name: Any) -> list[int]:
    if by_position:
        warn("EventTrace.queue() takes its arguments by name: queue(pos=, src=, dest=)")
        if len(by_position) > 3:
            raise TypeError(f"queue() takes pos, src and dest, but {len(by_position)} arguments were given")
        by_name = {**dict(zip(("src", "dest", "pos"), by_position)), **by_name}
    return _queue_by_name(self, **by_name)


_queue_by_name = EventTrace.queue


def install() -> None:
    """Gives the classes their old names."""
    for cls, names in OLD_NAMES.items():
        for old, new in names.items():
            setattr(cls, old, _old_name(cls, old, new))
    _queue.__doc__, _queue.__name__, _queue.__qualname__ = _queue_by_name.__doc__, "queue", "EventTrace.queue"
    setattr(EventTrace, "queue", _queue)  # noqa: B010 (to mypy, assigning a method is a mistake)
