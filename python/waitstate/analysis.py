"""waitstate.analyze(), and what patterns there are."""

import os

from waitstate import _core
from waitstate._core import UsageError
from waitstate.pattern import Pattern
from waitstate.plugin import make
from waitstate.result import Result


def _registry(plugins):
    """A registry with plug-ins: paths of Python files and C++ libraries, Pattern classes, Pattern instances."""
    registry = _core._Registry()
    if isinstance(plugins, (str, os.PathLike, Pattern, type)):
        plugins = (plugins,)
    for plugin in plugins:
        _add(registry, plugin)
    return registry


def _add(registry, plugin):
    """Adds a plug-in; the id of the pattern if it is a class or an instance."""
    if isinstance(plugin, (str, os.PathLike)):
        registry.load(os.fspath(plugin))
        return None
    if isinstance(plugin, type) and issubclass(plugin, Pattern):
        plugin = make(plugin)
    if not isinstance(plugin, Pattern):
        raise UsageError(f"{plugin!r} is no plug-in: expected a path, a subclass of waitstate.Pattern, or an instance of "
                         f"one")
    cls = type(plugin)
    registry.add(plugin, f"class {cls.__module__}.{cls.__qualname__}")
    return registry.entries()[-1]["id"]


def analyze(path, patterns=None, plugins=(), without=(), parameters=None, region=None, locations=None, time=None,
            threads=0, chunk_events=0, progress=None, replace=()):
    """Analyses a trace in one pass.

    path        an OTF2 archive (anchor file or its folder), or a file in the text notation
    patterns    what to run, and what it needs: ids of patterns or metrics, subclasses of Pattern, instances of one.
                None: all built-in patterns and all of `plugins`. An empty list: none, only what needs no pattern
    plugins     patterns to have beside the built-in ones: paths of .py files or C++ libraries, subclasses of Pattern,
                instances
    replace     patterns (classes or instances) that run in place of those of the same id, with the same metrics
    without     ids of patterns not to run, nor what needs them
    parameters  dict of 'ID.PARAMETER' to value
    region      name of a region: only what happens inside it counts
    locations   numbers of the locations that count
    time        (from, to) in ticks as in events: only from <= time < to counts
    threads     that decode; 0: one per core, at most 8
    progress    called with (events so far, events announced) about ten times a second

    Returns a Result. Raises TraceError if nothing can be read, UsageError for what does not exist, PatternError if a
    pattern fails, with the exception that it raised as its cause. Other Python threads run meanwhile, except during the
    callbacks of patterns in Python; Ctrl-C ends it."""
    registry = _registry(plugins)
    only = []
    if patterns is not None:
        if isinstance(patterns, (str, Pattern, type)):
            patterns = (patterns,)
        for pattern in patterns:
            if isinstance(pattern, str):
                only.append(pattern)
            else:
                only.append(_add(registry, pattern) if not isinstance(pattern, os.PathLike) else _not_an_id(pattern))
    for name, value in (parameters or {}).items():
        registry.set(name, value if isinstance(value, str) else repr(value))
    for pattern in (replace,) if isinstance(replace, (Pattern, type)) else replace:
        registry.replace(make(pattern) if isinstance(pattern, type) else pattern)
    without = [without] if isinstance(without, str) else list(without)
    path = os.fspath(path)
    if patterns is not None and not only:
        return Result(registry.run_nothing(path, threads))
    return Result(registry.analyze(path, only, without, region or "", None if locations is None else
                                   [int(l) for l in locations], time, threads, chunk_events, progress))


def _not_an_id(path):
    raise UsageError(f"{path!r} is no pattern: give files as plugins=[...]")


def patterns(plugins=()):
    """All patterns there are, built-in ones first: a list of dicts with id, title, summary, parent, unit, origin, metrics,
    severity, charged_to, state, source, differs, diagnosis, needs, parameters."""
    return _registry(plugins).entries()


def explain(id, plugins=()):
    """What a pattern or metric means, where it comes from, and what to do: the text of `waitstate explain ID`."""
    return _registry(plugins).explain(id)


def open_report(path):
    """The Result in a report: .json of waitstate, or .cubex of any tool."""
    return Result(_core._open_report(os.fspath(path)))
