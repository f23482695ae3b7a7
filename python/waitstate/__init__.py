"""Event traces of parallel programs: their events, and where processes waited for each other.

    import waitstate

    trace = waitstate.EventTrace("traces/p2p")
    for event in trace:
        if event.type == "recv" and event.sendptr is not None:
            send = trace.event(event["sendptr"])
            print(send["loc"].rank, "->", event["loc"].rank, event["len"], "bytes")

Times (`time`, `enter`, `exit`, `begin`, `end`, names that end in `_time`) are integers, time stamps in ticks of the
trace's clock. The names of durations contain their unit: `ticks`, `..._ticks`, `..._seconds`, or `seconds()`, which
converts. Positions are numbers of events in the one stream, from 0.
"""

from waitstate import _core, picture_numbers, plot, result_types, suggestions, timeline, wait_graph
from waitstate._core import *  # noqa: F403
from waitstate._core import __version__
from waitstate.analysis import analyze, explain, open_report, patterns
from waitstate.analysis_choices import Focus, Keep
from waitstate.columns import Columns
from waitstate.epochs import one_sided_epochs
from waitstate.event_range import EventRange
from waitstate.pattern import Pattern
from waitstate.picture_numbers import diff, scaling
from waitstate.result import Result
from waitstate.result_types import Row
from waitstate.wait_graph import WaitGraph

timeline.install()

# Everything compiled belongs to this package, and says so in help() and in tracebacks.
for _name in _core.__all__:
    if hasattr(getattr(_core, _name), "__module__"):
        getattr(_core, _name).__module__ = __name__
# An attribute that is not there suggests one that is. Not of a RunTrace, which patterns ask for every event: see suggestions.py.
for _made in (*vars(_core).values(), *vars(result_types).values(), *vars(wait_graph).values(),
              *vars(picture_numbers).values(), *vars(timeline).values(), EventRange, Focus, Keep, Result, plot.Plots):
    if isinstance(_made, type) and _made.__module__.startswith(__name__) and _made is not _core.RunTrace:
        _core._suggest(_made)
setattr(type(_core.CollectiveOp), "__getattr__", suggestions.member)  # noqa: B010 (of all enumerations)
del _name, _made

__all__ = [  # noqa: PLE0604
    *_core.__all__,
    "Columns",
    "EventRange",
    "Focus",
    "Keep",
    "Pattern",
    "Result",
    "Row",
    "WaitGraph",
    "__version__",
    "analyze",
    "diff",
    "explain",
    "one_sided_epochs",
    "open_report",
    "patterns",
    "plot",
    "scaling",
]


def __getattr__(name: str) -> object:
    near = "" if name.startswith("_") else suggestions.suggestion(name, __all__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{near}", name=name)
