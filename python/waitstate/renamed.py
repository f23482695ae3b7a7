"""Old names, which keep working for one version: each use gives a DeprecationWarning that says the new name.

A line here is all that an old name takes; the next version removes it. Arguments whose order was not that of the C++
library are taken by name; given by position they mean what they did.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from typing import Any, Callable, TypeVar, cast

from waitstate._core import (CompletedSends, Diagnostic, EventTrace, IoHandle, IoParadigmDefinition, Location,
                             MetricDefinition, MetricMember, Region, SystemTreeNode)
from waitstate.result import Instance, Result, Statistics, WaitGraph

#: class: {old name: new name}
OLD_NAMES: dict[type, dict[str, str]] = {
    CompletedSends: {"receive_wait": "receive_wait_ticks"},
    Diagnostic: {"largest": "largest_ticks"},
    EventTrace: {"duration": "duration_seconds"},
    Instance: {"total": "total_ticks"},
    IoHandle: {"access": "access_mode", "status": "status_flags"},
    IoParadigmDefinition: {"class_": "io_class"},
    Location: {"events": "announced_events"},
    MetricDefinition: {"class_": "metric_class", "kind": "recorder_kind"},
    MetricMember: {"value": "value_type"},
    Region: {"begin": "begin_line", "canonical": "canonical_name", "end": "end_line"},
    Result: {"duration": "duration_ticks", "frame": "to_dataframe"},
    Statistics: {name: f"{name}_ticks" for name in
                 ("sum", "minimum", "maximum", "mean", "quartile25", "median", "quartile75")},
    SystemTreeNode: {"class_": "class_name"},
    WaitGraph: {"in_crowds": "aggregated", "matrix": "matrix_ticks"},
}


def warn(text: str) -> None:
    """A DeprecationWarning at the line that called what calls this."""
    warnings.warn(text, DeprecationWarning, stacklevel=3)


def _old_name(cls: type, old: str, new: str) -> property:
    def get(self: object) -> Any:
        warn(f"{cls.__name__}.{old} is now {cls.__name__}.{new}")
        return getattr(self, new)

    return property(get, doc=f"Old name of `{new}`, for one version.")


Function = TypeVar("Function", bound=Callable[..., Any])


def by_name(function: Function) -> Function:
    """Lets a function take the arguments behind its `*` by position, too, in the order in which they stand."""
    parameters = inspect.signature(function).parameters.values()
    named = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    first = len(parameters) - len(named)

    @functools.wraps(function)
    def call(*given: Any, **keywords: Any) -> Any:
        further = given[first:]
        if further and len(further) <= len(named):
            warn(f"waitstate.{function.__name__}() takes {', '.join(named[:len(further)])} by name")
            keywords = {**dict(zip(named, further)), **keywords}
            given = given[:first]
        return function(*given, **keywords)

    return cast(Function, call)


def _queue(self: EventTrace, *by_position: Any, **keywords: Any) -> list[int]:
    if by_position:
        warn("EventTrace.queue() takes its arguments by name: queue(pos=, src=, dest=)")
        if len(by_position) > 3:
            raise TypeError(f"queue() takes pos, src and dest, but {len(by_position)} arguments were given")
        keywords = {**dict(zip(("src", "dest", "pos"), by_position)), **keywords}
    return _queue_by_name(self, **keywords)


_queue_by_name = EventTrace.queue


def install() -> None:
    """Gives the classes their old names."""
    for cls, names in OLD_NAMES.items():
        for old, new in names.items():
            setattr(cls, old, _old_name(cls, old, new))
    _queue.__doc__, _queue.__name__, _queue.__qualname__ = _queue_by_name.__doc__, "queue", "EventTrace.queue"
    setattr(EventTrace, "queue", _queue)  # noqa: B010 (to mypy, assigning a method is a mistake)
