"""waitstate.analyze(), and the list of patterns."""

from __future__ import annotations

import numbers
import operator
import os
from typing import Any, Callable, Iterable, Mapping, SupportsIndex, Union

import numpy

from waitstate import _core
from waitstate._core import UsageError
from waitstate.analysis_choices import Focus, Keep, location_numbers
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
    """Adds a plug-in; returns the id of its pattern, or "" for a file, which may have several. Plug-ins may build on
    each other."""
    if isinstance(plugin, (str, os.PathLike)):
        registry.load(_core._path(plugin))
        return ""
    if isinstance(plugin, type) and issubclass(plugin, Pattern):
        plugin = make(plugin)
    if not isinstance(plugin, Pattern):
        raise UsageError(f"{plugin!r} is not a plug-in: expected a path, a subclass of waitstate.Pattern, or an instance of "
                         f"one")
    cls = type(plugin)
    return registry.add(plugin, f"class {cls.__module__}.{cls.__qualname__}")


def analyze(path: Path, patterns: str | Pattern | type[Pattern] | Iterable[str | Pattern | type[Pattern]] | None = None,
            plugins: Plugin | Iterable[Plugin] = (), *, without: str | Iterable[str] = (),
            parameters: Mapping[str, int | float | str] | None = None,
            replace: Pattern | type[Pattern] | Iterable[Pattern | type[Pattern]] = (), counters: bool = True,
            rma_model: str = "auto", focus: Focus = Focus(), keep: Keep = Keep(), threads: int = 0, chunk_events: int = 0,
            progress: Callable[[int, int], object] | None = None) -> Result:
    """Analyses a trace in one pass.

    path        an OTF2 archive (anchor file or its folder), or a file in the text notation

    Choice of the analysis:

    patterns    the patterns to run, together with those that they need: ids of patterns or metrics, subclasses of Pattern,
                instances of one. None: all built-in patterns except those on request, and all of `plugins`. An empty list:
                no pattern, only metrics that need none. "all" in the list stands for the choice of None:
                ["all", "critical_path", "delay"]
    plugins     patterns in addition to the built-in ones: paths of .py files or C++ libraries, subclasses of Pattern,
                instances
    without     ids of patterns that are not run, and neither are the patterns that need them
    parameters  dict of 'ID.PARAMETER' to value
    replace     patterns (classes or instances) that run in place of the built-in ones of the same id, with the same
                metrics and parameters of their own. Built-in patterns that receive what the replaced one published
                (slow_slaves from mpi_latesender) do not run
    counters    add up METRIC events per call path: Result.counters
    rma_model   when one-sided operations are complete for rma_operation_callback: "basic" (in their call), "extended" (in
                the call that completes them), or "auto" (extended for MPI)
    focus       the part of the run that counts: a Focus, e.g. Focus(region="solve", locations=range(4))
    keep        the data to keep beyond sums: a Keep, e.g. Keep(details=True, series=True)

    Reading of the trace:

    threads     number of threads; 0: one per core, but no more than are worth it
    chunk_events  events of a location that are decoded at a time; 0: chosen by the number of locations
    progress    called with (events so far, events announced) about ten times a second

    Returns a Result. Raises TraceError if nothing can be read, UsageError for names that do not exist, PatternError if
    a pattern fails, with the exception that it raised as its cause. Other Python threads run meanwhile, except during
    the callbacks of patterns in Python; Ctrl-C ends the analysis."""
    if not isinstance(focus, Focus):
        raise UsageError(f"focus is {focus!r}, expected a waitstate.Focus")
    if not isinstance(keep, Keep):
        raise UsageError(f"keep is {keep!r}, expected a waitstate.Keep")
    registry = _registry(plugins)
    only: list[str] = []
    if patterns is not None:
        if isinstance(patterns, (str, Pattern, type)):
            patterns = (patterns,)
        for pattern in patterns:
            if isinstance(pattern, os.PathLike):
                raise UsageError(f"{pattern!r} is not a pattern: give files as plugins=[...]")
            only.append(pattern if isinstance(pattern, str) else _add(registry, pattern))
    for pattern in (replace,) if isinstance(replace, (Pattern, type)) else replace:
        registry.replace(make(pattern) if isinstance(pattern, type) else pattern)
    for name, value in (parameters or {}).items():
        registry.set(name, _value(value))
    without = [without] if isinstance(without, str) else list(without)
    nothing = patterns is not None and not only
    return Result(registry.analyze(
        _core._path(path), nothing, only, without, focus.region or "", location_numbers(focus.locations),
        focus.time,
        _count(threads, "threads"), _count(chunk_events, "chunk_events"), progress, counters, rma_model, keep.details,
        keep.series, keep.contexts, keep.phase or ""))


def _value(value: int | float | str) -> str:
    """A parameter's value as text: True becomes 1, and NumPy's numbers are treated like others."""
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


def patterns(plugins: Plugin | Iterable[Plugin] = ()) -> list[dict[str, Any]]:
    """All patterns, built-in ones first: a list of dicts with id, title, summary, parent, unit, origin, metrics,
    severity, charged_to, state, source, differs, diagnosis, needs, on_request (it runs only if it is named),
    parameters."""
    return _registry(plugins).entries()


def explain(id: str, plugins: Plugin | Iterable[Plugin] = ()) -> str:
    """The meaning of a pattern or metric, its source, and advice: the text of `waitstate explain ID`."""
    return _registry(plugins).explain(id)


def open_report(path: Path) -> Result:
    """The Result in a report file: .json of waitstate, or .cubex of any tool.

    A .json gives the same ticks, waits, instances and diagnostics, by path: numbers of call paths are the reopened
    Result's own and may differ from those of the Result that was written. It lacks the events and records, which only
    the trace has. A .cubex holds severities, statistics (if trace.stat is beside it) and the trees, in seconds: its
    ticks are nanoseconds, and everything else is empty. Use seconds() where files of both kinds meet. Raises TraceError
    for any other file; a .csv report is only the table of severities, and is not opened."""
    return Result(_core._open_report(_core._path(path)))
