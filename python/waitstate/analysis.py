"""waitstate.analyze(), and what patterns there are."""

from __future__ import annotations

import numbers
import operator
import os
from typing import Any, Callable, Iterable, Mapping, SupportsIndex, Union

import numpy

from waitstate import _core
from waitstate._core import UsageError
from waitstate.pattern import Pattern
from waitstate.plugin import make
from waitstate.result import Result

Path = Union[str, "os.PathLike[str]"]
Plugin = Union[Path, Pattern, "type[Pattern]"]


def _registry(plugins: Plugin | Iterable[Plugin]) -> _core._Registry:
    """A registry with plug-ins: paths of Python files and C++ libraries, Pattern classes, Pattern instances."""
    registry = _core._Registry()
    if isinstance(plugins, (str, os.PathLike, Pattern, type)):
        plugins = (plugins,)
    for plugin in plugins:
        _add(registry, plugin)
    return registry


def _add(registry: _core._Registry, plugin: Plugin) -> str:
    """Adds a plug-in; returns the id of its pattern, "" of a file, which may have several. All that are added may build on
    each other."""
    if isinstance(plugin, (str, os.PathLike)):
        registry.load(_core._path(plugin))
        return ""
    if isinstance(plugin, type) and issubclass(plugin, Pattern):
        plugin = make(plugin)
    if not isinstance(plugin, Pattern):
        raise UsageError(f"{plugin!r} is no plug-in: expected a path, a subclass of waitstate.Pattern, or an instance of "
                         f"one")
    cls = type(plugin)
    return registry.add(plugin, f"class {cls.__module__}.{cls.__qualname__}")


def analyze(path: Path, patterns: str | Pattern | type[Pattern] | Iterable[str | Pattern | type[Pattern]] | None = None,
            plugins: Plugin | Iterable[Plugin] = (), *, without: str | Iterable[str] = (),
            parameters: Mapping[str, int | float | str] | None = None, region: str | None = None,
            locations: int | _core.Location | Iterable[int | _core.Location] | None = None,
            time: tuple[int, int] | None = None, threads: int = 0, chunk_events: int = 0,
            progress: Callable[[int, int], object] | None = None,
            replace: Pattern | type[Pattern] | Iterable[Pattern | type[Pattern]] = (), counters: bool = True,
            rma_model: str = "auto", details: bool = False, series: bool = False,
            contexts: bool = False, phase: str | None = None) -> Result:
    """Analyses a trace in one pass.

    path        an OTF2 archive (anchor file or its folder), or a file in the text notation
    patterns    what to run, and what it needs: ids of patterns or metrics, subclasses of Pattern, instances of one.
                None: all built-in patterns but those on request, and all of `plugins`. An empty list: none, only what needs no
                pattern. "all" in it stands for those of None: ["all", "critical_path", "delay"]
    plugins     patterns to have beside the built-in ones: paths of .py files or C++ libraries, subclasses of Pattern,
                instances
    replace     patterns (classes or instances) that run in place of those of the same id, with the same metrics and
                parameters of their own. Built-in patterns to which the one in place of it published what it found
                (slow_slaves, of mpi_latesender) do not run
    without     ids of patterns not to run, nor what needs them
    parameters  dict of 'ID.PARAMETER' to value
    region      name of a region: only what happens inside it counts
    locations   numbers of the locations that count, or Locations; one or several
    time        (from, to) in ticks as in events, both included, as with --time of the program. What a pattern adds with add() or
                add_many() to compound events or in wrapup has no time, and counts whatever this says; see Pattern.add()
    counters    add up METRIC events per call path: Result.counters
    rma_model   when one-sided operations are complete for rma_operation_callback: "basic" (in their call), "extended" (in
                the call that completes them), or "auto" (extended for MPI)
    details     keep what only reports for programs and pictures show: members and causes of the most severe instances
                (Result.instances()), histograms and statistics by call path (Result.waits), Result.communication
    series      keep when the waits were: Result.series
    phase       name of a region whose visits are phases: Result.phases; or "time:20": 20 stretches of time of equal length
                are. The trace is read once more for visits, twice more for time
    contexts    look again at what happened around the most severe waits: Result.contexts
    threads     that decode; 0: one per core, at most 8
    chunk_events  events of a location that are decoded at a time; 0: chosen by the number of locations
    progress    called with (events so far, events announced) about ten times a second

    Returns a Result. Raises TraceError if nothing can be read, UsageError for what does not exist, PatternError if a
    pattern fails, with the exception that it raised as its cause. Other Python threads run meanwhile, except during the
    callbacks of patterns in Python; Ctrl-C ends it."""
    registry = _registry(plugins)
    only: list[str] = []
    if patterns is not None:
        if isinstance(patterns, (str, Pattern, type)):
            patterns = (patterns,)
        for pattern in patterns:
            if isinstance(pattern, os.PathLike):
                raise UsageError(f"{pattern!r} is no pattern: give files as plugins=[...]")
            only.append(pattern if isinstance(pattern, str) else _add(registry, pattern))
    for pattern in (replace,) if isinstance(replace, (Pattern, type)) else replace:
        registry.replace(make(pattern) if isinstance(pattern, type) else pattern)
    for name, value in (parameters or {}).items():
        registry.set(name, _value(value))
    without = [without] if isinstance(without, str) else list(without)
    nothing = patterns is not None and not only
    return Result(registry.analyze(_core._path(path), nothing, only, without, "" if region is None else _text(region, "region"),
                                   _locations(locations), _time(time), _count(threads, "threads"),
                                   _count(chunk_events, "chunk_events"), progress, counters, rma_model,
                                   details, series, contexts, "" if phase is None else _text(phase, "phase")))


def _value(value: int | float | str) -> str:
    """A parameter's value as a text: that of True is 1, and NumPy's numbers are like others."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, numpy.bool_)):
        return str(int(value))
    if isinstance(value, SupportsIndex):
        return str(operator.index(value))
    return repr(float(value)) if isinstance(value, numbers.Real) else repr(value)


def _count(number: int, name: str) -> int:
    if not isinstance(number, SupportsIndex) or not 0 <= operator.index(number) < 1 << 32:
        raise UsageError(f"{name} is {number!r}, expected a whole number from 0 to 2**32 - 1")
    return operator.index(number)


def _text(text: str, name: str) -> str:
    if not isinstance(text, str):
        raise UsageError(f"{name} is {text!r}, expected a str")
    return text


def _locations(locations: int | _core.Location | Iterable[int | _core.Location] | None) -> list[int] | None:
    if locations is None:
        return None
    if isinstance(locations, SupportsIndex):  # one alone
        locations = (locations,)
    numbers = [operator.index(location) for location in locations]
    if not numbers:
        raise UsageError("locations is empty, expected at least one, or None for all")
    for number in numbers:
        if not 0 <= number < 1 << 32:
            raise UsageError(f"there is no location {number}: they are numbered from 0")
    return numbers


def _time(time: tuple[int, int] | None) -> tuple[int, int] | None:
    if time is None:
        return None
    try:
        begin, end = (operator.index(t) for t in time)
    except (TypeError, ValueError):
        raise UsageError(f"time is {time!r}, expected two whole numbers of ticks: (from, to)") from None
    if begin < 0 or end < 0 or max(begin, end) >= 1 << 64:
        raise UsageError(f"time is {time!r}, expected ticks as events have them, from 0 to 2**64 - 1")
    if begin > end:
        raise UsageError(f"time is {time!r}, expected the second not to be smaller than the first")
    return begin, end


def patterns(plugins: Plugin | Iterable[Plugin] = ()) -> list[dict[str, Any]]:
    """All patterns there are, built-in ones first: a list of dicts with id, title, summary, parent, unit, origin, metrics,
    severity, charged_to, state, source, differs, diagnosis, needs, on_request (it runs only if it is named), parameters."""
    return _registry(plugins).entries()


def explain(id: str, plugins: Plugin | Iterable[Plugin] = ()) -> str:
    """What a pattern or metric means, where it comes from, and what to do: the text of `waitstate explain ID`."""
    return _registry(plugins).explain(id)


def open_report(path: Path) -> Result:
    """The Result in a report file: .json of waitstate, or .cubex of any tool.

    From .json the same ticks, waits, instances, diagnostics are there again, by path: numbers of call paths are the
    reopened Result's own and may be others than those of the Result that was written. What only the trace has, its events
    and records, is not in it. A .cubex holds severities, statistics
    (where trace.stat lies beside it) and the trees, in seconds: ticks are nanoseconds then, and what it does not say is
    empty. Ask seconds() where files of both kinds meet. Raises TraceError for what is neither; a .csv report is only the
    table of severities, and is not opened."""
    return Result(_core._open_report(_core._path(path)))
